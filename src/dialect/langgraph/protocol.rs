//! The newer protocol: events with a method, a namespace and a time.
//!
//! The namespaces of messages and tools end with the node itself, so that `["tools:x"]` alone is a tool's step and no agent.

use super::memory::{Current, SPACES};
use super::spaces::path;
use super::stream::Teller;
use crate::dialect::chain::{Block, Call, CallChunk, Scribe, call, push, result, usage};
use crate::dialect::json::{Object, string};
use crate::model::{AgentStatus, Link, Ms, Op, Who};

impl Teller {
    pub fn event(&mut self, scribe: &mut Scribe, method: &str, params: &Object<'_>) {
        scribe.at = params.number("timestamp").and_then(|at| Ms::try_from(at).ok());
        let names: Vec<String> = params.array("namespace").into_iter().filter_map(string).map(Into::into).collect();
        let segments: Vec<&str> = names.iter().map(String::as_str).collect();
        let node = segments.split_last().map_or(&[][..], |(_, rest)| rest);
        let Some(data) = params.object("data") else { return scribe.opaque() };
        match method {
            "lifecycle" => self.lifecycle(scribe, &segments, &data),
            "values" => self.state(scribe, &path(&segments), &data),
            "messages" => {
                let kind = data.word("agent_name").or_else(|| data.word("lc_agent_name")).map(Into::into);
                let who = self.agent(scribe, &path(node), kind);
                self.message_event(scribe, &who, &segments.join("|"), &data);
            }
            "tools" => self.tool_event(scribe, &segments, &data),
            "custom" => {
                let raw = params.raw("data").map_or("", |raw| raw.get());
                let frame = crate::dialect::chain::Frame { name: "custom".into(), id: None, data: raw.into() };
                self.custom(scribe, &path(&segments), &frame);
            }
            "updates" | "checkpoints" | "tasks" | "debug" => {}
            "input" | "interrupts" => match data.raw("interrupts").or_else(|| data.raw("__interrupt__")) {
                Some(list) => {
                    let who = self.agent(scribe, &path(&segments), None);
                    self.interrupts(scribe, &who, list);
                }
                None => {
                    let who = self.agent(scribe, &path(&segments), None);
                    if let Some(id) = data.word("interrupt_id").or_else(|| data.word("id")) {
                        let body = data.raw("value").or_else(|| data.raw("payload")).map(super::asks::ask).unwrap_or_default();
                        self.ask(scribe, &who, id.into(), body);
                    }
                }
            },
            _ => scribe.opaque(),
        }
    }

    fn lifecycle(&mut self, scribe: &mut Scribe, segments: &[&str], data: &Object<'_>) {
        let event = data.word("event").unwrap_or_default();
        if !segments.is_empty() {
            return;
        }
        match &*event {
            "running" | "started" => {
                self.own.in_turn = false;
                self.runs(scribe);
            }
            "completed" | "interrupted" => self.ends(scribe, None),
            "failed" => self.fails(scribe, Some(data), ""),
            "cancelled" => self.ends(scribe, Some("error".into())),
            _ => {}
        }
    }

    fn message_event(&mut self, scribe: &mut Scribe, who: &Who, space: &str, data: &Object<'_>) {
        let (run, from) = (self.own.run(), scribe.ops.len());
        let event = data.word("event").unwrap_or_default();
        if event == "message-start" {
            let id = data.word("id").map_or_else(|| format!("{space}:{}", data.word("run_id").unwrap_or_default()), Into::into);
            let result = data.word("tool_call_id").map(Into::into);
            self.own.current.retain(|current| current.space != space);
            push(&mut self.own.current, SPACES, Current { space: space.into(), id, result });
            return;
        }
        let Some(Current { id, result: of, .. }) = self.own.current.iter().rev().find(|current| current.space == space).cloned() else {
            return;
        };
        let index = data.number("index");
        let content = data.object("content");
        if let Some(of) = of {
            // A message of a tool says its result again.
            let text = content.filter(|_| event == "content-block-finish").and_then(|content| content.raw("text"));
            if let Some(text) = text.filter(|_| !self.own.elsewhere.contains(&told(&of))) {
                push(&mut self.own.elsewhere, 2 * SPACES, told(&of));
                scribe.say(result(who, &of, Some(text), false));
            }
            return;
        }
        let told = match &*event {
            "content-block-start" => match content.as_ref().and_then(call_head) {
                Some((call, name)) => {
                    let chunk = CallChunk { index, id: Some(call), name: Some(name), args: String::new() };
                    self.own.voice.grow(run, who, &id, chunk)
                }
                None => Vec::new(),
            },
            "content-block-delta" => {
                let delta = data.object("delta");
                let part = |kind: &str, name: &str| {
                    let delta = delta.as_ref().filter(|delta| delta.word("type").as_deref() == Some(kind))?;
                    delta.text(name).or_else(|| delta.text("text")).map(String::from)
                };
                let (text, thought) = (part("text-delta", "text"), part("reasoning-delta", "reasoning"));
                let reasoning = thought.is_some();
                let block = thought.or(text).map(|text| Block { index, reasoning, text });
                block.map(|block| self.own.voice.speak(run, who, &id, block)).unwrap_or_default()
            }
            "content-block-finish" => self.block_finish(who, &id, index, content.as_ref()),
            "usage" | "message-finish" => {
                let counts = data.object("usage").and_then(|counts| usage(&counts));
                let mut ops: Vec<Op> = counts.map(|counts| self.own.voice.usage(run, who, &id, counts)).into_iter().collect();
                if event == "message-finish" {
                    ops.extend(self.own.voice.finish(run, who, &id));
                }
                ops
            }
            _ => return scribe.opaque(),
        };
        scribe.say_all(told);
        if *who == Who::Main && scribe.ops.len() > from {
            self.runs(scribe);
        }
        self.note_tasks(scribe, from);
    }

    /// A block is whole: a call has its arguments; a text is told here where its parts were left out.
    fn block_finish(&mut self, who: &Who, id: &str, index: Option<u64>, content: Option<&Object<'_>>) -> Vec<Op> {
        let Some(content) = content else { return Vec::new() };
        let run = self.own.run();
        if let Some((id, name)) = call_head(content) {
            let args = content.raw("args").or_else(|| content.raw("input"));
            let args = args.map_or_else(|| "{}".into(), |raw| string(raw).map_or_else(|| raw.get().to_owned(), Into::into));
            return call(who, &Call { id, name, args }).0;
        }
        if self.own.voice.is_speaking(run, who, id) {
            return self.own.voice.pause(run, who, id);
        }
        let (reasoning, text) = match (content.word("reasoning"), content.word("text")) {
            (Some(text), _) => (true, text),
            (None, Some(text)) => (content.word("type").is_some_and(|kind| kind == "reasoning"), text),
            (None, None) => return Vec::new(),
        };
        let mut ops = self.own.voice.speak(run, who, id, Block { index, reasoning, text: text.into() });
        ops.extend(self.own.voice.pause(run, who, id));
        ops
    }

    /// A tool starts, ends or fails. Its step's namespace is the agent that it starts.
    pub fn tool_event(&mut self, scribe: &mut Scribe, segments: &[&str], data: &Object<'_>) {
        let node = segments.split_last().map_or(&[][..], |(_, rest)| rest);
        let who = self.agent(scribe, &path(node), None);
        let from = scribe.ops.len();
        let event = data.word("event").or_else(|| data.word("type")).unwrap_or_default();
        let Some(id) = data.word("tool_call_id").or_else(|| data.word("toolCallId")) else {
            if event.is_empty() {
                scribe.opaque();
            }
            return;
        };
        if event.contains("start") {
            let name = data.word("tool_name").or_else(|| data.word("name")).unwrap_or_default();
            let args = data.raw("input").map_or_else(|| "{}".into(), |raw| string(raw).map_or_else(|| raw.get().to_owned(), Into::into));
            scribe.say_all(call(&who, &Call { id: id.clone().into(), name: name.into(), args }).0);
            self.note_tasks(scribe, from);
            if self.own.task(&id).is_some() && segments.last().is_some_and(|last| last.starts_with("tools:")) {
                self.bind(scribe, &path(segments), &id, Link::Exact);
            }
            return;
        }
        let failed = event.contains("error") || event.contains("fail");
        if !(failed || event.contains("finish") || event.contains("end")) {
            return;
        }
        let output = data.raw("output").or_else(|| data.raw("error")).or_else(|| data.raw("message"));
        if let Some(message) = output.and_then(crate::dialect::chain::Message::read) {
            push(&mut self.own.elsewhere, 2 * SPACES, told(&id));
            return self.tool_message(scribe, &who, &message);
        }
        push(&mut self.own.elsewhere, 2 * SPACES, told(&id));
        scribe.say(result(&who, &id, output, failed));
        let status = if failed { AgentStatus::Failed } else { AgentStatus::Finished };
        self.task_ends(scribe, &id, status, "result");
    }
}

/// The id and the name of the call that a block is.
fn call_head(block: &Object<'_>) -> Option<(String, String)> {
    Some((block.word("id")?.into(), block.word("name")?.into()))
}

/// What remembers that a call's result was told.
fn told(call: &str) -> (crate::dialect::chain::Hash, crate::dialect::chain::Hash) {
    use crate::dialect::chain::hash;
    (hash(&["told", call]), hash(&[""]))
}
