//! Messages: in chunks, by id or by kind, or whole; and what the client itself asked.

use super::memory::{Acp, Chunk, Request, name};
use crate::dialect::json::Object;
use crate::dialect::page::Page;
use crate::dialect::{content, think};
use crate::model::{Blobbed, Body, EntryState, Field, Op, Who};

/// The longest turn that is compared with its repetition, and the longest first turn of a child that is put together, in bytes.
const HELD: usize = 8 << 10;

impl Acp {
    /// A turn that the client sends.
    pub(super) fn prompt(&mut self, page: &mut Page, params: &Object<'_>, session: &str, request: &str) {
        self.end_chunk(page);
        *self.requests.entry(request) = Request { method: "session/prompt".into(), session: session.into() };
        let (text, images) = params.raw("prompt").map(content::read).unwrap_or_default();
        let known = self.sessions.entry(session);
        known.asked = Some(text.clone()).filter(|text| text.len() <= HELD).unwrap_or_default();
        self.begins(page, session);
        self.turn(page, page.scribe.key(), text, images, session);
    }

    /// A turn addressed to the agent: the first to a child is its prompt.
    fn turn(&mut self, page: &mut Page, key: String, text: String, images: Vec<Blobbed>, session: &str) {
        let who = page.scribe.who.clone();
        if matches!(&who, Who::Named(name) if name.id == session) && !std::mem::replace(&mut self.sessions.entry(session).opened, true) {
            return page.scribe.entry_op(Op::Prompt { who, text, images, own: true, keys: vec![key] });
        }
        let body = Body::User { text: text.into(), images: Vec::new(), origin: None };
        page.scribe.entry_op(Op::Entry { who, keys: vec![key], body, state: EntryState::Done, images });
    }

    pub(super) fn chunk(&mut self, page: &mut Page, update: &Object<'_>, kind: &str, session: &str) {
        let id = update.id("messageId").map(String::from);
        let (text, images) = update.raw("content").map(content::read).unwrap_or_default();
        let agent = name(&page.scribe.who).to_owned();
        let goes_on = self.chunks.get(&agent).is_some_and(|chunk| chunk.kind == kind && (id.is_none() || chunk.id == id));
        if !goes_on {
            self.end_chunk(page);
            let key = id.as_ref().map_or_else(|| page.scribe.key(), |id| format!("message:{session}:{id}"));
            let known = self.sessions.entry(session);
            let held = (kind == "user_message_chunk" && agent == session && !known.opened).then(String::new);
            *self.chunks.entry(&agent) = Chunk { kind: kind.into(), id, key, held };
        }
        if kind == "user_message_chunk" {
            let known = self.sessions.entry(session);
            if let Some(rest) = known.asked.strip_prefix(&text).filter(|_| !text.is_empty()) {
                // What was asked comes back.
                known.asked = rest.trim_start_matches('\n').to_owned();
                return;
            }
        }
        let Some(chunk) = self.chunks.get_mut(&agent) else { return };
        let key = chunk.key.clone();
        match kind {
            "agent_message_chunk" => self.texts.more(&mut page.scribe, &key, &text),
            "agent_thought_chunk" => page.scribe.entry_op(think::more(&page.scribe.who, key.clone(), true, text, false)),
            _ => {
                if let Some(held) = &mut chunk.held {
                    held.push_str(&text);
                    if held.len() <= HELD {
                        return;
                    }
                }
                let text = chunk.held.take().unwrap_or(text);
                let body = Some(Body::User { text: String::new().into(), images: Vec::new(), origin: None });
                page.scribe.entry_op(Op::Append { who: page.scribe.who.clone(), key: key.clone(), body, field: Field::Text, text });
            }
        }
        for (at, image) in images.into_iter().enumerate() {
            let body = Body::User { text: String::new().into(), images: Vec::new(), origin: Some("image".into()) };
            let keys = vec![format!("{key}/image/{}/{at}", page.scribe.base)];
            page.scribe.entry_op(Op::Entry { who: page.scribe.who.clone(), keys, body, state: EntryState::Done, images: vec![image] });
        }
    }

    /// The end of the message that the speaking agent's chunks belong to.
    pub(super) fn end_chunk(&mut self, page: &mut Page) {
        let agent = name(&page.scribe.who).to_owned();
        let Some(chunk) = self.chunks.remove(&agent) else { return };
        match chunk.held {
            Some(text) if !text.is_empty() => self.turn(page, chunk.key, text, Vec::new(), &agent),
            _ if chunk.kind == "agent_message_chunk" => self.texts.end(&mut page.scribe, &chunk.key, EntryState::Done),
            _ => page.scribe.say(Op::Close { key: chunk.key, state: EntryState::Done }),
        }
    }

    /// A message that is whole, in the place of what came of it.
    pub(super) fn whole(&mut self, page: &mut Page, update: &Object<'_>, kind: &str, session: &str) {
        let Some(content) = update.raw("content") else { return };
        let (text, images) = content::read(content);
        let id = update.id("messageId").map(String::from);
        let key = id.map_or_else(|| page.scribe.key(), |id| format!("message:{session}:{id}"));
        let who = page.scribe.who.clone();
        match kind {
            "agent_message" => self.texts.whole(&mut page.scribe, &key, &text, EntryState::Done),
            "agent_thought" => {
                let body = Body::Reasoning { text: text.into() };
                page.scribe.entry_op(Op::Entry { who, keys: vec![key], body, state: EntryState::Done, images });
            }
            _ => {
                let known = self.sessions.entry(session);
                if !text.is_empty() && known.asked == text {
                    known.asked.clear();
                    return;
                }
                self.turn(page, key, text, images, session);
            }
        }
    }
}
