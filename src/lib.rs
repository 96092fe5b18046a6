//! Sidedeck shows what every agent of a run is doing.

#[cfg(feature = "app")]
pub mod app;
pub mod deck;
pub mod ledger;
pub mod model;
#[cfg(feature = "ssr")]
pub mod store;

/// The browser's entry: takes over the page that the server has rendered.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_body(app::App);
}
