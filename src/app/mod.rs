//! The pages, rendered by the server and taken over by the browser.
//!
//! Decision: one app for both halves; every page embeds the rows that it shows, so hydration fetches nothing.
//! Invariants: the first view in the browser equals the server's; rows change through [`mirror`] alone; every text of
//! a transcript is set as text, never as HTML.

mod adding;
pub mod calls;
pub mod cards;
mod clean;
pub mod clock;
pub mod desk;
pub mod detail;
pub mod dom;
mod failure;
pub mod icon;
pub mod kept;
pub mod live;
pub mod markdown;
mod mask;
pub mod mirror;
pub mod numbers;
mod pages;
pub mod palette;
pub mod roster;
pub mod secrets;
pub mod settings;
mod shell;
pub mod spent;
#[cfg(feature = "hydrate")]
mod stages;
pub mod status;
pub mod trail;
pub mod transcript;
mod tree;

pub use crate::BUILD;
pub use clean::{TURN, clean, clean_open, is_turn, tidy, veiled};
pub use failure::Failure;
pub use shell::{App, Client, shell};
#[cfg(feature = "hydrate")]
pub use stages::take_over;
