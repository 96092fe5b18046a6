//! Whether the secrets of the open session are shown: not until a person asks for it, and not in the next session.

/// Says that a page shows a session, whose secrets may be asked for.
#[derive(Clone, Copy)]
pub struct Here;

/// True while a person wants to see them; tracks.
#[cfg(not(feature = "hydrate"))]
pub fn shown() -> bool {
    false
}

#[cfg(feature = "hydrate")]
pub use browser::{show, shown};

#[cfg(feature = "hydrate")]
mod browser {
    use leptos::prelude::*;

    thread_local! {
        static SHOWN: ArcRwSignal<bool> = ArcRwSignal::new(false);
    }

    pub fn shown() -> bool {
        SHOWN.with(ArcRwSignal::clone).get()
    }

    /// Shows or hides them.
    pub fn show(on: bool) {
        SHOWN.with(ArcRwSignal::clone).set(on);
    }
}

/// Shows or hides them.
#[cfg(not(feature = "hydrate"))]
pub fn show(_: bool) {}
