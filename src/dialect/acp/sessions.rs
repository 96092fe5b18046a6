//! Sessions: opened, working and at rest, and whose child they are.

use super::memory::{Acp, Request};
use crate::dialect::json::Object;
use crate::dialect::page::Page;
use crate::model::{AgentPatch, AgentStatus, Ending, Link, Op, SessionPatch, TitleFrom, WaitingOn, Who};

impl Acp {
    /// A session is asked for, anew or once more.
    pub(super) fn opening(&mut self, page: &mut Page, params: &Object<'_>, new: bool, request: &str) {
        let cwd = params.id("cwd").map(String::from);
        let session = params.id("sessionId").map(String::from).unwrap_or_default();
        *self.requests.entry(request) = Request { method: "session/new".into(), session: session.clone() };
        if new {
            // Its name comes with the reply.
            self.sessions.entry(&format!("request {request}")).cwd = cwd;
        } else {
            page.scribe.say(Op::Session(SessionPatch { cwd, ..SessionPatch::default() }));
        }
    }

    /// The reply to a request.
    pub(super) fn reply(&mut self, page: &mut Page, object: &Object<'_>, request: &str) {
        let Some(asked) = self.requests.get(request).cloned() else { return page.scribe.bookkeeping("reply", None) };
        let result = object.object("result");
        let method = asked.method.clone();
        page.scribe.bookkeeping("reply", Some(&method.replace('/', "-")));
        let answers = result.as_ref().is_some_and(|result| result.has("outcome"));
        // Each side counts its requests for itself: what a reply holds tells which it answers.
        if answers != (method == "session/request_permission") && result.is_some() {
            return;
        }
        self.requests.remove(request);
        match &*method {
            "session/prompt" => {
                self.end_chunk(page);
                if let Some(error) = object.object("error") {
                    page.scribe.notice("error", error.word("message").unwrap_or("The turn failed.".into()), None);
                }
                let why = result.and_then(|result| result.word("stopReason").map(String::from)).unwrap_or_default();
                match why.as_str() {
                    "cancelled" => page.scribe.notice("cancelled", "The turn was cancelled.", None),
                    "refusal" => page.scribe.notice("error", "The model refused.", None),
                    "max_tokens" | "max_turn_requests" => page.scribe.notice("limit", "The turn met a limit.", Some(why.clone())),
                    _ => {}
                }
                let status = match why.as_str() {
                    "cancelled" => AgentStatus::Cancelled,
                    "" | "refusal" => AgentStatus::Failed,
                    _ => AgentStatus::Finished,
                };
                self.rests(page, &asked.session, status);
            }
            "session/request_permission" => {
                let outcome = result.and_then(|result| result.object("outcome"));
                self.answered(page, outcome.as_ref(), &asked.session, request);
            }
            _ => {
                let cwd = self.sessions.remove(&format!("request {request}")).and_then(|session| session.cwd);
                page.scribe.say(Op::Session(SessionPatch { cwd, ..SessionPatch::default() }));
            }
        }
    }

    pub(super) fn begins(&mut self, page: &mut Page, session: &str) {
        self.sessions.entry(session).running = true;
        page.scribe.say(match page.scribe.who.clone() {
            Who::Main => Op::Turn { ended: false },
            who => Op::Begin { who, run: None, at: page.scribe.at },
        });
    }

    fn rests(&mut self, page: &mut Page, session: &str, status: AgentStatus) {
        if !std::mem::replace(&mut self.sessions.entry(session).running, false) {
            return;
        }
        let cause = if status == AgentStatus::Cancelled { "stop" } else { "explicit" };
        page.scribe.say(match page.scribe.who.clone() {
            Who::Main => Op::Turn { ended: true },
            who => Op::End { who, ending: Ending { status, cause: cause.into(), at: page.scribe.at, run: None, note: None } },
        });
    }

    pub(super) fn state(&mut self, page: &mut Page, state: &Object<'_>, session: &str) {
        let who = page.scribe.who.clone();
        let waits = |on| Op::Waiting { who: who.clone(), on };
        match &*state.word("state").unwrap_or_default() {
            "running" => {
                page.scribe.say(waits(None));
                self.begins(page, session);
            }
            "idle" => {
                self.end_chunk(page);
                page.scribe.say(waits(None));
                let cancelled = state.word("stopReason").as_deref() == Some("cancelled");
                self.rests(page, session, if cancelled { AgentStatus::Cancelled } else { AgentStatus::Finished });
            }
            "requires_action" => page.scribe.say(waits(Some(WaitingOn::Person))),
            _ => {}
        }
    }

    /// A session that this one owns.
    pub(super) fn subagent(&mut self, page: &mut Page, update: &Object<'_>, session: &str) {
        let Some(child) = update.id("sessionId").filter(|child| **child != *session) else { return page.scribe.opaque() };
        if self.sessions.root(session) != *child {
            self.sessions.entry(&child).parent = Some(session.to_owned());
        }
        let parent = page.scribe.who.clone();
        let word = |name| update.word(name).map(String::from);
        let patch = AgentPatch {
            parent: Some(parent),
            link: Some(Link::Exact),
            description: word("title").or_else(|| word("description")),
            ..AgentPatch::default()
        };
        page.scribe.who = Who::runtime(child.as_ref());
        page.scribe.say(Op::Agent { who: page.scribe.who.clone(), patch });
        if let Some(state) = update.object("state") {
            self.state(page, &state, &child);
        }
    }

    pub(super) fn info(&mut self, page: &mut Page, update: &Object<'_>) {
        if let Some(title) = update.word("title").filter(|_| page.scribe.who == Who::Main) {
            let title = Some((TitleFrom::Generated, title.into()));
            page.scribe.say(Op::Session(SessionPatch { title, ..SessionPatch::default() }));
        }
    }
}
