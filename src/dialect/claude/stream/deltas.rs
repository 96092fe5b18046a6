//! Messages as they are written: parts of blocks, which the whole line replaces when it comes.
//!
//! A part of a message whose beginning was not seen is left out: the whole line brings it.

use super::Teller;
use super::memory::{Block, Partial};
use crate::dialect::claude::assistant::tokens;
use crate::dialect::claude::scribe::Scribe;
use crate::dialect::json::Object;
use crate::dialect::think::Splitter;
use crate::model::{Body, EntryState, Field, Op, ToolPatch, Usage, Who};

/// The longest arguments that are put together from parts, in bytes; longer ones come with the whole line.
const ARGS: usize = 1 << 20;
/// Blocks of a message that may be open at once.
const OPEN: usize = 64;

impl Teller {
    pub(super) fn event(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        let Some(event) = object.object("event") else { return scribe.bookkeeping("stream_event", None) };
        let kind = event.word("type").unwrap_or_default();
        scribe.bookkeeping("stream_event", Some(&kind));
        let index = event.number("index").unwrap_or(0);
        match &*kind {
            "message_start" => self.message_start(scribe, &event),
            "content_block_start" => self.block_start(scribe, &event, index),
            "content_block_delta" => self.block_delta(scribe, &event, index),
            "content_block_stop" => self.block_stop(scribe, index),
            "message_delta" => self.message_delta(scribe, &event),
            _ => {}
        }
    }

    fn message_start(&mut self, scribe: &mut Scribe, event: &Object<'_>) {
        let message = event.object("message");
        let Some(id) = message.as_ref().and_then(|message| message.word("id")).map(String::from) else { return };
        if scribe.who == Who::Main {
            self.turn_begins(scribe);
        }
        let usage = message.and_then(|message| message.object("usage")).and_then(|usage| tokens(&usage));
        let usage = usage.map_or(Usage::default(), |(usage, _)| usage);
        self.own.begin_partial(&scribe.who, Partial { message: id, usage, ..Partial::default() });
    }

    fn block_start(&mut self, scribe: &mut Scribe, event: &Object<'_>, index: u64) {
        let Some(partial) = self.own.partial(&scribe.who) else { return };
        let Some(block) = event.object("content_block") else { return };
        let message = &partial.message;
        let begun = match &*block.word("type").unwrap_or_default() {
            "text" => {
                partial.texts += 1;
                Block::Text { key: format!("message:{message}/text/{}", partial.texts - 1), splitter: Splitter::default() }
            }
            "thinking" => {
                partial.thoughts += 1;
                Block::Reasoning { key: format!("message:{message}/reasoning/{}", partial.thoughts - 1) }
            }
            "tool_use" | "server_tool_use" | "mcp_tool_use" => match block.word("id") {
                Some(call) => Block::Tool { call: call.into(), name: block.text("name").unwrap_or_default().into(), json: String::new() },
                None => Block::Other,
            },
            _ => Block::Other,
        };
        if let Block::Tool { call, name, .. } = &begun {
            let patch = ToolPatch { name: Some(name.clone()), title: Some(name.clone()), ..ToolPatch::default() };
            let op = Op::Call { who: scribe.who.clone(), call: call.clone(), keys: vec![args_key(call)], patch };
            scribe.entry_op(op);
        }
        partial.blocks.retain(|(known, _)| *known != index);
        if partial.blocks.len() < OPEN {
            partial.blocks.push((index, begun));
        }
        for name in ["text", "thinking"] {
            if let Some(text) = block.word(name) {
                self.more(scribe, index, name, &text);
            }
        }
    }

    fn block_delta(&mut self, scribe: &mut Scribe, event: &Object<'_>, index: u64) {
        let Some(delta) = event.object("delta") else { return };
        for name in ["text", "thinking", "partial_json"] {
            if let Some(text) = delta.word(name) {
                self.more(scribe, index, name, &text);
            }
        }
    }

    /// More of a block: of its text, its reasoning, its arguments.
    fn more(&mut self, scribe: &mut Scribe, index: u64, name: &str, text: &str) {
        let who = scribe.who.clone();
        let Some(partial) = self.own.partial(&who) else { return };
        let Some((_, block)) = partial.blocks.iter_mut().find(|(known, _)| *known == index) else { return };
        let text = text.to_owned();
        let op = match (block, name) {
            (Block::Text { key, splitter }, "text") => {
                splitter.append(&who, key, &text).into_iter().for_each(|op| scribe.entry_op(op));
                self.own.spoke |= who == Who::Main;
                return;
            }
            (Block::Reasoning { key }, "thinking") => {
                Op::Append { key: key.clone(), body: Some(Body::Reasoning { text: String::new().into() }), who, field: Field::Text, text }
            }
            (Block::Tool { call, json, .. }, "partial_json") => {
                if json.len() + text.len() > ARGS {
                    return;
                }
                json.push_str(&text);
                Op::Append { key: args_key(call), body: None, who, field: Field::Args, text }
            }
            _ => return,
        };
        scribe.entry_op(op);
    }

    /// A block is whole: a call then has its arguments. Texts stay open until their line.
    fn block_stop(&mut self, scribe: &mut Scribe, index: u64) {
        let Some(partial) = self.own.partial(&scribe.who) else { return };
        let Some(at) = partial.blocks.iter().position(|(known, _)| *known == index) else { return };
        let (_, block) = partial.blocks.swap_remove(at);
        match block {
            Block::Tool { call, name, json } => {
                let input = if json.trim().is_empty() { "{}" } else { &json };
                let text = |text: &str| serde_json::to_string(text).unwrap_or_default();
                let whole = format!("{{\"id\":{},\"name\":{},\"input\":{input}}}", text(&call), text(&name));
                // Arguments that are no JSON stay as they came.
                if let Some(block) = Object::parse(&whole) {
                    self.disk.tool_use(scribe, &block);
                    if super::super::tools::starts_agent(&name) {
                        self.own.task(Some(&call), None).owner = Some(scribe.who.clone());
                    }
                }
            }
            Block::Text { key, mut splitter } => {
                for op in splitter.close(&scribe.who.clone(), &key, EntryState::Done, false) {
                    match op {
                        Op::Close { .. } => scribe.say(op),
                        op => scribe.entry_op(op),
                    }
                }
            }
            Block::Reasoning { key } => scribe.say(Op::Close { key, state: EntryState::Done }),
            Block::Other => {}
        }
    }

    /// The true number of tokens written: what whole lines say is the number at their beginning.
    fn message_delta(&mut self, scribe: &mut Scribe, event: &Object<'_>) {
        let told = event.object("usage").and_then(|usage| tokens(&usage));
        let Some(partial) = self.own.partial(&scribe.who) else { return };
        if let Some((told, _)) = told {
            let usage = partial.usage.max(told);
            let context = Some(crate::model::Context { used: usage.total(), window: None });
            scribe.say(Op::Usage { who: scribe.who.clone(), message: partial.message.clone(), usage, context });
        }
    }
}

fn args_key(call: &str) -> String {
    format!("args:{call}")
}
