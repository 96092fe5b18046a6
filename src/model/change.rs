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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gone {
    /// `None`: the whole session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentNo>,
    /// The session's id, where a whole session is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    pub rev: u64,
}
