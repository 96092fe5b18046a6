//! Codex: the rollout files that it keeps, and what `codex exec --json` prints.
//!
//! Decision: the two give one thing different ids, so they are two families: a session that comes by both is two sessions, and
//! nothing is told twice in one.

mod collab;
mod events;
mod exec;
mod items;
mod memory;
mod meta;
mod rollout;
mod said;
#[cfg(test)]
pub mod tests;

pub use exec::Exec;
pub use memory::Rollout;
pub use rollout::place;
