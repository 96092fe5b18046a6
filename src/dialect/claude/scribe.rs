//! The line at hand: what every record of the chain says of itself.

use std::borrow::Cow;

use crate::dialect::json::Object;
use crate::dialect::scribe;
pub use crate::dialect::scribe::Scribe;
use crate::model::{Hash64, Ms};

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

/// When a line was written.
pub(super) fn time(object: &Object<'_>) -> Option<Ms> {
    object.raw("timestamp").and_then(scribe::time)
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
