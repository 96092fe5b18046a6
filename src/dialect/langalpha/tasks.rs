//! Tasks: what main and the status tell of them, and which of them a namespace is.

use crate::dialect::chain::{Scribe, push};
use crate::dialect::json::{Object, array, string};
use crate::dialect::langgraph::stream::Teller;
use crate::dialect::langgraph::{Child, SPACES};
use crate::model::{AgentPatch, AgentStatus, Ending, Link, Name, NameKind, Op, Who};

/// The longest description in a status, in characters.
const DESCRIPTION: usize = 100;

impl Teller {
    /// The agent of a namespace.
    pub fn child(&mut self, scribe: &mut Scribe, agent: &str) -> Who {
        let news = self.own.spaces.iter().all(|space| space.path != agent);
        let who = self.agent(scribe, agent, None);
        if news {
            self.lone(scribe);
        }
        who
    }

    /// A task, made on first sight.
    pub fn known(&mut self, id: &str) -> &mut Child {
        let at = self.own.children.iter().position(|child| child.id == id).and_then(|at| self.own.children.remove(at));
        push(&mut self.own.children, SPACES, at.unwrap_or_else(|| Child { id: id.into(), ..Child::default() }));
        let last = self.own.children.len() - 1;
        &mut self.own.children[last]
    }

    /// The state of all tasks. It is told where it has changed, and lists what has ended again and again.
    pub fn status(&mut self, scribe: &mut Scribe, event: &Object<'_>) {
        scribe.say(Op::Apart);
        let mut nameless = 0;
        for (list, ended) in
            [("active_tasks", false), ("active_subagents", false), ("completed_tasks", true), ("completed_subagents", true)]
        {
            for raw in event.raw(list).and_then(array).unwrap_or_default() {
                let task = Object::of(raw);
                let id = task.as_ref().map_or_else(|| string(raw), |task| task.word("id").or_else(|| task.word("task_id")));
                match id.filter(|id| !id.is_empty()) {
                    Some(id) => self.listed(scribe, &id, task.as_ref(), ended),
                    None => nameless += 1,
                }
            }
        }
        if nameless > 0 {
            scribe.named(&format!("subagent_status/{nameless}-without-id"));
        }
        self.lone(scribe);
    }

    /// One task of a status.
    fn listed(&mut self, scribe: &mut Scribe, id: &str, task: Option<&Object<'_>>, ended: bool) {
        let word = |name| task.and_then(|task| task.word(name)).map(String::from);
        let who = Who::runtime(id);
        let (description, kind, agent) = (word("description"), word("type"), word("agent").filter(|agent| agent.starts_with("tools:")));
        let told = format!("{description:?}{kind:?}{agent:?}");
        if self.news("listed", id, &told) {
            let mut patch = AgentPatch { description: description.clone(), kind, ..AgentPatch::default() };
            if let Some(agent) = &agent {
                // A line that names both is evidence for who it is, not for who started it.
                self.child(scribe, agent);
                patch.names.push(Name { kind: NameKind::Namespace, id: agent.clone() });
                self.known(id).agent = Some(agent.clone());
            }
            scribe.say(Op::Agent { who: who.clone(), patch });
            self.called(scribe, id, description.as_deref());
        }
        let begun = self.known(id).ended.replace(ended);
        match (begun, ended) {
            (None | Some(true), false) => scribe.say(Op::Begin { who: who.clone(), run: None, at: scribe.at }),
            (None | Some(false), true) => self.finish(scribe, id, AgentStatus::Finished, "explicit"),
            _ => {}
        }
        let tool_calls = task.and_then(|task| task.number("tool_calls"));
        if tool_calls.is_some() {
            scribe.say(Op::Total { who, usage: None, tool_calls });
        }
    }

    /// Which call a task comes from: the only one with its description.
    fn called(&mut self, scribe: &mut Scribe, id: &str, description: Option<&str>) {
        let Some(description) = description.filter(|_| self.known(id).call.is_none()) else { return };
        let taken: Vec<String> = self.own.children.iter().filter_map(|child| child.call.clone()).collect();
        let fits = |said: &String| said.chars().take(DESCRIPTION).eq(description.chars().take(DESCRIPTION));
        let free = self.own.tasks.iter().filter(|task| !taken.contains(&task.call) && task.description.as_ref().is_some_and(fits));
        let free: Vec<String> = free.map(|task| task.call.clone()).collect();
        if let [call] = free.as_slice() {
            self.bound(scribe, id, call, Link::Inferred);
        }
    }

    /// The call of a task is known.
    pub fn bound(&mut self, scribe: &mut Scribe, id: &str, call: &str, link: Link) {
        let child = self.known(id);
        if child.call.as_deref() == Some(call) {
            return;
        }
        child.call = Some(call.into());
        scribe.say(Op::Agent {
            who: Who::runtime(id),
            patch: AgentPatch { call: Some(call.into()), link: Some(link), ..AgentPatch::default() },
        });
    }

    /// One task and one namespace are left, and no call that the ledger could infer from: they are one.
    fn lone(&mut self, scribe: &mut Scribe) {
        if !self.own.tasks.is_empty() {
            scribe.infer = true;
            return;
        }
        let bound: Vec<&String> = self.own.children.iter().filter_map(|child| child.agent.as_ref()).collect();
        let spaces: Vec<String> = self.own.spaces.iter().map(|space| space.path.clone()).filter(|path| !bound.contains(&path)).collect();
        let mut free = self.own.children.iter_mut().filter(|child| child.agent.is_none());
        if let (Some(child), None, [space]) = (free.next(), free.next(), spaces.as_slice()) {
            child.agent = Some(space.clone());
            let names = vec![Name { kind: NameKind::Namespace, id: space.clone() }];
            let patch = AgentPatch { names, parent: Some(Who::Main), link: Some(Link::Inferred), ..AgentPatch::default() };
            scribe.say(Op::Agent { who: Who::runtime(&child.id), patch });
        }
    }

    pub fn finish(&mut self, scribe: &mut Scribe, id: &str, status: AgentStatus, cause: &str) {
        let child = self.known(id);
        child.ended = Some(true);
        let run = child.runs;
        let ending = Ending { status, cause: cause.into(), at: scribe.at, run: None, note: Some(format!("end:{id}:{run}")) };
        scribe.say(Op::End { who: Who::runtime(id), ending });
    }

    /// The result of a call says which task it has started.
    pub fn deployed(&mut self, scribe: &mut Scribe, call: &str, text: &str) {
        let Some(rest) = text.split_once("subagent deployed: **Task-").map(|(_, rest)| rest) else { return };
        let Some((id, _)) = rest.split_once("**").filter(|(id, _)| !id.is_empty() && id.len() <= 64) else { return };
        // A status of the older era says the whole word.
        let whole = format!("Task-{id}");
        let id = if self.own.children.iter().any(|child| child.id == whole) { &whole } else { id };
        self.bound(scribe, id, call, Link::Exact);
    }

    /// The result of a call says how tasks are: `### Task-<id> (kind) - completed`.
    pub fn reported(&mut self, scribe: &mut Scribe, text: &str) {
        for line in text.lines().filter_map(|line| line.strip_prefix("### Task-")) {
            let Some((id, said)) = line.split_once(' ').and_then(|(id, rest)| Some((id, rest.rsplit_once(" - ")?.1.trim()))) else {
                continue;
            };
            if let Some((status, cause)) = end(said)
                && self.known(id).ended != Some(true)
            {
                scribe.ops.insert(0, Op::Apart);
                self.finish(scribe, id, status, cause);
            }
        }
    }

    /// What the server says of one task.
    pub fn task_status(&mut self, scribe: &mut Scribe, event: &Object<'_>) {
        let (Some(id), Some(said)) = (event.word("task_id"), event.word("status")) else { return };
        scribe.named("task_status");
        if let Some((status, cause)) = end(&said)
            && self.known(&id).ended != Some(true)
        {
            scribe.say(Op::Apart);
            self.finish(scribe, &id, status, cause);
        }
    }
}

/// The end that a word tells.
fn end(said: &str) -> Option<(AgentStatus, &'static str)> {
    match said.trim_end_matches(':').to_ascii_lowercase().as_str() {
        "completed" | "success" | "done" => Some((AgentStatus::Finished, "explicit")),
        "failed" | "error" | "timeout" | "timed_out" => Some((AgentStatus::Failed, "explicit")),
        "cancelled" | "canceled" | "stopped" => Some((AgentStatus::Cancelled, "stop")),
        _ => None,
    }
}
