//! Lines about the session: boundaries, errors, titles, bookkeeping.

use std::borrow::Cow;

use super::disk::Disk;
use super::scribe::Scribe;
use super::user::queued_note;
use super::words::{self, Said};
use crate::dialect::json::Object;
use crate::model::{AgentPatch, Link, Name, NameKind, Op, SessionPatch, TitleFrom, Who};

impl Disk {
    pub(super) fn system(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        let subtype = object.word("subtype").unwrap_or_default();
        let content = object.text("content").unwrap_or_default();
        scribe.bookkeeping("system", Some(&subtype).filter(|subtype| !subtype.is_empty()).map(|subtype| &**subtype));
        match &*subtype {
            "compact_boundary" => compaction(scribe, &content, object),
            "microcompact_boundary" | "session_start" => {}
            "turn_duration" | "stop_hook_summary" => turn_ended(scribe),
            "local_command" => match words::read(&content) {
                Said::Output(text) => scribe.notice("command", text, None),
                Said::Command(text) => scribe.notice("command", text, None),
                _ => scribe.notice("command", content, None),
            },
            "api_error" => scribe.notice("error", api_error(&content, object), None),
            "" if object.raw("compactMetadata").is_some() => compaction(scribe, &content, object),
            "" if object.raw("durationMs").is_some() || object.raw("stopReason").is_some() => turn_ended(scribe),
            _ if content.trim().is_empty() => {}
            "api_refusal" | "model_refusal_fallback" | "error" => scribe.notice("error", content, None),
            "" => scribe.notice("system", content, None),
            other => scribe.notice(other, content, None),
        }
    }

    /// Titles. A summary belongs to the session that holds its leaf; at the head of a file it speaks of another.
    pub(super) fn title(&mut self, scribe: &mut Scribe, object: &Object<'_>, kind: &str) {
        let (from, text) = match kind {
            "custom-title" => (TitleFrom::Custom, object.word("customTitle")),
            "ai-title" => (TitleFrom::Generated, object.word("aiTitle")),
            "agent-name" => (TitleFrom::AgentName, object.word("agentName")),
            _ => {
                let own = object.word("leafUuid").is_some_and(|leaf| self.memory.was_read(&leaf));
                (TitleFrom::Summary, object.word("summary").filter(|_| own))
            }
        };
        if let Some(text) = text {
            let patch = SessionPatch { title: Some((from, text.into_owned())), ..SessionPatch::default() };
            scribe.say(Op::Session(patch));
        }
        scribe.bookkeeping(kind, None);
    }

    /// Progress is a passing word, or a copy of an agent's line, which names its call.
    pub(super) fn progress(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        let data = object.object("data");
        let word = |name| data.as_ref().and_then(|data| data.word(name));
        let kind = word("type");
        if let (Some("agent_progress"), Some(agent), Some(call)) = (kind.as_deref(), word("agentId"), object.word("parentToolUseID")) {
            let names = vec![Name { kind: NameKind::Runtime, id: agent.clone().into_owned() }];
            let call = call.into_owned();
            let patch = AgentPatch { names, call: Some(call.clone()), link: Some(Link::Exact), ..AgentPatch::default() };
            scribe.say(Op::Agent { who: Who::call(call), patch });
            if let Some(data) = &data {
                self.copied(scribe, &agent, data);
            }
        }
        scribe.bookkeeping("progress", kind.as_deref());
    }

    pub(super) fn attachment(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        let attachment = object.object("attachment");
        let kind = attachment.as_ref().and_then(|attachment| attachment.word("type"));
        if let (Some(attachment), Some("queued_command")) = (&attachment, kind.as_deref()) {
            self.queued(scribe, attachment);
        }
        scribe.bookkeeping("attachment", kind.as_deref());
    }

    pub(super) fn queue(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        if let Some(note) = queued_note(object) {
            self.task_note(scribe, &note);
        }
        scribe.bookkeeping("queue-operation", None);
    }
}

fn turn_ended(scribe: &mut Scribe) {
    if scribe.who == Who::Main {
        scribe.say(Op::Turn { ended: true });
    }
}

fn compaction(scribe: &mut Scribe, content: &str, object: &Object<'_>) {
    let before = object.object("compactMetadata").and_then(|facts| facts.number("preTokens"));
    let text = if content.trim().is_empty() { "Conversation compacted" } else { content.trim() };
    scribe.notice("compaction", text, before.map(|tokens| format!("{tokens} tokens before")));
}

fn api_error(content: &str, object: &Object<'_>) -> String {
    let nested = object.object("error").and_then(|error| {
        let inner = error.object("error").and_then(|inner| inner.object("error").unwrap_or(inner).word("message"));
        inner.or_else(|| error.word("message"))
    });
    let said = Some(Cow::Borrowed(content)).filter(|content| !content.trim().is_empty()).or(nested);
    said.map_or_else(|| "The API reported an error.".into(), Cow::into_owned)
}
