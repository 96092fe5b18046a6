//! What the translator remembers between two events. Bounded: each list forgets its oldest.

use serde::{Deserialize, Serialize};

use crate::dialect::list::{Child, Known};
use crate::dialect::texts::Texts;
use crate::model::{Ask, Hash64};

#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OpenCode {
    pub sessions: Known<Session, 512>,
    pub messages: Known<Message, 512>,
    pub parts: Known<Part, 1024>,
    pub texts: Texts,
    pub asks: Known<Asked, 64>,
    pub lists: u64,
}

/// A session of the server: the main agent's, or a child's.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Session {
    pub parent: Option<String>,
    pub busy: bool,
    /// True once a turn of its own has been read.
    pub opened: bool,
    /// True if its last turn has failed.
    pub failed: bool,
    /// The todo list that was told last.
    pub list: Hash64,
    /// The shape in which its content comes, where the server tells it in two.
    pub shape: Option<Shape>,
}

/// How a server tells content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    Parts,
    Next,
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Message {
    pub role: String,
    pub parts: Vec<String>,
}

/// A part that has begun: "text", "reasoning", "user".
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Part {
    pub kind: String,
}

/// A question without an answer.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Asked {
    pub session: String,
    pub ask: Ask,
}

impl Child for Session {
    fn parent(&self) -> Option<&str> {
        self.parent.as_deref()
    }
}

impl OpenCode {
    /// True for content that comes in the shape in which the session's first content came.
    pub fn is_told_so(&mut self, session: &str, shape: Shape) -> bool {
        *self.sessions.entry(session).shape.get_or_insert(shape) == shape
    }
}
