//! Sidedeck shows what every agent of a run is doing.

pub mod deck;
pub mod ledger;
pub mod model;
#[cfg(feature = "ssr")]
pub mod store;
