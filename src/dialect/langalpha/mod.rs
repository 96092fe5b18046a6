//! LangAlpha, in both of its eras: one stream for all, in which a child's lines say `tools:<uuid>` and a status lists the tasks;
//! and one stream for each task, whose lines say `task:<id>` and which an artifact announces.
//!
//! Decision: what main says of a task's beginnings and ends stands in another stream than the task's own lines, even where one
//! body holds both, so its place among them tells nothing.
//! Invariants: without evidence a child is bound only where one task and one child are left; what main's own call has as its
//! result stands in main, whoever the line says.

mod artifacts;
mod messages;
mod tasks;
#[cfg(test)]
pub mod tests;

use super::chain::{Frame, Scribe, hash};
use super::json::Object;
use super::langgraph::stream::{Rules, Stream, Teller};
use super::{Facts, Head, Translator};
use crate::model::{AgentStatus, Ending, EntryState, Name, NameKind, Op, Who};

pub use super::langgraph::{place, session_of};

pub const FAMILY: &str = "langalpha";

/// Names of events that are LangAlpha's own.
const EVENTS: [&str; 10] = [
    "message_chunk",
    "tool_call_chunks",
    "tool_calls",
    "tool_call_result",
    "subagent_status",
    "artifact",
    "steering_delivered",
    "context_window",
    "credit_usage",
    "user_message",
];

/// How sure the first frames make it.
pub fn recognise(head: &Head<'_>) -> u8 {
    let sure = |frame: &Frame<'_>| {
        let named = Object::parse(&frame.data).is_some_and(|object| object.has("thread_id"));
        if named && EVENTS.contains(&&*frame.name) { 92 } else { 0 }
    };
    head.frames().iter().map(sure).max().unwrap_or(0)
}

pub fn open(facts: Facts, memory: Option<&str>) -> Result<Box<dyn Translator>, String> {
    Stream::open(facts, memory, Rules { dialect: "langalpha", family: FAMILY, tell, stream: |_, frame| stream(frame) })
}

/// The stream in which a frame's id is unique: its answer's, of main or of one task.
fn stream(frame: &Frame<'_>) -> String {
    let object = Object::parse(&frame.data);
    let word = |name| object.as_ref().and_then(|object| object.word(name)).map(String::from).unwrap_or_default();
    let agent = word("agent");
    format!("{}/{}", word("response_id"), if agent.starts_with("task:") { &agent } else { "" })
}

fn tell(teller: &mut Teller, scribe: &mut Scribe, frame: &Frame<'_>) {
    let Some(event) = Object::parse(&frame.data) else {
        return match &*frame.name {
            "end" | "done" | "complete" => teller.closes(scribe),
            "ping" | "heartbeat" | "keepalive" => {}
            _ => scribe.opaque(),
        };
    };
    if let Some(run) = event.word("response_id") {
        teller.own.run = Some(run.into());
    }
    scribe.at = ["timestamp", "created_at"].into_iter().find_map(|name| event.raw(name)).and_then(time);
    match &*frame.name {
        "message_chunk" => teller.message_chunk(scribe, &event),
        "tool_call_chunks" => teller.call_chunks(scribe, &event),
        "tool_calls" => teller.calls(scribe, &event),
        "tool_call_result" => teller.call_result(scribe, &event),
        "subagent_status" => teller.status(scribe, &event),
        "artifact" => teller.artifact(scribe, &event),
        "user_message" => teller.turn(scribe, &event),
        "steering_delivered" => teller.steering(scribe, &event),
        "context_window" => teller.context(scribe, &event),
        "error" => teller.failure(scribe, &event, &frame.data),
        "credit_usage" => teller.ends_turn(scribe),
        "end" | "done" | "complete" => teller.closes(scribe),
        "" if event.has("task_id") && event.has("status") => teller.task_status(scribe, &event),
        "provenance" | "turn_index" | "response_id" | "workspace_status" | "ping" | "heartbeat" | "metadata" => {}
        _ => scribe.opaque(),
    }
}

/// RFC 3339, with a blank for the T, or a number of seconds.
fn time(raw: &serde_json::value::RawValue) -> Option<crate::model::Ms> {
    match super::json::string(raw) {
        Some(text) => {
            let text = text.replacen(' ', "T", 1);
            crate::model::parse_time(&text).or_else(|| crate::model::parse_time(&format!("{text}Z")))
        }
        None => {
            let seconds: f64 = raw.get().parse().ok()?;
            // Beyond the years that a calendar knows it is no time.
            (seconds.is_finite() && seconds.abs() < 1e11).then_some((seconds * 1_000.0) as crate::model::Ms)
        }
    }
}

impl Teller {
    /// Whose line: a task's own, a namespace's, else main's.
    fn speaker(&mut self, scribe: &mut Scribe, event: &Object<'_>) -> Who {
        let agent = event.word("agent").unwrap_or_default();
        match agent.strip_prefix("task:") {
            Some(id) => Who::runtime(id),
            None if agent.starts_with("tools:") => self.child(scribe, &agent),
            None => Who::Main,
        }
    }

    /// Something went wrong with whoever speaks: a task works on, whatever becomes of main.
    fn failure(&mut self, scribe: &mut Scribe, event: &Object<'_>, data: &str) {
        let who = self.speaker(scribe, event);
        self.faulted(scribe, who.clone(), Some(event), data);
        let closing = self.own.voice.silence(Some(&who), EntryState::Failed);
        scribe.say_all(closing);
        match who {
            Who::Main => self.ends_turn(scribe),
            Who::Named(Name { kind: NameKind::Runtime, id }) => self.finish(scribe, &id, AgentStatus::Failed, "explicit"),
            who => {
                let cause = "explicit".into();
                scribe.say(Op::End { who, ending: Ending { status: AgentStatus::Failed, cause, at: scribe.at, run: None, note: None } });
            }
        }
    }

    /// The stream of main's turn is over, and so is what main was saying.
    fn closes(&mut self, scribe: &mut Scribe) {
        let closing = self.own.voice.silence(Some(&Who::Main), EntryState::Done);
        scribe.say_all(closing);
        self.ends_turn(scribe);
    }

    /// The main agent's turn is over.
    fn ends_turn(&mut self, scribe: &mut Scribe) {
        self.own.in_turn = false;
        scribe.say(Op::Turn { ended: true });
    }

    /// One more of what is counted by this name.
    fn counted(&mut self, name: &str) -> u64 {
        let key = hash(&[name]);
        let at = self.own.counters.iter().position(|(known, _)| *known == key).and_then(|at| self.own.counters.remove(at));
        let count = at.map_or(1, |(_, count)| count.saturating_add(1));
        super::chain::push(&mut self.own.counters, super::langgraph::SPACES, (key, count));
        count
    }
}
