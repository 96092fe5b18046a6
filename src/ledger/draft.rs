//! What a book hands to the store, and what it is rebuilt from.

use serde::{Deserialize, Serialize};

use super::facts::AgentFacts;
use crate::model::{Agent, AgentNo, Change, Entry, EntryRef, Hash64, Key, Name, Session, SessionId, Usage};

/// Everything that a book has gathered since the last draft, to be written in one transaction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// In the order in which they are to be numbered: agents, then entries, then the session. A row stands in it once.
    pub changes: Vec<Change>,
    /// Foreign keys of entries.
    pub keys: Vec<(Key, EntryRef)>,
    /// Lines seen, new or revised.
    pub lines: Vec<(Key, LineRecord)>,
    /// Names of agents; a name that was there before now leads elsewhere.
    pub names: Vec<(Name, AgentNo)>,
    /// Tokens by API message; replaces what stood under the same agent and key.
    pub usages: Vec<(AgentNo, Key, Usage)>,
    /// New contents, to be kept under their hash.
    pub blobs: Vec<NewBlob>,
    /// The book's own memory of an agent, by agent: opaque to the store.
    pub facts: Vec<(AgentNo, String)>,
    /// The book's own memory of the session: opaque to the store.
    pub state: Option<String>,
}

/// A content to be kept under its SHA-256 in hex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBlob {
    pub hash: String,
    pub bytes: Vec<u8>,
}

/// What is remembered of a line: its content's hash, its place in the source's tree, the entries that it made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineRecord {
    pub hash: Hash64,
    /// The key of the line above it, if it has one.
    pub parent: Option<Key>,
    /// True for a user turn.
    pub turn: bool,
    /// The transcript, the first entry and the number of entries that the line made.
    pub agent: AgentNo,
    pub first: u32,
    pub count: u32,
}

/// A book as the store gives it back. All of it was once in drafts.
#[derive(Clone, Debug)]
pub struct Saved {
    pub id: SessionId,
    pub session: Session,
    pub state: String,
    /// By `n`, with the book's own memory of each.
    pub agents: Vec<(Agent, String)>,
    pub names: Vec<(Name, AgentNo)>,
    pub keys: Vec<(Key, EntryRef)>,
    pub lines: Vec<(Key, LineRecord)>,
    pub usages: Vec<(AgentNo, Key, Usage)>,
    /// All entries in state `open`, pieces folded in.
    pub open: Vec<Entry>,
}

/// Rows that the book has let go of and needs again: the store reads them inside the writing transaction.
pub trait Shelf {
    /// One entry, pieces folded in.
    fn entry(&self, at: EntryRef) -> Option<Entry>;
    /// All entries of one agent by rising `seq`.
    fn entries(&self, agent: AgentNo) -> Vec<Entry>;
}

/// A shelf without a row, for a session that is new.
pub struct Bare;

impl Shelf for Bare {
    fn entry(&self, _: EntryRef) -> Option<Entry> {
        None
    }

    fn entries(&self, _: AgentNo) -> Vec<Entry> {
        Vec::new()
    }
}

/// What a book may go on remembering of an agent whose content was removed: who started it. `None` if the memory cannot be read.
///
/// `aside`: it is not counted any more; else it is as one of which no line has been read yet.
pub fn without_content(facts: &str, aside: bool) -> Option<String> {
    let AgentFacts { calls, parents, workflow, copy_of, inferred, called_at, .. } = serde_json::from_str(facts).ok()?;
    serde_json::to_string(&AgentFacts { calls, parents, workflow, copy_of, inferred, called_at, hidden: aside, ..AgentFacts::default() })
        .ok()
}
