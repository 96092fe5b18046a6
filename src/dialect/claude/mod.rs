//! Claude Code: its files on disk. The stream and the hooks are of the same family, with the same keys.

mod agents;
mod assistant;
mod copies;
mod disk;
pub mod hooks;
mod memory;
mod place;
mod recognise;
mod results;
mod scribe;
mod sidecar;
mod spill;
pub mod stream;
mod system;
#[cfg(test)]
pub mod tests;
mod tools;
mod user;
mod words;

pub use disk::open;
pub use place::place;
pub use recognise::{recognise, session_of};

pub const FAMILY: &str = "claude";
