//! The few things that the pages ask of the browser. On the server each of them does nothing.
//!
//! Invariant: nothing outside `app` names the DOM, and nothing here is called while a view is first built.

#[cfg(feature = "hydrate")]
#[path = "browser.rs"]
mod browser;

#[cfg(feature = "hydrate")]
pub use browser::*;

/// Tells that this page is taken over: tests and styles wait for it.
#[cfg(not(feature = "hydrate"))]
pub fn mark_hydrated(_: &str) {}

/// Runs `job` every `ms` until the owner ends.
#[cfg(not(feature = "hydrate"))]
pub fn every(_: i32, _: impl Fn() + 'static) {}

/// Runs `job` for each number below `count`, one a frame.
#[cfg(not(feature = "hydrate"))]
pub fn by_frames(_: usize, _: impl Fn(usize) + 'static) {}

/// This machine's clock.
#[cfg(not(feature = "hydrate"))]
pub fn now() -> crate::model::Ms {
    0
}

/// A time in this machine's zone: "14:02", and the whole of it.
#[cfg(not(feature = "hydrate"))]
pub fn local_time(_: crate::model::Ms) -> Option<(String, String)> {
    None
}

/// The status and the text of the answer to a GET; `None` without an answer.
#[cfg(not(feature = "hydrate"))]
pub async fn get(_: &str) -> Option<(u16, String)> {
    None
}

/// The status of the answer to a POST of JSON; `None` without an answer.
#[cfg(not(feature = "hydrate"))]
pub async fn post(_: &str, _: &str) -> Option<u16> {
    None
}

/// Loads the page of the address that is shown.
#[cfg(not(feature = "hydrate"))]
pub fn load_again() {}

/// Leaves this page.
#[cfg(not(feature = "hydrate"))]
pub fn go_to(_: &str) {}

/// True where a pointer can hover.
#[cfg(not(feature = "hydrate"))]
pub fn hovers() -> bool {
    true
}

/// A value kept by this browser.
#[cfg(not(feature = "hydrate"))]
pub fn kept(_: &str) -> Option<String> {
    None
}

/// Keeps a value in this browser, or forgets it.
#[cfg(not(feature = "hydrate"))]
pub fn keep(_: &str, _: Option<&str>) {}

/// Sets an attribute of `<html>`, or takes it away.
#[cfg(not(feature = "hydrate"))]
pub fn set_root(_: &str, _: Option<&str>) {}

/// Runs `job` when another tab has kept or forgotten a value, until the owner ends.
#[cfg(not(feature = "hydrate"))]
pub fn on_storage(_: impl Fn() + 'static) {}

/// Opens a dialog above everything.
#[cfg(not(feature = "hydrate"))]
pub fn open_dialog(_: leptos::prelude::NodeRef<leptos::html::Dialog>) {}

/// Closes a dialog.
#[cfg(not(feature = "hydrate"))]
pub fn close_dialog(_: leptos::prelude::NodeRef<leptos::html::Dialog>) {}

/// How far the page is scrolled, in px.
#[cfg(not(feature = "hydrate"))]
pub fn scrolled() -> f64 {
    0.0
}

/// Scrolls the page when what runs now is drawn.
#[cfg(not(feature = "hydrate"))]
pub fn scroll_page_to(_: f64) {}

/// Puts the focus on an element; `false` without one.
#[cfg(not(feature = "hydrate"))]
pub fn focus_on(_: &str) -> bool {
    false
}

/// Puts the focus on what stands before an element.
#[cfg(not(feature = "hydrate"))]
pub fn focus_before(_: &str) {}

/// Copies a text to the clipboard.
#[cfg(not(feature = "hydrate"))]
pub fn copy(_: &str) {}

/// Closes an open `<details>` by Escape, and when the pointer or the focus goes elsewhere.
#[cfg(not(feature = "hydrate"))]
pub fn close_when_left(_: leptos::prelude::NodeRef<leptos::html::Details>) {}
