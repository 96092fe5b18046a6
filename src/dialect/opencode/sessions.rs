//! Sessions and their turns: what is said of them, when they work, and when they rest.

use super::Event;
use super::memory::OpenCode;
use crate::dialect::json::Object;
use crate::dialect::page::Page;
use crate::dialect::todo;
use crate::model::{AgentPatch, AgentStatus, Body, Context, Ending, EntryState, Hash64, Link, Op, SessionPatch, TitleFrom, Usage, Who};

impl OpenCode {
    pub(super) fn head(&mut self, page: &mut Page, event: &Event<'_>) {
        let (Some(info), Some(id)) = (event.about.object("info"), event.session()) else { return page.scribe.opaque() };
        let parent = info.id("parentID").map(String::from);
        let title =
            info.word("title").map(String::from).filter(|title| !title.starts_with("New session") && !title.starts_with("Child session"));
        let session = self.sessions.entry(&id);
        session.parent = parent.clone().or_else(|| session.parent.take());
        match parent {
            Some(parent) => {
                let patch = AgentPatch {
                    parent: Some(self.sessions.who(&parent)),
                    link: Some(Link::Exact),
                    description: title,
                    ..AgentPatch::default()
                };
                page.scribe.who = Who::runtime(&id);
                page.scribe.say(Op::Agent { who: Who::runtime(id), patch });
            }
            None if self.sessions.who(&id) == Who::Main => {
                let cwd = info.word("directory").map(String::from);
                let title = title.map(|title| (TitleFrom::Generated, title));
                page.scribe.say(Op::Session(SessionPatch { cwd, title, ..SessionPatch::default() }));
            }
            None => {}
        }
    }

    pub(super) fn status(&mut self, page: &mut Page, event: &Event<'_>, session: &str) {
        let status = event.about.object("status").and_then(|status| status.id("type").map(String::from));
        match status.as_deref() {
            Some("busy") => self.works(page, session),
            Some("retry") => {
                let said = event.about.object("status").and_then(|status| status.word("message").map(String::from));
                page.scribe.notice("error", said.unwrap_or_else(|| "The model is asked again.".into()), None);
            }
            Some("idle") | None => self.rests(page, session, AgentStatus::Finished, "explicit"),
            Some(_) => {}
        }
    }

    pub(super) fn works(&mut self, page: &mut Page, session: &str) {
        let known = self.sessions.entry(session);
        known.failed = false;
        if std::mem::replace(&mut known.busy, true) {
            return;
        }
        page.scribe.say(match page.scribe.who.clone() {
            Who::Main => Op::Turn { ended: false },
            who => Op::Begin { who, run: None, at: page.scribe.at },
        });
    }

    pub(super) fn rests(&mut self, page: &mut Page, session: &str, status: AgentStatus, cause: &str) {
        let known = self.sessions.entry(session);
        let told = std::mem::replace(&mut known.failed, !matches!(status, AgentStatus::Finished));
        if !std::mem::replace(&mut known.busy, false) && told {
            // It has told its end: that it rests is no further one.
            return;
        }
        page.scribe.say(match page.scribe.who.clone() {
            Who::Main => Op::Turn { ended: true },
            who => Op::End { who, ending: Ending { status, cause: cause.into(), at: page.scribe.at, run: None, note: None } },
        });
    }

    pub(super) fn error(&mut self, page: &mut Page, error: Option<&Object<'_>>, session: &str) {
        let name = error.and_then(|error| error.id("name")).unwrap_or_default();
        let said = error.and_then(|error| error.object("data")?.word("message").or_else(|| error.word("message")));
        let aborted = name == "MessageAbortedError";
        let text = said.map_or_else(|| if name.is_empty() { "The turn failed.".to_owned() } else { name.to_string() }, Into::into);
        page.scribe.notice(if aborted { "cancelled" } else { "error" }, text, None);
        let (status, cause) = if aborted { (AgentStatus::Cancelled, "stop") } else { (AgentStatus::Failed, "explicit") };
        self.rests(page, session, status, cause);
    }

    /// What is said of a message beside its parts.
    pub(super) fn message(&mut self, page: &mut Page, info: &Object<'_>, session: &str) {
        let Some(id) = info.id("id") else { return page.scribe.opaque() };
        let role = info.id("role").unwrap_or_default();
        self.messages.entry(&id).role = role.to_string();
        self.sessions.entry(session);
        if role != "assistant" {
            return;
        }
        let model = info.id("modelID").map(String::from);
        let patch = AgentPatch { model, ..AgentPatch::default() };
        page.scribe.say(Op::Agent { who: page.scribe.who.clone(), patch });
        self.counted(page, info, &id);
        if let Some(error) = info.object("error") {
            let said = error.object("data").and_then(|data| data.word("message").map(String::from));
            let name = error.id("name").unwrap_or_default();
            let notice = if name == "MessageAbortedError" { "cancelled" } else { "error" };
            page.scribe.notice_as(notice, said.unwrap_or_else(|| name.into()), None, Some(format!("error:{id}")));
        }
    }

    /// Tokens, under the name of the message. What was thought counts as written.
    pub(super) fn counted(&mut self, page: &mut Page, about: &Object<'_>, message: &str) {
        let Some(tokens) = about.object("tokens") else { return };
        let number = |name| tokens.number(name).unwrap_or(0);
        let cache = tokens.object("cache");
        let cached = |name| cache.as_ref().and_then(|cache| cache.number(name)).unwrap_or(0);
        let output = number("output").saturating_add(number("reasoning"));
        let usage = Usage { input: number("input"), output, cache_read: cached("read"), cache_write: cached("write") };
        if !usage.is_zero() {
            let context = Some(Context { used: usage.total(), window: None });
            page.scribe.say(Op::Usage { who: page.scribe.who.clone(), message: message.into(), usage, context });
        }
    }

    /// The whole list, unless the call that wrote it has told it.
    pub(super) fn todos(&mut self, page: &mut Page, about: &Object<'_>, session: &str) {
        let items = todo::items(about.array("todos"));
        let shape = Hash64::of(format!("{items:?}").as_bytes());
        if std::mem::replace(&mut self.sessions.entry(session).list, shape) == shape {
            return;
        }
        self.lists += 1;
        let keys = vec![format!("todos:{session}:{}", self.lists)];
        let body = Body::Todos { items, call: None };
        page.scribe.entry_op(Op::Entry { who: page.scribe.who.clone(), keys, body, state: EntryState::Done, images: Vec::new() });
    }
}
