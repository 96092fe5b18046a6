//! Sorting the dock by dragging a chip. Its menu and Alt with the arrow keys do the same.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, PointerEvent};

use super::measure::{find, rect};
use super::state::Cards;
use crate::deck::{CardId, Pointer};

/// A chip under the pointer.
#[derive(Clone, Copy, Debug)]
pub struct Sorting {
    id: CardId,
    pointer: i32,
    start: f64,
    threshold: f64,
    /// Its place when it was taken.
    from: usize,
    begun: bool,
}

/// No pointer has this id.
const NONE: i32 = -1;

/// A press on the chip of a minimised card may become a drag.
pub fn press(cards: Cards, id: CardId, event: &PointerEvent) {
    let from = cards.deck.with_untracked(|deck| deck.dock().iter().position(|other| *other == id));
    let sorting = from.filter(|_| event.is_primary() && event.button() == 0 && !event.ctrl_key()).map(|from| Sorting {
        id,
        pointer: event.pointer_id(),
        start: f64::from(event.client_x()),
        threshold: Pointer::named(&event.pointer_type()).threshold(),
        from,
        begun: false,
    });
    cards.sorting.set_value(sorting);
}

/// Puts the chip where the pointer is.
pub fn follow(cards: Cards, event: &PointerEvent) {
    let Some(mut sorting) = cards.sorting.get_value().filter(|sorting| sorting.pointer == event.pointer_id()) else { return };
    let x = f64::from(event.client_x());
    if !sorting.begun {
        if (x - sorting.start).abs() <= sorting.threshold {
            return;
        }
        let chip = event.current_target().and_then(|target| target.dyn_into::<Element>().ok());
        if chip.is_none_or(|chip| chip.set_pointer_capture(event.pointer_id()).is_err()) {
            return;
        }
        sorting.begun = true;
        cards.sorting.set_value(Some(sorting));
    }
    let dock = cards.deck.with_untracked(|deck| deck.dock().to_vec());
    let centre = |id: CardId| find(&format!("#chip-{id}")).map(|chip| rect(&chip.get_bounding_client_rect())).map(|r| r.x + r.w / 2.0);
    let to = dock.iter().filter(|id| **id != sorting.id && centre(**id).is_some_and(|centre| centre < x)).count();
    put(cards, sorting.id, to);
}

/// Lets go and puts the chip back; the click that still comes is swallowed. True if there was a drag.
pub fn revert(cards: Cards) -> bool {
    let Some(sorting) = cards.sorting.try_get_value().flatten().filter(|sorting| sorting.begun && sorting.pointer != NONE) else {
        return false;
    };
    put(cards, sorting.id, sorting.from);
    cards.sorting.set_value(Some(Sorting { pointer: NONE, ..sorting }));
    true
}

/// True if the click that comes now ends a drag, and is none.
pub fn swallows_click(cards: Cards) -> bool {
    cards.sorting.try_update_value(Option::take).flatten().is_some_and(|sorting| sorting.begun)
}

fn put(cards: Cards, id: CardId, to: usize) {
    let at = cards.deck.with_untracked(|deck| deck.dock().iter().position(|other| *other == id));
    if let Some(by) = at.and_then(|at| to.checked_signed_diff(at)).filter(|by| *by != 0) {
        cards.deck.update(|deck| {
            deck.move_in_dock(id, by);
        });
    }
}
