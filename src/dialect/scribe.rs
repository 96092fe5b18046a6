//! The line at hand: the operations that it gives, and the class that follows from them.

use serde_json::value::RawValue;

use super::json::string;
use crate::model::{Blobbed, Body, Class, EntryState, Ms, Notice, Op, Who, parse_time};

/// RFC 3339, or a number: of seconds where it is too small for milliseconds of our times.
pub fn time(raw: &RawValue) -> Option<Ms> {
    if let Some(text) = string(raw) {
        return parse_time(&text);
    }
    let number: f64 = raw.get().parse().ok().filter(|number: &f64| number.is_finite())?;
    let scaled = if number.abs() < 100_000_000_000.0 { number * 1_000.0 } else { number };
    Some(scaled as Ms)
}

/// Gathers what one line says.
pub struct Scribe {
    pub who: Who,
    /// The line's own id, or its place, for the keys of entries.
    pub base: String,
    pub at: Option<Ms>,
    pub ops: Vec<Op>,
    pub turn: bool,
    class: Option<Class>,
    made: u32,
}

impl Scribe {
    pub fn new(who: Who, base: String, at: Option<Ms>) -> Self {
        Self { who, base, at, ops: Vec::new(), turn: false, class: None, made: 0 }
    }

    /// The class of a line that says nothing which makes an entry.
    pub fn bookkeeping(&mut self, kind: &str, part: Option<&str>) {
        let word =
            |text: &str| -> String { text.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).take(40).collect() };
        let name = part.map_or_else(|| word(kind), |part| format!("{}/{}", word(kind), word(part)));
        self.class.get_or_insert(Class::Bookkeeping(name));
    }

    pub fn opaque(&mut self) {
        self.class = Some(Class::Opaque);
    }

    /// True if the line has made or changed an entry.
    pub fn has_entry(&self) -> bool {
        self.made > 0
    }

    /// The class: what was said of it, else whether it made an entry.
    pub fn class(&self) -> Class {
        match &self.class {
            Some(Class::Opaque) => Class::Opaque,
            _ if self.has_entry() => Class::Entry,
            Some(class) => class.clone(),
            None => Class::Bookkeeping("empty".into()),
        }
    }

    /// A further key from the line's own id, unique in it.
    pub fn key(&self) -> String {
        format!("{}/{}", self.base, self.made)
    }

    /// Says something that makes or changes an entry.
    pub fn entry_op(&mut self, op: Op) {
        self.made += 1;
        self.ops.push(op);
    }

    pub fn say(&mut self, op: Op) {
        self.ops.push(op);
    }

    /// A whole entry, under the line's own key and `more`.
    pub fn entry(&mut self, body: Body, state: EntryState, images: Vec<Blobbed>, more: Option<String>) {
        let keys = std::iter::once(self.key()).chain(more).collect();
        let who = self.who.clone();
        self.entry_op(Op::Entry { who, keys, body, state, images });
    }

    pub fn notice(&mut self, notice: &str, text: impl Into<String>, detail: Option<String>) {
        self.notice_as(notice, text, detail, None);
    }

    /// A notice under a key of its own, which other lines may tell again.
    pub fn notice_as(&mut self, notice: &str, text: impl Into<String>, detail: Option<String>, key: Option<String>) {
        let body = Body::Notice(Notice { notice: notice.into(), text: text.into().into(), detail: detail.map(Into::into) });
        match key {
            Some(key) => {
                let who = self.who.clone();
                self.entry_op(Op::Entry { who, keys: vec![key], body, state: EntryState::Done, images: Vec::new() });
            }
            None => self.entry(body, EntryState::Done, Vec::new(), None),
        }
    }
}
