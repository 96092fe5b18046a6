//! Whole messages: whose they are, and what the stream says beside what a file would.

use super::Teller;
use super::memory::Task;
use crate::dialect::claude::assistant::blocks;
use crate::dialect::claude::scribe::Scribe;
use crate::dialect::json::Object;
use crate::model::{AgentPatch, Body, EntryState, Limit, Link, Name, NameKind, Op, Who};

impl Teller {
    /// In whose transcript a line stands: the call's that started the agent, else the agent's own id.
    pub(super) fn speaker(&self, object: &Object<'_>) -> Who {
        match (object.word("parent_tool_use_id"), object.word("agent_id")) {
            (Some(call), _) => Who::call(call),
            (None, Some(agent)) => self.own.known(&agent).and_then(Task::who).unwrap_or_else(|| Who::runtime(agent)),
            (None, None) => Who::Main,
        }
    }

    /// Names the agent that a line stands for, where that is news.
    fn introduce(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        let (call, id) = (object.word("parent_tool_use_id"), object.word("agent_id"));
        if call.is_none() && id.is_none() {
            return self.turn_begins(scribe);
        }
        let news = match &call {
            Some(call) => self.own.called(call).is_none_or(|task| !task.opened || (task.id.is_none() && id.is_some())),
            None => id.as_ref().is_some_and(|id| self.own.known(id).is_none()),
        };
        self.own.task(call.as_deref(), id.as_deref());
        if news {
            let names = id.into_iter().map(|id| Name { kind: NameKind::Runtime, id: id.into() }).collect();
            let link = call.is_some().then_some(Link::Exact);
            let word = |name| object.word(name).map(String::from);
            let (kind, description) = (word("subagent_type"), word("task_description"));
            let patch = AgentPatch { names, call: call.map(Into::into), link, kind, description, ..AgentPatch::default() };
            scribe.say(Op::Agent { who: scribe.who.clone(), patch });
        }
    }

    /// True until something of the agent's own transcript has been read; false from then on.
    fn opens(&mut self, scribe: &Scribe) -> bool {
        let (call, id) = match &scribe.who {
            Who::Named(Name { kind: NameKind::Call, id }) => (Some(id.as_str()), None),
            Who::Named(name) => (None, Some(name.id.as_str())),
            Who::Main => return false,
        };
        !std::mem::replace(&mut self.own.task(call, id).opened, true)
    }

    pub(super) fn assistant(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        self.introduce(scribe, object);
        self.opens(scribe);
        // A limit that the account itself has told is lifted by the account alone.
        self.disk.memory.limited &= !self.own.rejected;
        let from = scribe.ops.len();
        self.disk.assistant(scribe, object);
        let said = scribe.ops.get_mut(from..).unwrap_or_default();
        let mut calls = Vec::new();
        for op in said.iter_mut() {
            match op {
                Op::Call { call, patch, .. } => {
                    self.own.calls(&scribe.who, call);
                    if patch.starts_agent {
                        calls.push(call.clone());
                    }
                }
                Op::Entry { body, state, .. } => {
                    self.own.spoke |= scribe.who == Who::Main && matches!(body, Body::Text { .. } | Body::Notice(_));
                    if object.flag("aborted") {
                        *state = EntryState::Cancelled;
                    }
                }
                _ => {}
            }
        }
        for call in calls {
            self.own.task(Some(&call), None).owner = Some(scribe.who.clone());
        }
        self.error(scribe, object);
    }

    /// An error that the API gave instead of an answer, or behind a part of one. In a child it is the child's, and the
    /// session's too.
    fn error(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        let Some(error) = object.word("error") else { return };
        let synthetic = object.object("message").is_some_and(|message| message.word("model").as_deref() == Some("<synthetic>"));
        if !synthetic || !scribe.has_entry() {
            scribe.notice(if error == "rate_limit" { "limit" } else { "error" }, format!("The API reported an error: {error}"), None);
        }
        if scribe.who != Who::Main || error == "rate_limit" {
            self.disk.memory.limited = true;
            scribe.say(Op::Limited(Some(Limit { kind: error.into(), resets_at: None })));
        }
    }

    pub(super) fn user(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        self.introduce(scribe, object);
        let worded = object.object("message").is_some_and(|message| blocks(&message).into_iter().any(is_words));
        let opens = worded && self.opens(scribe);
        let from = scribe.ops.len();
        self.disk.user(scribe, object, opens);
        let results: Vec<String> = scribe
            .ops
            .iter()
            .skip(from)
            .filter_map(|op| match op {
                Op::Result { call, .. } => Some(call.clone()),
                _ => None,
            })
            .collect();
        let details = object.object("tool_use_result");
        let launched = details.as_ref().is_some_and(|details| details.flag("isAsync"));
        let goes_on = |op: &Op| match op {
            Op::Result { result: Ok(text), .. } => launched || text.starts_with("Async agent launched"),
            _ => false,
        };
        let launched = scribe.ops.iter().skip(from).any(goes_on);
        let id = details.and_then(|details| details.word("agentId").map(String::from));
        for call in results {
            let Some(task) = self.own.called(&call) else { continue };
            task.answered = true;
            task.background |= launched;
            task.id = task.id.take().or_else(|| id.clone());
            if task.background {
                // A launch is no end of what it launched.
                let who = Who::call(call);
                scribe.ops.retain(|op| !matches!(op, Op::End { who: ended, .. } if *ended == who));
            }
        }
    }

    /// The main agent's turn has begun.
    pub(super) fn turn_begins(&mut self, scribe: &mut Scribe) {
        if !std::mem::replace(&mut self.own.in_turn, true) {
            self.own.spoke = false;
            scribe.say(Op::Turn { ended: false });
        }
    }
}

/// True for a block that is no result of a tool.
fn is_words(raw: &serde_json::value::RawValue) -> bool {
    Object::of(raw).is_none_or(|block| !block.text("type").is_some_and(|kind| kind.ends_with("tool_result")))
}
