//! An agent: `main` or a subagent, with exactly one transcript.

use serde::{Deserialize, Serialize};

use super::{Context, Entry, EntryState, Ms, Usage, WaitingOn};

/// An agent's number in its session: the key of rows, frames, cards and caches. Never changed or reused.
pub type AgentNo = u32;

/// The main agent's number.
pub const MAIN: AgentNo = 0;

/// An agent's row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Agent {
    pub n: AgentNo,
    /// The best foreign id there is; `main` for the main agent.
    pub id: String,
    /// All foreign ids, sorted, each leading here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<AgentNo>,
    /// The tool call that started it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    pub link: Link,
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    pub status: AgentStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting_on: Option<WaitingOn>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<Run>,
    /// The title of the newest open tool entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_tool: Option<String>,
    pub tool_calls: u64,
    pub usage: Usage,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// How often its context was compacted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub compactions: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Ms>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Ms>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_at: Option<Ms>,
    /// The beginning of a last line that has not been written to its end, as far as it has come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<String>,
    /// The highest `seq` of its transcript, 0 while there is none.
    pub last_seq: u32,
    /// Set on a stub that turned out to be another agent: every use of this number shows that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged_into: Option<AgentNo>,
    /// Set on a part of an agent whose entries stand in several transcripts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of: Option<AgentNo>,
    /// True for helpers of the source that no person started (compaction, warm-up).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// True if the result of its call says what its own last text says (trimmed): the parent then shows no second copy.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub same_report: bool,
    pub rev: u64,
}

/// One stretch of work of an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    pub run: u32,
    pub status: AgentStatus,
    #[serde(default)]
    pub cause: Option<String>,
    #[serde(default)]
    pub started_at: Option<Ms>,
    #[serde(default)]
    pub ended_at: Option<Ms>,
}

/// How we know whose child an agent is, weakest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Link {
    #[default]
    Unlinked,
    /// The only candidate left.
    Inferred,
    /// A person said so.
    Assigned,
    /// Read from a result's text, or confirmed afterwards.
    Later,
    /// A file beside it said so.
    Sidecar,
    /// A line names call and agent together.
    Exact,
}

/// What an agent is doing, from evidence alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentStatus {
    Queued,
    Running,
    Waiting,
    Finished,
    Failed,
    Cancelled,
    #[default]
    Unknown,
}

impl Agent {
    /// The agent that this number shows: itself, unless it was merged.
    pub fn shown(&self) -> AgentNo {
        self.merged_into.unwrap_or(self.n)
    }

    /// The state to show for one of its entries: what is open in a run that has ended, or of which nothing is known, is not running.
    pub fn entry_state(&self, entry: &Entry) -> EntryState {
        let status = self.runs.iter().find(|run| run.run == entry.run).map_or(self.status, |run| run.status);
        match (entry.state, status) {
            (EntryState::Open, AgentStatus::Cancelled) => EntryState::Cancelled,
            (EntryState::Open, status) if !status.is_running() => EntryState::Unknown,
            (state, _) => state,
        }
    }

    /// True for an agent that lists, counts and exports leave out.
    pub fn is_aside(&self) -> bool {
        self.merged_into.is_some() || self.part_of.is_some() || self.hidden
    }
}

impl AgentStatus {
    /// True while the agent may still do something: queued, running or waiting.
    ///
    /// The list, the counts and the delete button all ask here.
    pub fn is_running(self) -> bool {
        matches!(self, Self::Queued | Self::Running | Self::Waiting)
    }

    /// True for an end that evidence has shown.
    pub fn is_end(self) -> bool {
        matches!(self, Self::Finished | Self::Failed | Self::Cancelled)
    }

    /// The word that a person reads.
    pub fn word(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Finished => "finished",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Unknown => "unknown",
        }
    }
}

impl Link {
    /// The word that a person reads.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unlinked => "unlinked",
            Self::Inferred => "inferred",
            Self::Assigned => "assigned",
            Self::Later => "later",
            Self::Sidecar => "sidecar",
            Self::Exact => "exact",
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}
