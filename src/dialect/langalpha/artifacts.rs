//! Artifacts: tasks that begin or go on, todo lists, files.

use crate::dialect::chain::{Scribe, push, todos};
use crate::dialect::json::Object;
use crate::dialect::langgraph::listed;
use crate::dialect::langgraph::stream::Teller;
use crate::model::{AgentPatch, Body, EntryState, Link, Op, Who};

impl Teller {
    pub fn artifact(&mut self, scribe: &mut Scribe, event: &Object<'_>) {
        let kind = event.word("artifact_type").unwrap_or_default();
        scribe.named(&format!("artifact/{kind}"));
        let Some(payload) = event.object("payload") else { return };
        match &*kind {
            "task" => self.task_artifact(scribe, event, &payload),
            "todo_update" => self.todo_artifact(scribe, event, &payload),
            _ => {}
        }
    }

    fn task_artifact(&mut self, scribe: &mut Scribe, event: &Object<'_>, payload: &Object<'_>) {
        let named = event.word("artifact_id").and_then(|id| id.strip_prefix("task:").map(String::from));
        let Some(id) = payload.word("task_id").map(String::from).or(named) else { return scribe.opaque() };
        let parent = self.speaker(scribe, event);
        let action = payload.word("action").unwrap_or_else(|| "init".into());
        let who = Who::runtime(&id);
        scribe.say(Op::Apart);
        if action == "init" {
            let word = |name| payload.word(name).map(String::from);
            let patch = AgentPatch {
                parent: Some(parent),
                link: Some(Link::Exact),
                description: word("description"),
                kind: word("type"),
                ..AgentPatch::default()
            };
            scribe.say(Op::Agent { who: who.clone(), patch });
            if let Some(text) = word("prompt") {
                scribe.say(Op::Prompt { who: who.clone(), text, images: Vec::new(), own: false, keys: Vec::new() });
            }
            if let Some(call) = event.word("tool_call_id").or_else(|| payload.word("tool_call_id")) {
                self.bound(scribe, &id, &call, Link::Exact);
            }
        }
        // Words to one that works begin nothing; nor does an announcement that comes behind the end of what it announces.
        let child = self.known(&id);
        let begins = match child.ended {
            None => true,
            Some(false) => action == "resume",
            Some(true) => action != "init",
        };
        if begins {
            child.runs += u32::from(child.ended == Some(true));
            child.ended = Some(false);
            scribe.say(Op::Begin { who, run: None, at: scribe.at });
        }
    }

    fn todo_artifact(&mut self, scribe: &mut Scribe, event: &Object<'_>, payload: &Object<'_>) {
        let who = self.speaker(scribe, event);
        let Some(items) = payload.raw("todos").and_then(todos) else { return };
        let (whose, list) = listed(&who, &items);
        if self.own.todos.iter().rev().find(|(of, _)| *of == whose).is_some_and(|(_, last)| *last == list) {
            return;
        }
        push(&mut self.own.todos, 64, (whose, list));
        let id = event.word("artifact_id").map_or_else(|| format!("{list:?}"), Into::into);
        let body = Body::Todos { items, call: None };
        scribe.say(Op::Entry { who, keys: vec![format!("todos:{id}")], body, state: EntryState::Done, images: Vec::new() });
    }
}
