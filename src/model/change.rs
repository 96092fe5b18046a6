//! What the store writes and the browser applies.

use serde::{Deserialize, Serialize};

use super::{Agent, AgentNo, Entry, Session};

/// One change to a session. A row carries its whole new state; only an open text grows by appends.
///
/// The ledger leaves `rev` and `grev` at 0; the commit sets them, one number a change, in this order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "put", rename_all = "snake_case")]
pub enum Change {
    Session(Box<Session>),
    Agent(Box<Agent>),
    Entry(Box<Entry>),
    Append {
        agent: AgentNo,
        seq: u32,
        field: Field,
        /// The length of the text before, in UTF-8 bytes.
        from: u64,
        text: String,
        rev: u64,
    },
    Gone(Gone),
}

/// The text of an entry that an append extends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// Of user, text, reasoning.
    Text,
    /// Of a tool call.
    Args,
    Result,
}

/// A tombstone: what was removed on purpose, without its content.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gone {
    /// `None`: the whole session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentNo>,
    /// The session's id, where a whole session is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    pub rev: u64,
}

impl Change {
    /// The name of its event on the wire.
    pub fn event(&self) -> &'static str {
        match self {
            Self::Session(_) | Self::Agent(_) | Self::Entry(_) => "put",
            Self::Append { .. } => "append",
            Self::Gone(_) => "gone",
        }
    }

    /// The session's `rev` that it reached.
    pub fn rev(&self) -> u64 {
        match self {
            Self::Session(row) => row.rev,
            Self::Agent(row) => row.rev,
            Self::Entry(row) => row.rev,
            Self::Append { rev, .. } => *rev,
            Self::Gone(gone) => gone.rev,
        }
    }

    /// The transcript that it belongs to, for changes of entries.
    pub fn transcript(&self) -> Option<AgentNo> {
        match self {
            Self::Entry(row) => Some(row.agent),
            Self::Append { agent, .. } => Some(*agent),
            Self::Session(_) | Self::Agent(_) | Self::Gone(_) => None,
        }
    }
}
