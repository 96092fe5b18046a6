//! The Agent Client Protocol: the messages that a client and an agent exchange, one JSON-RPC object a line, of one direction or both.
//!
//! Decision: the protocol knows subagents only as sessions that `subagent_update` gives a parent, or as calls that an extension names
//! (`_meta.….parentToolUseId`); a child is an agent of the session at the root. A session without a parent is one of its own.
//! Invariant: a chunk without an id goes on with the message before it, as long as that is of its kind and its agent.

mod memory;
mod messages;
mod sessions;
#[cfg(test)]
pub mod tests;
mod tools;

use super::json::Object;
use super::page::Page;
use super::teller::Teller;
use crate::model::Op;
pub use memory::Acp;

/// Updates that tell nothing which is kept.
const BOOKKEEPING: [&str; 9] = [
    "available_commands_update",
    "compaction_summary_chunk",
    "config_option_update",
    "current_mode_update",
    "plan_removed",
    "session_message",
    "session_message_chunk",
    "terminal_output_chunk",
    "terminal_update",
];

impl Teller for Acp {
    const FAMILY: &'static str = "acp";
    const NAME: &'static str = "acp";

    fn sure(object: &Object<'_>) -> u8 {
        let method = object.id("method").unwrap_or_default();
        match &*method {
            "session/update" | "session/prompt" | "session/new" | "session/request_permission" if object.has("params") => 95,
            _ if method.starts_with("session/") => 80,
            "initialize" if object.has("jsonrpc") => 40,
            "" if object.has("jsonrpc") && object.object("result").is_some_and(|result| result.has("stopReason")) => 80,
            "" if object.has("sessionId") && object.object("update").is_some_and(|update| update.has("sessionUpdate")) => 90,
            _ => 0,
        }
    }

    fn session(&self, object: &Object<'_>) -> Option<String> {
        self.session_in(object).map(|session| self.sessions.root(&session))
    }

    fn tell(&mut self, page: &mut Page, object: &Object<'_>) {
        let method = object.id("method").unwrap_or_default();
        let session = self.session_in(object);
        // A request for a new session has none yet.
        page.deferred = session.is_none();
        let session = session.unwrap_or_else(|| page.session.clone());
        page.scribe.who = self.sessions.who(&session);
        page.scribe.bookkeeping(&method.replace('/', "-"), None);
        let params = object.object("params");
        let empty = || page.scribe.base.clone();
        let request = object.raw("id").map(|raw| raw.get()).filter(|id| id.len() <= 256).map_or_else(empty, String::from);
        match (&*method, params) {
            ("session/update", Some(params)) => match params.object("update") {
                Some(update) => self.update(page, &update, &session),
                None => page.scribe.opaque(),
            },
            ("session/prompt", Some(params)) => self.prompt(page, &params, &session, &request),
            ("session/request_permission", Some(params)) => self.ask(page, &params, &session, &request),
            ("session/new" | "session/load" | "session/resume" | "session/fork", Some(params)) => {
                self.opening(page, &params, object.id("method").as_deref() == Some("session/new"), &request);
            }
            ("session/cancel", _) => page.scribe.notice("cancelled", "The turn was cancelled.", None),
            ("", None) if object.has("update") => match object.object("update") {
                Some(update) => self.update(page, &update, &session),
                None => page.scribe.opaque(),
            },
            ("", _) if object.has("result") || object.has("error") => self.reply(page, object, &request),
            ("", _) => page.scribe.opaque(),
            _ => {}
        }
    }
}

impl Acp {
    fn update(&mut self, page: &mut Page, update: &Object<'_>, session: &str) {
        let kind = update.id("sessionUpdate").unwrap_or_default();
        page.scribe.bookkeeping("update", Some(&kind));
        if let Some(call) = caller(update) {
            page.scribe.who = self.child_of_call(page, &call);
        }
        match &*kind {
            "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk" => self.chunk(page, update, &kind, session),
            "user_message" | "agent_message" | "agent_thought" => self.whole(page, update, &kind, session),
            "tool_call" | "tool_call_update" => self.tool(page, update),
            "tool_call_content_chunk" => self.tool_chunk(page, update),
            "plan" => self.plan(page, update.array("entries")),
            "plan_update" => self.plan_update(page, update),
            "state_update" => self.state(page, update, session),
            "subagent_update" => return self.subagent(page, update, session),
            "session_info_update" => self.info(page, update),
            "usage_update" => self.usage(page, update),
            "compaction_update" => {
                if update.id("status").is_none_or(|status| status == "completed") {
                    page.scribe.notice("compaction", "Conversation compacted", None);
                }
            }
            "notice" => {
                let notice = update.word("severity").unwrap_or("notice".into()).into_owned();
                let said = update.word("title").unwrap_or_default();
                page.scribe.notice(&notice, said, update.word("description").map(Into::into));
            }
            kind if BOOKKEEPING.contains(&kind) => {}
            _ => page.scribe.opaque(),
        }
        // What is no message ends the one before it.
        if !kind.ends_with("_chunk") && !matches!(&*kind, "usage_update" | "available_commands_update" | "session_info_update") {
            self.end_chunk(page);
        }
    }

    /// The tokens in a context.
    fn usage(&mut self, page: &mut Page, update: &Object<'_>) {
        if let Some(used) = update.number("used") {
            let context = Some(crate::model::Context { used, window: update.number("size") });
            let patch = crate::model::AgentPatch { context, ..crate::model::AgentPatch::default() };
            page.scribe.say(Op::Agent { who: page.scribe.who.clone(), patch });
        }
    }
}

/// The call of the agent that an extension names as the one which says this.
fn caller(update: &Object<'_>) -> Option<String> {
    let meta = update.object("_meta")?;
    let names = ["parentToolUseId", "parentToolCallId", "parent_tool_use_id"];
    let found = |object: &Object<'_>| names.iter().find_map(|name| object.word(name)).map(String::from);
    found(&meta).or_else(|| meta.names().iter().find_map(|name| found(&meta.object(name)?)))
}
