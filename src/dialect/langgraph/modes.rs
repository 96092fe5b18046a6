//! Frames by their mode: what each tells.

use serde_json::value::RawValue;

use super::asks::form;
use super::memory::{ASKS, SPACES};
use super::spaces::{checkpoint, path};
use super::stream::Teller;
use crate::dialect::chain::{Frame, Hash, Kind, Message, Scribe, Voice, hash, messages, push, result, todos, usage};
use crate::dialect::json::{Object, array};
use crate::model::{
    AgentPatch, AgentStatus, Ask, AskState, Body, Ending, EntryState, Link, Op, SessionPatch, TitleFrom, Todo, ToolPatch, WaitingOn, Who,
};

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
        let word = |name| error.and_then(|error| error.word(name)).map(String::from);
        let (name, said) = (word("error"), word("message"));
        let text = said.clone().or_else(|| name.clone()).unwrap_or_else(|| "The run failed.".into());
        let detail = name.filter(|_| said.is_some()).or_else(|| error.is_none().then(|| data.to_owned()).filter(|data| !data.is_empty()));
        let key = format!("error:{}:{:?}", self.own.run.as_deref().unwrap_or_default(), hash(&[data]));
        scribe.notice(Who::Main, key, "error", text, detail);
        self.ends(scribe, Some("error".into()));
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

    /// `[message, metadata]`, or a list of messages.
    fn message(&mut self, scribe: &mut Scribe, segments: &[&str], data: &str, came: Came) {
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

    fn model(&mut self, scribe: &mut Scribe, who: &Who, model: String) {
        if self.news("model", &format!("{who:?}"), &model) {
            scribe.say(Op::Agent { who: who.clone(), patch: AgentPatch { model: Some(model), ..AgentPatch::default() } });
        }
    }

    /// A user's words. A server may echo them under the id with `__user` behind it: they are told once.
    fn human(&mut self, scribe: &mut Scribe, who: &Who, message: &Message<'_>, id: Option<&str>) {
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
    fn aside(&mut self, scribe: &mut Scribe, who: &Who, values: &Object<'_>) {
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
    fn updates(&mut self, scribe: &mut Scribe, path: &str, updates: &Object<'_>) {
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

    /// The state of a thread, as it is kept.
    fn thread_state(&mut self, scribe: &mut Scribe, state: &Object<'_>) {
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
