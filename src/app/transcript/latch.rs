//! The latch of a transcript on screen: [`Follow`](super::follow::Follow) with the browser's events.

use leptos::html::Div;
use leptos::prelude::*;

use super::scene::Scene;
use crate::app::mirror::Window;

/// The state of the latch, as the view sees it.
#[derive(Clone, Copy)]
pub struct Latch {
    follows: bool,
    /// The last `seq` at the time that following ended; `None` while following.
    since: RwSignal<Option<u32>>,
    jumps: RwSignal<u32>,
}

impl Latch {
    /// A latch that follows from the beginning, or not.
    pub fn new(follows: bool) -> Self {
        Self { follows, since: RwSignal::new(None), jumps: RwSignal::new(0) }
    }

    /// The last `seq` at the time that following ended; tracks.
    pub fn since(self) -> Option<u32> {
        self.since.get()
    }

    /// A person wants the end.
    pub fn jump(self) {
        self.jumps.update(|jumps| *jumps = jumps.wrapping_add(1));
    }

    /// Ties it to the scrolled element and its content, in the browser.
    #[cfg(not(feature = "hydrate"))]
    pub fn attach(self, _: NodeRef<Div>, _: NodeRef<Div>, _: &Scene, _: &Window) {
        let _ = (self.follows, self.jumps);
    }

    /// Ties it to the scrolled element and its content, in the browser.
    #[cfg(feature = "hydrate")]
    pub fn attach(self, scroller: NodeRef<Div>, content: NodeRef<Div>, scene: &Scene, window: &Window) {
        scroll::attach(self, scroller, content, scene.clone(), window.clone());
    }
}

#[cfg(feature = "hydrate")]
#[path = "scroll.rs"]
mod scroll;
