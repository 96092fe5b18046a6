//! Results of tool calls.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::disk::Disk;
use super::scribe::Scribe;
use super::{spill, words};
use crate::dialect::json::{Object, array, string};
use crate::model::{Blobbed, EntryState, Op};

impl Disk {
    /// One result block; `details` is what the line says of it beside the message, whatever its type.
    pub(super) fn tool_result(&mut self, scribe: &mut Scribe, block: &Object<'_>, details: Option<&RawValue>) {
        let content = block.raw("content").or_else(|| block.raw("output"));
        let (text, images) = content.map(read).unwrap_or_default();
        let Some(call) = block.word("tool_use_id") else {
            return scribe.notice("opaque", "A tool's result that names no call.", Some(text));
        };
        let failed = block.flag("is_error").then(|| words::is_refusal(&text));
        let state = match failed {
            None => EntryState::Done,
            Some(true) => EntryState::Cancelled,
            Some(false) => EntryState::Failed,
        };
        let details = details.and_then(Object::of);
        if let Some(details) = &details {
            workflow(scribe, details);
        }
        let is_agent = self.memory.answered(&call)
            || details.as_ref().is_some_and(|details| details.raw("agentId").is_some() && details.raw("totalToolUseCount").is_some());
        let shown = if is_agent { words::without_trailer(&text).to_owned() } else { text.clone() };
        if is_agent {
            self.agent_result(scribe, &call, details.as_ref(), &text, failed);
        }
        let result = if failed.is_some() { Err(shown) } else { Ok(shown) };
        let who = scribe.who.clone();
        let spilled = spill::file(&text, details.as_ref());
        scribe.entry_op(Op::Result { who: who.clone(), call: call.to_string(), result, images, state });
        if let Some(file) = spilled {
            scribe.say(Op::Spilled { who, call: call.into_owned(), file, text: None });
        }
    }
}

/// The launch of a workflow: its agents name the run, by its id or by the folder of their files.
fn workflow(scribe: &mut Scribe, details: &Object<'_>) {
    let folder = details.word("transcriptDir").and_then(|path| path.rsplit('/').find(|part| !part.is_empty()).map(String::from));
    let run = details.word("runId").map(String::from);
    let named = folder.filter(|folder| Some(folder) != run.as_ref());
    for run in run.into_iter().chain(named) {
        scribe.say(Op::Workflow { who: scribe.who.clone(), run });
    }
}

/// The text and the images of a content: a text, or blocks.
pub fn read(content: &RawValue) -> (String, Vec<Blobbed>) {
    if let Some(text) = string(content) {
        return (text.into_owned(), Vec::new());
    }
    let Some(blocks) = array(content) else { return (content.get().to_owned(), Vec::new()) };
    let (mut texts, mut images) = (Vec::new(), Vec::new());
    for raw in blocks {
        match block(raw) {
            Ok(image) => images.push(image),
            Err(text) => texts.push(text),
        }
    }
    (texts.join("\n"), images)
}

/// An image, or the text of anything else.
fn block(raw: &RawValue) -> Result<Blobbed, Cow<'_, str>> {
    let Some(block) = Object::of(raw) else { return Err(string(raw).unwrap_or_else(|| raw.get().into())) };
    match image(&block) {
        Some(image) => Ok(image),
        None => Err(block.text("text").unwrap_or_else(|| raw.get().into())),
    }
}

/// An image that stands in the block itself.
pub fn image(block: &Object<'_>) -> Option<Blobbed> {
    block.text("type").filter(|kind| kind == "image")?;
    let source = block.object("source")?;
    let data = source.word("data")?.into_owned();
    Some(Blobbed { media_type: source.text("media_type").unwrap_or_default().into_owned(), data })
}
