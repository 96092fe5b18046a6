//! What became of each physical line of a source: the line account.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The one class that a physical line is in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Class {
    /// It made or changed an entry.
    Entry,
    /// No rule knows it, or it could not be read: kept whole in an opaque entry.
    Opaque,
    /// It was there before.
    Duplicate,
    /// It told something that is no entry; the word is the source's type.
    Bookkeeping(String),
    Blank,
    /// A further line of a record that spreads over several.
    Continuation,
    /// A last line without its end: read again when it is whole.
    Incomplete,
    /// A further record of a physical line that has been counted already, or no line of the source at all: never counted.
    Part,
}

impl Class {
    /// The name in summaries: "entry", "bookkeeping:summary", …
    pub fn name(&self) -> String {
        match self {
            Self::Entry => "entry".into(),
            Self::Opaque => "opaque".into(),
            Self::Duplicate => "duplicate".into(),
            Self::Bookkeeping(kind) => format!("bookkeeping:{kind}"),
            Self::Blank => "blank".into(),
            Self::Continuation => "continuation".into(),
            Self::Incomplete => "incomplete".into(),
            Self::Part => "part".into(),
        }
    }
}

/// Lines counted by class. Their sum is the number of physical lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Classes(pub BTreeMap<String, u64>);

impl Classes {
    /// Counts one line; a part of a line is none.
    pub fn add(&mut self, class: &Class) {
        if *class == Class::Part {
            return;
        }
        *self.0.entry(class.name()).or_default() += 1;
    }

    /// Adds another account.
    pub fn merge(&mut self, other: &Self) {
        for (name, count) in &other.0 {
            *self.0.entry(name.clone()).or_default() += count;
        }
    }

    /// All lines.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }
}
