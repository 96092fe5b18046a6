//! Whether the secrets of the open session are shown: not until a person asks for it, and for that session alone.
//!
//! Invariant: going to another page changes no signal: what is still drawn of the page that goes may not be asked any more.

/// Says that a page shows a session, whose secrets may be asked for.
#[derive(Clone, Copy)]
pub struct Here;

/// True while a person wants to see them; tracks.
#[cfg(not(feature = "hydrate"))]
pub fn shown() -> bool {
    false
}

#[cfg(feature = "hydrate")]
pub use browser::{enter, show, shown};

#[cfg(feature = "hydrate")]
mod browser {
    use std::cell::RefCell;

    use leptos::prelude::*;

    thread_local! {
        /// The session on the page.
        static HERE: RefCell<String> = const { RefCell::new(String::new()) };
        /// The session whose secrets a person wants to see.
        static SHOWN: ArcRwSignal<Option<String>> = ArcRwSignal::new(None);
    }

    pub fn shown() -> bool {
        let shown = SHOWN.with(ArcRwSignal::clone);
        shown.with(|shown| shown.as_ref().is_some_and(|shown| HERE.with_borrow(|here| here == shown)))
    }

    /// The page shows this session now.
    pub fn enter(session: &str) {
        HERE.with_borrow_mut(|here| session.clone_into(here));
    }

    /// Shows or hides them.
    pub fn show(on: bool) {
        SHOWN.with(ArcRwSignal::clone).set(on.then(|| HERE.with_borrow(String::clone)));
    }
}

/// The page shows this session now.
#[cfg(not(feature = "hydrate"))]
pub fn enter(_: &str) {}

/// Shows or hides them.
#[cfg(not(feature = "hydrate"))]
pub fn show(_: bool) {}
