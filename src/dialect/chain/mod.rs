//! What the back ends built on LangChain share: messages in all their forms, frames that carry them, and how messages that
//! come in chunks, as snapshots and whole become entries once.
//!
//! Decision: the streams of LangGraph, DeerFlow and LangAlpha differ in names and envelopes, not in what a message is. So they
//! read and tell messages here, and keep only their own events for themselves.

mod block;
mod draft;
mod frame;
mod known;
mod message;
mod scribe;
mod tools;
mod voice;

pub use block::{Block, text_of};
pub use frame::{Frame, frames, heads};
pub use known::{Hash, hash, push};
pub use message::{CallChunk, Kind, Message, messages, usage};
pub use scribe::Scribe;
pub use tools::{Call, call, result, todos};
pub use voice::Voice;
