//! What is remembered between two frames. Bounded: each list forgets its oldest.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::dialect::chain::{Hash, Voice, hash, push};
use crate::model::{Name, NameKind, Who};

/// Sessions of one source.
pub const SESSIONS: usize = 8;
/// Frames by which one that is told again is known.
const FRAMES: usize = 1_024;
/// Namespaces, and calls that started agents.
pub const SPACES: usize = 256;
/// Open questions.
pub const ASKS: usize = 64;
/// How much of a prompt is kept to compare it, in bytes.
pub const PROMPT: usize = 2 << 10;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// The session of the last frame: of frames that name none, too.
    pub last: Option<String>,
    /// Threads, and the sessions that they are: the first is that of the frames before it.
    pub threads: VecDeque<(String, String)>,
    sessions: VecDeque<(String, Own)>,
}

/// What is remembered of one session.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Own {
    pub began: bool,
    pub run: Option<String>,
    /// The name that a thread has beside the session's id.
    pub thread: Option<String>,
    pub in_turn: bool,
    pub voice: Voice,
    pub spaces: VecDeque<Space>,
    pub tasks: VecDeque<Task>,
    pub asks: VecDeque<Asked>,
    /// By agent: the todo list that was told last.
    pub todos: VecDeque<(Hash, Hash)>,
    /// Of the newer protocol: the message that a namespace is telling.
    pub current: VecDeque<Current>,
    /// Tasks elsewhere, with the status that was told last.
    pub elsewhere: VecDeque<(Hash, Hash)>,
    /// Steps of a task that came without ids.
    pub steps: VecDeque<Steps>,
    /// Questions that a call asks, and the person's next turn answers.
    pub questions: VecDeque<String>,
    /// Times that events of the run were lost.
    pub gaps: u32,
    /// Tasks that have ids of their own.
    pub children: VecDeque<Child>,
    /// Calls of the main agent.
    pub main_calls: VecDeque<Hash>,
    /// What is numbered, by name.
    pub counters: VecDeque<(Hash, u64)>,
    frames: VecDeque<Hash>,
}

/// A namespace that is an agent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Space {
    pub path: String,
    pub kind: Option<String>,
    /// The call that started it, where an event has named it.
    pub call: Option<String>,
    /// True once the first words to it were told.
    pub prompted: bool,
    /// True once something of its transcript was told.
    pub spoken: bool,
}

/// A call that started an agent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    pub call: String,
    pub prompt: String,
    pub description: Option<String>,
    pub owner: Who,
    pub ended: bool,
}

/// A task that has an id of its own, beside the call that started it and the namespace in which it speaks.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Child {
    pub id: String,
    pub call: Option<String>,
    pub agent: Option<String>,
    /// `None` until a beginning or an end was told.
    pub ended: Option<bool>,
    /// Runs before this one.
    pub runs: u32,
}

/// A question without an answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Asked {
    pub id: String,
    pub who: Who,
    pub run: Option<String>,
    pub body: crate::model::Ask,
}

/// A message of the newer protocol.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Current {
    pub space: String,
    pub id: String,
    /// The call whose result it repeats.
    pub result: Option<String>,
}

/// What steps of a task have left open: calls whose results name only the tool.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Steps {
    pub task: String,
    pub open: VecDeque<(String, String)>,
}

impl Memory {
    /// Takes what is remembered of a session, to be given back with [`Memory::keep`].
    pub fn session(&mut self, id: &str) -> Own {
        let known = self.sessions.iter().position(|(known, _)| known == id).and_then(|at| self.sessions.remove(at));
        known.map(|(_, own)| own).unwrap_or_default()
    }

    pub fn keep(&mut self, id: String, own: Own) {
        push(&mut self.sessions, SESSIONS, (id, own));
    }
}

impl Own {
    /// The run, for keys.
    pub fn run(&self) -> Hash {
        hash(&[self.run.as_deref().unwrap_or_default()])
    }

    /// True for a frame that was read before; remembers it.
    pub fn again(&mut self, line: &str) -> bool {
        let frame = hash(&[line]);
        let again = self.frames.contains(&frame);
        if !again {
            push(&mut self.frames, FRAMES, frame);
        }
        again
    }

    /// The call that started an agent.
    pub fn task(&mut self, call: &str) -> Option<&mut Task> {
        self.tasks.iter_mut().find(|task| task.call == call)
    }
}

/// The agent of a namespace.
pub fn space(path: &str) -> Who {
    Who::Named(Name { kind: NameKind::Namespace, id: path.into() })
}
