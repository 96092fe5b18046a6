//! Sidedeck shows what every agent of a run is doing.

#[cfg(feature = "ssr")]
pub mod api;
#[cfg(feature = "ssr")]
pub mod cli;
#[cfg(feature = "ssr")]
pub mod demo;
pub mod ledger;
#[cfg(feature = "ssr")]
pub mod live;
pub mod model;
#[cfg(feature = "ssr")]
pub mod serve;
#[cfg(feature = "ssr")]
pub mod store;

/// The build that this is: pages and the browser's half carry the same.
pub const BUILD: &str = match option_env!("SIDEDECK_BUILD") {
    Some(build) => build,
    None => env!("CARGO_PKG_VERSION"),
};
