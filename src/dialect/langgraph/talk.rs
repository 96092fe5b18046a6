//! Messages in the transcript of whoever says them: what the agent says, what the person says, what tools answer.

use serde_json::value::RawValue;

use super::asks::form;
use super::memory::{ASKS, SPACES};
use super::spaces::{checkpoint, path};
use super::stream::Teller;
use crate::dialect::chain::{Kind, Message, Scribe, Voice, hash, push, result, usage};
use crate::dialect::json::Object;
use crate::model::{AgentPatch, AgentStatus, Ask, AskState, Body, EntryState, Op, ToolPatch, WaitingOn, Who};

/// How a message came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Came {
    /// By itself; a chunk is a chunk.
    Alone,
    /// As it is so far.
    Partly,
    /// Whole, or in a state.
    Whole,
}

impl Teller {
    /// `[message, metadata]`, or a list of messages.
    pub(super) fn message(&mut self, scribe: &mut Scribe, segments: &[&str], data: &str, came: Came) {
        let elements: Vec<&RawValue> = serde_json::from_str(data).unwrap_or_default();
        let read: Vec<Message<'_>> = elements.iter().filter_map(|raw| Message::read(raw)).collect();
        if read.is_empty() {
            return scribe.opaque();
        }
        let metadata = if came == Came::Alone { elements.get(1).and_then(|raw| Object::of(raw)) } else { None };
        let word = |name| metadata.as_ref().and_then(|metadata| metadata.word(name)).map(String::from);
        let namespace = word("langgraph_checkpoint_ns").or_else(|| word("checkpoint_ns")).unwrap_or_default();
        let path = if segments.is_empty() { checkpoint(&namespace) } else { path(segments) };
        let who = self.agent(scribe, &path, word("lc_agent_name").filter(|_| !path.is_empty()));
        if let Some(run) = word("run_id").filter(|_| self.own.run.is_none()) {
            self.own.run = Some(run);
        }
        let model = word("ls_model_name").filter(|_| came == Came::Alone);
        for message in read {
            self.tell(scribe, &who, &message, message.id.as_deref(), came, model.clone());
        }
    }

    /// One message in the transcript of `who`.
    pub fn tell(&mut self, scribe: &mut Scribe, who: &Who, message: &Message<'_>, id: Option<&str>, came: Came, model: Option<String>) {
        let (run, from) = (self.own.run(), scribe.ops.len());
        match message.kind {
            Kind::Ai if message.chunk && came == Came::Alone => {
                self.settle(scribe, AskState::Answered);
                let told = self.own.voice.chunk(run, who, id, message);
                scribe.say_all(told);
            }
            Kind::Ai => {
                let state = if came == Came::Partly { EntryState::Open } else { EntryState::Done };
                let id = id.map_or_else(|| Voice::names(std::slice::from_ref(message)).concat(), Into::into);
                let told = self.own.voice.whole(run, who, &id, message, state);
                if !told.is_empty() {
                    self.settle(scribe, AskState::Answered);
                }
                scribe.say_all(told);
            }
            Kind::Human => self.human(scribe, who, message, id),
            Kind::Tool => self.tool_message(scribe, who, message),
            Kind::Remove => {
                if let Some(id) = id.filter(|id| *id != "__remove_all__") {
                    let taken = self.own.voice.remove(who, id);
                    scribe.say(taken);
                }
            }
            Kind::System => {}
        }
        if scribe.ops.len() > from && message.kind == Kind::Ai {
            if *who == Who::Main {
                self.runs(scribe);
            }
            if let Some(model) = message.model().filter(|_| !message.chunk).or(model) {
                self.model(scribe, who, model);
            }
            self.note_tasks(scribe, from);
        }
    }

    pub(super) fn model(&mut self, scribe: &mut Scribe, who: &Who, model: String) {
        if self.news("model", &format!("{who:?}"), &model) {
            scribe.say(Op::Agent { who: who.clone(), patch: AgentPatch { model: Some(model), ..AgentPatch::default() } });
        }
    }

    /// A user's words. A server may echo them under the id with `__user` behind it: they are told once.
    pub(super) fn human(&mut self, scribe: &mut Scribe, who: &Who, message: &Message<'_>, id: Option<&str>) {
        let (text, images) = message.body.raw("content").map(crate::dialect::chain::text_of).unwrap_or_default();
        let id = id.map_or_else(|| Voice::names(std::slice::from_ref(message)).concat(), |id| id.trim_end_matches("__user").to_owned());
        let run = self.own.run();
        let Some(key) = self.own.voice.heard(run, who, &id, &text) else { return };
        if *who == Who::Main {
            self.settle(scribe, AskState::Withdrawn);
            for call in std::mem::take(&mut self.own.questions) {
                let result = Ok(text.clone());
                scribe.say(Op::Result { who: Who::Main, call, result, images: Vec::new(), state: EntryState::Done });
                scribe.say(Op::Waiting { who: Who::Main, on: None });
            }
            let body = Body::User { text: text.into(), images: Vec::new(), origin: None };
            scribe.say(Op::Entry { who: Who::Main, keys: vec![key], body, state: EntryState::Done, images });
        } else {
            scribe.say(Op::Prompt { who: who.clone(), text: text.clone(), images, own: true, keys: vec![key] });
            self.prompted(scribe, who, &text);
        }
    }

    /// A tool's result. That of a call which started an agent is its end; that of a question only repeats it.
    pub fn tool_message(&mut self, scribe: &mut Scribe, who: &Who, message: &Message<'_>) {
        let Some(call) = message.word("tool_call_id") else { return };
        let kwargs = message.body.object("additional_kwargs");
        let word = |name| kwargs.as_ref().and_then(|kwargs| kwargs.word(name));
        let ends = word("subagent_status").and_then(|status| crate::dialect::deerflow::ends(&status));
        let failed = match ends {
            Some((status, _)) => status != AgentStatus::Finished,
            None => message.word("status").as_deref() == Some("error"),
        };
        let content = message.body.raw("content");
        if !self.news("result", &call, &format!("{failed}{}", content.map_or("", |raw| raw.get()))) {
            return;
        }
        self.settle(scribe, AskState::Answered);
        let (from, asked) = (scribe.ops.len(), self.own.voice.complete(Some(&call)));
        scribe.say_all(asked);
        self.note_tasks(scribe, from);
        let input = message.body.object("artifact").and_then(|artifact| artifact.object("human_input"));
        if let Some(input) = &input {
            let body = Body::Ask(Box::new(Ask { call: Some(call.clone()), ..form(input) }));
            let patch = ToolPatch { instead: Some(body), ..ToolPatch::default() };
            scribe.say(Op::Call { who: who.clone(), call: call.clone(), keys: Vec::new(), patch });
            if !self.own.questions.contains(&call) {
                push(&mut self.own.questions, ASKS, call.clone());
            }
        }
        if self.own.questions.contains(&call) {
            return scribe.say(Op::Waiting { who: Who::Main, on: Some(WaitingOn::Person) });
        }
        let mut said = result(who, &call, content, failed);
        if let Op::Result { result: Ok(text), .. } = &mut said
            && self.own.task(&call).is_some()
        {
            *text = crate::dialect::deerflow::report(text).to_owned();
        }
        scribe.say(said);
        let status = match ends {
            Some((status, _)) => status,
            None if failed => AgentStatus::Failed,
            None => AgentStatus::Finished,
        };
        let cause = word("subagent_stop_reason").map_or_else(|| "result".into(), |reason| format!("result, {}", reason.replace('_', " ")));
        self.task_ends(scribe, &call, status, &cause);
        if ends.is_some() {
            let usage = kwargs.as_ref().and_then(|kwargs| kwargs.object("subagent_token_usage")).and_then(|counts| usage(&counts));
            scribe.say(Op::Total { who: Who::call(&call), usage, tool_calls: None });
        }
    }

    /// True unless this is what was said of it last; remembers it.
    pub fn news(&mut self, what: &str, whose: &str, said: &str) -> bool {
        let (key, said) = (hash(&[what, whose]), hash(&[said]));
        if self.own.elsewhere.contains(&(key, said)) {
            return false;
        }
        self.own.elsewhere.retain(|(known, _)| *known != key);
        push(&mut self.own.elsewhere, 2 * SPACES, (key, said));
        true
    }

    /// True if the call has its result.
    pub fn is_answered(&self, call: &str) -> bool {
        self.own.elsewhere.iter().any(|(key, _)| *key == hash(&["result", call]))
    }
}
