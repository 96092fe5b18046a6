//! Agents that a thread starts, waits for, speaks to and closes: told by its calls and, once more, by events.

use serde_json::value::RawValue;

use super::memory::{Call, Rollout};
use crate::dialect::json::{Object, string};
use crate::dialect::page::Page;
use crate::model::{AgentPatch, AgentStatus, Ending, Link, Name, NameKind, Op, Who};

impl Rollout {
    /// Remembers a call about agents. True if it starts one.
    pub(super) fn about_agents(&mut self, page: &mut Page, name: &str, call: &str, input: Option<&Object<'_>>) -> bool {
        let bare = name.rsplit(['.', '/']).next().unwrap_or(name);
        let agent = ["id", "agent_id", "target", "thread_id"].iter().find_map(|key| input?.id(key)).map(String::from);
        match bare {
            "spawn_agent" => self.remember(call, bare, None),
            "wait" | "wait_agent" => self.remember(call, "wait", None),
            "close_agent" => self.remember(call, bare, agent),
            "send_input" | "followup_task" | "resume_agent" => {
                if let Some(agent) = agent {
                    let who = self.named(&agent);
                    page.scribe.say(Op::Begin { who, run: None, at: page.scribe.at });
                }
            }
            _ => {}
        }
        bare == "spawn_agent"
    }

    /// What a call that starts an agent says of it.
    pub(super) fn spawn_call(&mut self, page: &mut Page, call: &str, input: Option<&Object<'_>>) {
        let word = |names: &[&str]| names.iter().find_map(|name| input?.word(name)).map(String::from);
        let kind = word(&["agent_type", "role", "agent_role"]);
        let patch = AgentPatch { kind, ..AgentPatch::default() };
        page.scribe.say(Op::Agent { who: Who::call(call), patch });
        if let Some(text) = word(&["message", "prompt", "task"]) {
            page.scribe.say(Op::Prompt { who: Who::call(call), text, images: Vec::new(), own: false, keys: Vec::new() });
        }
    }

    /// The result of a call about agents.
    pub(super) fn answered(&mut self, page: &mut Page, call: &str, known: &Call, text: &str) {
        let object = Object::parse(text);
        let word = |name: &str| object.as_ref().and_then(|object| object.word(name)).map(String::from);
        match known.name.as_str() {
            "spawn_agent" => match (word("agent_id"), word("task_name")) {
                (None, None) => end(page, Who::call(call), AgentStatus::Failed, "result"),
                (id, path) => {
                    let id = id.map(|id| Name { kind: NameKind::Runtime, id });
                    let path = path.map(|id| Name { kind: NameKind::Namespace, id });
                    let names = id.into_iter().chain(path).collect();
                    let patch = AgentPatch { names, link: Some(Link::Exact), description: word("nickname"), ..AgentPatch::default() };
                    page.scribe.say(Op::Agent { who: Who::call(call), patch });
                }
            },
            "wait" => {
                let statuses = object.as_ref().and_then(|object| object.object("status").or_else(|| object.object("statuses")));
                self.statuses(page, statuses.as_ref());
            }
            _ => {
                let status = object.as_ref().and_then(|object| object.raw("status").or_else(|| object.raw("previous_status")));
                if let (Some(agent), Some(status)) = (&known.agent, status) {
                    self.status(page, agent, status);
                }
            }
        }
    }

    /// Agents and their statuses, by thread.
    pub(super) fn statuses(&mut self, page: &mut Page, statuses: Option<&Object<'_>>) {
        let Some(statuses) = statuses else { return };
        for name in statuses.names() {
            if let Some(status) = statuses.raw(&name) {
                self.status(page, &name, status);
            }
        }
    }

    /// A status of an agent: an end, or nothing new.
    fn status(&mut self, page: &mut Page, agent: &str, status: &RawValue) {
        let object = Object::of(status);
        let word = string(status).map(String::from).or_else(|| object.as_ref()?.names().into_iter().next());
        let (status, cause) = match word.as_deref() {
            Some("completed") => (AgentStatus::Finished, "result"),
            Some("errored" | "failed") => (AgentStatus::Failed, "result"),
            Some("shutdown" | "interrupted" | "closed") => (AgentStatus::Cancelled, "stop"),
            _ => return,
        };
        end(page, self.named(agent), status, cause);
    }

    /// An agent by its thread, or by its path.
    fn named(&self, id: &str) -> Who {
        if id.starts_with('/') { Who::Named(Name { kind: NameKind::Namespace, id: id.into() }) } else { self.agent(id) }
    }

    pub(super) fn spawned(&mut self, page: &mut Page, event: &Object<'_>) {
        let Some(thread) = event.id("new_thread_id") else { return };
        let who = Who::runtime(thread);
        let parent = event.id("sender_thread_id").map_or_else(|| page.scribe.who.clone(), |sender| self.agent(&sender));
        let word = |name| event.word(name).map(String::from);
        let patch = AgentPatch {
            parent: Some(parent),
            call: word("call_id"),
            link: Some(Link::Exact),
            description: word("new_agent_nickname"),
            kind: word("new_agent_role"),
            model: word("model"),
            ..AgentPatch::default()
        };
        page.scribe.say(Op::Agent { who: who.clone(), patch });
        if let Some(text) = word("prompt") {
            page.scribe.say(Op::Prompt { who: who.clone(), text, images: Vec::new(), own: false, keys: Vec::new() });
        }
        page.scribe.say(Op::Begin { who, run: None, at: page.scribe.at });
    }

    /// The statuses that an event about other agents holds.
    pub(super) fn told_of(&mut self, page: &mut Page, event: &Object<'_>) {
        for agent in event.array("agent_statuses").into_iter().filter_map(Object::of) {
            if let (Some(thread), Some(status)) = (agent.id("thread_id"), agent.raw("status")) {
                self.status(page, &thread, status);
            }
        }
        self.statuses(page, event.object("statuses").as_ref());
        self.statuses(page, event.object("agents_states").as_ref());
        if let (Some(thread), Some(status)) = (event.id("receiver_thread_id"), event.raw("status")) {
            self.status(page, &thread, status);
        }
    }

    /// A further turn for an agent.
    pub(super) fn addressed(&mut self, page: &mut Page, event: &Object<'_>) {
        if let Some(thread) = event.id("receiver_thread_id") {
            let who = self.agent(&thread);
            page.scribe.say(Op::Begin { who, run: None, at: page.scribe.at });
        }
    }

    /// `<subagent_notification>{"agent_id":…,"status":…}`: how an agent has ended, said to the model.
    pub(super) fn notification(&mut self, page: &mut Page, text: &str) {
        let inner = text.trim().trim_start_matches("<subagent_notification>").trim_end_matches("</subagent_notification>").trim();
        if let Some(object) = Object::parse(inner)
            && let (Some(agent), Some(status)) = (object.id("agent_id").or_else(|| object.id("agent_path")), object.raw("status"))
        {
            self.status(page, &agent, status);
        }
        page.scribe.notice("task", "An agent has told its end", Some(inner.to_owned()));
    }
}

pub(super) fn end(page: &mut Page, who: Who, status: AgentStatus, cause: &str) {
    if who != Who::Main {
        page.scribe.say(Op::End { who, ending: Ending { status, cause: cause.into(), at: page.scribe.at, run: None, note: None } });
    }
}
