//! A long press: half a second in one place, by finger, pen or mouse.
//!
//! Decision: a timer of our own, since phones differ in what they tell of a long press. Invariant: the click that ends a long press
//! opens nothing.

use std::cell::Cell;
use std::time::Duration;

use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::web_sys::{MouseEvent, PointerEvent};

const LONG: Duration = Duration::from_millis(500);
/// How far a finger may stray, in px.
const STRAY: i32 = 10;

thread_local! {
    /// How often a finger has come to one that was down already, on whichever row.
    static SECOND: Cell<u32> = const { Cell::new(0) };
}

/// A press on one row.
#[derive(Clone, Copy)]
pub struct Press {
    down: StoredValue<Option<Down>>,
    /// The press was long: the click that follows it counts for nothing.
    long: StoredValue<bool>,
    touch: StoredValue<bool>,
}

struct Down {
    pointer: i32,
    x: i32,
    y: i32,
    timer: Option<TimeoutHandle>,
}

impl Press {
    pub fn new() -> Self {
        let press = Self { down: StoredValue::new(None), long: StoredValue::new(false), touch: StoredValue::new(false) };
        on_cleanup(move || press.end());
        press
    }

    /// A pointer is down; `job` runs if it stays. A second finger is no long press.
    pub fn begin(self, event: &PointerEvent, job: impl FnOnce() + 'static) {
        self.end();
        self.long.set_value(false);
        self.touch.set_value(event.pointer_type() != "mouse");
        if !event.is_primary() {
            return SECOND.set(SECOND.get().wrapping_add(1));
        }
        if event.button() != 0 {
            return;
        }
        let before = SECOND.get();
        let ripe = move || {
            let ripe = self.down.try_update_value(Option::take).flatten();
            if ripe.is_some() && SECOND.get() == before {
                self.long.set_value(true);
                job();
            }
        };
        let timer = set_timeout_with_handle(ripe, LONG).ok();
        self.down.set_value(Some(Down { pointer: event.pointer_id(), x: event.client_x(), y: event.client_y(), timer }));
    }

    /// It moves: too far, and it is a scroll or a drag.
    pub fn follow(self, event: &PointerEvent) {
        let strays = self.down.with_value(|down| {
            let away = |down: &Down| (event.client_x() - down.x).abs().max((event.client_y() - down.y).abs()) > STRAY;
            down.as_ref().is_some_and(|down| down.pointer == event.pointer_id() && away(down))
        });
        if strays {
            self.end();
        }
    }

    /// It is up, or was taken away.
    pub fn end(self) {
        let ended = self.down.try_update_value(Option::take).flatten();
        if let Some(timer) = ended.and_then(|down| down.timer) {
            timer.clear();
        }
    }

    /// True once for the click that ends a long press.
    pub fn swallows(self) -> bool {
        self.long.try_update_value(std::mem::take).unwrap_or_default()
    }

    /// A phone's own menu for a link would come in between.
    pub fn menu(self, event: &MouseEvent) {
        if self.touch.get_value() {
            event.prevent_default();
        }
    }
}
