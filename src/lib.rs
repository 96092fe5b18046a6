//! Sidedeck shows what every agent of a run is doing.

#[cfg(not(feature = "hydrate"))]
pub mod dialect;
#[cfg(feature = "ssr")]
pub mod ingest;
pub mod ledger;
pub mod model;
#[cfg(feature = "ssr")]
pub mod store;
