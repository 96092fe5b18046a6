//! States and what nodes add to them: messages again, lists, titles, agents elsewhere.

use serde_json::value::RawValue;

use super::stream::Teller;
use super::talk::Came;
use crate::dialect::chain::{Hash, Kind, Scribe, Voice, hash, messages, push, todos};
use crate::dialect::json::{Object, array};
use crate::model::{AgentPatch, AgentStatus, Body, Ending, EntryState, Link, Op, SessionPatch, TitleFrom, Todo, Who};

impl Teller {
    /// The state of a graph, whole.
    pub fn state(&mut self, scribe: &mut Scribe, path: &str, values: &Object<'_>) {
        let who = self.agent(scribe, path, None);
        if let Some(list) = values.raw("messages").map(messages) {
            let names = Voice::names(&list);
            for (message, name) in list.iter().zip(names) {
                self.tell(scribe, &who, message, Some(&name), Came::Whole, None);
            }
        }
        self.aside(scribe, &who, values);
    }

    /// What a state or an update holds beside its messages.
    pub(super) fn aside(&mut self, scribe: &mut Scribe, who: &Who, values: &Object<'_>) {
        if let Some(list) = values.raw("__interrupt__") {
            self.interrupts(scribe, who, list);
        }
        if let Some(title) = values.word("title").filter(|_| *who == Who::Main) {
            let patch = SessionPatch { title: Some((TitleFrom::Generated, title.into())), ..SessionPatch::default() };
            let told = (hash(&["title"]), hash(&[&format!("{patch:?}")]));
            if !self.own.todos.contains(&told) {
                push(&mut self.own.todos, 64, told);
                scribe.say(Op::Session(patch));
            }
        }
        if let Some(raw) = values.raw("todos") {
            self.todo_list(scribe, who, raw);
        }
        if let Some(tasks) = values.object("async_tasks") {
            self.async_tasks(scribe, who, &tasks);
        }
    }

    /// The list as the state has it: an entry where no call has written it so.
    fn todo_list(&mut self, scribe: &mut Scribe, who: &Who, raw: &RawValue) {
        let Some(items) = todos(raw).filter(|items| !items.is_empty()) else { return };
        let (whose, list) = listed(who, &items);
        let last = self.own.todos.iter().rev().find(|(of, _)| *of == whose).map(|(_, list)| *list);
        if last == Some(list) {
            return;
        }
        push(&mut self.own.todos, 64, (whose, list));
        let keys = vec![format!("todos:{whose:?}:{:?}:{list:?}", last.unwrap_or_default())];
        let body = Body::Todos { items, call: None };
        scribe.say(Op::Entry { who: who.clone(), keys, body, state: EntryState::Done, images: Vec::new() });
    }

    /// Agents that run elsewhere: the state tells how they are.
    fn async_tasks(&mut self, scribe: &mut Scribe, who: &Who, tasks: &Object<'_>) {
        for (id, raw) in tasks.pairs() {
            let Some(task) = Object::of(raw) else { continue };
            let status = task.word("status").unwrap_or_default();
            if !self.news("async", id, &status) {
                continue;
            }
            let kind = task.word("agent_name").map(Into::into);
            let agent = Who::runtime(id);
            let patch = AgentPatch { kind, parent: Some(who.clone()), link: Some(Link::Later), ..AgentPatch::default() };
            scribe.say(Op::Agent { who: agent.clone(), patch });
            let end = match &*status {
                "success" | "completed" => Some((AgentStatus::Finished, "explicit")),
                "error" | "failed" | "timeout" => Some((AgentStatus::Failed, "explicit")),
                "cancelled" | "interrupted" => Some((AgentStatus::Cancelled, "stop")),
                _ => None,
            };
            match end {
                Some((status, cause)) => {
                    let note = Some(format!("async:{id}:{}", status.word()));
                    let ending = Ending { status, cause: cause.into(), at: scribe.at, run: None, note };
                    scribe.say(Op::End { who: agent, ending });
                }
                None => scribe.say(Op::Begin { who: agent, run: task.word("run_id").map(Into::into), at: scribe.at }),
            }
        }
    }

    /// What nodes have added to the state.
    pub(super) fn updates(&mut self, scribe: &mut Scribe, path: &str, updates: &Object<'_>) {
        let who = self.agent(scribe, path, None);
        if let Some(list) = updates.raw("__interrupt__") {
            self.interrupts(scribe, &who, list);
        }
        // An interrupt is no node.
        for (_, raw) in updates.pairs().filter(|(node, _)| *node != "__interrupt__") {
            let parts = array(raw).unwrap_or_else(|| vec![raw]);
            for update in parts.into_iter().filter_map(Object::of) {
                let list = update.raw("messages").map(messages).unwrap_or_default();
                let cleared = list.iter().any(|message| message.kind == Kind::Remove && message.id.as_deref() == Some("__remove_all__"));
                if cleared {
                    let key = format!("cleared:{:?}", hash(&[update.raw("messages").map_or("", |raw| raw.get())]));
                    scribe.notice(who.clone(), key, "compaction", "The history was written anew", None);
                }
                for (message, name) in list.iter().zip(Voice::names(&list)) {
                    // What a compaction writes in the place of the history is no turn.
                    if !(cleared && message.kind == Kind::Human) {
                        self.tell(scribe, &who, message, Some(&name), Came::Whole, None);
                    }
                }
                self.aside(scribe, &who, &update);
            }
        }
    }

    /// The state of a thread, as it is kept.
    pub(super) fn thread_state(&mut self, scribe: &mut Scribe, state: &Object<'_>) {
        scribe.at = state.word("created_at").and_then(|at| crate::model::parse_time(&at));
        if let Some(values) = state.object("values") {
            self.state(scribe, "", &values);
        }
        let interrupts = state.raw("interrupts");
        if let Some(list) = interrupts {
            self.interrupts(scribe, &Who::Main, list);
        }
        if state.array("next").is_empty() {
            self.own.in_turn = false;
            scribe.say(Op::Turn { ended: true });
        }
    }
}

/// Whose list it is, and what it says.
pub fn listed(who: &Who, items: &[Todo]) -> (Hash, Hash) {
    (hash(&["todos", &format!("{who:?}")]), hash(&[&format!("{items:?}")]))
}
