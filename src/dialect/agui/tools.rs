//! Tool calls: their arguments come in parts, their results by themselves.

use super::AgUi;
use super::memory::Chunk;
use super::messages::agent_id;
use crate::dialect::content;
use crate::dialect::json::Object;
use crate::dialect::page::Page;
use crate::dialect::{titles, todo};
use crate::model::{Blobbed, Body, EntryState, Field, Op, ToolPatch};

/// The longest arguments that are put together for a title, in bytes.
const ARGS: usize = 8 << 10;

impl AgUi {
    pub(super) fn call_start(&mut self, page: &mut Page, object: &Object<'_>) {
        let Some(id) = object.id("toolCallId") else { return page.scribe.opaque() };
        self.begin_call(page, &id, &object.id("toolCallName").unwrap_or_default());
    }

    fn begin_call(&mut self, page: &mut Page, id: &str, name: &str) {
        let call = self.calls.entry(id);
        call.agent = agent_id(&page.scribe.who);
        call.name = name.to_owned();
        let patch = ToolPatch { name: Some(name.into()), title: Some(titles::title(name, None, None)), ..ToolPatch::default() };
        page.scribe.entry_op(Op::Call { who: page.scribe.who.clone(), call: id.into(), keys: vec![args_key(id)], patch });
    }

    pub(super) fn call_args(&mut self, page: &mut Page, object: &Object<'_>) {
        match (object.id("toolCallId"), object.text("delta")) {
            (Some(id), Some(text)) => self.more_args(page, &id, &text),
            _ => page.scribe.opaque(),
        }
    }

    fn more_args(&mut self, page: &mut Page, id: &str, text: &str) {
        if self.calls.get(id).is_none() {
            self.begin_call(page, id, "");
        }
        let Some(call) = self.calls.get_mut(id) else { return };
        call.long |= call.args.len() + text.len() > ARGS;
        if call.long {
            call.args.clear();
        } else {
            call.args.push_str(text);
        }
        let (who, key) = (page.scribe.who.clone(), args_key(id));
        page.scribe.entry_op(Op::Append { who, key, body: None, field: Field::Args, text: text.into() });
    }

    pub(super) fn call_end(&mut self, page: &mut Page, object: &Object<'_>) {
        let Some(id) = object.id("toolCallId") else { return page.scribe.opaque() };
        self.end_call(page, &id);
    }

    /// The arguments are whole: they give the call its title, or its place to a todo list.
    pub(super) fn end_call(&mut self, page: &mut Page, id: &str) {
        let Some(call) = self.calls.get_mut(id).filter(|call| !call.ended && !call.long) else { return };
        call.ended = true;
        let patch = patch(&call.name, id, &call.args);
        page.scribe.entry_op(Op::Call { who: page.scribe.who.clone(), call: id.into(), keys: vec![args_key(id)], patch });
    }

    pub(super) fn call_chunk(&mut self, page: &mut Page, object: &Object<'_>) {
        let agent = agent_id(&page.scribe.who);
        let known = match self.chunk(agent.as_deref()) {
            Chunk::Call(id) => Some(id),
            _ => None,
        };
        let Some(id) = object.id("toolCallId").map(String::from).or_else(|| known.clone()) else { return };
        if known.as_ref() != Some(&id) {
            self.end_chunk(page, agent.as_deref());
            self.begin_call(page, &id, &object.id("toolCallName").unwrap_or_default());
            self.set_chunk(agent.as_deref(), Chunk::Call(id.clone()));
        }
        if let Some(text) = object.word("delta") {
            self.more_args(page, &id, &text);
        }
    }

    pub(super) fn call_result(&mut self, page: &mut Page, object: &Object<'_>) {
        let Some(id) = object.id("toolCallId") else { return page.scribe.opaque() };
        let (text, images) = object.raw("content").map(content::read).unwrap_or_default();
        self.result(page, &id, Ok(text), images);
    }

    fn result(&mut self, page: &mut Page, id: &str, result: Result<String, String>, images: Vec<Blobbed>) {
        self.end_call(page, id);
        self.calls.remove(id);
        let state = if result.is_ok() { EntryState::Done } else { EntryState::Failed };
        page.scribe.entry_op(Op::Result { who: page.scribe.who.clone(), call: id.into(), result, images, state });
    }

    /// A call as a snapshot has it.
    pub(super) fn whole_call(&mut self, page: &mut Page, call: &Object<'_>) {
        let (Some(id), Some(function)) = (call.id("id"), call.object("function")) else { return };
        let name = function.id("name").unwrap_or_default();
        let patch = patch(&name, &id, &function.text("arguments").unwrap_or_default());
        self.calls.remove(&id);
        page.scribe.entry_op(Op::Call { who: page.scribe.who.clone(), call: id.to_string(), keys: vec![args_key(&id)], patch });
    }

    /// A result as a snapshot has it.
    pub(super) fn whole_result(&mut self, page: &mut Page, message: &Object<'_>, text: String, images: Vec<Blobbed>) {
        let Some(id) = message.id("toolCallId") else { return };
        let result = match message.word("error") {
            Some(error) => Err(error.into_owned()),
            None => Ok(text),
        };
        self.result(page, &id, result, images);
    }
}

fn patch(name: &str, call: &str, args: &str) -> ToolPatch {
    let input = Object::parse(args);
    let list = input.as_ref().and_then(|input| todo::written(name, input));
    ToolPatch {
        name: Some(name.into()).filter(|name: &String| !name.is_empty()),
        title: Some(titles::title(name, input.as_ref(), None)).filter(|title| !title.is_empty()),
        args: Some(args.into()).filter(|args: &String| !args.is_empty()),
        instead: list.map(|items| Body::Todos { items, call: Some(call.into()) }),
        starts_agent: false,
    }
}

fn args_key(call: &str) -> String {
    format!("args:{call}")
}
