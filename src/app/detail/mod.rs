//! What stands behind the line of a tool step: facts and parts, each part lines of spans.
//!
//! Decision: the server reads arguments and results, tells kinds apart, compares, colours and cuts; the browser is given lines and draws
//! them all in one way. So a kind of tool costs the client nothing, and a step that nobody opens costs nobody anything.
//! Invariants: what is cut says how much was left out; a text is cut between characters; nothing in here is a claim about the step's
//! state.

#[cfg(feature = "ssr")]
mod args;
#[cfg(feature = "ssr")]
mod cap;
#[cfg(feature = "ssr")]
mod code;
#[cfg(feature = "ssr")]
mod diff;
#[cfg(feature = "ssr")]
mod outcome;
#[cfg(feature = "ssr")]
mod screen;
#[cfg(feature = "ssr")]
mod steps;

use serde::{Deserialize, Serialize};

#[cfg(feature = "ssr")]
pub use code::highlight;
#[cfg(feature = "ssr")]
pub use steps::{Call, detail};

/// What a step's call asked for and brought.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    /// Short arguments and facts of the result: name and value.
    pub facts: Vec<(String, String)>,
    pub parts: Vec<Part>,
}

/// A part under a heading of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    pub title: String,
    pub body: Body,
    /// How many characters are left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hidden: u64,
}

/// How a part is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Body {
    /// Lines of fixed width.
    Lines(Vec<Row>),
    /// A text with Markdown in it.
    Markdown(String),
    /// Words of ours: that a result is empty, or that there is none.
    Note(String),
}

/// A line, without its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Its number in its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    #[serde(default, skip_serializing_if = "Stand::is_same")]
    pub stand: Stand,
    pub spans: Vec<Span>,
}

/// A stretch of text of one look.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Classes; empty for plain text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub class: String,
    /// A colour of its own, `#rrggbb`; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub colour: String,
    pub text: String,
}

/// How a line stands to an edit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stand {
    #[default]
    Same,
    Gone,
    New,
    /// Lines are left out here.
    Gap,
}

impl Default for Body {
    fn default() -> Self {
        Self::Lines(Vec::new())
    }
}

impl Stand {
    fn is_same(&self) -> bool {
        *self == Self::Same
    }

    /// Its class, the mark before the line, and what a screen reader says.
    pub fn look(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Same => ("", "", ""),
            Self::Gone => ("gone", "-", "removed: "),
            Self::New => ("new", "+", "added: "),
            Self::Gap => ("gap", "", ""),
        }
    }
}

impl Row {
    /// A line of plain text.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { spans: vec![Span::new("", text)], ..Self::default() }
    }

    /// Its text.
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}

impl Span {
    /// A stretch in the theme's own colours.
    pub fn new(class: &str, text: impl Into<String>) -> Self {
        Self { class: class.into(), colour: String::new(), text: text.into() }
    }
}

impl Part {
    /// The whole of it as text, as a person would copy it.
    pub fn text(&self) -> String {
        match &self.body {
            Body::Lines(rows) => {
                let line = |row: &Row| match row.stand {
                    Stand::Same => row.text(),
                    stand => format!("{}{}", stand.look().1, row.text()),
                };
                rows.iter().map(line).collect::<Vec<_>>().join("\n")
            }
            Body::Markdown(text) | Body::Note(text) => text.clone(),
        }
    }
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}
