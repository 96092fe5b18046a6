//! Parts of messages: snapshots, and deltas between them.

use super::memory::OpenCode;
use crate::dialect::content::data_url;
use crate::dialect::json::Object;
use crate::dialect::page::Page;
use crate::dialect::think;
use crate::model::{Blobbed, Body, EntryState, Op, Who};

/// Parts of a message that are remembered, and stretches of a text that can be withdrawn.
const PARTS: usize = 64;
const STRETCHES: usize = 16;

impl OpenCode {
    /// A part as it stands; `delta` is what is new in it, where the server says so.
    pub(super) fn part(&mut self, page: &mut Page, part: &Object<'_>, delta: Option<&str>, session: &str) {
        let (Some(id), kind) = (part.id("id"), part.id("type").unwrap_or_default()) else { return page.scribe.opaque() };
        let message = part.id("messageID").unwrap_or_default();
        let known = self.messages.entry(&message);
        let role = known.role.clone();
        if known.parts.len() < PARTS && !known.parts.iter().any(|part| *part == *id) {
            known.parts.push(id.to_string());
        }
        let text = part.text("text").unwrap_or_default();
        let open = part.object("time").is_some_and(|time| time.has("start") && !time.has("end"));
        match &*kind {
            "text" if role == "user" && (part.flag("synthetic") || part.flag("ignored")) => {
                page.scribe.notice_as("context", "Words for the model", Some(text.into()), Some(key(&id)));
            }
            "text" if role == "user" => self.turn(page, &id, text.into(), Vec::new(), session),
            "text" => {
                self.parts.entry(&id).kind = "text".into();
                self.text(page, &key(&id), &text, delta, open);
            }
            "reasoning" => {
                self.parts.entry(&id).kind = "reasoning".into();
                self.reasoning(page, &key(&id), &text, delta, open);
            }
            "tool" => self.tool(page, part, &id, session),
            "file" => {
                let name = part.word("filename").or_else(|| part.word("url")).unwrap_or_default();
                let image = part
                    .word("url")
                    .and_then(|url| data_url(&url))
                    .filter(|_| part.word("mime").is_some_and(|mime| mime.starts_with("image/")));
                let shown = if name.starts_with("data:") { "A file".into() } else { name };
                let body = Body::User { text: shown.into_owned().into(), images: Vec::new(), origin: Some("file".into()) };
                let images = image.into_iter().collect();
                page.scribe.entry_op(Op::Entry {
                    who: page.scribe.who.clone(),
                    keys: vec![key(&id)],
                    body,
                    state: EntryState::Done,
                    images,
                });
            }
            "subtask" => {
                let said = part.word("description").or_else(|| part.word("prompt")).unwrap_or_default();
                page.scribe.notice_as("task", said, part.word("prompt").map(Into::into), Some(key(&id)));
            }
            "compaction" => page.scribe.notice_as("compaction", "Conversation compacted", None, Some(key(&id))),
            "retry" => {
                let said = part.object("error").and_then(|error| error.object("data")?.word("message").map(String::from));
                page.scribe.notice_as("error", said.unwrap_or_else(|| "The model is asked again.".into()), None, Some(key(&id)));
            }
            "step-start" | "step-finish" | "snapshot" | "patch" | "agent" => {}
            _ => page.scribe.opaque(),
        }
    }

    /// A turn addressed to the agent: the first to a child is its prompt.
    pub(super) fn turn(&mut self, page: &mut Page, id: &str, text: String, images: Vec<Blobbed>, session: &str) {
        let (who, keys) = (page.scribe.who.clone(), vec![key(id)]);
        let told = self.parts.get(id).is_some();
        self.parts.entry(id).kind = "user".into();
        if who != Who::Main && !told && !std::mem::replace(&mut self.sessions.entry(session).opened, true) {
            return page.scribe.entry_op(Op::Prompt { who, text, images, own: true, keys });
        }
        let body = Body::User { text: text.into(), images: Vec::new(), origin: None };
        page.scribe.entry_op(Op::Entry { who, keys, body, state: EntryState::Done, images });
    }

    pub(super) fn text(&mut self, page: &mut Page, key: &str, text: &str, delta: Option<&str>, open: bool) {
        match delta {
            _ if !open => self.texts.whole(&mut page.scribe, key, text, EntryState::Done),
            Some(delta) if self.texts.is_open(key) => self.texts.more(&mut page.scribe, key, delta),
            _ if text.is_empty() => {}
            _ => self.texts.so_far(&mut page.scribe, key, text),
        }
    }

    pub(super) fn reasoning(&mut self, page: &mut Page, key: &str, text: &str, delta: Option<&str>, open: bool) {
        if let Some(delta) = delta.filter(|delta| open && delta.len() < text.len()) {
            return think(page, key, delta);
        }
        if text.is_empty() {
            return;
        }
        let state = if open { EntryState::Open } else { EntryState::Done };
        let body = Body::Reasoning { text: text.into() };
        page.scribe.entry_op(Op::Entry { who: page.scribe.who.clone(), keys: vec![key.into()], body, state, images: Vec::new() });
    }

    /// More of a part whose beginning was seen; else its next snapshot brings it.
    pub(super) fn delta(&mut self, page: &mut Page, about: &Object<'_>) {
        let (Some(id), Some(text)) = (about.id("partID"), about.text("delta")) else { return page.scribe.opaque() };
        if about.word("field").is_some_and(|field| field != "text") {
            return;
        }
        match self.parts.get(&id).map(|part| part.kind.as_str()) {
            Some("text") => self.texts.more(&mut page.scribe, &key(&id), &text),
            Some("reasoning") => think(page, &key(&id), &text),
            _ => {}
        }
    }

    /// A message or a part was taken back.
    pub(super) fn removed(&mut self, page: &mut Page, about: &Object<'_>) {
        let parts = match about.id("partID") {
            Some(part) => vec![part.into_owned()],
            None => about.id("messageID").and_then(|id| self.messages.remove(&id)).map(|message| message.parts).unwrap_or_default(),
        };
        let stretches = |part: &String| -> Vec<String> {
            let key = key(part);
            (0..STRETCHES).map(|at| format!("{key}/{at}")).chain([key.clone()]).collect()
        };
        let keys: Vec<String> = parts.iter().flat_map(stretches).collect();
        if !keys.is_empty() {
            page.scribe.entry_op(Op::Withdraw { keys });
        }
    }
}

pub(super) fn key(part: &str) -> String {
    format!("part:{part}")
}

pub(super) fn think(page: &mut Page, key: &str, text: &str) {
    page.scribe.entry_op(think::more(&page.scribe.who, key.into(), true, text.into(), false));
}
