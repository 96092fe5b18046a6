//! Gemini CLI: the chat files that it keeps, and what it prints with `--output-format stream-json`.
//!
//! Decision: what is printed has no ids of messages, so the two are two families: a session that comes by both is two sessions, and
//! nothing is told twice in one.

mod calls;
mod chat;
mod stream;
#[cfg(test)]
pub mod tests;

pub use chat::{Chat, place};
pub use stream::Stream;
