//! What a person can do to a card, and to all cards: one table for the menus and for the palette.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::state::Cards;
use super::{focus, measure};
use crate::app::calls;
use crate::app::numbers::session_path;
use crate::deck::{self, CardId, Deck, Mode, Preset, Scene, Spot};

/// Something that can be done to one card.
pub struct Act {
    pub name: &'static str,
    /// True where it makes sense for this card.
    pub when: fn(&Deck, CardId) -> bool,
    pub run: fn(Cards, CardId),
}

/// Something that can be done to all of them.
pub struct AllAct {
    pub name: &'static str,
    pub run: fn(Cards),
}

/// What a menu offers, in its order.
pub const ACTS: [Act; 12] = [
    Act { name: "Restore", when: Deck::is_docked, run: to_front },
    Act { name: "Bring to front", when: |deck, id| deck.is_open(id) && deck.front() != Some(id), run: to_front },
    Act { name: "Float", when: Deck::is_in_rail, run: float },
    Act { name: "Put beside the conversation", when: |deck, id| !deck.is_in_rail(id), run: to_rail },
    Act { name: "Move left", when: |deck, id| !deck.is_open(id), run: |cards, id| shift(cards, id, -1) },
    Act { name: "Move right", when: |deck, id| !deck.is_open(id), run: |cards, id| shift(cards, id, 1) },
    Act { name: "Move with arrow keys", when: Deck::is_open, run: |cards, id| keys(cards, id, false) },
    Act { name: "Resize with arrow keys", when: Deck::is_open, run: |cards, id| keys(cards, id, true) },
    Act { name: "Send to back", when: Deck::is_open, run: to_back },
    Act { name: "Minimise", when: |deck, id| !deck.is_docked(id), run: minimise },
    Act { name: "Show its step", when: |_, id| id.agent().is_some(), run: |_, id| id.agent().into_iter().for_each(focus::show_step) },
    Act { name: "Close", when: |_, _| true, run: focus::close },
];

/// What the menu of all cards offers, in its order.
pub const ALL: [AllAct; 10] = [
    AllAct { name: "Tile", run: |cards| lay(cards, Deck::tile) },
    AllAct { name: "Cascade", run: |cards| lay(cards, Deck::cascade) },
    AllAct { name: "Pile", run: |cards| lay(cards, Deck::pile) },
    AllAct { name: "Minimise all", run: |cards| cards.deck.update(Deck::minimise_all) },
    AllAct { name: "Restore all", run: |cards| cards.deck.update(Deck::restore_all) },
    AllAct { name: "Close finished", run: |cards| cards.close_finished() },
    AllAct { name: "Reset layout", run: |cards| lay(cards, Deck::reset) },
    AllAct { name: "Save layout for all devices", run: save },
    AllAct { name: "Use saved layout", run: super::storage::use_saved },
    AllAct { name: "Copy link with cards", run: copy_link },
];

fn to_front(cards: Cards, id: CardId) {
    cards.restore(id);
    focus::card(id);
}

/// Takes a card out of the dock or the rail onto the table.
pub fn float(cards: Cards, id: CardId) {
    cards.back.set(Some(id));
    cards.deck.update(|deck| deck.float(id));
    focus::card(id);
}

/// Puts a card beside the conversation.
pub fn to_rail(cards: Cards, id: CardId) {
    cards.deck.update(|deck| deck.to_rail(id));
    focus::card(id);
}

/// Puts a card into the dock.
pub fn minimise(cards: Cards, id: CardId) {
    cards.minimise(id);
    focus::chip(id);
}

fn to_back(cards: Cards, id: CardId) {
    cards.deck.update(|deck| deck.send_to_back(id));
    focus::chip(id);
}

fn shift(cards: Cards, id: CardId, by: isize) {
    cards.deck.update(|deck| {
        let _ = deck.move_in_dock(id, by) || deck.move_in_rail(id, by);
    });
    focus::chip(id);
}

fn keys(cards: Cards, id: CardId, sizing: bool) {
    focus::card(id);
    request_animation_frame(move || cards.start_keys(id, sizing));
}

/// Puts a card at one of nine places.
pub fn move_to(cards: Cards, id: CardId, spot: Spot) {
    cards.deck.update(|deck| {
        deck.float(id);
        deck.move_to(id, spot);
    });
    focus::card(id);
}

/// Gives a card a size.
pub fn set_size(cards: Cards, id: CardId, preset: Preset) {
    cards.deck.update(|deck| {
        deck.float(id);
        deck.set_preset(id, preset);
    });
    focus::card(id);
}

/// Lets a card fill the area, or gives it back its size.
pub fn maximise(cards: Cards, id: CardId) {
    if cards.deck.with_untracked(|deck| !deck.is_open(id)) {
        cards.deck.update(|deck| deck.float(id));
    }
    cards.toggle_maximised(id);
    focus::card(id);
}

/// The name of what [`maximise`] does to a card.
pub fn maximise_name(deck: &Deck, id: CardId) -> &'static str {
    if deck.mode(id) == Some(Mode::Max) { "Restore size" } else { "Maximise" }
}

fn lay(cards: Cards, lay: fn(&mut Deck, &Scene)) {
    let scene = measure::scene();
    cards.deck.update(|deck| lay(deck, &scene));
}

fn save(cards: Cards) {
    let (session, layout) = (cards.mirror().id().to_owned(), cards.deck.with_untracked(deck::save));
    spawn_local(async move {
        cards.tell(match calls::save_layout(session, layout).await {
            Ok(()) => "Layout saved for all devices.",
            Err(_) => "The layout could not be saved: the server does not answer. Try again.",
        });
    });
}

fn copy_link(cards: Cards) {
    let origin = window().location().origin().unwrap_or_default();
    let path = session_path(cards.mirror().id());
    let list = cards.deck.with_untracked(deck::link);
    crate::app::dom::copy(&format!("{origin}{path}?cards={list}"));
    cards.tell("Link copied.");
}
