//! Claude Code: its files on disk. The stream and the hooks are of the same family, with the same keys.

mod disk;
mod place;

pub use disk::{open, recognise, session_of};
pub use place::place;

pub const FAMILY: &str = "claude";
