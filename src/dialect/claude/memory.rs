//! What the translator remembers between two lines of a file. Bounded: each list forgets its oldest.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::model::Hash64;

/// Messages whose blocks may still be coming.
const MESSAGES: usize = 16;
/// Calls of agents without a result, and agents launched without an end.
const AGENTS: usize = 1_024;
/// Lines at the end of the file, by which a summary finds its own.
const LINES: usize = 16;
/// Lines of inline sidechains that a next one may hang on.
const CHAINS: usize = 512;

#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// True once the facts of the source have been told.
    pub began: bool,
    /// True once a turn of the transcript has been read.
    pub opened: bool,
    pub cwd: Option<String>,
    /// The last foreign session id that was told.
    pub foreign: Option<String>,
    /// The agent and the model last told.
    pub model: Option<(String, String)>,
    pub limited: bool,
    /// True once it has been told which teammate the agent is.
    pub named: bool,
    messages: VecDeque<Message>,
    calls: VecDeque<String>,
    tasks: VecDeque<String>,
    lines: VecDeque<Hash64>,
    chains: VecDeque<(Hash64, String)>,
    /// Agents of which a copied line has been read.
    copied: VecDeque<Hash64>,
    notes: VecDeque<Note>,
}

/// How many blocks of a message have been read, by kind.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Message {
    id: String,
    texts: u32,
    thoughts: u32,
}

/// The end of a task, as one telling had it.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Note {
    /// Task, status and shape.
    of: Hash64,
    told: Hash64,
    number: u32,
}

/// The two kinds of blocks that have no id of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    Reasoning,
}

impl Memory {
    /// The number of this block among those of its kind in the message, from 0.
    pub fn ordinal(&mut self, message: &str, kind: Kind) -> u32 {
        let at = self.messages.iter().position(|known| known.id == message).unwrap_or_else(|| {
            push(&mut self.messages, MESSAGES, Message { id: message.to_owned(), ..Message::default() });
            self.messages.len() - 1
        });
        let Some(known) = self.messages.get_mut(at) else { return 0 };
        let count = match kind {
            Kind::Text => &mut known.texts,
            Kind::Reasoning => &mut known.thoughts,
        };
        *count += 1;
        *count - 1
    }

    /// A call that starts an agent was read.
    pub fn called(&mut self, call: &str) {
        if !self.is_open(call) {
            push(&mut self.calls, AGENTS, call.to_owned());
        }
    }

    /// True if the call starts an agent; forgets it, since a call has one result.
    pub fn answered(&mut self, call: &str) -> bool {
        let at = self.calls.iter().position(|known| known == call);
        at.is_some_and(|at| self.calls.remove(at).is_some())
    }

    pub fn is_open(&self, call: &str) -> bool {
        self.calls.iter().any(|known| known == call)
    }

    /// An agent goes on behind its call's result.
    pub fn launched(&mut self, task: &str) {
        if !self.is_agent(task) {
            push(&mut self.tasks, AGENTS, task.to_owned());
        }
    }

    pub fn is_agent(&self, task: &str) -> bool {
        self.tasks.iter().any(|known| known == task)
    }

    /// The key that all tellings of one end of a task share. `shape` is the kind of line, `told` the telling: the n-th of one shape
    /// is the n-th of another.
    pub fn note(&mut self, shape: &str, task: &str, status: &str, told: Hash64) -> String {
        let of = Hash64::of_parts(&[shape.as_bytes(), b" ", task.as_bytes(), b" ", status.as_bytes()]);
        let known = self.notes.iter().find(|note| note.of == of && note.told == told).map(|note| note.number);
        let number = known.unwrap_or_else(|| {
            let number = self.notes.iter().filter(|note| note.of == of).map(|note| note.number + 1).max().unwrap_or(0);
            push(&mut self.notes, AGENTS, Note { of, told, number });
            number
        });
        format!("task:{task}/{status}/{number}")
    }

    /// True if a copied line of the agent was read before; remembers this one.
    pub fn copies(&mut self, agent: &str) -> bool {
        let agent = Hash64::of(agent.as_bytes());
        let known = self.copied.contains(&agent);
        if !known {
            push(&mut self.copied, AGENTS, agent);
        }
        known
    }

    pub fn read(&mut self, uuid: &str) {
        push(&mut self.lines, LINES, Hash64::of(uuid.as_bytes()));
    }

    /// True if the line is one of the last read.
    pub fn was_read(&self, uuid: &str) -> bool {
        self.lines.contains(&Hash64::of(uuid.as_bytes()))
    }

    /// The first line of the sidechain that `uuid` stands in, given the line above it.
    pub fn chain(&mut self, uuid: &str, parent: Option<&str>) -> String {
        let above = parent.map(|parent| Hash64::of(parent.as_bytes()));
        let known = self.chains.iter().find(|(line, _)| Some(*line) == above).map(|(_, root)| root.clone());
        let root = known.unwrap_or_else(|| uuid.to_owned());
        push(&mut self.chains, CHAINS, (Hash64::of(uuid.as_bytes()), root.clone()));
        root
    }
}

/// Adds to a list, which forgets its oldest.
pub(super) fn push<T>(list: &mut VecDeque<T>, bound: usize, value: T) {
    if list.len() >= bound {
        list.pop_front();
    }
    list.push_back(value);
}
