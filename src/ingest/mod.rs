//! Taking in: files once ([`import`]), from wherever they come, files as they grow ([`Tail`]), and lines that a program pushes ([`Feed`]).
//!
//! Decision: all three read lines, hand them to a translator and send parcels to a [`Sink`]; a parcel carries the position
//! behind its lines, so that lines and position are committed together. Invariants: source files are never written; nothing
//! in a file stops the file; what cannot be opened is reported once, in words, and the others go on.

mod archive;
mod feed;
mod file;
mod follower;
mod given;
mod import;
mod intake;
mod orphans;
mod pack;
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
mod spool;
mod summary;
mod tail;
#[cfg(test)]
mod tests;
mod walk;
mod whose;

pub use crate::dialect::sse;
pub use feed::Feed;
pub use given::{STDIN, dropped};
pub use import::{Options, import, import_found};
pub use intake::{Batch, Close, Intake, Refusal, Taken};
pub use orphans::{settle_orphans, settle_silent};
pub use producer::Producer;
pub use sink::Sink;
pub use spool::{MOST_BYTES, MOST_FILES, Spool, inside, sweep};
pub use summary::{Progress, Skipped, Summary};
pub use tail::{Looker, Pace, Tail};
pub use walk::Found;
