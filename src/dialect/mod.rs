//! Dialects: foreign formats, and what turns their lines into operations.
//!
//! Decision: a translator gets one record at a time and a bounded memory that is saved with the source's position, so a
//! restart between two records gives the same lines. Invariants: no I/O; no type or value in a record can make it fail:
//! what no rule knows is kept whole as an opaque entry; every record gives at least one line, at once or, where it is held, when it
//! is told, and its first carries the class of the physical line.

mod acp;
mod agui;
#[cfg(test)]
mod cases;
mod chain;
mod claude;
mod codex;
mod content;
mod deerflow;
#[cfg(test)]
mod fixtures;
mod frame;
mod gemini;
mod head;
mod json;
#[cfg(test)]
mod kit;
mod langalpha;
mod langgraph;
mod list;
mod opaque;
mod opencode;
mod otel;
mod page;
mod salvage;
mod scribe;
mod sidedeck;
pub mod sse;
mod table;
mod teller;
mod texts;
mod think;
mod titles;
mod todo;
#[cfg(test)]
mod trial;

use crate::model::{Hash64, Line};

pub use head::{Head, recognise, unmarked};
pub use json::is_whole;
pub use table::{DIALECTS, Dialect, by_name};

/// One record of a source: a physical line without its end, or several lines that hold one pretty-printed record.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Where it begins in its source, in bytes.
    pub offset: u64,
    pub bytes: &'a [u8],
    /// Set where the record is too long to be held: `bytes` is only its head.
    pub cut: Option<Cut>,
    /// Set for a server-sent event: `bytes` is then its data.
    pub event: Option<Event<'a>>,
}

/// What a server-sent event says beside its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event<'a> {
    pub name: &'a str,
    /// Unique in its own stream only, and it may start anew there.
    pub id: Option<&'a str>,
}

/// A record of which only the head is held.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// Bytes of the whole record.
    pub len: u64,
    /// Hash of the whole record.
    pub hash: Hash64,
}

/// What is known of a source before its first record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The id of the session that the source's records belong to.
    pub session: String,
    pub place: Place,
}

/// What a source's path says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub role: Role,
    /// The session that the path names.
    pub session: Option<String>,
    /// True if the path alone decides the session, whatever id the records carry.
    pub inside: bool,
    /// The agent whose transcript or sidecar this is; `None` for the main agent.
    pub agent: Option<String>,
    /// The workflow run that the agent belongs to.
    pub workflow: Option<String>,
}

/// What a file of a session is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    #[default]
    Transcript,
    /// One JSON object about the agent whose transcript stands beside it.
    Sidecar,
    /// Starts and results of agents, without entries.
    Journal,
}

/// Turns records of one source into lines.
pub trait Translator: Send {
    /// Translates one record. The first line carries the class of the physical line, further ones are [`Class::Part`](crate::model::Class::Part).
    fn record(&mut self, record: Record<'_>) -> Vec<Line>;

    /// What is still held at the end of the input, as far as it can be told.
    fn end(&mut self) -> Vec<Line> {
        Vec::new()
    }

    /// The memory between two records, for [`Dialect::open`]. Bounded, however long the source.
    fn memory(&self) -> String;
}

impl<'a> Record<'a> {
    /// A record that is held whole.
    pub fn whole(offset: u64, bytes: &'a [u8]) -> Self {
        Self { offset, bytes, cut: None, event: None }
    }

    /// A server-sent event, held whole.
    pub fn event(offset: u64, name: &'a str, id: Option<&'a str>, data: &'a [u8]) -> Self {
        Self { event: Some(Event { name, id }), ..Self::whole(offset, data) }
    }
}
