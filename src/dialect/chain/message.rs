//! One message, in any of the forms in which it is written: plain, with a role, as a constructor, as a typed dump.

use crate::dialect::json::{Object, array, string};
use crate::model::Usage;

use super::block::{Block, blocks};
use super::tools::Call;
use serde_json::value::RawValue;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Ai,
    Human,
    Tool,
    System,
    /// Takes a message back.
    Remove,
}

/// A message.
pub struct Message<'a> {
    pub kind: Kind,
    /// True for a part of a message.
    pub chunk: bool,
    pub id: Option<String>,
    pub body: Object<'a>,
}

/// A part of a call's arguments.
pub struct CallChunk {
    pub index: Option<u64>,
    pub id: Option<String>,
    pub name: Option<String>,
    pub args: String,
}

impl<'a> Message<'a> {
    /// Reads a message; `None` for what is none.
    pub fn read(raw: &'a RawValue) -> Option<Self> {
        let outer = Object::of(raw)?;
        let named = outer.word("type");
        let (name, body) = match named.as_deref() {
            Some("constructor") => (outer.array("id").last().and_then(|raw| string(raw))?, outer.object("kwargs")?),
            Some(_) if outer.raw("content").is_none() && outer.raw("data").is_some() => (named?, outer.object("data")?),
            _ => (named.filter(|name| Kind::of(name).is_some()).or_else(|| outer.word("role"))?, outer),
        };
        let id = body.word("id").map(Into::into);
        Some(Self { kind: Kind::of(&name)?, chunk: name.ends_with("Chunk"), id, body })
    }

    pub fn blocks(&self) -> Vec<Block> {
        blocks(&self.body)
    }

    /// The calls of a whole message.
    pub fn calls(&self) -> Vec<Call> {
        let own = |body: &Object<'_>| -> Vec<Call> { body.array("tool_calls").into_iter().filter_map(Call::read).collect() };
        let mut calls = own(&self.body);
        if calls.is_empty() {
            calls = self.body.object("additional_kwargs").map(|kwargs| own(&kwargs)).unwrap_or_default();
        }
        if calls.is_empty() {
            let is_call = |raw: &&RawValue| {
                let kind = Object::of(raw).and_then(|block| block.word("type").map(String::from));
                matches!(kind.as_deref(), Some("tool_use" | "tool_call" | "function_call"))
            };
            calls = self.body.array("content").into_iter().filter(is_call).filter_map(Call::read).collect();
        }
        calls
    }

    /// The parts of calls in a chunk.
    pub fn call_chunks(&self) -> Vec<CallChunk> {
        let read = |raw| {
            let chunk = Object::of(raw)?;
            Some(CallChunk {
                index: chunk.number("index"),
                id: chunk.word("id").map(Into::into),
                name: chunk.word("name").map(Into::into),
                args: chunk.text("args").unwrap_or_default().into(),
            })
        };
        self.body.array("tool_call_chunks").into_iter().filter_map(read).collect()
    }

    /// The model that said it.
    pub fn model(&self) -> Option<String> {
        let metadata = self.body.object("response_metadata")?;
        metadata.word("model_name").or_else(|| metadata.word("model")).map(Into::into)
    }

    pub fn usage(&self) -> Option<Usage> {
        usage(&self.body.object("usage_metadata")?)
    }

    /// True for the last chunk of its message.
    pub fn is_last(&self) -> bool {
        let metadata = self.body.object("response_metadata");
        let reason = |name| metadata.as_ref().is_some_and(|metadata| metadata.word(name).is_some());
        self.body.word("chunk_position").as_deref() == Some("last") || reason("finish_reason") || reason("stop_reason")
    }

    pub fn word(&self, name: &str) -> Option<String> {
        self.body.word(name).map(Into::into)
    }
}

impl Kind {
    fn of(name: &str) -> Option<Self> {
        let name = name.strip_suffix("Chunk").unwrap_or(name);
        let name = name.strip_suffix("Message").unwrap_or(name).to_ascii_lowercase();
        match &*name {
            "ai" | "assistant" => Some(Self::Ai),
            "human" | "user" => Some(Self::Human),
            "tool" | "function" => Some(Self::Tool),
            "system" | "developer" => Some(Self::System),
            "remove" => Some(Self::Remove),
            _ => None,
        }
    }
}

/// Tokens as LangChain counts them: what the cache gave or took is part of the input.
pub fn usage(counts: &Object<'_>) -> Option<Usage> {
    let (input, output) = (counts.number("input_tokens"), counts.number("output_tokens"));
    if input.is_none() && output.is_none() {
        return None;
    }
    let details = counts.object("input_token_details");
    let detail = |name| details.as_ref().and_then(|details| details.number(name)).unwrap_or(0);
    let (cache_read, cache_write) = (detail("cache_read"), detail("cache_creation"));
    let input = input.unwrap_or(0).saturating_sub(cache_read).saturating_sub(cache_write);
    Some(Usage { input, output: output.unwrap_or(0), cache_read, cache_write })
}

/// The messages of a raw value: one, or a list of them.
pub fn messages(raw: &RawValue) -> Vec<Message<'_>> {
    match array(raw) {
        Some(all) => all.into_iter().filter_map(Message::read).collect(),
        None => Message::read(raw).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_in_any_form() {
        for (json, kind, chunk, id) in [
            (r#"{"type":"ai","id":"m","content":"x"}"#, Kind::Ai, false, Some("m")),
            (r#"{"type":"AIMessageChunk","content":"x"}"#, Kind::Ai, true, None),
            (r#"{"role":"assistant","content":"x"}"#, Kind::Ai, false, None),
            (r#"{"type":"HumanMessage","content":"x"}"#, Kind::Human, false, None),
            (r#"{"lc":1,"type":"constructor","id":["a","b","ToolMessageChunk"],"kwargs":{"id":"m"}}"#, Kind::Tool, true, Some("m")),
            (r#"{"type":"system","data":{"id":"m","content":"x"}}"#, Kind::System, false, Some("m")),
            (r#"{"type":"remove","id":"m"}"#, Kind::Remove, false, Some("m")),
        ] {
            let raw: &RawValue = serde_json::from_str(json).expect("JSON");
            let message = Message::read(raw).expect("a message");
            assert_eq!((message.kind, message.chunk, message.id.as_deref()), (kind, chunk, id), "{json}");
        }
        for json in [r#"{"type":"noise"}"#, "[]", "7", r#"{"type":"constructor"}"#] {
            let raw: &RawValue = serde_json::from_str(json).expect("JSON");
            assert!(Message::read(raw).is_none(), "{json}");
        }
    }

    #[test]
    fn cached_tokens_are_not_counted_as_input() {
        let counts = Object::parse(r#"{"input_tokens":100,"output_tokens":5,"input_token_details":{"cache_read":60,"cache_creation":10}}"#);
        let expected = Usage { input: 30, output: 5, cache_read: 60, cache_write: 10 };
        assert_eq!(usage(&counts.expect("an object")), Some(expected));
    }
}
