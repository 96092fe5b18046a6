//! AG-UI: the events of a run, as an agent's back end sends them to its front end.
//!
//! Decision: a thread is a session and a run a turn of it; what an event says is told of the agent that its `subagentRunId` names,
//! else of the one that its message or call belongs to. Both the names of 1.0 and the `THINKING_` ones before it are read.
//! Invariants: a snapshot replaces and never removes; "suspended" is no end.

mod memory;
mod messages;
mod patch;
mod runs;
mod state;
mod subagents;
#[cfg(test)]
pub mod tests;
mod tools;

use serde_json::value::RawValue;

use super::json::Object;
use super::page::Page;
use super::teller::Teller;
use crate::model::Who;
pub use memory::AgUi;
use memory::who;

impl Teller for AgUi {
    const FAMILY: &'static str = "ag-ui";
    const NAME: &'static str = "ag-ui";

    fn sure(object: &Object<'_>) -> u8 {
        let kind = object.id("type").unwrap_or_default();
        let named = |name: &str| object.raw(name).is_some();
        match &*kind {
            "RUN_STARTED" | "RUN_FINISHED" if named("threadId") => 95,
            kind if kind.starts_with("SUBAGENT_") && named("subagentRunId") => 95,
            kind if kind.starts_with("TEXT_MESSAGE_") => 85,
            kind if kind.starts_with("TOOL_CALL_") && named("toolCallId") => 85,
            kind if kind.starts_with("REASONING_") || kind.starts_with("THINKING_") => 70,
            "MESSAGES_SNAPSHOT" | "STATE_SNAPSHOT" | "STATE_DELTA" | "ACTIVITY_SNAPSHOT" | "ACTIVITY_DELTA" => 80,
            "RUN_ERROR" | "STEP_STARTED" | "STEP_FINISHED" | "RAW" | "CUSTOM" => 50,
            _ => 0,
        }
    }

    fn session(&self, object: &Object<'_>) -> Option<String> {
        let named = object.id("threadId").filter(|_| Self::sure(object) > 0);
        named.map(String::from).or_else(|| self.thread.clone())
    }

    fn stream(&self, object: &Object<'_>) -> String {
        object.id("runId").map(String::from).or_else(|| self.run.clone()).unwrap_or_default()
    }

    fn parts<'a>(object: &Object<'a>) -> Vec<&'a RawValue> {
        // A recorded run, as one object.
        if object.has("type") { Vec::new() } else { object.array("events") }
    }

    fn tell(&mut self, page: &mut Page, object: &Object<'_>) {
        let kind = object.id("type").unwrap_or_default();
        let agent = self.agent_of(object);
        page.scribe.who = who(agent.as_deref());
        page.scribe.bookkeeping(&kind, None);
        if !kind.ends_with("_CHUNK") && !matches!(&*kind, "RAW" | "CUSTOM") && !kind.starts_with("STATE_") {
            self.end_chunk(page, agent.as_deref());
        }
        match &*kind {
            "RUN_STARTED" => self.run_started(page, object),
            "RUN_FINISHED" => self.run_finished(page, object),
            "RUN_ERROR" => self.run_error(page, object),
            "TEXT_MESSAGE_START" => self.message_start(page, object),
            "TEXT_MESSAGE_CONTENT" => self.message_content(page, object),
            "TEXT_MESSAGE_END" => self.message_end(page, object),
            "TEXT_MESSAGE_CHUNK" => self.message_chunk(page, object),
            "TOOL_CALL_START" => self.call_start(page, object),
            "TOOL_CALL_ARGS" => self.call_args(page, object),
            "TOOL_CALL_END" => self.call_end(page, object),
            "TOOL_CALL_CHUNK" => self.call_chunk(page, object),
            "TOOL_CALL_RESULT" => self.call_result(page, object),
            "REASONING_MESSAGE_CONTENT" => self.reasoning_content(page, object),
            "REASONING_MESSAGE_END" => self.reasoning_end(page, object),
            "REASONING_MESSAGE_CHUNK" => self.reasoning_chunk(page, object),
            "THINKING_CONTENT" | "THINKING_TEXT_MESSAGE_CONTENT" => self.thinking_content(page, object),
            "THINKING_TEXT_MESSAGE_END" | "THINKING_END" | "THINKING_TEXT_MESSAGE_START" => self.thinking_end(page),
            "MESSAGES_SNAPSHOT" => self.snapshot(page, object, "messages"),
            "STATE_SNAPSHOT" => self.state_snapshot(page, object),
            "STATE_DELTA" => self.state_delta(page, object),
            "ACTIVITY_SNAPSHOT" => self.activity_snapshot(page, object),
            "ACTIVITY_DELTA" => self.activity_delta(page, object),
            "SUBAGENT_STARTED" => self.subagent_started(page, object),
            "SUBAGENT_FINISHED" => self.subagent_finished(page, object),
            "SUBAGENT_ERROR" => self.subagent_error(page, object),
            "CUSTOM" => self.custom(page, object),
            "REASONING_START" | "REASONING_END" | "REASONING_MESSAGE_START" | "REASONING_ENCRYPTED_VALUE" | "THINKING_START" => {}
            "RAW" | "STEP_STARTED" | "STEP_FINISHED" => {}
            _ if kind.is_empty() && object.has("events") => page.scribe.bookkeeping("events", None),
            _ => page.scribe.opaque(),
        }
    }
}

impl AgUi {
    /// The run id of the agent that an event is about; `None` for the main agent.
    fn agent_of(&self, object: &Object<'_>) -> Option<String> {
        if let Some(agent) = object.id("subagentRunId") {
            return Some(agent.into());
        }
        let call = object.id("toolCallId").and_then(|call| self.calls.get(&call)).map(|call| call.agent.clone());
        let message = || object.id("messageId").and_then(|id| self.messages.get(&id)).map(|message| message.agent.clone());
        call.or_else(message).flatten()
    }

    /// The agent that speaks has said something of its own.
    fn spoke(&mut self, page: &Page) {
        if let Who::Named(name) = &page.scribe.who {
            self.agents.entry(&name.id).spoke = true;
        }
    }
}
