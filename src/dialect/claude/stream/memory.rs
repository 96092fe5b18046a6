//! What the translator remembers between two lines of a stream. Bounded: each list forgets its oldest.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::dialect::claude::memory::{self as files, push};
use crate::dialect::think::Splitter;
use crate::model::{Hash64, Ms, Usage, Who};

/// Sessions of one stream.
const SESSIONS: usize = 8;
/// Lines by which one that is told again is known.
const LINES: usize = 512;
/// Agents whose message is being written at the same time.
const PARTIALS: usize = 64;
/// Tasks: agents, by their calls and ids.
const TASKS: usize = 1_024;
/// Open questions.
const ASKS: usize = 64;
/// Calls of subagents, and calls whose question has been answered.
const CALLS: usize = 512;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// The session of the last line: of lines that name none, too.
    pub last: Option<String>,
    voices: VecDeque<(String, Voice)>,
}

/// What is remembered of one session.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Voice {
    /// What the rules of files remember.
    pub files: files::Memory,
    pub own: Own,
}

#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Own {
    pub began: bool,
    /// True between the beginning and the end of the main agent's turn.
    pub in_turn: bool,
    /// True if the main agent has said something in this turn.
    pub spoke: bool,
    /// True while the account's limit is reached.
    pub rejected: bool,
    lines: VecDeque<Hash64>,
    partials: VecDeque<(Who, Partial)>,
    tasks: VecDeque<Task>,
    pub asks: VecDeque<Asked>,
    /// Calls whose question has been answered.
    settled: VecDeque<Hash64>,
    /// Calls of subagents, with the agent.
    calls: VecDeque<(Hash64, Who)>,
}

/// A message that is being written.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Partial {
    pub message: String,
    pub texts: u32,
    pub thoughts: u32,
    pub usage: Usage,
    /// Blocks that have begun and not ended, by index.
    pub blocks: Vec<(u64, Block)>,
}

/// A block that is being written.
#[derive(Clone, Serialize, Deserialize)]
pub enum Block {
    Text { key: String, splitter: Splitter },
    Reasoning { key: String },
    Tool { call: String, name: String, json: String },
    Other,
}

/// A task, as far as calls and task lines have told of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Task {
    pub call: Option<String>,
    pub id: Option<String>,
    /// In whose transcript the call stands.
    pub owner: Option<Who>,
    pub run: Option<String>,
    /// True if it goes on behind its call's result.
    pub background: bool,
    /// True once the call has its result.
    pub answered: bool,
    /// True once the transcript of the agent has been opened.
    pub opened: bool,
    /// True for what is no agent: a shell, a monitor.
    pub other: bool,
    /// When it ended, as the last update says.
    pub ended_at: Option<Ms>,
}

/// A question without an answer.
#[derive(Clone, Serialize, Deserialize)]
pub struct Asked {
    pub request: String,
    pub call: Option<String>,
    pub who: Who,
    pub tool: String,
    pub args: String,
}

impl Memory {
    /// Takes what is remembered of a session, to be given back with [`Memory::keep`].
    pub fn voice(&mut self, session: &str) -> Voice {
        let known = self.voices.iter().position(|(id, _)| id == session).and_then(|at| self.voices.remove(at));
        known.map(|(_, voice)| voice).unwrap_or_default()
    }

    pub fn keep(&mut self, session: String, voice: Voice) {
        push(&mut self.voices, SESSIONS, (session, voice));
    }
}

impl Own {
    /// True for a line that was read before; remembers it.
    pub fn again(&mut self, uuid: &str) -> bool {
        let line = Hash64::of(uuid.as_bytes());
        let again = self.lines.contains(&line);
        if !again {
            push(&mut self.lines, LINES, line);
        }
        again
    }

    /// A subagent has called a tool.
    pub fn calls(&mut self, who: &Who, call: &str) {
        if *who != Who::Main {
            push(&mut self.calls, CALLS, (Hash64::of(call.as_bytes()), who.clone()));
        }
    }

    /// Who has called a tool: the main agent, unless it is known to be another.
    pub fn caller(&self, call: &str) -> Who {
        let call = Hash64::of(call.as_bytes());
        self.calls.iter().find(|(known, _)| *known == call).map_or(Who::Main, |(_, who)| who.clone())
    }

    /// The question about a call has its answer.
    pub fn settle(&mut self, call: &str) {
        push(&mut self.settled, CALLS, Hash64::of(call.as_bytes()));
    }

    pub fn is_settled(&self, call: &str) -> bool {
        self.settled.contains(&Hash64::of(call.as_bytes()))
    }

    /// The message that an agent is writing.
    pub fn partial(&mut self, who: &Who) -> Option<&mut Partial> {
        self.partials.iter_mut().find(|(of, _)| of == who).map(|(_, partial)| partial)
    }

    /// An agent begins to write a message.
    pub fn begin_partial(&mut self, who: &Who, partial: Partial) {
        self.partials.retain(|(of, _)| of != who);
        push(&mut self.partials, PARTIALS, (who.clone(), partial));
    }

    /// The task of this call or id, made on first sight.
    pub fn task(&mut self, call: Option<&str>, id: Option<&str>) -> &mut Task {
        let is = |task: &Task| (call.is_some() && task.call.as_deref() == call) || (id.is_some() && task.id.as_deref() == id);
        let known = self.tasks.iter().position(is).and_then(|at| self.tasks.remove(at));
        push(&mut self.tasks, TASKS, known.unwrap_or_default());
        let last = self.tasks.len() - 1;
        let task = &mut self.tasks[last];
        task.call = task.call.take().or_else(|| call.map(Into::into));
        task.id = task.id.take().or_else(|| id.map(Into::into));
        task
    }

    /// The task of this call, if one is known.
    pub fn called(&mut self, call: &str) -> Option<&mut Task> {
        self.tasks.iter_mut().find(|task| task.call.as_deref() == Some(call))
    }

    /// The task of this id, if one is known.
    pub fn known(&self, id: &str) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id.as_deref() == Some(id))
    }
}

impl Task {
    /// The agent, by the best name there is.
    pub fn who(&self) -> Option<Who> {
        self.call.as_ref().map(Who::call).or_else(|| self.id.as_ref().map(Who::runtime))
    }
}

/// Adds a question.
pub fn ask(asks: &mut VecDeque<Asked>, asked: Asked) {
    push(asks, ASKS, asked);
}
