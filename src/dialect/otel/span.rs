//! A span, as far as the conventions give it a meaning.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::dialect::json::Object;
use crate::dialect::json::string;
use crate::model::{Ms, Usage};

/// The longest text of one attribute that is held, in bytes: of longer ones the beginning.
const TEXT: usize = 64 << 10;
/// The flags of a span that say: it is known whether its parent is remote, and it is.
const REMOTE: u64 = 0x300;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Span {
    pub trace: String,
    pub id: String,
    pub parent: Option<String>,
    /// True if its parent is told to be another process's, whose spans may never come here.
    pub remote: bool,
    pub name: String,
    pub starts: Option<Ms>,
    pub ends: Option<Ms>,
    /// What went wrong.
    pub error: Option<String>,
    operation: String,
    pub conversation: Option<String>,
    pub agent: Option<String>,
    pub description: Option<String>,
    pub model: Option<String>,
    pub usage: Usage,
    pub tool: Option<String>,
    pub call: Option<String>,
    pub args: Option<String>,
    pub result: Option<String>,
    pub input: Option<String>,
    pub output: Option<String>,
}

impl Span {
    /// Reads an object if it is a span.
    pub fn of(object: &Object<'_>) -> Option<Self> {
        let mut span = Self {
            trace: object.id("traceId")?.into(),
            id: object.id("spanId")?.into(),
            parent: object.id("parentSpanId").filter(|id| id.chars().any(|c| c != '0')).map(Into::into),
            remote: object.number("flags").is_some_and(|flags| flags & REMOTE == REMOTE),
            name: object.id("name").unwrap_or_default().into(),
            starts: object.raw("startTimeUnixNano").and_then(nanos),
            ends: object.raw("endTimeUnixNano").and_then(nanos),
            error: object.object("status").and_then(|status| failed(&status)),
            ..Self::default()
        };
        for pair in object.array("attributes").into_iter().filter_map(Object::of) {
            if let (Some(name), Some(value)) = (pair.id("key"), pair.raw("value")) {
                span.attribute(&name, value);
            }
        }
        Some(span)
    }

    /// What the span is of: by its attribute, else by the first word of its name.
    pub fn operation(&self) -> &str {
        if !self.operation.is_empty() {
            return &self.operation;
        }
        match self.name.split(' ').next().unwrap_or_default() {
            word @ ("invoke_agent" | "create_agent" | "invoke_workflow" | "execute_tool" | "chat") => word,
            _ => "other",
        }
    }

    pub fn is_agent(&self) -> bool {
        self.operation() == "invoke_agent"
    }

    /// True if its end tells more than its beginning.
    pub fn has_end(&self) -> bool {
        self.is_agent() || self.operation() == "execute_tool"
    }

    fn attribute(&mut self, name: &str, value: &RawValue) {
        let slot = match name {
            "gen_ai.operation.name" => {
                self.operation = said(value, 256).unwrap_or_default();
                return;
            }
            "gen_ai.conversation.id" => &mut self.conversation,
            "gen_ai.agent.name" => &mut self.agent,
            "gen_ai.agent.description" => &mut self.description,
            "gen_ai.response.model" | "gen_ai.request.model" => &mut self.model,
            "gen_ai.tool.name" => &mut self.tool,
            "gen_ai.tool.call.id" => &mut self.call,
            "gen_ai.tool.call.arguments" => &mut self.args,
            "gen_ai.tool.call.result" => &mut self.result,
            "gen_ai.input.messages" => &mut self.input,
            "gen_ai.output.messages" => &mut self.output,
            name => return self.count(name, value),
        };
        let most =
            if matches!(name, "gen_ai.input.messages" | "gen_ai.output.messages" | "gen_ai.tool.call.result") { TEXT } else { 4 << 10 };
        *slot = said(value, most).filter(|text| !text.is_empty()).or_else(|| slot.take());
    }

    fn count(&mut self, name: &str, value: &RawValue) {
        let Some(number) = said(value, 32).and_then(|text| text.parse().ok()) else { return };
        match name {
            "gen_ai.usage.input_tokens" | "gen_ai.usage.prompt_tokens" => self.usage.input = number,
            "gen_ai.usage.output_tokens" | "gen_ai.usage.completion_tokens" => self.usage.output = number,
            "gen_ai.usage.cache_read.input_tokens" => self.usage.cache_read = number,
            "gen_ai.usage.cache_creation.input_tokens" => self.usage.cache_write = number,
            _ => {}
        }
    }

    /// Tokens: those of a cache are a part of what went in.
    pub fn tokens(&self) -> Usage {
        let cached = self.usage.cache_read.saturating_add(self.usage.cache_write);
        Usage { input: self.usage.input.saturating_sub(cached), ..self.usage }
    }
}

fn failed(status: &Object<'_>) -> Option<String> {
    let code = status.raw("code")?.get();
    let error = code == "2" || code == "\"STATUS_CODE_ERROR\"";
    error.then(|| status.word("message").map_or_else(|| "It failed.".into(), Into::into))
}

/// Nanoseconds since 1970, as a number or in a string.
fn nanos(raw: &RawValue) -> Option<Ms> {
    let text = string(raw).unwrap_or(Cow::Borrowed(raw.get()));
    text.parse::<u64>().ok().and_then(|nanos| Ms::try_from(nanos / 1_000_000).ok())
}

/// The value of an attribute as text: of one that is no text, as plain JSON.
fn said(value: &RawValue, most: usize) -> Option<String> {
    let text = match Object::of(value) {
        Some(object) => plain(&object)?,
        None => string(value).map_or_else(|| value.get().to_owned(), Into::into),
    };
    Some(if text.len() > most { text.get(..text.floor_char_boundary(most)).unwrap_or_default().to_owned() } else { text })
}

/// `{"stringValue":…}` and its kin. A list or a map is turned into JSON, up to a depth.
fn plain(object: &Object<'_>) -> Option<String> {
    if let Some(text) = object.text("stringValue") {
        return Some(text.into_owned());
    }
    if let Some(number) = ["intValue", "doubleValue", "boolValue"].iter().find_map(|name| object.raw(name)) {
        return Some(string(number).map_or_else(|| number.get().to_owned(), Into::into));
    }
    Some(json(object, 0))
}

/// How deep lists and maps are turned.
const DEEPEST: u32 = 24;

fn json(object: &Object<'_>, depth: u32) -> String {
    if depth > DEEPEST {
        return "null".into();
    }
    let inner = |raw: &RawValue| Object::of(raw).map_or_else(|| "null".into(), |object| json(&object, depth + 1));
    if let Some(text) = object.text("stringValue") {
        return serde_json::to_string(&text).unwrap_or_default();
    }
    if let Some(list) = object.object("arrayValue") {
        return format!("[{}]", list.array("values").into_iter().map(inner).collect::<Vec<_>>().join(","));
    }
    if let Some(map) = object.object("kvlistValue") {
        let pairs = map.array("values").into_iter().filter_map(Object::of);
        let pairs =
            pairs.filter_map(|pair| Some(format!("{}:{}", serde_json::to_string(&pair.text("key")?).ok()?, inner(pair.raw("value")?))));
        return format!("{{{}}}", pairs.collect::<Vec<_>>().join(","));
    }
    let number = ["intValue", "doubleValue", "boolValue"].iter().find_map(|name| object.raw(name));
    number.map_or_else(|| "null".into(), |raw| string(raw).map_or_else(|| raw.get().to_owned(), Into::into))
}
