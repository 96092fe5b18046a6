//! Agents as the lines of their parent tell of them: the call, what its result names, the note of an end in the background.

use super::disk::Disk;
use super::scribe::Scribe;
use super::words::{self, tag};
use crate::dialect::json::Object;
use crate::model::{AgentPatch, AgentStatus, Ending, Hash64, Link, Name, NameKind, Op, Who};

impl Disk {
    /// A call that starts an agent, with its own words about it.
    pub(super) fn agent_called(&mut self, scribe: &mut Scribe, call: String, input: Option<&Object<'_>>) {
        self.memory.called(&call);
        let word = |key: &str| input.and_then(|input| input.word(key)).map(String::from);
        let patch = AgentPatch { description: word("description"), kind: word("subagent_type"), ..AgentPatch::default() };
        scribe.say(Op::Agent { who: Who::call(call.clone()), patch });
        if let Some(text) = word("prompt") {
            scribe.say(Op::Prompt { who: Who::call(call), text, images: Vec::new(), own: false, keys: Vec::new() });
        }
    }

    /// What the result of an agent's call tells of the agent. `text` is the result with its trailer.
    pub(super) fn agent_result(&mut self, scribe: &mut Scribe, call: &str, details: Option<&Object<'_>>, text: &str, failed: Option<bool>) {
        let word = |key: &str| details.and_then(|details| details.word(key)).map(String::from);
        let status = word("status").unwrap_or_default();
        let launched = matches!(&*status, "async_launched" | "remote_launched" | "teammate_spawned");
        let goes_on = failed.is_none() && (launched || details.is_some_and(|details| details.flag("isAsync")));
        let told = word("agentId").or_else(|| word("agent_id")).or_else(|| word("taskId").filter(|_| launched));
        let named = told.map(|id| (id, Link::Exact)).or_else(|| words::trailer_agent(text).map(|id| (id.to_owned(), Link::Later)));
        if let Some((id, link)) = named {
            if goes_on {
                self.memory.launched(&id);
            }
            let names = vec![Name { kind: NameKind::Runtime, id }];
            let patch =
                AgentPatch { names, call: Some(call.to_owned()), link: Some(link), kind: word("agentType"), ..AgentPatch::default() };
            scribe.say(Op::Agent { who: Who::call(call), patch });
        }
        let tool_calls = details.and_then(|details| details.number("totalToolUseCount"));
        if tool_calls.is_some() {
            scribe.say(Op::Total { who: Who::call(call), usage: None, tool_calls });
        }
        if goes_on {
            return;
        }
        let (status, cause) = match (failed, &*status) {
            (None, "failed") | (Some(false), _) => (AgentStatus::Failed, "result"),
            (Some(true), _) => (AgentStatus::Cancelled, "stop"),
            (None, "killed" | "stopped" | "cancelled") => (AgentStatus::Cancelled, "stop"),
            (None, _) => (AgentStatus::Finished, "result"),
        };
        let ending = Ending { status, cause: cause.into(), at: scribe.at, run: None, note: None };
        scribe.say(Op::End { who: Who::call(call), ending });
    }

    /// The note that a task in the background has ended: one note in the transcript, however often it is told, and the end of
    /// the agent, if the task is one.
    pub(super) fn task_note(&mut self, scribe: &mut Scribe, text: &str) {
        let text = text.trim();
        let told = Hash64::of(text.as_bytes());
        let word = |name| tag(text, name).map(str::trim).filter(|word| !word.is_empty());
        let (task, call, status) = (word("task-id"), word("tool-use-id"), word("status").unwrap_or_default());
        let end = task_end(status);
        let note = match (task, end) {
            (Some(task), Some((status, _))) => self.memory.note("text", task, status.word(), told),
            _ => format!("task:{:016x}", told.0),
        };
        let summary = word("summary").unwrap_or("A task in the background has news.");
        scribe.notice_as("task", summary, Some(text.to_owned()), Some(note.clone()));
        let by_words = summary.starts_with("Agent ");
        let who = task
            .filter(|task| self.memory.is_agent(task) || by_words)
            .map(Who::runtime)
            .or_else(|| call.filter(|call| self.memory.is_open(call)).map(Who::call));
        if let (Some(_), Some(task), Some(call)) = (&who, task, call) {
            let names = vec![Name { kind: NameKind::Runtime, id: task.to_owned() }];
            let patch = AgentPatch { names, call: Some(call.to_owned()), link: Some(Link::Later), ..AgentPatch::default() };
            scribe.say(Op::Agent { who: Who::call(call), patch });
        }
        if let Some((who, (status, cause))) = who.zip(end) {
            let ending = Ending { status, cause: cause.into(), at: scribe.at, run: None, note: Some(note) };
            scribe.say(Op::End { who, ending });
        }
    }
}

/// The end that a task's status is, and its cause; `None` while it goes on.
pub(super) fn task_end(status: &str) -> Option<(AgentStatus, &'static str)> {
    match status {
        "completed" => Some((AgentStatus::Finished, "explicit")),
        "failed" => Some((AgentStatus::Failed, "explicit")),
        "killed" | "stopped" | "cancelled" => Some((AgentStatus::Cancelled, "stop")),
        _ => None,
    }
}
