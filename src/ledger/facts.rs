//! What a book remembers of agents and session beside their rows: the evidence from which rows are derived.
//!
//! Invariant: facts only gather; a row is a function of facts, so whoever arrives first changes nothing.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::runs::{Begin, End, Mark};
use crate::model::{Context, Hash64, Limit, Link, Ms, Origin, TitleFrom, Usage, WaitingOn};

/// The evidence about one agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct AgentFacts {
    pub description: Option<Ranked>,
    pub kind: Option<Ranked>,
    pub model: Option<String>,
    pub context: Option<Context>,
    pub tool_name: Option<String>,
    pub hidden: bool,
    /// Calls that are said to have started it.
    pub calls: Vec<CallFact>,
    /// Agents that are said to have started it.
    pub parents: Vec<(u32, Link)>,
    /// The run of the workflow that is said to have started it.
    pub workflow: Option<String>,
    /// Set for copies of what another agent says: its runtime id.
    pub copy_of: Option<String>,
    /// The agent that a person named as its parent.
    pub assigned: Option<u32>,
    /// The call that the end of input left as the only candidate; drawn anew each time.
    pub inferred: Option<String>,
    pub called_at: Option<Ms>,
    pub begins: Vec<Begin>,
    pub ends: Vec<End>,
    /// By source: its first and last line of this agent.
    pub lines: BTreeMap<u32, (Mark, Mark)>,
    pub first_at: Option<Ms>,
    pub last_at: Option<Ms>,
    pub prompt: Prompt,
    pub prompt_line: Option<String>,
    pub prompt_hash: Option<Hash64>,
    /// Entries that stand in the place of a tool call.
    pub tool_entries: u64,
    pub reported_calls: u64,
    /// How often its context was compacted; notices of it that follow one another are of one time.
    pub compactions: u32,
    pub just_compacted: bool,
    /// The sum over API messages, each counted once.
    pub counted: Usage,
    /// Cumulative counters.
    pub total: Usage,
    pub waiting: Option<WaitingOn>,
    /// The newest text entry, and the hash of its trimmed text.
    pub last_text: Option<(u32, Hash64)>,
    /// The hash of the trimmed result of the call that started it.
    pub report: Option<Hash64>,
    pub last_seq: u32,
    /// A last line that is not whole, and the source that ends in it.
    pub incomplete: Option<(u32, String)>,
}

/// A value with the rank of who said it: the call's own words win, then whoever was first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ranked {
    pub rank: u8,
    pub text: String,
}

/// Evidence that a call started the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CallFact {
    pub call: String,
    pub link: Link,
    pub at: Option<Ms>,
    /// True if nothing but the call itself tells of the agent.
    pub itself: bool,
}

/// Whether an agent's first entry is there, and whose words it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Prompt {
    #[default]
    None,
    StandIn,
    Own,
}

/// The evidence about the session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SessionFacts {
    pub titles: BTreeMap<TitleFrom, String>,
    pub dialect: Option<String>,
    pub cwd: Option<String>,
    /// A working folder that only subagents' lines tell.
    pub cwd_aside: Option<String>,
    pub origin: Option<Origin>,
    pub names: Vec<String>,
    /// `Some(true)` after the end of the main agent's turn, `Some(false)` inside one.
    pub turn_ended: Option<bool>,
    pub waiting: Option<WaitingOn>,
    pub limit: Option<Limit>,
    pub exit: Option<Exit>,
    pub no_news: bool,
    /// By run of a workflow: the agent that started it.
    pub workflows: BTreeMap<String, u32>,
    /// The sources that are streams of processes, in the order in which these began.
    pub processes: Vec<u32>,
    pub started_at: Option<Ms>,
    pub last_at: Option<Ms>,
}

/// The end of the session's process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Exit {
    pub stopped: bool,
    pub cause: Option<String>,
    pub at: Option<Ms>,
}

impl AgentFacts {
    /// Notes one line of the agent's own.
    pub fn saw(&mut self, mark: Mark) {
        let (first, last) = self.lines.entry(mark.source).or_insert((mark, mark));
        if mark.pos < first.pos {
            *first = mark;
        }
        if mark.pos >= last.pos {
            *last = mark;
        }
        earliest(&mut self.first_at, mark.at);
        latest(&mut self.last_at, mark.at);
    }

    /// The first and last line of each source: enough to tell whether there is a line before or behind an end.
    pub fn outline(&self) -> Vec<Mark> {
        self.lines.values().flat_map(|(first, last)| [*first, *last]).collect()
    }

    /// True if there is anything but a prompt in its transcript.
    pub fn has_transcript(&self) -> bool {
        self.last_seq > 1 || self.prompt == Prompt::Own
    }
}

/// Where and when something was said, given the streams of processes.
pub(super) fn mark(processes: &[u32], source: u32, pos: u64, at: Option<Ms>) -> Mark {
    let process = processes.iter().position(|known| *known == source).map_or(0, |at| at + 1);
    Mark { source, pos, at, process: u32::try_from(process).unwrap_or(u32::MAX), apart: false }
}

/// Keeps the earlier time.
pub(super) fn earliest(slot: &mut Option<Ms>, at: Option<Ms>) {
    if let Some(at) = at {
        *slot = Some(slot.map_or(at, |known| known.min(at)));
    }
}

/// Keeps the later time.
pub(super) fn latest(slot: &mut Option<Ms>, at: Option<Ms>) {
    if let Some(at) = at {
        *slot = Some(slot.map_or(at, |known| known.max(at)));
    }
}

/// Keeps the value of the higher rank, the first of equal ones.
pub(super) fn ranked(slot: &mut Option<Ranked>, rank: u8, text: Option<String>) {
    if let Some(text) = text.filter(|text| !text.trim().is_empty())
        && slot.as_ref().is_none_or(|known| known.rank < rank)
    {
        *slot = Some(Ranked { rank, text });
    }
}
