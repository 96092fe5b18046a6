//! What the translator remembers between two messages. Bounded: each list forgets its oldest.

use serde::{Deserialize, Serialize};

use crate::dialect::json::Object;
use crate::dialect::list::{Child, Known};
use crate::dialect::texts::Texts;
use crate::model::{AgentStatus, Ask, Who};

#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Acp {
    pub sessions: Known<Session, 256>,
    /// Requests without a reply.
    pub requests: Known<Request, 256>,
    pub asks: Known<Asked, 64>,
    pub texts: Texts,
    /// By agent: the message that its chunks belong to.
    pub chunks: Known<Chunk, 64>,
    /// Calls that started a child, and whether it runs.
    pub callers: Known<bool, 256>,
    pub calls: Known<Call, 512>,
    pub counted: u64,
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Session {
    pub parent: Option<String>,
    /// What was asked last, as far as it has not been repeated.
    pub asked: String,
    pub running: bool,
    pub opened: bool,
    pub cwd: Option<String>,
}

/// A request, for its reply.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Request {
    pub method: String,
    pub session: String,
}

/// A question without an answer.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Asked {
    pub session: String,
    pub ask: Ask,
    /// The options' ids, in their order.
    pub options: Vec<String>,
}

/// A message that comes in chunks.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Chunk {
    pub kind: String,
    pub id: Option<String>,
    pub key: String,
    /// A child's first turn, held until it is whole.
    pub held: Option<String>,
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Call {
    pub name: String,
    pub title: String,
    pub args: bool,
    /// How it ended, of whoever it has started.
    #[serde(default)]
    pub ended: Option<AgentStatus>,
}

impl Child for Session {
    fn parent(&self) -> Option<&str> {
        self.parent.as_deref()
    }
}

impl Acp {
    /// The session that a message is about: named, or that of the request which it answers.
    pub fn session_in(&self, object: &Object<'_>) -> Option<String> {
        let params = object.object("params").or_else(|| object.object("result"));
        let named = params.and_then(|params| params.id("sessionId").map(String::from));
        let named = named.or_else(|| object.id("sessionId").map(String::from));
        let asked = || {
            let request = self.requests.get(object.raw("id")?.get())?;
            Some(request.session.clone()).filter(|session| !session.is_empty() && !object.has("method"))
        };
        named.or_else(asked)
    }
}

/// The name of an agent, for what is remembered of it.
pub fn name(who: &Who) -> &str {
    match who {
        Who::Main => "",
        Who::Named(name) => &name.id,
    }
}
