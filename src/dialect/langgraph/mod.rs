//! LangGraph: the streams of its platform and its SDKs, with subgraphs and deepagents, in the older and the newer protocol, and
//! the states of threads.
//!
//! Decision: a namespace's segment `tools:<uuid>` in an event's name is an agent, the path up to it its id. Which call started
//! it is told by events that name both; else the ledger infers it from its first words, and takes that back when a second
//! candidate turns up.
//! Invariant: what stands in a namespace of an agent never lands in another's transcript.

mod asks;
mod memory;
mod modes;
mod protocol;
mod spaces;
mod state;
pub mod stream;
mod talk;
#[cfg(test)]
pub mod tests;

use super::chain::{Frame, Scribe};
use super::json::{Object, array};
use super::{Facts, Head, Place, Record, Translator};
use serde_json::value::RawValue;
use stream::{Rules, Stream, Teller};

pub use memory::{Child, SPACES, Steps};
pub use state::listed;
pub use talk::Came;

pub const FAMILY: &str = "langgraph";

/// Modes whose names are LangGraph's own.
const MODES: [&str; 10] = [
    "messages",
    "messages/partial",
    "messages/complete",
    "messages/metadata",
    "values",
    "updates",
    "checkpoints",
    "debug",
    "tasks",
    "lifecycle",
];

/// How sure the first frames make it.
pub fn recognise(head: &Head<'_>) -> u8 {
    head.frames().iter().map(sure).max().unwrap_or(0)
}

/// How sure one frame makes it that a stream is of a back end on LangGraph.
pub fn sure(frame: &Frame<'_>) -> u8 {
    let mode = frame.name.split('|').next().unwrap_or_default();
    let object = Object::parse(&frame.data);
    let has = |name: &str| object.as_ref().is_some_and(|object| object.raw(name).is_some());
    let is_event = has("method") && has("params");
    match mode {
        _ if is_event => 90,
        "metadata" if has("run_id") => 60,
        "messages" if frame.data.starts_with('[') => 80,
        "values" if has("messages") || has("__interrupt__") => 75,
        "updates" if frame.data.starts_with('{') => 50,
        "" if is_state(object.as_ref()) => 70,
        mode if MODES.contains(&mode) => 40,
        _ => 0,
    }
}

/// True for the state of a thread.
pub fn is_state(object: Option<&Object<'_>>) -> bool {
    object.is_some_and(|object| {
        let keeps = ["next", "checkpoint", "checkpoint_id", "created_at"].iter().any(|name| object.has(name));
        keeps && object.object("values").is_some_and(|values| values.has("messages"))
    })
}

/// The thread that a record names.
pub fn session_of(record: &[u8]) -> Option<String> {
    super::chain::frames(Record::whole(0, record)).iter().find_map(thread)
}

/// The thread that a frame names.
pub fn thread(frame: &Frame<'_>) -> Option<String> {
    let named = |object: &Object<'_>| object.word("thread_id").map(String::from);
    if let Some(object) = Object::parse(&frame.data) {
        let inner = |name| object.object(name).as_ref().and_then(named);
        let told = named(&object).or_else(|| inner("metadata")).or_else(|| inner("checkpoint")).or_else(|| inner("params"));
        return told.or_else(|| named(&object.object("params")?.object("data")?));
    }
    let raw: &RawValue = serde_json::from_str(&frame.data).ok()?;
    array(raw)?.into_iter().filter_map(Object::of).find_map(|object| named(&object))
}

/// The file's name without its ending names the session, where its lines do not.
pub fn place(path: &[&str]) -> Place {
    let stem = path.last().map(|name| name.rsplit_once('.').map_or(*name, |(stem, _)| stem).to_owned());
    Place { session: stem, ..Place::default() }
}

pub fn open(facts: Facts, memory: Option<&str>) -> Result<Box<dyn Translator>, String> {
    Stream::open(facts, memory, Rules { dialect: "langgraph", family: FAMILY, tell, stream: stream::of_run })
}

fn tell(teller: &mut Teller, scribe: &mut Scribe, frame: &Frame<'_>) {
    teller.frame(scribe, frame);
}
