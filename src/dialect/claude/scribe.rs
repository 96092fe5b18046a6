//! The line at hand: what every record of the chain says of itself, and the operations that it gives.

use std::borrow::Cow;

use crate::dialect::json::{Object, string};
use crate::model::{Blobbed, Body, Class, EntryState, Hash64, Ms, Notice, Op, Who, parse_time};

/// The fields that lines of all types share.
pub struct Head<'a> {
    pub kind: Cow<'a, str>,
    pub uuid: Option<Cow<'a, str>>,
    pub parent: Option<Cow<'a, str>>,
    pub session: Option<Cow<'a, str>>,
    pub cwd: Option<Cow<'a, str>>,
    pub at: Option<Ms>,
    /// Of the line without its place in the tree, which a rewrite may change.
    pub hash: Hash64,
}

impl<'a> Head<'a> {
    pub fn of(text: &'a str, object: &Object<'a>) -> Self {
        Self {
            kind: object.word("type").unwrap_or_default(),
            uuid: object.word("uuid"),
            parent: object.word("parentUuid"),
            session: object.word("sessionId"),
            cwd: object.word("cwd"),
            at: time(object),
            hash: hash(text, object),
        }
    }
}

/// RFC 3339, or a number: of seconds where it is too small for milliseconds of our times.
pub(super) fn time(object: &Object<'_>) -> Option<Ms> {
    let raw = object.raw("timestamp")?;
    let number = || raw.get().parse::<Ms>().ok().map(|n| if n.unsigned_abs() < 100_000_000_000 { n.saturating_mul(1_000) } else { n });
    string(raw).map_or_else(number, |text| parse_time(&text))
}

fn hash(text: &str, object: &Object<'_>) -> Hash64 {
    let whole = text.as_bytes();
    let parent = object.raw("parentUuid").map(|raw| raw.get()).and_then(|raw| {
        let start = (raw.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
        Some((whole.get(..start)?, whole.get(start + raw.len()..)?))
    });
    match parent {
        Some((before, after)) => Hash64::of_parts(&[before, after]),
        // An absent parent is written as null, which the object leaves out.
        None => match text.split_once("\"parentUuid\":null") {
            Some((before, after)) => Hash64::of_parts(&[before.as_bytes(), b"\"parentUuid\":", after.as_bytes()]),
            None => Hash64::of(whole),
        },
    }
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
