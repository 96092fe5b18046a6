//! The frame at hand: the operations that it gives, and what became of it.

use crate::model::{Body, Class, EntryState, Ms, Notice, Op, Who};

/// Gathers what one frame says.
#[derive(Debug, Default)]
pub struct Scribe {
    pub at: Option<Ms>,
    /// The frame's own id, where it is unique in the session.
    pub id: Option<String>,
    /// True for a frame that tells what has its home elsewhere: it never revises that.
    pub copy: bool,
    /// True if new evidence asks for inferences to be drawn anew, behind all that the frame says.
    pub infer: bool,
    pub ops: Vec<Op>,
    opaque: bool,
    kind: String,
}

impl Scribe {
    /// For a frame of this name.
    pub fn new(kind: &str) -> Self {
        let mut scribe = Self::default();
        scribe.named(kind);
        scribe
    }

    /// The frame's type, for its class.
    pub fn named(&mut self, kind: &str) {
        self.kind = kind.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/' | '.' | ':')).take(40).collect();
    }

    /// No rule knows the frame.
    pub fn opaque(&mut self) {
        self.opaque = true;
    }

    pub fn is_opaque(&self) -> bool {
        self.opaque
    }

    pub fn say(&mut self, op: Op) {
        self.ops.push(op);
    }

    pub fn say_all(&mut self, ops: impl IntoIterator<Item = Op>) {
        self.ops.extend(ops);
    }

    /// A notice under a key of its own.
    pub fn notice(&mut self, who: Who, key: String, notice: &str, text: impl Into<String>, detail: Option<String>) {
        let body = Body::Notice(Notice { notice: notice.into(), text: text.into().into(), detail: detail.map(Into::into) });
        self.say(Op::Entry { who, keys: vec![key], body, state: EntryState::Done, images: Vec::new() });
    }

    /// The class: opaque, else whether an entry was made or changed, else its name.
    pub fn class(&self) -> Class {
        let touches = |op: &Op| {
            matches!(op, Op::Entry { .. } | Op::Append { .. } | Op::Call { .. } | Op::Result { .. } | Op::Prompt { .. } | Op::Close { .. })
        };
        if self.opaque {
            Class::Opaque
        } else if self.ops.iter().any(touches) {
            Class::Entry
        } else if self.kind.is_empty() {
            Class::Bookkeeping("frame".into())
        } else {
            Class::Bookkeeping(self.kind.clone())
        }
    }
}
