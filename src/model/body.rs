//! What an entry holds.

use serde::{Deserialize, Serialize};

use super::AgentNo;

/// How much of a blob stands in its row, in bytes.
pub const PREVIEW_BYTES: usize = 12_000;

/// How much of an open call's arguments or result travels with its row, in bytes.
pub const OPEN_BYTES: usize = 64 << 10;

/// The body of an entry, by kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Body {
    /// A turn addressed to the agent; `origin` says who wrote it where it was no person ("prompt", "teammate", …).
    User {
        text: Long,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<Image>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin: Option<String>,
    },
    /// What the agent said, Markdown.
    Text {
        text: Long,
    },
    /// One contiguous stretch of reasoning.
    Reasoning {
        text: Long,
    },
    Tool(Box<Tool>),
    Ask(Box<Ask>),
    /// The whole list, as it stood after one change of it.
    Todos {
        items: Vec<Todo>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<String>,
    },
    Notice(Notice),
}

/// A text that may be too long for its row.
///
/// `text` is the whole of it, or its first bytes (cut at a character) when `blob` holds the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Long {
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<Blob>,
}

/// A piece of content kept apart, named by its SHA-256 in hex.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Blob {
    pub hash: String,
    /// Bytes.
    pub len: u64,
}

/// An image, kept as a blob. `media_type` is what its first bytes say, not what the source claims.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    pub media_type: String,
    pub blob: Blob,
}

/// A tool call and its result: one entry, in the call's place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// The call's foreign id; empty where the source gives none.
    pub call: String,
    pub name: String,
    /// The short human form: "Read src/login.rs:40–90".
    pub title: String,
    /// JSON as it came; empty while none has come.
    pub args: Long,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Long>,
    /// The whole output, where `result` is only what the agent was shown of it: the source spilled it into a file of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spilled: Option<Long>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Long>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
    /// The agent that it started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child: Option<AgentNo>,
}

/// A permission request, a question or a form, whoever asks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// "permission", "question", "form", "plan", or a word of the source.
    pub ask: String,
    pub text: Long,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    pub ask_state: AskState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Long>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
}

/// How far a question has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskState {
    #[default]
    Open,
    Answered,
    Denied,
    Withdrawn,
}

/// One item of a todo list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Todo {
    pub text: String,
    pub status: TodoStatus,
}

/// How far a todo item has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TodoStatus {
    #[default]
    Pending,
    InProgress,
    Completed,
    Cancelled,
}

/// Something that the source or we have to say: an error, a limit, a compaction, a task note, a line that no rule knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// "error", "limit", "compaction", "task", "cancelled", "opaque", or a word of the source.
    pub notice: String,
    pub text: Long,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Long>,
}

impl Long {
    /// Bytes of the whole text.
    pub fn len(&self) -> u64 {
        self.blob.as_ref().map_or(self.text.len() as u64, |blob| blob.len)
    }

    /// Keeps the first `most` bytes in the row, up to a character's end. What is left out is marked by a blob without a hash, unless a
    /// blob holds the whole already.
    pub fn cut(&mut self, most: usize) {
        if self.text.len() <= most {
            return;
        }
        let whole = self.len();
        self.text.truncate(self.text.floor_char_boundary(most));
        self.text.shrink_to_fit();
        self.blob.get_or_insert(Blob { hash: String::new(), len: whole });
    }

    /// True for a text that was cut: the row itself, read anew, holds more.
    pub fn is_cut(&self) -> bool {
        self.blob.as_ref().is_some_and(|blob| blob.hash.is_empty())
    }

    /// True for a text without a byte.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: Into<String>> From<T> for Long {
    fn from(text: T) -> Self {
        Self { text: text.into(), blob: None }
    }
}

impl Body {
    /// The name of its kind, as on the wire and in exports.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::User { .. } => "user",
            Self::Text { .. } => "text",
            Self::Reasoning { .. } => "reasoning",
            Self::Tool(_) => "tool",
            Self::Ask(_) => "ask",
            Self::Todos { .. } => "todos",
            Self::Notice(_) => "notice",
        }
    }

    /// All texts of the body, in a fixed order.
    pub fn texts_mut(&mut self) -> Vec<&mut Long> {
        match self {
            Self::User { text, .. } | Self::Text { text } | Self::Reasoning { text } => vec![text],
            Self::Tool(tool) => {
                let Tool { args, result, spilled, error, .. } = tool.as_mut();
                [Some(args), result.as_mut(), spilled.as_mut(), error.as_mut()].into_iter().flatten().collect()
            }
            Self::Ask(ask) => {
                let Ask { text, answer, .. } = ask.as_mut();
                [Some(text), answer.as_mut()].into_iter().flatten().collect()
            }
            Self::Todos { .. } => Vec::new(),
            Self::Notice(notice) => [Some(&mut notice.text), notice.detail.as_mut()].into_iter().flatten().collect(),
        }
    }

    /// The images of the body.
    pub fn images(&self) -> &[Image] {
        match self {
            Self::User { images, .. } => images,
            Self::Tool(tool) => &tool.images,
            _ => &[],
        }
    }
}
