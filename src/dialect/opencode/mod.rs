//! OpenCode: the events of its server, and what `opencode run --format json` prints.
//!
//! Decision: a child's session is an agent of the session at the root of its tree. An event of a session of which the server has not
//! told yet whether it is a child's is held until it has.
//! Invariants: a part's snapshot replaces what came of it in deltas; what is removed is withdrawn, not deleted.

mod asks;
mod memory;
mod next;
mod parts;
mod sessions;
#[cfg(test)]
pub mod tests;
mod tools;

use super::json::Object;
use super::page::Page;
use super::scribe::time;
use super::teller::Teller;
use crate::model::{Ms, Op, Who};
pub use memory::OpenCode;
use memory::Shape;

/// Parts of the names of events that tell nothing which is kept.
const BOOKKEEPING: [&str; 21] = [
    "account.",
    "catalog.",
    "command.",
    "file.",
    "ide.",
    "installation.",
    "integration.",
    "lsp.",
    "mcp.",
    "plugin.",
    "project.",
    "pty.",
    "reference.",
    "server.",
    "skill.",
    "tui.",
    "vcs.",
    "workspace.",
    "worktree.",
    "global.",
    "models",
];

impl Teller for OpenCode {
    const FAMILY: &'static str = "opencode";
    const NAME: &'static str = "opencode";

    fn sure(object: &Object<'_>) -> u8 {
        let payload = object.object("payload").filter(|_| object.has("directory"));
        let event = payload.as_ref().unwrap_or(object);
        let kind = event.id("type").unwrap_or_default();
        let about = ["session.", "message.", "permission.", "question.", "todo.", "server."].iter().any(|start| kind.starts_with(start));
        match &*kind {
            _ if about && event.has("properties") => 92,
            "step_start" | "step_finish" | "text" | "reasoning" | "tool_use" if object.has("sessionID") && object.has("part") => 92,
            "error" if object.has("sessionID") => 70,
            _ if kind.starts_with("session.next.") => 90,
            _ if kind.contains('.') && event.has("properties") => 40,
            "" if object.has("sessionID") && object.has("role") => 60,
            _ => 0,
        }
    }

    fn session(&self, object: &Object<'_>) -> Option<String> {
        let event = Event::of(object)?;
        match event.parent() {
            Some(parent) => Some(self.sessions.root(&parent)),
            None => event.session().map(|session| self.sessions.root(&session)),
        }
    }

    fn names(object: &Object<'_>) -> Option<String> {
        let event = Event::of(object)?;
        // Of other events nobody knows whether they are a child's.
        let known = event.printed || (matches!(&*event.kind, "session.created" | "session.updated") && event.parent().is_none());
        event.session().filter(|_| known)
    }

    fn id(&self, object: &Object<'_>) -> Option<String> {
        let payload = object.object("payload");
        let id = payload.as_ref().unwrap_or(object).id("id")?;
        id.starts_with("evt").then(|| id.into())
    }

    fn at(&self, object: &Object<'_>) -> Option<Ms> {
        let event = Event::of(object)?;
        let inner = || {
            let about = event.about.object("info").or_else(|| event.about.object("part"));
            let times = about.as_ref().unwrap_or(&event.about).object("time")?;
            ["completed", "updated", "end", "created", "start"].iter().find_map(|name| times.raw(name)).and_then(time)
        };
        let told = object.raw("timestamp").or_else(|| event.about.raw("timestamp")).or_else(|| event.about.raw("time"));
        told.and_then(time).or_else(inner)
    }

    fn waits(&self, object: &Object<'_>) -> bool {
        let Some(event) = Event::of(object) else { return false };
        if event.printed || event.is_head() {
            return false;
        }
        match event.session() {
            Some(session) => self.sessions.get(&session).is_none(),
            // What is no session's waits for the first.
            None => self.sessions.is_empty(),
        }
    }

    fn tell(&mut self, page: &mut Page, object: &Object<'_>) {
        let Some(event) = Event::of(object) else { return page.scribe.opaque() };
        let session = event.session().unwrap_or_else(|| page.session.clone());
        page.scribe.bookkeeping(&event.kind.replace('.', "-"), None);
        page.scribe.who = self.sessions.who(&session);
        if event.printed {
            return self.printed(page, object, &event, &session);
        }
        match &*event.kind {
            "session.created" | "session.updated" => self.head(page, &event),
            "session.status" | "session.idle" => self.status(page, &event, &session),
            "session.error" => self.error(page, event.about.object("error").as_ref(), &session),
            "session.compacted" => page.scribe.notice("compaction", "Conversation compacted", None),
            "session.deleted" | "session.diff" => {}
            "message" => self.message(page, &event.about, &session),
            "message.updated" => {
                if let Some(info) = event.about.object("info") {
                    self.message(page, &info, &session);
                }
            }
            "message.part.updated" | "message.part.delta" if !self.is_told_so(&session, Shape::Parts) => {}
            "message.part.updated" => match event.about.object("part") {
                Some(part) => self.part(page, &part, event.about.word("delta").as_deref(), &session),
                None => page.scribe.opaque(),
            },
            "message.part.delta" => self.delta(page, &event.about),
            "message.part.removed" | "message.removed" => self.removed(page, &event.about),
            "todo.updated" => self.todos(page, &event.about, &session),
            kind if kind.starts_with("permission.") || kind.starts_with("question.") => self.asked(page, &event, &session),
            kind if kind.starts_with("session.next.") => {
                if self.is_told_so(&session, Shape::Next) {
                    self.next(page, &event, &session);
                }
            }
            kind if BOOKKEEPING.iter().any(|start| kind.starts_with(start)) => {}
            _ => page.scribe.opaque(),
        }
    }
}

impl OpenCode {
    /// A line of `opencode run`: parts that are whole.
    fn printed(&mut self, page: &mut Page, object: &Object<'_>, event: &Event<'_>, session: &str) {
        let busy = std::mem::replace(&mut self.sessions.entry(session).busy, true);
        if !busy && page.scribe.who == Who::Main {
            page.scribe.say(Op::Turn { ended: false });
        }
        if event.kind == "error" {
            return self.error(page, object.object("error").as_ref(), session);
        }
        let Some(part) = object.object("part") else { return page.scribe.opaque() };
        self.part(page, &part, None, session);
        if event.kind == "step_finish" {
            self.counted(page, &part, &part.id("id").unwrap_or_default());
            if part.id("reason").is_none_or(|reason| reason != "tool-calls") {
                self.sessions.entry(session).busy = false;
                page.scribe.say(Op::Turn { ended: true });
            }
        }
    }
}

/// An event without its envelope.
struct Event<'a> {
    kind: String,
    about: Object<'a>,
    /// True for a line of `opencode run`.
    printed: bool,
}

impl<'a> Event<'a> {
    fn of(object: &Object<'a>) -> Option<Self> {
        if let Some(payload) = object.object("payload").filter(|_| !object.has("type")) {
            return Self::of(&payload);
        }
        let kind = object.id("type");
        if let Some(about) = object.object("properties").or_else(|| object.object("data")) {
            return Some(Self { kind: kind?.into(), about, printed: false });
        }
        let whole = object.clone();
        match kind {
            Some(kind) => object.has("sessionID").then(|| Self { kind: kind.into(), about: whole, printed: true }),
            // A message as it is stored.
            None => object.has("role").then(|| Self { kind: "message".into(), about: whole, printed: false }),
        }
    }

    fn session(&self) -> Option<String> {
        if self.kind.starts_with("session.")
            && let Some(info) = self.about.object("info")
        {
            return info.id("id").map(Into::into);
        }
        let inner = || ["info", "part"].iter().find_map(|name| self.about.object(name)?.id("sessionID"));
        self.about.id("sessionID").or_else(inner).map(Into::into)
    }

    fn parent(&self) -> Option<String> {
        let info = self.about.object("info").filter(|_| self.kind.starts_with("session."))?;
        info.id("parentID").map(Into::into)
    }

    /// True for events that tell whether their session is a child's.
    fn is_head(&self) -> bool {
        self.kind == "message" || (matches!(&*self.kind, "session.created" | "session.updated") && self.about.has("info"))
    }
}
