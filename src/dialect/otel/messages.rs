//! Messages that spans carry, where the person has opted in: what went into a model, and what came out.
//!
//! Every chat repeats all that was said before, and an agent's span what its chats hold: a message's key is whose it is and what it
//! says, so it is told once.

use serde_json::value::RawValue;

use super::memory::Otel;
use super::span::Span;
use crate::dialect::json::{Object, array, string};
use crate::dialect::page::Page;
use crate::dialect::{content, think, titles, todo};
use crate::model::{Body, EntryState, Hash64, Op, ToolPatch, Who};

impl Otel {
    /// What was asked: the turns of whoever asks, and results of calls.
    pub(super) fn input(&mut self, page: &mut Page, span: &Span) {
        for message in messages(span.input.as_deref()) {
            let Some(message) = Object::of(message) else { continue };
            let role = message.id("role").unwrap_or_default();
            for part in parts(&message) {
                let Some(part) = Object::of(part) else { continue };
                match &*part.id("type").unwrap_or_default() {
                    "tool_call_response" => result(page, &part),
                    "text" if role == "user" => self.turn(page, said(&part)),
                    _ => {}
                }
            }
        }
    }

    fn turn(&mut self, page: &mut Page, text: String) {
        let who = page.scribe.who.clone();
        let key = key(&who, "user", &text);
        match who {
            Who::Main => {
                let body = Body::User { text: text.into(), images: Vec::new(), origin: None };
                page.scribe.entry_op(Op::Entry { who, keys: vec![key], body, state: EntryState::Done, images: Vec::new() });
            }
            who => page.scribe.entry_op(Op::Prompt { who, text, images: Vec::new(), own: true, keys: vec![key] }),
        }
    }

    /// What the agent said, thought and called.
    pub(super) fn output(&mut self, page: &mut Page, span: &Span) {
        let who = page.scribe.who.clone();
        for part in messages(span.output.as_deref()).into_iter().filter_map(Object::of).flat_map(|message| parts(&message)) {
            let Some(part) = Object::of(part) else { continue };
            let text = said(&part);
            match &*part.id("type").unwrap_or_default() {
                "text" => think::whole(&who, &key(&who, "text", &text), &text, EntryState::Done)
                    .into_iter()
                    .for_each(|op| page.scribe.entry_op(op)),
                "reasoning" if !text.is_empty() => {
                    let keys = vec![key(&who, "reasoning", &text)];
                    let body = Body::Reasoning { text: text.into() };
                    page.scribe.entry_op(Op::Entry { who: who.clone(), keys, body, state: EntryState::Done, images: Vec::new() });
                }
                "tool_call" => {
                    let (Some(call), name) = (part.id("id"), part.id("name").unwrap_or_default()) else { continue };
                    let args = part.raw("arguments").map(|raw| string(raw).map_or_else(|| raw.get().to_owned(), Into::into));
                    let input = args.as_deref().and_then(Object::parse);
                    let list = input.as_ref().and_then(|input| todo::written(&name, input));
                    let patch = ToolPatch {
                        title: Some(titles::title(&name, input.as_ref(), None)),
                        name: Some(name.to_string()),
                        args: args.clone(),
                        instead: list.map(|items| Body::Todos { items, call: Some(call.to_string()) }),
                        starts_agent: false,
                    };
                    page.scribe.entry_op(Op::Call { who: who.clone(), call: call.into(), keys: Vec::new(), patch });
                }
                _ => {}
            }
        }
    }
}

fn result(page: &mut Page, part: &Object<'_>) {
    let Some(call) = part.id("id") else { return };
    let given = part.raw("response").or_else(|| part.raw("result"));
    let (text, images) = given.map(content::read).unwrap_or_default();
    page.scribe.entry_op(Op::Result { who: page.scribe.who.clone(), call: call.into(), result: Ok(text), images, state: EntryState::Done });
}

fn messages(json: Option<&str>) -> Vec<&RawValue> {
    json.and_then(|json| serde_json::from_str::<&RawValue>(json).ok()).and_then(array).unwrap_or_default()
}

/// The parts of a message; of one that is a text alone, none but that.
fn parts<'a>(message: &Object<'a>) -> Vec<&'a RawValue> {
    message.array("parts")
}

fn said(part: &Object<'_>) -> String {
    part.raw("content").or_else(|| part.raw("text")).map(|raw| content::read(raw).0).unwrap_or_default()
}

fn key(who: &Who, kind: &str, text: &str) -> String {
    let name = match who {
        Who::Main => "",
        Who::Named(name) => &name.id,
    };
    format!("{kind}:{name}:{:016x}", Hash64::of(text.trim().as_bytes()).0)
}
