//! Subagents: each invocation is an agent of its own.

use super::AgUi;
use super::memory::who;
use crate::dialect::json::{Object, string};
use crate::dialect::page::Page;
use crate::model::{AgentPatch, AgentStatus, Body, Ending, EntryState, Link, Op, WaitingOn, Who};

/// The arguments in which a call may hold what the agent is to do.
const PROMPTS: [&str; 6] = ["prompt", "task", "instructions", "input", "query", "message"];

impl AgUi {
    pub(super) fn subagent_started(&mut self, page: &mut Page, object: &Object<'_>) {
        let Some(id) = object.id("subagentRunId") else { return page.scribe.opaque() };
        let me = Who::runtime(id.as_ref());
        let (call, parent) = (object.id("parentToolCallId"), object.id("parentSubagentRunId").map(String::from));
        let maker = call.as_ref().and_then(|call| self.calls.get(call));
        let prompt = maker.and_then(|call| Object::parse(&call.args)).and_then(|args| {
            let text = PROMPTS.iter().find_map(|name| args.word(name));
            text.map(String::from)
        });
        let maker = maker.and_then(|call| call.agent.clone());
        let agent = self.agents.entry(&id);
        agent.open = true;
        agent.call = call.as_deref().map(String::from);
        agent.parent = maker.or_else(|| parent.clone());
        let patch = AgentPatch {
            parent: Some(who(parent.as_deref())),
            call: call.map(Into::into),
            link: Some(Link::Exact),
            description: object.word("description").map(Into::into),
            kind: object.id("name").map(Into::into),
            ..AgentPatch::default()
        };
        page.scribe.say(Op::Agent { who: me.clone(), patch });
        if let Some(text) = prompt {
            page.scribe.say(Op::Prompt { who: me.clone(), text, images: Vec::new(), own: false, keys: Vec::new() });
        }
        page.scribe.say(Op::Waiting { who: me.clone(), on: None });
        page.scribe.say(Op::Begin { who: me, run: None, at: page.scribe.at });
    }

    pub(super) fn subagent_finished(&mut self, page: &mut Page, object: &Object<'_>) {
        let Some(id) = object.id("subagentRunId") else { return page.scribe.opaque() };
        let outcome = object.object("outcome").and_then(|outcome| outcome.id("type").map(String::from));
        let me = Who::runtime(id.as_ref());
        if outcome.as_deref() == Some("suspended") {
            return page.scribe.say(Op::Waiting { who: me, on: Some(WaitingOn::Person) });
        }
        let agent = self.agents.entry(&id);
        agent.open = false;
        let (spoke, call, parent) = (agent.spoke, agent.call.clone(), agent.parent.clone());
        if let Some(raw) = object.raw("result") {
            let text = string(raw).map_or_else(|| raw.get().to_owned(), Into::into);
            match call {
                Some(call) => {
                    let result = Ok(text);
                    let who = who(parent.as_deref());
                    page.scribe.say(Op::Result { who, call, result, images: Vec::new(), state: EntryState::Done });
                }
                None if !spoke => page.scribe.entry(Body::Text { text: text.into() }, EntryState::Done, Vec::new(), None),
                None => page.scribe.notice("result", "Result", Some(text)),
            }
        }
        page.scribe.say(Op::Waiting { who: me.clone(), on: None });
        end(page, me, AgentStatus::Finished, "explicit");
    }

    pub(super) fn subagent_error(&mut self, page: &mut Page, object: &Object<'_>) {
        let Some(id) = object.id("subagentRunId") else { return page.scribe.opaque() };
        self.agents.entry(&id).open = false;
        let text = object.word("message").unwrap_or("The subagent failed.".into());
        page.scribe.notice("error", text, object.word("code").map(String::from));
        end(page, Who::runtime(id), AgentStatus::Failed, "explicit");
    }

    /// All agents that still run have come to this end.
    pub(super) fn end_all(&mut self, page: &mut Page, status: AgentStatus, cause: &str) {
        let open: Vec<String> =
            self.agents.iter_mut().filter_map(|(id, agent)| std::mem::replace(&mut agent.open, false).then(|| id.to_owned())).collect();
        for id in open {
            end(page, Who::runtime(id), status, cause);
        }
    }
}

fn end(page: &mut Page, who: Who, status: AgentStatus, cause: &str) {
    let ending = Ending { status, cause: cause.into(), at: page.scribe.at, run: None, note: None };
    page.scribe.say(Op::End { who, ending });
}
