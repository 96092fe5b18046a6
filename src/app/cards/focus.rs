//! Where the keyboard focus goes when a card comes, goes or is left, and around the regions of the page.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::HtmlElement;

use super::measure::find;
use super::state::Cards;
use crate::deck::CardId;

/// Puts the focus on what the selector finds, after the views have been brought up to date. It scrolls nothing.
fn soon(selector: String) {
    request_animation_frame(move || {
        now(&selector);
    });
}

fn now(selector: &str) -> bool {
    let element = find(selector).and_then(|element| element.dyn_into::<HtmlElement>().ok());
    element.is_some_and(|element| element.focus().is_ok())
}

/// To a card's title.
pub fn card(id: CardId) {
    soon(format!("#card-{id} .card-title"));
}

/// To a card's chip.
pub fn chip(id: CardId) {
    soon(format!("#chip-{id}"));
}

/// To the rail's tab that is in front.
pub fn tab(cards: Cards) {
    if let Some(id) = cards.deck.with_untracked(|deck| deck.shown_in_rail()) {
        soon(format!("#tab-{id}"));
    }
}

/// Back from a card to where it was opened: its agent's step, else its chip.
pub fn back(id: CardId) {
    if !id.agent().is_some_and(|n| now(&step(n))) {
        chip(id);
    }
}

/// Closes a card and puts the focus where it came from.
pub fn close(cards: Cards, id: CardId) {
    let next = cards.deck.with_untracked(|deck| deck.order().iter().rev().copied().find(|other| *other != id));
    let was_in = find(&format!("#card-{id}:focus-within")).is_some();
    cards.close(id);
    if was_in && !id.agent().is_some_and(|n| now(&step(n))) {
        match next {
            Some(next) => card(next),
            None => soon(CONVERSATION.into()),
        }
    }
}

/// Brings an agent's step into view and gives it the focus.
pub fn show_step(n: u32) {
    let selector = step(n);
    if let Some(element) = find(&selector) {
        element.scroll_into_view_with_bool(false);
        soon(selector);
    }
}

/// The control of the step that started an agent.
fn step(n: u32) -> String {
    format!(".start[data-agent=\"{n}\"] .opens")
}

const CONVERSATION: &str = "main > .transcript > .log";
const COMPOSER: &str = "main > .composer textarea";
const DOCK: &str = ".dock [tabindex=\"0\"]";

/// Goes to the next region: conversation, composer, cards from the front, rail, dock.
pub fn next_region(cards: Cards, backwards: bool) {
    let mut regions: Vec<(String, String)> =
        vec![("main > .transcript".into(), CONVERSATION.into()), ("main > .composer".into(), COMPOSER.into())];
    if !cards.peeking.get_untracked() {
        cards.deck.with_untracked(|deck| {
            regions.extend(deck.order().iter().rev().map(|id| (format!("#card-{id}"), format!("#card-{id} .card-title"))));
        });
    }
    let beside = cards.deck.with_untracked(|deck| deck.shown_in_rail());
    regions.extend(beside.map(|id| (".rail".into(), format!("#card-{id} .card-title"))));
    regions.push((".dock".into(), DOCK.into()));
    regions.retain(|(_, target)| find(target).is_some());
    let here = document().active_element();
    let at = here.and_then(|here| regions.iter().position(|(region, _)| here.closest(region).is_ok_and(|found| found.is_some())));
    let count = regions.len();
    let to = match at {
        None => 0,
        Some(at) if backwards => (at + count - 1) % count,
        Some(at) => (at + 1) % count,
    };
    if let Some((_, target)) = regions.get(to) {
        now(target);
    }
}
