//! Keys: on a card, and anywhere on the page. No single letters.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos::web_sys::KeyboardEvent;

use super::state::Cards;
use super::{focus, grab, rail, sort};
use crate::deck::{CardId, Nudge, nudge};

/// Listens to the keys of the whole page, in the browser.
pub fn follow(cards: Cards) {
    Effect::new(move |_| {
        let keys = window_event_listener(ev::keydown, move |event| {
            if !event.default_prevented() && cards.active.get_untracked() && on_page(cards, &event) {
                event.prevent_default();
            }
        });
        let blur = window_event_listener(ev::blur, move |_| {
            grab::revert(cards);
            sort::revert(cards);
            rail::revert(cards);
        });
        on_cleanup(move || {
            keys.remove();
            blur.remove();
        });
    });
}

fn on_page(cards: Cards, event: &KeyboardEvent) -> bool {
    match (event.key().as_str(), event.shift_key()) {
        ("Escape", true) => cards.peeking.update(|peeking| *peeking = !*peeking),
        ("Escape", false) => return grab::revert(cards) || sort::revert(cards) || rail::revert(cards),
        ("F6", back) => focus::next_region(cards, back),
        _ => return false,
    }
    true
}

/// Keys on a card: those of moving and sizing while that is on, and the way back.
pub fn on_card(cards: Cards, id: CardId, event: &KeyboardEvent) {
    if event.default_prevented() || event.meta_key() {
        return;
    }
    let key = event.key();
    let mode = cards.keys.get_untracked().filter(|mode| mode.id == id);
    let nudged = mode.and_then(|mode| Some((mode, Nudge::of_key(&key, event.shift_key(), event.ctrl_key())?)));
    match (key.as_str(), mode) {
        _ if nudged.is_some() => {
            if let Some((mode, asked)) = nudged {
                cards.deck.update(|deck| {
                    if let Some(rect) = deck.rect(id) {
                        deck.set_rect(id, nudge(&rect, &deck.area(), asked, mode.sizing));
                    }
                });
                tell_soon(cards, id);
            }
        }
        ("Enter", Some(_)) => end_keys(cards, id, true),
        ("Escape", Some(_)) => end_keys(cards, id, false),
        ("Escape", None) if !event.shift_key() && !grab::revert(cards) => focus::back(id),
        _ => return,
    }
    event.prevent_default();
}

/// Says where the card is, once the keys have paused.
fn tell_soon(cards: Cards, id: CardId) {
    let rect = cards.deck.with_untracked(|deck| deck.rect(id));
    let tell = move || {
        let Some(Some(now)) = cards.deck.try_with_untracked(|deck| deck.rect(id)) else { return };
        if rect == Some(now) {
            cards.status.set(format!("Left {}, top {}, {} wide, {} high.", now.x, now.y, now.w, now.h));
        }
    };
    set_timeout(tell, Duration::from_millis(500));
}

/// Ends moving or sizing by keys; without `keep` the card goes back to where it was.
pub fn end_keys(cards: Cards, id: CardId, keep: bool) {
    let Some(mode) = cards.keys.get_untracked().filter(|mode| mode.id == id) else { return };
    if !keep {
        cards.deck.update(|deck| deck.put_back(mode.before));
    }
    cards.keys.set(None);
}
