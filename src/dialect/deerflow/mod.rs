//! DeerFlow: LangGraph's stream with events of its subagents, and the rows, pages and thread states that it keeps.
//!
//! Decision: a subagent's message is known by its task and its number, live and kept alike, so that the same session read both
//! ways stays one. What its graph says is told by LangGraph's rules.
//! Invariants: counters never roll back; a gap in a stream ends nothing; how a task ended is told by the status, never by a text.

mod rows;
mod tasks;
#[cfg(test)]
pub mod tests;

use super::chain::{Frame, Message, Scribe, hash};
use super::json::Object;
use super::langgraph::stream::{Rules, Stream, Teller, of_run};
use super::langgraph::{Came, is_state};
use super::{Facts, Head, Translator};
use crate::model::Who;

pub use super::langgraph::{place, session_of};
pub use tasks::{ends, report};

pub const FAMILY: &str = "deerflow";

/// Rejoins of one run behind gaps, after which its stream is given up.
const REJOINS: u32 = 5;

/// How sure the first frames make it: only what LangGraph does not know counts.
pub fn recognise(head: &Head<'_>) -> u8 {
    head.frames().iter().map(sure).max().unwrap_or(0)
}

fn sure(frame: &Frame<'_>) -> u8 {
    let Some(object) = Object::parse(&frame.data) else { return 0 };
    let own = |values: &Object<'_>| ["thread_data", "uploaded_files", "sandbox", "viewed_images"].iter().any(|name| values.has(name));
    match &*frame.name {
        "custom" if tasks::kind(&object).is_some() => 95,
        "gap" if object.has("run_id") => 90,
        "values" if own(&object) => 85,
        "" if object.has("event_type") && object.has("category") && object.has("thread_id") => 90,
        "" if is_state(Some(&object)) && object.object("values").is_some_and(|values| own(&values)) => 85,
        _ => 0,
    }
}

pub fn open(facts: Facts, memory: Option<&str>) -> Result<Box<dyn Translator>, String> {
    Stream::open(facts, memory, Rules { dialect: "deerflow", family: FAMILY, tell, stream: of_run })
}

fn tell(teller: &mut Teller, scribe: &mut Scribe, frame: &Frame<'_>) {
    let object = Object::parse(&frame.data);
    match (&*frame.name, &object) {
        ("custom", Some(event)) if tasks::kind(event).is_some() => teller.task_event(scribe, event),
        ("gap", Some(gap)) => teller.gap(scribe, gap),
        ("", Some(row)) if row.has("event_type") => teller.row(scribe, row),
        ("", Some(state)) if !is_state(Some(state)) => {
            let message = serde_json::from_str(&frame.data).ok().and_then(Message::read);
            match message {
                Some(message) => teller.tell(scribe, &Who::Main, &message, message.id.as_deref(), Came::Whole, None),
                None => scribe.opaque(),
            }
        }
        _ => teller.frame(scribe, frame),
    }
}

impl Teller {
    /// Events were lost. What was being written is told anew by the state that is loaded next; nothing ends by it.
    fn gap(&mut self, scribe: &mut Scribe, gap: &Object<'_>) {
        if let Some(run) = gap.word("run_id").filter(|run| self.own.run.as_deref() != Some(run)) {
            self.own.run = Some(run.into());
            self.own.gaps = 0;
        }
        let run = self.own.run();
        self.own.voice.again(run);
        self.own.gaps = self.own.gaps.saturating_add(1);
        let word = |name| gap.word(name).unwrap_or_default();
        let text = if self.own.gaps > REJOINS {
            "Events of this run were lost again and again; its stream is not joined any more."
        } else {
            "Some events of this run were lost; what they told comes with the next state."
        };
        let (from, to) = (word("requested_event_id"), word("earliest_available_event_id"));
        let key = format!("gap:{run:?}:{:?}", hash(&[&from, &to]));
        scribe.notice(Who::Main, key, "gap", text, Some(format!("asked for {from}, the earliest is {to}")));
    }
}
