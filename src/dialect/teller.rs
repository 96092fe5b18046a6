//! What a dialect of one JSON object a record has to say, and how its records are recognised.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::head::Head;
use super::json::Object;
use super::page::Page;
use super::scribe::time;
use super::{Facts, Place};
use crate::model::Ms;

/// What a dialect says of its records. The value is its memory: bounded, whatever comes.
pub trait Teller: Clone + Default + Serialize + DeserializeOwned + Send + 'static {
    const FAMILY: &'static str;
    const NAME: &'static str;

    /// How sure an object makes it that it is a record of this dialect: 0 is no, 100 is certain.
    fn sure(object: &Object<'_>) -> u8;

    /// What the caller, or the source's place, says before the first record.
    fn placed(&mut self, _facts: &Facts) {}

    /// The session of a record, where it or what is known of it says so.
    fn session(&self, object: &Object<'_>) -> Option<String>;

    /// The session that a record names by itself, for whoever has only the record.
    fn names(object: &Object<'_>) -> Option<String> {
        Self::default().session(object)
    }

    /// The record's own id, unique in its session.
    fn id(&self, _object: &Object<'_>) -> Option<String> {
        None
    }

    /// When it was written.
    fn at(&self, object: &Object<'_>) -> Option<Ms> {
        object.raw("timestamp").and_then(time)
    }

    /// What of the session a record's source tells: places in it, and the ids of its server-sent events, are unique in that alone.
    fn stream(&self, _object: &Object<'_>) -> String {
        String::new()
    }

    /// True if whose a record is will be known later only.
    fn waits(&self, _object: &Object<'_>) -> bool {
        false
    }

    /// The records that stand inside of this one; they are told behind it.
    fn parts<'a>(_object: &Object<'a>) -> Vec<&'a RawValue> {
        Vec::new()
    }

    /// Tells what an object says. What no rule knows is left opaque.
    fn tell(&mut self, page: &mut Page, object: &Object<'_>);

    /// What is still held at the end of the input.
    fn end(&mut self, _page: &mut Page) {}
}

/// How sure the first objects make it that a source is of the dialect of `T`: its lines, else what stands inside of it.
pub fn recognise<T: Teller>(head: &Head<'_>) -> u8 {
    let best = |objects: &[Object<'_>]| objects.iter().map(sure::<T>).max().unwrap_or(0);
    match best(head.objects()) {
        0 => best(head.inside()),
        best => best,
    }
}

pub fn sure<T: Teller>(object: &Object<'_>) -> u8 {
    let inner = unwrapped(object);
    T::sure(inner.as_ref().unwrap_or(object))
}

/// The data of an event that was written as `{"event":…,"data":…}`.
pub fn unwrapped<'a>(object: &Object<'a>) -> Option<Object<'a>> {
    if object.has("type") || !(object.has("event") || object.has("id")) {
        return None;
    }
    object.object("data")
}

/// The session that a record names, without any memory.
pub fn session_of<T: Teller>(record: &[u8]) -> Option<String> {
    let object = std::str::from_utf8(record).ok().and_then(Object::parse)?;
    let inner = unwrapped(&object);
    T::names(inner.as_ref().unwrap_or(&object))
}

/// The file's name without its ending names the session, where its records do not.
pub fn place(path: &[&str]) -> Place {
    let stem = path.last().map(|name| name.rsplit_once('.').map_or(*name, |(stem, _)| stem).to_owned());
    Place { session: stem, ..Place::default() }
}
