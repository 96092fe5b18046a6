//! Subagents live: their starts, their messages by number, their ends.

use crate::dialect::chain::{Message, Scribe, hash, usage};
use crate::dialect::json::Object;
use crate::dialect::langgraph::Came;
use crate::dialect::langgraph::stream::Teller;
use crate::model::{AgentPatch, AgentStatus, Ending, EntryState, Link, Name, NameKind, Op, Who};

/// What is said before a result, for the model.
const PREAMBLE: &str = "Task Succeeded. Result:";

/// The kind of a task's event; `None` for an event of something else.
pub fn kind<'a>(event: &Object<'a>) -> Option<std::borrow::Cow<'a, str>> {
    let kind = event.word("type")?;
    kind.strip_prefix("task_").is_some_and(|rest| rest == "started" || rest == "running" || ends(rest).is_some()).then_some(kind)
}

/// The end that a status tells, and its cause.
pub fn ends(status: &str) -> Option<(AgentStatus, &'static str)> {
    match status {
        "completed" => Some((AgentStatus::Finished, "explicit")),
        "failed" | "timed_out" | "polling_timed_out" => Some((AgentStatus::Failed, "explicit")),
        "cancelled" => Some((AgentStatus::Cancelled, "stop")),
        _ => None,
    }
}

/// A report without the words before it that are for the model.
pub fn report(text: &str) -> &str {
    text.trim_start().strip_prefix(PREAMBLE).map_or(text, str::trim_start)
}

impl Teller {
    pub fn task_event(&mut self, scribe: &mut Scribe, event: &Object<'_>) {
        let (Some(task), Some(kind)) = (event.word("task_id"), kind(event)) else { return scribe.opaque() };
        self.runs(scribe);
        let who = self.introduce(scribe, &task, event);
        match &*kind {
            // A task runs once: what tells of its start behind its end is late.
            "task_started" if self.own.elsewhere.iter().any(|(key, _)| *key == hash(&["end", &task])) => {}
            "task_started" => scribe.say(Op::Begin { who, run: None, at: scribe.at }),
            "task_running" => {
                if let Some(message) = event.raw("message").and_then(Message::read) {
                    self.task_message(scribe, &who, &task, &message, event.number("message_index"));
                }
            }
            kind => self.task_end(scribe, &task, kind.strip_prefix("task_").unwrap_or_default(), event),
        }
        self.count(scribe, &task, event.object("usage").as_ref());
    }

    /// The agent of a task, with what the event says of it.
    pub fn introduce(&mut self, scribe: &mut Scribe, task: &str, event: &Object<'_>) -> Who {
        let who = Who::call(task);
        let word = |name| event.word(name).map(String::from);
        let told = format!("{:?}{:?}", event.word("description"), event.word("model_name"));
        if self.news("task", task, &told) {
            let names = vec![Name { kind: NameKind::Runtime, id: task.into() }];
            let (description, model) = (word("description"), word("model_name"));
            let (call, link) = (Some(task.to_owned()), Some(Link::Exact));
            scribe
                .say(Op::Agent { who: who.clone(), patch: AgentPatch { names, call, link, description, model, ..AgentPatch::default() } });
        }
        who
    }

    /// A whole message of a subagent; its number names it where there is one.
    fn task_message(&mut self, scribe: &mut Scribe, who: &Who, task: &str, message: &Message<'_>, index: Option<u64>) {
        let id = index.map(|index| format!("step:{index}")).or_else(|| message.id.clone());
        let from = scribe.ops.len();
        self.tell(scribe, who, message, id.as_deref(), Came::Whole, None);
        let Some(index) = index else { return };
        let calls = scribe.ops.iter_mut().skip(from).filter_map(|op| if let Op::Call { keys, .. } = op { Some(keys) } else { None });
        for (at, keys) in calls.enumerate() {
            keys.push(step(task, index, at));
        }
    }

    /// The end of a task, however it is told.
    pub fn task_end(&mut self, scribe: &mut Scribe, task: &str, status: &str, event: &Object<'_>) {
        let Some((status, cause)) = ends(status) else { return scribe.opaque() };
        self.news("end", task, status.word());
        let who = Who::call(task);
        let (open, closed) = (self.own.voice.silence(Some(&who), EntryState::Done), self.is_answered(task));
        scribe.say_all(open);
        let ending = Ending { status, cause: cause.into(), at: scribe.at, run: None, note: Some(format!("end:{task}:{}", status.word())) };
        scribe.say(Op::End { who, ending });
        let said =
            event.word("result").map(|text| Ok(report(&text).to_owned())).or_else(|| event.word("error").map(|text| Err(text.into())));
        let Some(known) = self.own.task(task) else { return };
        known.ended = true;
        let owner = known.owner.clone();
        if let Some(result) = said.filter(|_| !closed) {
            let state = if result.is_ok() { EntryState::Done } else { EntryState::Failed };
            scribe.say(Op::Result { who: owner, call: task.into(), result, images: Vec::new(), state });
        }
    }

    /// A counter of all so far.
    pub fn count(&mut self, scribe: &mut Scribe, task: &str, counts: Option<&Object<'_>>) {
        if let Some(usage) = counts.and_then(usage) {
            scribe.say(Op::Total { who: Who::call(task), usage: Some(usage), tool_calls: None });
        }
    }
}

/// The key of the call that stands at this place in a step of a task.
pub fn step(task: &str, index: u64, at: usize) -> String {
    format!("step:{task}:{index}:{at}")
}
