//! Which cards stand on the page: those on the table, a few at a time, the foremost first.
//!
//! Decision: a card costs the page its transcript. So fifty that come back at once come in slices, each once it has its entries,
//! and what lies under others comes last; a card that a person opens is in front, and there at once.

use leptos::prelude::*;

use super::state::Cards;
use crate::deck::CardId;

/// So many cards come together.
const SLICE: usize = 2;
/// So many frames their entries are waited for.
const PATIENCE: u32 = 40;

/// Brings the cards of the table onto the page, in the browser.
pub fn follow(cards: Cards) {
    let coming = StoredValue::new(false);
    Effect::new(move |_| {
        cards.active.track();
        cards.deck.track();
        let wanted = wanted(cards);
        let here = cards.here.get_untracked();
        if here.iter().any(|id| !wanted.contains(id)) {
            cards.here.update(|here| here.retain(|id| wanted.contains(id)));
        }
        if let Some(front) = wanted.first().filter(|front| !here.contains(front)) {
            cards.here.update(|here| _ = here.insert(*front));
        }
        if !missing(cards).is_empty() && !coming.get_value() {
            coming.set_value(true);
            request_animation_frame(move || come(cards, coming, 0));
        }
    });
}

/// One slice, once it has its entries, and then the next.
fn come(cards: Cards, coming: StoredValue<bool>, waited: u32) {
    if cards.is_gone() {
        return;
    }
    let missing = missing(cards);
    coming.set_value(!missing.is_empty());
    if missing.is_empty() {
        return;
    }
    let slice: Vec<CardId> = missing.into_iter().take(SLICE).collect();
    let ready = waited >= PATIENCE || are_loaded(cards, &slice);
    if ready {
        cards.here.update(|here| here.extend(slice));
    }
    request_animation_frame(move || come(cards, coming, if ready { 0 } else { waited + 1 }));
}

/// The cards that belong on the page, the foremost first, those that nobody sees last.
fn wanted(cards: Cards) -> Vec<CardId> {
    if !cards.active.get_untracked() {
        return Vec::new();
    }
    let mut all: Vec<CardId> = cards.deck.with_untracked(|deck| deck.order().iter().rev().copied().collect());
    let here = cards.here.get_untracked();
    if all.iter().filter(|id| !here.contains(id)).count() > SLICE {
        all.sort_by_cached_key(|id| cards.deck.with_untracked(|deck| deck.covered(*id) >= 1.0));
    }
    all
}

/// Those of them that are not there yet.
fn missing(cards: Cards) -> Vec<CardId> {
    let here = cards.here.get_untracked();
    wanted(cards).into_iter().filter(|id| !here.contains(id)).collect()
}

/// True if the transcripts of these cards are there.
fn are_loaded(cards: Cards, ids: &[CardId]) -> bool {
    let mirror = cards.mirror();
    untrack(|| ids.iter().filter_map(|id| id.agent()).all(|n| mirror.window(mirror.shown(n)).is_some()))
}
