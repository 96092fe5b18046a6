//! What the model says: text, reasoning, calls. One API message is several lines, one block each.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::disk::Disk;
use super::memory::Kind;
use super::scribe::Scribe;
use super::tools;
use crate::dialect::json::{Object, array, string};
use crate::dialect::{think, titles};
use crate::model::{AgentPatch, Body, Context, EntryState, Limit, Op, Tool, ToolPatch, Usage, Who};

/// Blocks of a line that can be taken back.
const BLOCKS: usize = 16;

impl Disk {
    pub(super) fn assistant(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        let Some(message) = object.object("message") else {
            let error = object.object("error").and_then(|error| error.text("message")).or_else(|| object.text("error"));
            if let Some(error) = error {
                scribe.notice("error", error, None);
            }
            return;
        };
        if let Some(keys) = superseded(object) {
            scribe.say(Op::Withdraw { keys });
        }
        let id = message.word("id");
        let model = message.word("model");
        if object.flag("isApiErrorMessage") || model.as_deref() == Some("<synthetic>") {
            return self.api_error(scribe, object, &message);
        }
        if self.memory.limited {
            self.memory.limited = false;
            scribe.say(Op::Limited(None));
        }
        for raw in blocks(&message) {
            self.block(scribe, id.as_deref(), raw);
        }
        self.model(scribe, model);
        let name = id.or_else(|| object.word("requestId"));
        if let Some((usage, context)) = message.object("usage").and_then(|usage| tokens(&usage)) {
            let message = name.map_or_else(|| scribe.base.clone(), Cow::into_owned);
            scribe.say(Op::Usage { who: scribe.who.clone(), message, usage, context: Some(context) });
        }
        let stop = message.word("stop_reason");
        if scribe.who == Who::Main && stop.is_some_and(|stop| !matches!(&*stop, "tool_use" | "pause_turn")) {
            scribe.say(Op::Turn { ended: true });
        }
        scribe.bookkeeping("assistant", None);
    }

    fn block(&mut self, scribe: &mut Scribe, message: Option<&str>, raw: &RawValue) {
        let Some(block) = Object::of(raw) else {
            if let Some(text) = string(raw).filter(|text| !text.is_empty()) {
                self.words(scribe, message, Kind::Text, text.into_owned());
            }
            return;
        };
        match &*block.text("type").unwrap_or_default() {
            "text" => self.words(scribe, message, Kind::Text, block.text("text").unwrap_or_default().into_owned()),
            "thinking" => self.words(scribe, message, Kind::Reasoning, block.text("thinking").unwrap_or_default().into_owned()),
            // Nothing a person could read.
            "redacted_thinking" => {}
            "tool_use" | "server_tool_use" | "mcp_tool_use" => self.tool_use(scribe, &block),
            kind if kind.ends_with("tool_result") => self.tool_result(scribe, &block, None),
            _ => scribe.notice("opaque", "A block of a kind that no rule knows.", Some(raw.get().to_owned())),
        }
    }

    fn words(&mut self, scribe: &mut Scribe, message: Option<&str>, kind: Kind, text: String) {
        let (word, ordinal) = match kind {
            Kind::Text => ("text", message.map(|id| self.memory.ordinal(id, kind))),
            Kind::Reasoning => ("reasoning", message.map(|id| self.memory.ordinal(id, kind))),
        };
        if text.is_empty() {
            return;
        }
        let key = message.zip(ordinal).map(|(id, ordinal)| format!("message:{id}/{word}/{ordinal}"));
        match kind {
            Kind::Text => speak(scribe, &text, key.as_deref()),
            Kind::Reasoning => scribe.entry(Body::Reasoning { text: text.into() }, EntryState::Done, Vec::new(), key),
        }
    }

    pub(super) fn tool_use(&mut self, scribe: &mut Scribe, block: &Object<'_>) {
        let name = block.text("name").unwrap_or_default().into_owned();
        let args = block.raw("input").map(|raw| raw.get().to_owned()).unwrap_or_default();
        let input = block.object("input");
        let title = titles::title(&name, input.as_ref(), self.memory.cwd.as_deref());
        let Some(call) = block.word("id").map(Cow::into_owned) else {
            let tool = Tool { name, title, args: args.into(), ..Tool::default() };
            return scribe.entry(Body::Tool(Box::new(tool)), EntryState::Unknown, Vec::new(), None);
        };
        let starts_agent = tools::starts_agent(&name);
        let instead = tools::instead(&name, &call, input.as_ref());
        let patch = ToolPatch { name: Some(name), title: Some(title), args: Some(args), instead, starts_agent };
        let who = scribe.who.clone();
        let keys = vec![scribe.key()];
        scribe.entry_op(Op::Call { who, call: call.clone(), keys, patch });
        if starts_agent {
            self.agent_called(scribe, call, input.as_ref());
        }
    }

    /// Tells the model where it has changed.
    fn model(&mut self, scribe: &mut Scribe, model: Option<Cow<'_, str>>) {
        let who = match &scribe.who {
            Who::Main => "",
            Who::Named(name) => &name.id,
        };
        let Some(model) = model else { return };
        if self.memory.model.as_ref().is_some_and(|(of, known)| of == who && *known == model) {
            return;
        }
        self.memory.model = Some((who.to_owned(), model.clone().into_owned()));
        let patch = AgentPatch { model: Some(model.into_owned()), ..AgentPatch::default() };
        scribe.say(Op::Agent { who: scribe.who.clone(), patch });
    }

    /// An error of the API in the place of an answer: the child's where it stands in a child, but a limit is the account's.
    fn api_error(&mut self, scribe: &mut Scribe, object: &Object<'_>, message: &Object<'_>) {
        let texts: Vec<String> = blocks(message)
            .into_iter()
            .filter_map(|raw| string(raw).or_else(|| Object::of(raw)?.text("text")).map(Cow::into_owned))
            .filter(|text| !text.trim().is_empty() && text != "No response requested.")
            .collect();
        let limited = object.text("error").as_deref() == Some("rate_limit") || object.number("apiErrorStatus") == Some(429);
        if !texts.is_empty() {
            let failed = object.flag("isApiErrorMessage") || object.raw("error").is_some();
            let kind = if limited {
                "limit"
            } else if failed {
                "error"
            } else {
                "notice"
            };
            scribe.notice(kind, texts.join("\n"), None);
        }
        if limited {
            self.memory.limited = true;
            scribe.say(Op::Limited(Some(Limit { kind: "rate_limit".into(), resets_at: None })));
        }
        if scribe.who == Who::Main {
            scribe.say(Op::Turn { ended: true });
        }
        scribe.bookkeeping("assistant", Some("synthetic"));
    }
}

/// A whole text, and the reasoning that stands in it; under `key` and the number of each stretch.
pub(super) fn speak(scribe: &mut Scribe, text: &str, key: Option<&str>) {
    for piece in think::split(text) {
        let key = key.map(|key| think::key(key, piece.part));
        scribe.entry(think::body(piece.reasoning, piece.text), EntryState::Done, Vec::new(), key);
    }
}

/// The keys of what a line takes back.
fn superseded(object: &Object<'_>) -> Option<Vec<String>> {
    let uuids = object.array("supersedes").into_iter().filter_map(string);
    let keys: Vec<String> = uuids.flat_map(|uuid| (0..BLOCKS).map(move |block| format!("uuid:{uuid}/{block}"))).collect();
    (!keys.is_empty()).then_some(keys)
}

/// The blocks of a message; a text in their place is one.
pub fn blocks<'a>(message: &Object<'a>) -> Vec<&'a RawValue> {
    message.raw("content").map(|raw| array(raw).unwrap_or_else(|| vec![raw])).unwrap_or_default()
}

/// Tokens, and how full they say the context is; `None` if nothing was counted.
pub(super) fn tokens(usage: &Object<'_>) -> Option<(Usage, Context)> {
    let count = |name| usage.number(name).unwrap_or(0);
    let usage = Usage {
        input: count("input_tokens"),
        output: count("output_tokens"),
        cache_read: count("cache_read_input_tokens"),
        cache_write: count("cache_creation_input_tokens"),
    };
    (!usage.is_zero()).then(|| (usage, Context { used: usage.total(), window: None }))
}
