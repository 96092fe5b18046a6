//! Pieces of a view that follow signals.
//!
//! Decision: each piece has one of two types, whatever it shows. A closure in a view is a type of its own, and the code
//! that builds, hydrates and updates it is then made once more for each: half of the client was that.

use std::time::Duration;

use leptos::prelude::*;

/// A piece that may be anything.
pub type Live = Box<dyn FnMut() -> AnyView + Send>;

/// A text that follows signals; none where it is empty, since the server writes a space for an empty one.
pub fn words<S: Into<String>>(text: impl Fn() -> S + Send + Sync + 'static) -> Signal<Option<String>> {
    Signal::derive(move || Some(text().into()).filter(|text| !text.is_empty()))
}

/// A view that follows signals: built anew whenever one of them changes.
pub fn live<V: IntoView + 'static>(view: impl Fn() -> V + Send + 'static) -> Live {
    Box::new(move || view().into_any())
}

/// A view that nobody sees at first and that does nothing without the client: built once the page has been taken over, in a task of
/// its own, so that the page answers sooner.
pub fn later<V: IntoView + 'static>(view: impl Fn() -> V + Send + 'static) -> Live {
    let due = RwSignal::new(false);
    Effect::new(move |_| {
        // The page may be gone by then.
        let build = move || _ = due.try_set(true);
        set_timeout(build, Duration::ZERO);
    });
    live(move || due.get().then(&view))
}

/// What stands in the place of a page that is being read; nothing while one is taken over, which is read already.
pub fn meanwhile<V: IntoView + 'static>(bones: fn() -> V) -> impl Fn() -> Option<V> + Send + Sync {
    let read = taking_over();
    move || (!read).then(bones)
}

#[cfg(feature = "hydrate")]
use super::stages::taking_over;

#[cfg(not(feature = "hydrate"))]
fn taking_over() -> bool {
    false
}

/// All that an element holds, taken over in a task of its own.
#[cfg(feature = "hydrate")]
pub use super::stages::stage;

/// All that an element holds, taken over in a task of its own.
#[cfg(not(feature = "hydrate"))]
pub fn stage<V: IntoView + 'static>(view: impl FnOnce() -> V) -> AnyView {
    view().into_any()
}
