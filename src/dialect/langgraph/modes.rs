//! Frames by their mode: what each tells.

use serde_json::value::RawValue;

use super::spaces::path;
use super::stream::Teller;
use super::talk::Came;
use crate::dialect::chain::{Frame, Scribe, hash};
use crate::dialect::json::{Object, array};
use crate::model::{EntryState, Link, Op, Who};

impl Teller {
    pub fn frame(&mut self, scribe: &mut Scribe, frame: &Frame<'_>) {
        let mut segments = frame.name.split('|');
        let mode = segments.next().unwrap_or_default();
        let segments: Vec<&str> = segments.collect();
        let object = Object::parse(&frame.data);
        if let Some(params) = object.as_ref().filter(|object| object.raw("method").is_some()).and_then(|object| object.object("params")) {
            let method = object.as_ref().and_then(|object| object.word("method")).unwrap_or_default();
            return self.event(scribe, &method, &params);
        }
        let path = path(&segments);
        match (mode, &object) {
            ("metadata", Some(object)) => self.begins(scribe, object.word("run_id").map(Into::into)),
            ("values", Some(values)) => self.state(scribe, &path, values),
            ("updates", Some(updates)) => self.updates(scribe, &path, updates),
            ("messages", _) => self.message(scribe, &segments, &frame.data, Came::Alone),
            ("messages/partial", _) => self.message(scribe, &segments, &frame.data, Came::Partly),
            ("messages/complete", _) => self.message(scribe, &segments, &frame.data, Came::Whole),
            ("tools", Some(event)) => self.tool_event(scribe, &segments, event),
            ("tasks", Some(task)) => self.pregel(scribe, &path, task),
            ("error", _) => self.fails(scribe, object.as_ref(), &frame.data),
            ("end", _) => self.ends(scribe, object.and_then(|end| end.word("status").map(Into::into))),
            ("custom", _) => self.custom(scribe, &path, frame),
            ("", Some(state)) if super::is_state(Some(state)) => self.thread_state(scribe, state),
            ("messages/metadata" | "checkpoints" | "debug" | "events" | "feedback" | "heartbeat" | "ping", _) => {}
            ("metadata" | "values" | "updates" | "tasks", None) if frame.data.is_empty() || frame.data == "null" => {}
            _ => scribe.opaque(),
        }
    }

    /// A run begins, or its frames come from the beginning again.
    pub fn begins(&mut self, scribe: &mut Scribe, run: Option<String>) {
        if run.is_some() && run == self.own.run {
            let hash = self.own.run();
            self.own.voice.again(hash);
            return;
        }
        if self.own.run.is_some() && self.own.asks.is_empty() {
            self.tasks_stop(scribe, false);
        }
        self.own.run = run.or(self.own.run.take());
        self.own.in_turn = false;
        self.runs(scribe);
    }

    /// The main agent's turn goes on.
    pub fn runs(&mut self, scribe: &mut Scribe) {
        if !std::mem::replace(&mut self.own.in_turn, true) {
            scribe.say(Op::Turn { ended: false });
        }
    }

    pub fn ends(&mut self, scribe: &mut Scribe, status: Option<String>) {
        let died = status.as_deref().is_some_and(|status| matches!(status, "error" | "failed" | "timeout"));
        let closing = self.own.voice.silence(None, if died { EntryState::Failed } else { EntryState::Done });
        scribe.say_all(closing);
        if self.own.asks.is_empty() {
            self.tasks_stop(scribe, died);
        }
        self.own.in_turn = false;
        scribe.say(Op::Turn { ended: true });
    }

    pub fn fails(&mut self, scribe: &mut Scribe, error: Option<&Object<'_>>, data: &str) {
        self.faulted(scribe, Who::Main, error, data);
        self.ends(scribe, Some("error".into()));
    }

    /// What went wrong, in the transcript of `who`.
    pub fn faulted(&self, scribe: &mut Scribe, who: Who, error: Option<&Object<'_>>, data: &str) {
        let word = |name| error.and_then(|error| error.word(name)).map(String::from);
        let (name, said) = (word("error"), word("message"));
        let text = said.clone().or_else(|| name.clone()).unwrap_or_else(|| "The run failed.".into());
        let detail = name.filter(|_| said.is_some()).or_else(|| error.is_none().then(|| data.to_owned()).filter(|data| !data.is_empty()));
        let key = format!("error:{}:{:?}", self.own.run.as_deref().unwrap_or_default(), hash(&[data]));
        scribe.notice(who, key, "error", text, detail);
    }

    /// What the graph itself has written: nobody knows its meaning, so it is shown as it is.
    pub fn custom(&mut self, scribe: &mut Scribe, path: &str, frame: &Frame<'_>) {
        if frame.data.is_empty() || frame.data == "null" {
            return;
        }
        let who = self.agent(scribe, path, None);
        let kind = Object::parse(&frame.data).and_then(|object| object.word("type").map(String::from));
        let run = self.own.run();
        let key = format!("custom:{run:?}:{}:{:?}", frame.id.as_deref().unwrap_or_default(), hash(&[&frame.data]));
        scribe.notice(who, key, "custom", kind.unwrap_or_else(|| "An event of the graph's own".into()), Some(frame.data.to_string()));
    }

    /// A step of the graph's engine: a tool step's id is its namespace, and its input names the call.
    fn pregel(&mut self, scribe: &mut Scribe, path: &str, task: &Object<'_>) {
        let (Some(id), Some("tools")) = (task.word("id"), task.word("name").as_deref()) else { return };
        let calls = task.raw("input").map(called).unwrap_or_default();
        if let [call] = calls.as_slice()
            && self.own.task(call).is_some()
        {
            let path = if path.is_empty() { format!("tools:{id}") } else { format!("{path}|tools:{id}") };
            self.bind(scribe, &path, call, Link::Exact);
        }
    }
}

/// The ids of the calls in a tool step's input.
fn called(input: &RawValue) -> Vec<String> {
    if let Some(all) = array(input) {
        return all.into_iter().flat_map(called).collect();
    }
    let Some(object) = Object::of(input) else { return Vec::new() };
    if let Some(inner) = object.raw("tool_call") {
        return called(inner);
    }
    object.word("id").filter(|_| object.raw("name").is_some()).map(Into::into).into_iter().collect()
}
