//! Messages and reasoning: begun, continued and ended by id, in chunks, or whole in a snapshot.

use super::AgUi;
use super::memory::{Chunk, Message, who};
use crate::dialect::content;
use crate::dialect::json::Object;
use crate::dialect::page::Page;
use crate::dialect::think;
use crate::model::{Blobbed, Body, EntryState, Field, Op, Who};

/// The longest first turn of a subagent that is put together, in bytes.
const HELD: usize = 8 << 10;

impl AgUi {
    pub(super) fn message_start(&mut self, page: &mut Page, object: &Object<'_>) {
        let Some(id) = object.id("messageId") else { return page.scribe.opaque() };
        self.begin(page, &id, object.id("role").as_deref());
    }

    fn begin(&mut self, page: &Page, id: &str, role: Option<&str>) {
        let agent = agent_id(&page.scribe.who);
        let message = self.messages.entry(id);
        message.role = role.unwrap_or("assistant").to_owned();
        message.held = (message.role == "user" && agent.is_some()).then(String::new);
        message.agent = agent;
    }

    pub(super) fn message_content(&mut self, page: &mut Page, object: &Object<'_>) {
        match (object.id("messageId"), object.text("delta")) {
            (Some(id), Some(text)) => self.more(page, &id, &text),
            _ => page.scribe.opaque(),
        }
    }

    fn more(&mut self, page: &mut Page, id: &str, text: &str) {
        if self.messages.get(id).is_none() {
            self.begin(page, id, None);
        }
        let Some(message) = self.messages.get_mut(id) else { return };
        if message.role == "assistant" {
            self.texts.more(&mut page.scribe, &text_key(id), text);
            return self.spoke(page);
        }
        let mut text = text.to_owned();
        if let Some(held) = &mut message.held {
            held.push_str(&text);
            if held.len() <= HELD {
                return;
            }
            text = message.held.take().unwrap_or_default();
        }
        let body = Body::User { text: String::new().into(), images: Vec::new(), origin: origin(&message.role) };
        let key = format!("{}/0", text_key(id));
        page.scribe.entry_op(Op::Append { who: page.scribe.who.clone(), key, body: Some(body), field: Field::Text, text });
    }

    pub(super) fn message_end(&mut self, page: &mut Page, object: &Object<'_>) {
        let Some(id) = object.id("messageId") else { return page.scribe.opaque() };
        self.finish(page, &id, EntryState::Done);
    }

    /// The end of a message, if it has begun.
    pub(super) fn finish(&mut self, page: &mut Page, id: &str, state: EntryState) {
        let Some(message) = self.messages.remove(id) else { return };
        if message.role == "assistant" {
            return self.texts.end(&mut page.scribe, &text_key(id), state);
        }
        match message.held {
            Some(text) => self.turn(page, id, text, Vec::new(), message.agent.as_deref()),
            None => page.scribe.say(Op::Close { key: format!("{}/0", text_key(id)), state }),
        }
    }

    /// A whole turn addressed to an agent: the first to a subagent is its prompt.
    fn turn(&mut self, page: &mut Page, id: &str, text: String, images: Vec<Blobbed>, agent: Option<&str>) {
        let keys = vec![format!("{}/0", text_key(id))];
        if let Some(agent) = agent
            && !std::mem::replace(&mut self.agents.entry(agent).opened, true)
        {
            return page.scribe.entry_op(Op::Prompt { who: Who::runtime(agent), text, images, own: true, keys });
        }
        let body = Body::User { text: text.into(), images: Vec::new(), origin: None };
        page.scribe.entry_op(Op::Entry { who: who(agent), keys, body, state: EntryState::Done, images });
    }

    pub(super) fn message_chunk(&mut self, page: &mut Page, object: &Object<'_>) {
        let agent = agent_id(&page.scribe.who);
        let known = match self.chunk(agent.as_deref()) {
            Chunk::Text(id) => Some(id),
            _ => None,
        };
        let Some(id) = object.id("messageId").map(String::from).or_else(|| known.clone()) else { return };
        if known.as_ref() != Some(&id) {
            self.end_chunk(page, agent.as_deref());
            self.begin(page, &id, object.id("role").as_deref());
            self.set_chunk(agent.as_deref(), Chunk::Text(id.clone()));
        }
        if let Some(text) = object.word("delta") {
            self.more(page, &id, &text);
        }
    }

    pub(super) fn reasoning_content(&mut self, page: &mut Page, object: &Object<'_>) {
        match (object.id("messageId"), object.text("delta")) {
            (Some(id), Some(text)) => reason(page, reasoning_key(&id), text.into()),
            _ => page.scribe.opaque(),
        }
    }

    pub(super) fn reasoning_end(&mut self, page: &mut Page, object: &Object<'_>) {
        if let Some(id) = object.id("messageId") {
            page.scribe.say(Op::Close { key: reasoning_key(&id), state: EntryState::Done });
        }
    }

    pub(super) fn reasoning_chunk(&mut self, page: &mut Page, object: &Object<'_>) {
        let agent = agent_id(&page.scribe.who);
        let known = match self.chunk(agent.as_deref()) {
            Chunk::Reasoning(id) => Some(id),
            _ => None,
        };
        let Some(id) = object.id("messageId").map(String::from).or_else(|| known.clone()) else { return };
        if known.as_ref() != Some(&id) {
            self.end_chunk(page, agent.as_deref());
            self.set_chunk(agent.as_deref(), Chunk::Reasoning(id.clone()));
        }
        // An empty part is the end.
        match object.word("delta") {
            Some(text) => reason(page, reasoning_key(&id), text.into()),
            None => self.end_chunk(page, agent.as_deref()),
        }
    }

    /// Reasoning without an id: one stretch until it ends.
    pub(super) fn thinking_content(&mut self, page: &mut Page, object: &Object<'_>) {
        let Some(text) = object.text("delta") else { return page.scribe.opaque() };
        let agent = agent_id(&page.scribe.who).unwrap_or_default();
        if self.thinking.get(&agent).is_none() {
            self.thoughts += 1;
            *self.thinking.entry(&agent) = format!("thinking:{}:{}", self.run.as_deref().unwrap_or_default(), self.thoughts);
        }
        let key = self.thinking.get(&agent).cloned().unwrap_or_default();
        reason(page, key, text.into());
    }

    pub(super) fn thinking_end(&mut self, page: &mut Page) {
        let agent = agent_id(&page.scribe.who).unwrap_or_default();
        if let Some(key) = self.thinking.remove(&agent) {
            page.scribe.say(Op::Close { key, state: EntryState::Done });
        }
    }

    /// All messages as they stand: what is there is put whole, what is not there is left alone.
    pub(super) fn snapshot(&mut self, page: &mut Page, object: &Object<'_>, field: &str) {
        for message in object.array(field).into_iter().filter_map(Object::of) {
            let agent = message.id("subagentRunId").map(String::from);
            page.scribe.who = who(agent.as_deref());
            self.whole(page, &message, agent.as_deref());
        }
        page.scribe.who = Who::Main;
    }

    fn whole(&mut self, page: &mut Page, message: &Object<'_>, agent: Option<&str>) {
        let (Some(id), Some(role)) = (message.id("id"), message.id("role")) else { return };
        let (text, images) = message.raw("content").map(content::read).unwrap_or_default();
        match &*role {
            "assistant" => {
                self.messages.remove(&id);
                if !text.is_empty() {
                    self.texts.whole(&mut page.scribe, &text_key(&id), &text, EntryState::Done);
                    self.spoke(page);
                }
                for call in message.array("toolCalls").into_iter().filter_map(Object::of) {
                    self.whole_call(page, &call);
                }
            }
            "user" => self.turn(page, &id, text, images, agent),
            "tool" => self.whole_result(page, message, text, images),
            "reasoning" => {
                if !text.is_empty() {
                    let op = Op::Entry {
                        who: page.scribe.who.clone(),
                        keys: vec![reasoning_key(&id)],
                        body: Body::Reasoning { text: text.into() },
                        state: EntryState::Done,
                        images: Vec::new(),
                    };
                    page.scribe.entry_op(op);
                }
            }
            "activity" => {
                let kind = message.id("activityType").unwrap_or_default().into_owned();
                self.activity(page, &id, &kind, message.raw("content"), true);
            }
            role => {
                let body = Body::User { text: text.into(), images: Vec::new(), origin: origin(role) };
                let keys = vec![format!("{}/0", text_key(&id))];
                page.scribe.entry_op(Op::Entry { who: page.scribe.who.clone(), keys, body, state: EntryState::Done, images });
            }
        }
    }

    pub(super) fn chunk(&self, agent: Option<&str>) -> Chunk {
        self.chunks.get(agent.unwrap_or_default()).cloned().unwrap_or_default()
    }

    pub(super) fn set_chunk(&mut self, agent: Option<&str>, chunk: Chunk) {
        *self.chunks.entry(agent.unwrap_or_default()) = chunk;
    }

    /// The end of what an agent's chunks belong to.
    pub(super) fn end_chunk(&mut self, page: &mut Page, agent: Option<&str>) {
        match self.chunks.remove(agent.unwrap_or_default()).unwrap_or_default() {
            Chunk::None => {}
            Chunk::Text(id) => self.finish(page, &id, EntryState::Done),
            Chunk::Reasoning(id) => page.scribe.say(Op::Close { key: reasoning_key(&id), state: EntryState::Done }),
            Chunk::Call(id) => self.end_call(page, &id),
        }
    }
}

/// The run id of an agent; `None` for the main agent.
pub(super) fn agent_id(who: &Who) -> Option<String> {
    match who {
        Who::Main => None,
        Who::Named(name) => Some(name.id.clone()),
    }
}

/// Who wrote a turn, where it was not the person.
fn origin(role: &str) -> Option<String> {
    Some(role).filter(|role| *role != "user").map(String::from)
}

fn reason(page: &mut Page, key: String, text: String) {
    if !text.is_empty() {
        page.scribe.entry_op(think::more(&page.scribe.who, key, true, text, false));
    }
}

pub(super) fn text_key(id: &str) -> String {
    format!("message:{id}")
}

fn reasoning_key(id: &str) -> String {
    format!("reasoning:{id}")
}

impl Message {
    /// True for what the agent itself says.
    pub fn is_said(&self) -> bool {
        self.role == "assistant"
    }
}
