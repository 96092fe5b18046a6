//! An entry: one thing in a transcript.

use serde::{Deserialize, Serialize};

use super::{AgentNo, Body, Context, Ms, OPEN_BYTES, Tool, Usage};

/// Where an entry stands: agent and position. The position is given at creation and never changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EntryRef {
    pub agent: AgentNo,
    pub seq: u32,
}

/// An entry's row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub agent: AgentNo,
    /// From 1; 1 of a subagent is its prompt. The only order on screen.
    pub seq: u32,
    pub rev: u64,
    /// The agent's run that it belongs to, from 1.
    pub run: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Ms>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Ms>,
    pub state: EntryState,
    /// Where it came from: a source known to the store and the byte offset of the line in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceRef>,
    /// The tokens that the source reported together with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    pub body: Body,
}

/// A source known to the store, and a line's byte offset in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRef {
    pub id: u32,
    pub offset: u64,
}

/// How far an entry has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryState {
    Open,
    #[default]
    Done,
    Failed,
    Cancelled,
    Unknown,
    /// The source took it back; kept, drawn folded.
    Withdrawn,
}

impl Entry {
    /// A finished entry without a source, for tests.
    #[cfg(all(test, feature = "app"))]
    pub(crate) fn finished(agent: AgentNo, seq: u32, body: Body) -> Self {
        let state = EntryState::Done;
        Self { agent, seq, rev: 1, run: 1, at: None, ended_at: None, state, source: None, usage: None, context: None, body }
    }

    /// The row as it travels while it may still grow: of an open call's arguments and result the first 64 KiB and the length.
    pub fn cut_open(&mut self) {
        if let (EntryState::Open, Body::Tool(tool)) = (self.state, &mut self.body) {
            let Tool { args, result, .. } = tool.as_mut();
            [Some(args), result.as_mut()].into_iter().flatten().for_each(|long| long.cut(OPEN_BYTES));
        }
    }

    /// True if [`Entry::cut_open`] would change it.
    pub fn is_long_open(&self) -> bool {
        match &self.body {
            Body::Tool(tool) if self.state == EntryState::Open => {
                [Some(&tool.args), tool.result.as_ref()].into_iter().flatten().any(|long| long.text.len() > OPEN_BYTES)
            }
            _ => false,
        }
    }

    /// Agent and position.
    pub fn at_ref(&self) -> EntryRef {
        EntryRef { agent: self.agent, seq: self.seq }
    }
}

impl EntryState {
    /// The word that a person reads.
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Unknown => "unknown",
            Self::Withdrawn => "withdrawn",
        }
    }
}
