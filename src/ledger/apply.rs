//! Operations, one by one.

use super::facts::ranked;
use super::runs::{Begin, End};
use super::{Book, Here};
use crate::model::{
    AgentNo, AgentPatch, Ask, AskState, Body, Ending, EntryState, Hash64, Key, Link, MAIN, Name, NameKind, Op, SessionPatch, Tool,
    ToolPatch, Usage, Who,
};

impl Book {
    pub(super) fn apply_all(&mut self, here: &mut Here, ops: Vec<Op>) {
        for op in ops {
            self.apply(here, op);
        }
    }

    fn apply(&mut self, here: &mut Here, op: Op) {
        self.pending.session = true;
        match op {
            Op::Session(patch) => self.patch_session(here, patch),
            Op::Agent { who, patch } => self.patch_agent(here, &who, patch),
            Op::Prompt { who, text, images, own, keys } => {
                let n = if own { self.own(&who) } else { self.agent(&who) };
                let images = self.images(images);
                if own {
                    here.home.get_or_insert(n);
                }
                self.prompt(here, n, text, images, own, &entry_keys(&keys));
            }
            Op::Entry { who, keys, mut body, state, images } => {
                let n = self.home(here, &who);
                let new = self.images(images);
                if let Body::User { images, .. } = &mut body {
                    images.extend(new);
                } else if let Body::Tool(tool) = &mut body {
                    tool.images.extend(new);
                }
                let keys = entry_keys(&keys);
                match self.find(&keys) {
                    Some(at) => {
                        here.found.get_or_insert(at);
                        self.revise(here, at, |entry| (entry.body, entry.state) = (body, state));
                    }
                    None => {
                        self.append_entry(here, n, &keys, body, state);
                    }
                }
            }
            Op::Append { who, key, body, field, text } => {
                let n = self.home(here, &who);
                let keys = entry_keys(&[key]);
                let at = match (self.find(&keys), body) {
                    (Some(at), _) => Some(at),
                    (None, Some(body)) => Some(self.append_entry(here, n, &keys, body, EntryState::Open)),
                    (None, None) => None,
                };
                if let Some(at) = at {
                    self.extend(here, at, field, &text);
                }
            }
            Op::Call { who, call, keys, patch } => self.call(here, &who, &call, &keys, patch),
            Op::Result { who, call, result, images, state } => {
                let n = self.home(here, &who);
                let images = self.images(images);
                self.result(here, n, &call, result, images, state);
            }
            Op::Spilled { who, call, text, .. } => {
                let n = self.home(here, &who);
                if let (Some(text), Some(at)) = (text, self.find(&[self.call_key_in(n, &call)])) {
                    self.revise(here, at, |entry| {
                        if let Body::Tool(tool) = &mut entry.body {
                            tool.spilled = Some(text.into());
                        }
                    });
                }
            }
            Op::Close { key, state } => {
                if let Some(at) = self.find(&entry_keys(&[key])) {
                    self.revise(here, at, |entry| entry.state = if entry.state == EntryState::Open { state } else { entry.state });
                }
            }
            Op::Begin { who, run, at } => {
                let n = self.agent(&who);
                let mark = super::Mark { at: at.or(here.mark.at), ..here.mark };
                if let Some(agent) = self.agents.get_mut(n as usize).filter(|_| n != MAIN) {
                    agent.facts.begins.push(Begin { mark, run });
                    agent.unsettled = true;
                }
                self.pending.agents.insert(n);
            }
            Op::End { who, ending } => {
                let n = self.agent(&who);
                self.end(here, n, ending);
            }
            Op::Usage { who, message, usage, context } => {
                let n = self.home(here, &who);
                self.count_usage(here, n, &message, usage);
                if let Some(agent) = self.agents.get_mut(n as usize) {
                    agent.facts.context = context.or(agent.facts.context);
                }
                let last = here.made.last().copied();
                if let Some(at) = last {
                    self.revise(here, at, |entry| (entry.usage, entry.context) = (Some(usage), context));
                }
            }
            Op::Total { who, usage, tool_calls } => {
                let n = self.agent(&who);
                if let Some(agent) = self.agents.get_mut(n as usize) {
                    agent.facts.total = agent.facts.total.max(usage.unwrap_or_default());
                    agent.facts.reported_calls = agent.facts.reported_calls.max(tool_calls.unwrap_or_default());
                }
                self.pending.agents.insert(n);
            }
            Op::Turn { ended } => {
                here.home.get_or_insert(MAIN);
                self.facts.turn_ended = Some(ended);
                if !ended {
                    self.facts.exit = None;
                }
            }
            Op::Waiting { who, on } => match self.agent(&who) {
                MAIN => self.facts.waiting = on,
                n => {
                    if let Some(agent) = self.agents.get_mut(n as usize) {
                        agent.facts.waiting = on;
                    }
                    self.pending.agents.insert(n);
                }
            },
            Op::Assign { who, parent } => {
                let (n, parent) = (self.agent(&who), parent.map(|parent| self.agent(&parent)));
                if let Some(agent) = self.agents.get_mut(n as usize).filter(|_| n != MAIN) {
                    agent.facts.assigned = parent;
                }
                self.pending.agents.insert(n);
            }
            Op::Limited(limit) => self.facts.limit = limit,
            Op::Process => self.process(here),
            Op::Apart => here.mark.apart = true,
            Op::Exit { stopped, cause } => self.exit(here, stopped, cause),
            Op::Withdraw { keys } => {
                for key in &keys {
                    if let Some(at) = self.find(&entry_keys(std::slice::from_ref(key))) {
                        self.withdraw(here.shelf, at);
                    }
                }
            }
            Op::Incomplete { who, text } => self.incomplete(here, &who, text),
            Op::Workflow { who, run } => self.launched(&who, run),
            Op::EndOfInput => {
                self.show_copies(here);
                self.infer();
            }
            Op::NoNews => {
                self.facts.no_news = true;
                self.touch_open();
            }
        }
    }

    /// The agent in whose transcript the line stands.
    fn home(&mut self, here: &mut Here, who: &Who) -> AgentNo {
        let n = self.own(who);
        here.home.get_or_insert(n);
        n
    }

    /// Marks what hangs on whether the session runs: its open children.
    pub(super) fn touch_open(&mut self) {
        self.pending.agents.extend(self.open_children.iter().copied());
    }

    fn patch_session(&mut self, here: &Here, patch: SessionPatch) {
        let facts = &mut self.facts;
        if let Some((from, title)) = patch.title.filter(|(_, title)| !title.trim().is_empty()) {
            facts.titles.insert(from, title);
        }
        facts.dialect = facts.dialect.take().or(patch.dialect);
        facts.origin = facts.origin.take().or(patch.origin);
        let slot = if here.home.is_none_or(|home| home == MAIN) { &mut facts.cwd } else { &mut facts.cwd_aside };
        *slot = slot.take().or(patch.cwd);
        facts.names.extend(patch.names);
        facts.names.sort();
        facts.names.dedup();
        facts.names.retain(|name| *name != self.id.id);
    }

    fn patch_agent(&mut self, here: &Here, who: &Who, patch: AgentPatch) {
        if !patch.names.is_empty() {
            self.doubt(who);
        }
        let mut n = self.agent(who);
        let call_name = patch.call.iter().map(|call| Name { kind: NameKind::Call, id: call.clone() });
        for name in patch.names.iter().cloned().chain(call_name) {
            n = self.join(here, n, name);
        }
        if n == MAIN {
            if let Some(main) = self.agents.get_mut(0) {
                main.facts.model = patch.model.or(main.facts.model.take());
                main.facts.context = patch.context.or(main.facts.context);
            }
            return;
        }
        let itself = patch.link.is_none();
        let named = patch.names.iter().chain(match who {
            Who::Named(name) => Some(name),
            Who::Main => None,
        });
        let call = patch.call.clone().or_else(|| named.into_iter().find(|name| name.kind == NameKind::Call).map(|name| name.id.clone()));
        if let Some(call) = call {
            self.link_call(here, n, call, patch.link.unwrap_or(Link::Exact), itself);
        }
        if let Some(parent) = &patch.parent {
            let parent = self.agent(parent);
            if let Some(agent) = self.agents.get_mut(n as usize) {
                agent.facts.parents.push((parent, patch.link.unwrap_or(Link::Exact)));
            }
        }
        let rank = u8::from(matches!(who, Who::Named(name) if name.kind == NameKind::Call));
        if let Some(agent) = self.agents.get_mut(n as usize) {
            ranked(&mut agent.facts.description, rank, patch.description);
            ranked(&mut agent.facts.kind, rank, patch.kind);
            agent.facts.model = patch.model.or(agent.facts.model.take());
            agent.facts.context = patch.context.or(agent.facts.context);
            agent.facts.workflow = patch.workflow.or(agent.facts.workflow.take());
            agent.facts.hidden = patch.hidden.unwrap_or(agent.facts.hidden);
        }
        self.pending.agents.insert(n);
    }

    fn call(&mut self, here: &mut Here, who: &Who, call: &str, keys: &[String], patch: ToolPatch) {
        let n = self.home(here, who);
        let mut all = vec![self.call_key_in(n, call)];
        all.extend(entry_keys(keys));
        let args = patch.args.map(|args| {
            let mut long = args.into();
            self.shorten(&mut long);
            long
        });
        let (name, title, instead) = (patch.name.clone(), patch.title, patch.instead);
        let at = match self.find(&all) {
            Some(at) => {
                here.found.get_or_insert(at);
                self.revise(here, at, |entry| {
                    if let (Some(body), Body::Tool(_)) = (&instead, &entry.body) {
                        entry.body = body.clone();
                    } else if let Body::Tool(tool) = &mut entry.body {
                        tool.name = name.unwrap_or(std::mem::take(&mut tool.name));
                        tool.title = title.unwrap_or(std::mem::take(&mut tool.title));
                        tool.args = args.unwrap_or(std::mem::take(&mut tool.args));
                    } else if let Some(body) = &instead {
                        entry.body = keep_answer(body.clone(), &entry.body);
                    }
                });
                at
            }
            None => {
                let name = name.unwrap_or_default();
                let title = title.unwrap_or_else(|| name.clone());
                let tool = Tool { call: call.into(), name, title, args: args.unwrap_or_default(), ..Tool::default() };
                let body = instead.unwrap_or_else(|| Body::Tool(Box::new(tool)));
                let state = if matches!(body, Body::Todos { .. }) { EntryState::Done } else { EntryState::Open };
                self.append_entry(here, n, &all, body, state)
            }
        };
        if patch.starts_agent {
            let child = self.agent(&Who::call(call));
            self.link_call(here, child, call.into(), Link::Exact, true);
            if let Some(agent) = self.agents.get_mut(child as usize) {
                agent.facts.tool_name = agent.facts.tool_name.take().or(patch.name);
            }
        }
        self.point_to_child(here, call, at);
    }

    fn result(
        &mut self,
        here: &mut Here,
        n: AgentNo,
        call: &str,
        result: Result<String, String>,
        images: Vec<crate::model::Image>,
        state: EntryState,
    ) {
        let key = [self.call_key_in(n, call)];
        let at = match self.find(&key) {
            Some(at) => at,
            None => self.append_entry(here, n, &key, Body::Tool(Box::new(Tool { call: call.into(), ..Tool::default() })), EntryState::Open),
        };
        if let Ok(text) = &result
            && let Some(child) = self.child_of(call)
            && let Some(agent) = self.agents.get_mut(child as usize)
        {
            agent.facts.report = Some(Hash64::of(text.trim().as_bytes()));
            self.pending.agents.insert(child);
        }
        self.revise(here, at, |entry| {
            match &mut entry.body {
                Body::Tool(tool) => {
                    (tool.result, tool.error) = match result {
                        Ok(text) => (Some(text.into()), None),
                        Err(text) => (None, Some(text.into())),
                    };
                    tool.images = images;
                }
                Body::Ask(ask) => {
                    ask.ask_state = if result.is_ok() { AskState::Answered } else { AskState::Denied };
                    ask.answer = Some(result.unwrap_or_else(|text| text).into());
                }
                _ => {}
            }
            entry.state = state;
            entry.ended_at = here.mark.at;
        });
        self.pending.agents.insert(at.agent);
    }

    pub(super) fn end(&mut self, here: &Here, n: AgentNo, ending: Ending) {
        let Some(agent) = self.agents.get_mut(n as usize).filter(|_| n != MAIN) else { return };
        let mark = super::Mark { at: ending.at.or(here.mark.at), ..here.mark };
        let end = End { mark, status: ending.status, cause: ending.cause, run: ending.run, note: ending.note };
        if !agent.facts.ends.contains(&end) {
            agent.facts.ends.push(end);
            agent.unsettled = true;
        }
        self.pending.agents.insert(n);
    }

    /// Tokens repeated under one message id count once, the last one wins.
    fn count_usage(&mut self, here: &Here, n: AgentNo, message: &str, usage: Usage) {
        let key = Key::of(&["message", message]);
        let old = self.usages.get(&(n, key)).copied();
        if old == Some(usage) || (here.copy && old.is_some()) {
            return;
        }
        self.usages.insert((n, key), usage);
        self.pending.draft.usages.push((n, key, usage));
        if let Some(agent) = self.agents.get_mut(n as usize) {
            agent.facts.counted = agent.facts.counted.minus(old.unwrap_or_default()).plus(usage);
        }
        self.pending.agents.insert(n);
    }
}

/// The key of the entry that stands for a tool call.
pub(super) fn call_key(call: &str) -> Key {
    Key::of(&["call", call])
}

fn entry_keys(keys: &[String]) -> Vec<Key> {
    keys.iter().map(|key| Key::of(&["entry", key])).collect()
}

/// A question that is told again keeps the answer that it has.
fn keep_answer(new: Body, old: &Body) -> Body {
    match (new, old) {
        (Body::Ask(new), Body::Ask(old)) => Body::Ask(Box::new(Ask { ask_state: old.ask_state, answer: old.answer.clone(), ..*new })),
        (new, _) => new,
    }
}
