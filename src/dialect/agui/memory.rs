//! What the translator remembers between two events. Bounded: each list forgets its oldest.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::dialect::list::Known;
use crate::dialect::texts::Texts;
use crate::model::{Ask, Hash64, Who};

#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AgUi {
    pub thread: Option<String>,
    pub run: Option<String>,
    /// True between the beginning and the end of a run.
    pub in_run: bool,
    pub texts: Texts,
    pub messages: Known<Message, 64>,
    pub calls: Known<Call, 64>,
    pub agents: Known<Agent, 512>,
    /// By agent: what the chunks at hand belong to.
    pub chunks: Known<Chunk, 64>,
    /// By agent: the stretch of reasoning that has no id.
    pub thinking: Known<String, 64>,
    pub thoughts: u64,
    /// States and activities, by their keys.
    pub docs: Known<Doc, 8>,
    pub lists: u64,
    pub asks: Known<Asked, 64>,
}

/// A message that has begun.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Message {
    /// The agent's run id; `None` for the main agent.
    pub agent: Option<String>,
    pub role: String,
    /// A subagent's first turn, held until it is whole.
    pub held: Option<String>,
}

/// A tool call that has begun.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Call {
    pub agent: Option<String>,
    pub name: String,
    /// As far as they have come, and are not too long.
    pub args: String,
    pub long: bool,
    pub ended: bool,
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Agent {
    pub open: bool,
    /// True once it has said something.
    pub spoke: bool,
    /// True once its transcript has been opened by a turn of its own.
    pub opened: bool,
    /// The call that started it.
    pub call: Option<String>,
    /// The agent that made this call.
    pub parent: Option<String>,
}

/// What an agent's chunks belong to, while they come without an id.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Chunk {
    #[default]
    None,
    Text(String),
    Reasoning(String),
    Call(String),
}

/// A document that patches change.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Doc {
    pub value: Option<Value>,
    /// The todo list in it, as it was told last.
    pub list: Hash64,
}

/// A question without an answer.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Asked {
    pub agent: Option<String>,
    pub ask: Ask,
}

/// An agent by its run id.
pub fn who(agent: Option<&str>) -> Who {
    agent.map_or(Who::Main, Who::runtime)
}
