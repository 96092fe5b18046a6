//! Taking in: files once ([`import`]), files as they grow ([`Tail`]), and lines that a program pushes ([`Feed`]).
//!
//! Decision: all three read lines, hand them to a translator and send parcels to a [`Sink`]; a parcel carries the position
//! behind its lines, so that lines and position are committed together. Invariants: source files are never written; nothing
//! in a file stops the file; what cannot be opened is reported once, in words, and the others go on.

mod feed;
mod file;
mod follower;
mod import;
mod intake;
mod orphans;
mod position;
mod producer;
mod quiet;
mod receipts;
mod records;
mod roots;
mod sink;
mod source;
mod spill;
mod split;
pub mod sse;
mod summary;
mod tail;
#[cfg(test)]
mod tests;
mod walk;
mod whose;

pub use feed::Feed;
pub use import::{Options, import};
pub use intake::{Batch, Close, Intake, Refusal, Taken};
pub use orphans::settle_orphans;
pub use producer::Producer;
pub use sink::Sink;
pub use summary::{Progress, Skipped, Summary};
pub use tail::{Looker, Pace, Tail};
