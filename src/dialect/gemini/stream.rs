//! What `gemini --output-format stream-json` prints: one process, without a word about whose child says what.

use serde::{Deserialize, Serialize};

use crate::dialect::json::{Object, string};
use crate::dialect::page::Page;
use crate::dialect::teller::Teller;
use crate::dialect::texts::Texts;
use crate::dialect::{content, titles, todo};
use crate::model::{AgentPatch, Body, EntryState, Op, ToolPatch, Usage, Who};

#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Stream {
    session: Option<String>,
    texts: Texts,
    /// The key of the text that is being written.
    open: Option<String>,
}

impl Teller for Stream {
    const FAMILY: &'static str = "gemini-stream";
    const NAME: &'static str = "gemini-stream";

    fn sure(object: &Object<'_>) -> u8 {
        match &*object.id("type").unwrap_or_default() {
            "init" if object.has("session_id") && object.has("model") => 85,
            "tool_use" if object.has("tool_name") && object.has("tool_id") => 88,
            "tool_result" if object.has("tool_id") => 88,
            "message" if object.has("role") && object.has("timestamp") && object.text("content").is_some() => 50,
            "result" if object.has("status") && object.has("stats") => 60,
            _ => 0,
        }
    }

    fn session(&self, object: &Object<'_>) -> Option<String> {
        object.id("session_id").map(String::from).or_else(|| self.session.clone())
    }

    fn tell(&mut self, page: &mut Page, object: &Object<'_>) {
        let kind = object.id("type").unwrap_or_default();
        page.scribe.bookkeeping(&kind, None);
        let goes_on = kind == "message" && object.flag("delta") && object.id("role").as_deref() == Some("assistant");
        if !goes_on && let Some(key) = self.open.take() {
            self.texts.end(&mut page.scribe, &key, EntryState::Done);
        }
        match &*kind {
            "init" => {
                if self.session.is_none() {
                    page.scribe.ops.insert(0, Op::Process);
                }
                self.session = object.id("session_id").map(String::from);
                page.scribe.say(Op::Turn { ended: false });
                let patch = AgentPatch { model: object.id("model").map(Into::into), ..AgentPatch::default() };
                page.scribe.say(Op::Agent { who: Who::Main, patch });
            }
            "message" => self.message(page, object, goes_on),
            "tool_use" => {
                let Some(call) = object.id("tool_id") else { return page.scribe.opaque() };
                let (name, input) = (object.id("tool_name").unwrap_or_default(), object.object("parameters"));
                let list = input.as_ref().and_then(|input| todo::written(&name, input));
                let patch = ToolPatch {
                    title: Some(titles::title(&name, input.as_ref(), None)),
                    name: Some(name.into()),
                    args: object.raw("parameters").map(|raw| raw.get().into()),
                    instead: list.map(|items| Body::Todos { items, call: Some(call.as_ref().into()) }),
                    starts_agent: false,
                };
                page.scribe.entry_op(Op::Call { who: Who::Main, call: call.into(), keys: Vec::new(), patch });
            }
            "tool_result" => {
                let Some(call) = object.id("tool_id") else { return page.scribe.opaque() };
                let (text, images) = object.raw("output").map(content::read).unwrap_or_default();
                let failed = object.id("status").as_deref() == Some("error") || object.has("error");
                let error = object.raw("error").map(said);
                let (result, state) = if failed { (Err(error.unwrap_or(text)), EntryState::Failed) } else { (Ok(text), EntryState::Done) };
                page.scribe.entry_op(Op::Result { who: Who::Main, call: call.into(), result, images, state });
            }
            "error" => {
                let notice = if object.word("severity").as_deref() == Some("warning") { "warning" } else { "error" };
                page.scribe.notice(notice, object.word("message").unwrap_or("Gemini reported an error.".into()), None);
            }
            "result" => {
                if let Some(error) = object.raw("error") {
                    page.scribe.notice("error", said(error), None);
                }
                if let Some(stats) = object.object("stats") {
                    let number = |name| stats.number(name).unwrap_or(0);
                    let cached = number("cached");
                    let usage = Usage {
                        input: number("input_tokens").saturating_sub(cached),
                        output: number("output_tokens"),
                        cache_read: cached,
                        cache_write: 0,
                    };
                    page.scribe.say(Op::Usage { who: Who::Main, message: page.scribe.base.clone(), usage, context: None });
                }
                page.scribe.say(Op::Turn { ended: true });
            }
            _ => page.scribe.opaque(),
        }
    }
}

impl Stream {
    fn message(&mut self, page: &mut Page, object: &Object<'_>, goes_on: bool) {
        let (text, images) = object.raw("content").map(content::read).unwrap_or_default();
        let key = page.scribe.key();
        match (&*object.id("role").unwrap_or_default(), goes_on) {
            ("assistant", true) => {
                let key = self.open.get_or_insert(key).clone();
                self.texts.more(&mut page.scribe, &key, &text);
            }
            ("assistant", false) => self.texts.whole(&mut page.scribe, &key, &text, EntryState::Done),
            ("user", _) => {
                let body = Body::User { text: text.into(), images: Vec::new(), origin: None };
                page.scribe.entry(body, EntryState::Done, images, None);
            }
            _ => page.scribe.opaque(),
        }
    }
}

/// An error: a text, or an object with one.
fn said(raw: &serde_json::value::RawValue) -> String {
    let inner = || Object::of(raw)?.word("message").map(String::from);
    string(raw).map(String::from).or_else(inner).unwrap_or_else(|| raw.get().to_owned())
}
