//! Agents: namespaces, the calls that start them, and what binds the two.

use super::memory::{ASKS, PROMPT, SPACES, Space, Task, space};
use super::stream::Teller;
use crate::dialect::chain::{Scribe, push};
use crate::model::{AgentPatch, AgentStatus, Body, Ending, Link, Op, ToolPatch, Who};

/// The path of the agent that segments lead to; empty for the main agent.
pub fn path(segments: &[&str]) -> String {
    let last = segments.iter().rposition(|segment| segment.starts_with("tools:"));
    last.and_then(|last| segments.get(..=last)).map(|own| own.join("|")).unwrap_or_default()
}

/// The path that a checkpoint's namespace leads to: its last segment is the node itself.
pub fn checkpoint(namespace: &str) -> String {
    let segments: Vec<&str> = namespace.split('|').collect();
    path(segments.split_last().map_or(&[], |(_, rest)| rest))
}

impl Teller {
    /// The agent of a path, introduced on first sight.
    pub fn agent(&mut self, scribe: &mut Scribe, path: &str, kind: Option<String>) -> Who {
        if path.is_empty() {
            return Who::Main;
        }
        let who = space(path);
        if let Some(known) = self.own.spaces.iter_mut().find(|known| known.path == path) {
            if known.kind.is_none() && kind.is_some() {
                known.kind.clone_from(&kind);
                scribe.say(Op::Agent { who: who.clone(), patch: AgentPatch { kind, ..AgentPatch::default() } });
            }
            return who;
        }
        let (from, asked) = (scribe.ops.len(), self.own.voice.complete(None));
        scribe.say_all(asked);
        self.note_tasks(scribe, from);
        push(&mut self.own.spaces, SPACES, Space { path: path.into(), kind: kind.clone(), call: None, prompted: false, spoken: false });
        let above = path.rsplit_once('|').map(|(above, last)| (self::path(&above.split('|').collect::<Vec<_>>()), last));
        let mut patch = AgentPatch { kind, ..AgentPatch::default() };
        if let Some((above, last)) = above {
            let Who::Named(name) = space(last) else { return who };
            patch.names.push(name);
            if !above.is_empty() {
                // A position names a parent, but no call.
                patch.parent = Some(self.agent(scribe, &above, None));
                patch.link = Some(Link::Unlinked);
            }
        }
        scribe.say(Op::Agent { who: who.clone(), patch });
        who
    }

    /// Notes the calls among `ops` that start agents.
    pub fn note_tasks(&mut self, scribe: &mut Scribe, from: usize) {
        let mut news = Vec::new();
        for op in scribe.ops.get(from..).unwrap_or_default() {
            match op {
                Op::Call { who, call, patch, .. } if patch.starts_agent && self.own.tasks.iter().all(|task| task.call != *call) => {
                    let (prompt, description) = (String::new(), None);
                    let task = Task { call: call.clone(), prompt, description, owner: who.clone(), ended: false };
                    push(&mut self.own.tasks, SPACES, task);
                    news.push(call.clone());
                }
                Op::Agent { who: Who::Named(name), patch } if patch.description.is_some() => {
                    if let Some(task) = self.own.tasks.iter_mut().find(|task| task.call == name.id) {
                        task.description.clone_from(&patch.description);
                    }
                }
                Op::Prompt { who: Who::Named(name), text, own: false, .. } => {
                    if let Some(task) = self.own.tasks.iter_mut().find(|task| task.call == name.id) {
                        task.prompt = text.get(..text.floor_char_boundary(PROMPT)).unwrap_or_default().into();
                    }
                }
                Op::Call { who, patch: ToolPatch { instead: Some(Body::Todos { items, .. }), .. }, .. } => {
                    push(&mut self.own.todos, 64, super::state::listed(who, items));
                }
                Op::Call { call, patch: ToolPatch { instead: Some(Body::Ask(_)), .. }, .. } if !self.own.questions.contains(call) => {
                    push(&mut self.own.questions, ASKS, call.clone());
                }
                _ => {}
            }
        }
        if !news.is_empty() {
            scribe.infer = true;
        }
    }

    /// The first words in an agent's own transcript: they may tell which call started it.
    pub fn prompted(&mut self, scribe: &mut Scribe, who: &Who, text: &str) {
        let Who::Named(name) = who else { return };
        let Some(space) = self.own.spaces.iter_mut().find(|space| space.path == name.id && !space.prompted) else { return };
        space.prompted = true;
        let bound: Vec<String> = self.own.spaces.iter().filter_map(|space| space.call.clone()).collect();
        let text = text.trim();
        let free: Vec<&Task> = self.own.tasks.iter().filter(|task| !task.prompt.trim().is_empty() && !bound.contains(&task.call)).collect();
        // Equal words are left to the ledger, which takes its inference back if it must.
        if free.iter().all(|task| task.prompt.trim() != text) {
            let holds = |task: &&&Task| text.contains(task.prompt.trim()) || (text.len() > 16 && task.prompt.contains(text));
            if let [task] = free.iter().filter(holds).collect::<Vec<_>>().as_slice() {
                let call = task.call.clone();
                self.bind(scribe, &name.id.clone(), &call, Link::Inferred);
            }
        }
        scribe.infer = true;
    }

    /// The first words of a namespace make it a candidate for a call.
    pub fn first_words(&mut self, scribe: &mut Scribe) {
        for known in self.own.spaces.iter_mut().filter(|known| !known.spoken) {
            let who = super::memory::space(&known.path);
            let says = |op: &Op| match op {
                Op::Entry { who: of, .. } | Op::Append { who: of, .. } | Op::Call { who: of, .. } | Op::Prompt { who: of, .. } => {
                    *of == who
                }
                _ => false,
            };
            known.spoken = scribe.ops.iter().any(says);
            scribe.infer |= known.spoken;
        }
    }

    /// An event has named a call together with its namespace.
    pub fn bind(&mut self, scribe: &mut Scribe, path: &str, call: &str, link: Link) {
        let who = self.agent(scribe, path, None);
        // One call, one namespace: a second claim is no evidence.
        if self.own.spaces.iter().any(|space| space.call.as_deref() == Some(call)) {
            return;
        }
        let Some(space) = self.own.spaces.iter_mut().find(|space| space.path == path && space.call.is_none()) else { return };
        space.call = Some(call.into());
        scribe.say(Op::Agent { who, patch: AgentPatch { call: Some(call.into()), link: Some(link), ..AgentPatch::default() } });
    }

    /// The call that started an agent has its result.
    pub fn task_ends(&mut self, scribe: &mut Scribe, call: &str, status: AgentStatus, cause: &str) {
        let Some(task) = self.own.task(call) else { return };
        task.ended = true;
        let path = self.own.spaces.iter().find(|space| space.call.as_deref() == Some(call)).map(|space| super::memory::space(&space.path));
        if let Some(who) = path {
            let closing = self.own.voice.silence(Some(&who), crate::model::EntryState::Done);
            scribe.say_all(closing);
        }
        let ending = Ending { status, cause: cause.into(), at: scribe.at, run: None, note: Some(format!("result:{call}")) };
        scribe.say(Op::End { who: Who::call(call), ending });
    }

    /// The run is over: no agent of it goes on. `died` says that nothing more can come of them.
    pub fn tasks_stop(&mut self, scribe: &mut Scribe, died: bool) {
        let status = if died { AgentStatus::Cancelled } else { AgentStatus::Unknown };
        for task in self.own.tasks.iter_mut().filter(|task| !task.ended) {
            task.ended = true;
            let ending = Ending { status, cause: "parent exit".into(), at: scribe.at, run: None, note: None };
            scribe.say(Op::End { who: Who::call(&task.call), ending });
        }
    }
}
