//! Tasks: agents that start, go on behind their call, and end.
//!
//! An end is what a notification says, or an update that says failed or killed; an update that says completed has its
//! notification still to come. All shapes of one end are one note, in the transcript of whoever started the task: none where
//! the call's own result reports it.

use super::Teller;
use super::memory::Task;
use crate::dialect::claude::agents::task_end;
use crate::dialect::claude::scribe::Scribe;
use crate::dialect::json::Object;
use crate::model::{AgentPatch, Ending, Hash64, Link, Ms, Name, NameKind, Op, Who};

impl Teller {
    pub(super) fn task_started(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        let (call, id) = (object.word("tool_use_id"), object.word("task_id"));
        let run = object.word("run_id").map(String::from);
        let task = self.own.task(call.as_deref(), id.as_deref());
        task.background |= object.flag("is_backgrounded");
        task.other = !is_agent(object);
        // Numbers of runs rise: a smaller one tells of what has been.
        let late = task.run.is_some() && run < task.run;
        if !late {
            task.run.clone_from(&run);
            task.ended_at = None;
        }
        if task.other {
            return;
        }
        let Some(who) = task.who() else { return scribe.opaque() };
        self.describe(scribe, object, &who);
        if let Some(text) = object.word("prompt") {
            scribe.say(Op::Prompt { who: who.clone(), text: text.into(), images: Vec::new(), own: false, keys: Vec::new() });
        }
        if !late {
            scribe.say(Op::Begin { who, run, at: scribe.at });
        }
    }

    /// What a task line says of the agent.
    fn describe(&mut self, scribe: &mut Scribe, object: &Object<'_>, who: &Who) {
        let word = |name| object.word(name).map(String::from);
        let call = word("tool_use_id");
        let id = word("task_id");
        let parent =
            word("parent_task_id").map(|parent| self.own.known(&parent).and_then(Task::who).unwrap_or_else(|| Who::runtime(parent)));
        if let Some(parent) = &parent {
            self.own.task(call.as_deref(), id.as_deref()).owner.get_or_insert_with(|| parent.clone());
        }
        let link = (call.is_some() || parent.is_some()).then_some(Link::Exact);
        let hidden = (object.flag("ambient") || object.flag("skip_transcript")).then_some(true);
        if let Some(id) = &id {
            self.disk.memory.launched(id);
        }
        let own = id.as_ref().map(Who::runtime);
        let names = id.map(|id| Name { kind: NameKind::Runtime, id }).into_iter().collect();
        scribe.say(Op::Agent { who: who.clone(), patch: AgentPatch { names, parent, call, link, hidden, ..AgentPatch::default() } });
        // The call's own words about it go before these, whichever come first.
        let (description, kind) = (word("description"), word("subagent_type"));
        let patch = AgentPatch { description, kind, ..AgentPatch::default() };
        scribe.say(Op::Agent { who: own.unwrap_or_else(|| who.clone()), patch });
    }

    pub(super) fn task_progress(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        if let Some(who) = self.agent_of(object) {
            let usage = object.object("usage");
            let tool_calls = usage.and_then(|usage| usage.number("tool_uses"));
            scribe.say(Op::Total { who, usage: None, tool_calls });
        }
    }

    pub(super) fn task_updated(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        let Some(patch) = object.object("patch") else { return };
        let task = self.own.task(object.word("tool_use_id").as_deref(), object.word("task_id").as_deref());
        task.background |= patch.flag("is_backgrounded");
        task.ended_at = patch.number("end_time").and_then(|at| Ms::try_from(at).ok()).or(task.ended_at);
        if task.other {
            return;
        }
        let description = patch.word("description").map(String::from);
        if let (Some(who), Some(description)) = (task.who(), description) {
            let patch = AgentPatch { description: Some(description), ..AgentPatch::default() };
            scribe.say(Op::Agent { who, patch });
        }
        let status = patch.word("status").unwrap_or_default();
        if matches!(&*status, "failed" | "killed") {
            self.end(scribe, object, &status, patch.word("error").as_deref(), "update");
        }
    }

    pub(super) fn task_notification(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        self.task_progress(scribe, object);
        let status = object.word("status").unwrap_or_default();
        self.end(scribe, object, &status, object.word("summary").as_deref(), "notification");
    }

    /// The end of a task, in one of its shapes.
    fn end(&mut self, scribe: &mut Scribe, object: &Object<'_>, status: &str, said: Option<&str>, shape: &str) {
        let Some((status, cause)) = task_end(status) else { return };
        let id = object.word("task_id").map(String::from);
        let task = self.own.task(object.word("tool_use_id").as_deref(), id.as_deref());
        let (at, run, owner) = (task.ended_at.or(scribe.at), task.run.clone(), task.owner.clone().unwrap_or(Who::Main));
        let reported = !task.background && !task.answered && task.call.is_some();
        let other = task.other;
        let Some(who) = task.who() else { return };
        let told = Hash64::of(scribe.base.as_bytes());
        let note = self.disk.memory.note(shape, id.as_deref().unwrap_or_default(), status.word(), told);
        if !other {
            let ending = Ending { status, cause: cause.into(), at, run, note: Some(note.clone()) };
            scribe.say(Op::End { who, ending });
        }
        if !reported {
            let text = said.map_or_else(|| format!("A task in the background has ended: {}.", status.word()), String::from);
            scribe.who = owner;
            scribe.notice_as("task", text, None, Some(note));
        }
    }

    /// All that runs in the background: who is not named yet is made, who is missing has not ended by that.
    pub(super) fn background(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        for task in object.array("tasks").into_iter().filter_map(Object::of).filter(is_agent) {
            let Some(id) = task.word("task_id") else { continue };
            let known = self.own.task(None, Some(&id));
            known.background = true;
            if let Some(who) = known.who() {
                self.describe(scribe, &task, &who);
            }
        }
    }

    /// The agent that a task line speaks of.
    fn agent_of(&mut self, object: &Object<'_>) -> Option<Who> {
        let (call, id) = (object.word("tool_use_id"), object.word("task_id"));
        let task = self.own.task(call.as_deref(), id.as_deref());
        if task.other { None } else { task.who() }
    }
}

/// True for a task that is an agent, or that does not say what it is.
fn is_agent(object: &Object<'_>) -> bool {
    object.word("task_type").is_none_or(|kind| kind == "local_agent")
}
