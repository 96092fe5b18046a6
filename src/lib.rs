//! Sidedeck shows what every agent of a run is doing.

// Views are nested types: the compiler follows them deeper than it does by default.
#![recursion_limit = "512"]

#[cfg(feature = "ssr")]
pub mod api;
#[cfg(feature = "app")]
pub mod app;
#[cfg(feature = "ssr")]
pub mod cli;
pub mod deck;
#[cfg(feature = "ssr")]
pub mod demo;
#[cfg(not(feature = "hydrate"))]
pub mod dialect;
#[cfg(feature = "ssr")]
pub mod ingest;
#[cfg(not(feature = "hydrate"))]
pub mod ledger;
#[cfg(feature = "ssr")]
pub mod live;
pub mod model;
#[cfg(feature = "ssr")]
pub mod serve;
#[cfg(feature = "ssr")]
pub mod store;

/// Which build this is, the same in both halves: the page tells it in `data-hydrated`, the event stream in `hello`.
pub const BUILD: &str = match option_env!("SIDEDECK_BUILD") {
    Some(build) => build,
    None => env!("CARGO_PKG_VERSION"),
};

/// The browser's entry: takes over the page that the server has rendered.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    app::take_over();
}

/// The browser's entry where nothing was rendered: in the shell that starts without a server.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn mount() {
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(app::App);
}
