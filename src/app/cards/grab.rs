//! A pointer on a card: from its events to a gesture of the deck, drawn once a frame.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, PointerEvent};

use super::state::Cards;
use crate::deck::{CardId, Gesture, Grip, Handle, Point, Pointer};

/// The pointer that holds a card, if one does.
#[derive(Default)]
pub struct Grab {
    gesture: Option<Gesture>,
    pointer: i32,
    at: Point,
    /// Alt is down: nothing snaps.
    free: bool,
    /// A frame has been asked for.
    framed: bool,
}

/// A press anywhere on a card raises it; on its header or an edge it may become a drag.
pub fn press(cards: Cards, id: CardId, event: &PointerEvent) {
    cards.raise(id);
    if !event.is_primary() || event.button() != 0 || event.ctrl_key() || cards.grab.with_value(|grab| grab.gesture.is_some()) {
        return;
    }
    let Some((grip, element)) = grip_at(event) else { return };
    let at = point(event);
    let pointer = Pointer::named(&event.pointer_type());
    let gesture = cards.deck.with_untracked(|deck| Gesture::begin(deck, id, grip, pointer, at));
    if gesture.is_some() && element.set_pointer_capture(event.pointer_id()).is_ok() {
        cards.keys.set(None);
        cards.grab.update_value(|grab| *grab = Grab { gesture, pointer: event.pointer_id(), at, free: false, framed: grab.framed });
    }
}

/// Follows the pointer; many moves in one frame are drawn once.
pub fn follow(cards: Cards, event: &PointerEvent) {
    let ask = cards.grab.try_update_value(|grab| {
        if grab.gesture.is_none() || grab.pointer != event.pointer_id() {
            return false;
        }
        (grab.at, grab.free) = (point(event), event.alt_key());
        !std::mem::replace(&mut grab.framed, true)
    });
    if ask == Some(true) {
        request_animation_frame(move || draw(cards));
    }
}

fn draw(cards: Cards) {
    let drawn = cards.grab.try_update_value(|grab| {
        grab.framed = false;
        let (at, free) = (grab.at, grab.free);
        let gesture = grab.gesture.as_mut()?;
        gesture.follow(at, free).map(|rect| (gesture.id(), rect))
    });
    if let Some(Some(drawn)) = drawn {
        cards.drawn.set(Some(drawn));
    }
}

/// The pointer is up: the drawn place is written, once.
pub fn release(cards: Cards, event: &PointerEvent) {
    let gesture = cards.grab.try_update_value(|grab| {
        let mine = grab.pointer == event.pointer_id();
        let mut gesture = grab.gesture.take_if(|_| mine)?;
        gesture.follow(point(event), event.alt_key());
        Some(gesture)
    });
    if let Some(Some(gesture)) = gesture {
        if gesture.has_begun() {
            cards.deck.update(|deck| {
                gesture.finish(deck);
            });
        }
        cards.drawn.set(None);
    }
}

/// Lets go and leaves everything as it was. True if there was a gesture.
pub fn revert(cards: Cards) -> bool {
    let gesture = cards.grab.try_update_value(|grab| grab.gesture.take()).flatten();
    if gesture.is_some() {
        cards.drawn.set(None);
    }
    gesture.is_some()
}

fn point(event: &PointerEvent) -> Point {
    Point { x: f64::from(event.client_x()), y: f64::from(event.client_y()) }
}

fn grip_at(event: &PointerEvent) -> Option<(Grip, Element)> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    if target.closest("[data-no-grip]").ok()?.is_some() {
        return None;
    }
    let element = target.closest("[data-grip]").ok()??;
    let name = element.get_attribute("data-grip")?;
    let handle = Handle::ALL.into_iter().find(|handle| handle.name() == name);
    Some((handle.map_or(Grip::Header, Grip::Handle), element))
}
