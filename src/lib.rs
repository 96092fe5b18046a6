//! Sidedeck shows what every agent of a run is doing.

pub mod ledger;
pub mod model;
#[cfg(feature = "ssr")]
pub mod store;

/// The id of this build, the same in server and client: pages of another build reload. "dev" outside of `make build`.
pub const BUILD: &str = match option_env!("SIDEDECK_BUILD") {
    Some(id) => id,
    None => "dev",
};
