//! Chat files: a head and messages, a line each or in one object. A message that comes again replaces itself.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::dialect::json::{Object, array, string};
use crate::dialect::list::push;
use crate::dialect::page::Page;
use crate::dialect::teller::Teller;
use crate::dialect::{Facts, Place, content, think};
use crate::model::{AgentPatch, Blobbed, Body, EntryState, Link, Name, NameKind, Op, SessionPatch, TitleFrom, Usage, Who};

/// Messages that can be taken back.
const MESSAGES: usize = 1_024;
/// Entries of a message that can be taken back, by kind.
const ENTRIES: usize = 16;

#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Chat {
    /// The session that the folder names: that of the agent which started this one.
    parent: Option<String>,
    /// The agent that the file's name names.
    child: Option<String>,
    session: Option<String>,
    opened: bool,
    messages: VecDeque<Told>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Told {
    id: String,
    calls: Vec<String>,
}

/// A subagent's file lies in a folder that its parent's session names: `chats/<session>/<agent>.jsonl`.
pub fn place(path: &[&str]) -> Place {
    let stem = |name: &str| name.split_once('.').map_or(name, |(stem, _)| stem).to_owned();
    match path {
        [.., "chats", session, name] => {
            Place { session: Some((*session).to_owned()), inside: true, agent: Some(stem(name)), ..Place::default() }
        }
        [.., name] => Place { session: Some(stem(name)), ..Place::default() },
        [] => Place::default(),
    }
}

impl Teller for Chat {
    const FAMILY: &'static str = "gemini";
    const NAME: &'static str = "gemini";

    fn sure(object: &Object<'_>) -> u8 {
        if object.has("sessionId") && object.has("projectHash") {
            return 97;
        }
        let message = object.has("id") && object.has("timestamp") && (object.has("content") || object.has("parts"));
        match &*object.id("type").unwrap_or_default() {
            "gemini" if message => 70,
            "user" | "model" | "info" | "error" | "warning" if message => 45,
            "" if object.has("$set") || object.has("$rewindTo") => 45,
            _ => 0,
        }
    }

    fn placed(&mut self, facts: &Facts) {
        if facts.place.inside {
            (self.parent, self.child) = (facts.place.session.clone(), facts.place.agent.clone());
        }
    }

    fn session(&self, object: &Object<'_>) -> Option<String> {
        let named = || object.id("sessionId").map(String::from);
        self.parent.clone().or_else(|| self.session.clone()).or_else(named)
    }

    fn id(&self, object: &Object<'_>) -> Option<String> {
        let id = object.id("id").filter(|_| object.has("type"))?;
        Some(format!("message:{}:{id}", self.child.as_deref().unwrap_or_default()))
    }

    fn stream(&self, _: &Object<'_>) -> String {
        self.child.clone().unwrap_or_default()
    }

    fn parts<'a>(object: &Object<'a>) -> Vec<&'a RawValue> {
        if object.has("sessionId") { object.array("messages") } else { Vec::new() }
    }

    fn tell(&mut self, page: &mut Page, object: &Object<'_>) {
        page.scribe.who = self.me();
        let kind = object.id("type").unwrap_or_default();
        if !kind.is_empty() {
            page.scribe.bookkeeping(&kind, None);
        }
        match &*kind {
            "" if object.has("sessionId") => self.head(page, object),
            "" if object.has("$set") => {
                page.scribe.bookkeeping("set", None);
                if let Some(set) = object.object("$set") {
                    self.summary(page, &set);
                }
            }
            "" if object.has("$rewindTo") => self.rewind(page, &object.word("$rewindTo").unwrap_or_default()),
            "user" => self.user(page, object),
            "gemini" | "model" => self.answer(page, object),
            "info" | "error" | "warning" => {
                let (text, _) = said(object);
                let key = self.key(object);
                page.scribe.notice_as(&kind, text, None, Some(key.clone()));
                self.remember(object, Vec::new());
            }
            _ => page.scribe.opaque(),
        }
    }
}

impl Chat {
    fn me(&self) -> Who {
        self.child.as_ref().map_or(Who::Main, Who::runtime)
    }

    fn head(&mut self, page: &mut Page, head: &Object<'_>) {
        page.scribe.bookkeeping("head", None);
        let id = head.id("sessionId").map(String::from);
        if self.child.is_some() {
            // The file's name may be a part of the id alone.
            let names = id.into_iter().map(|id| Name { kind: NameKind::Runtime, id }).collect();
            let patch = AgentPatch { names, parent: Some(Who::Main), link: Some(Link::Sidecar), ..AgentPatch::default() };
            return page.scribe.say(Op::Agent { who: self.me(), patch });
        }
        self.session = self.session.take().or(id);
        let cwd = head.array("directories").into_iter().find_map(string).map(Into::into);
        page.scribe.say(Op::Session(SessionPatch { cwd, ..SessionPatch::default() }));
        self.summary(page, head);
    }

    fn summary(&self, page: &mut Page, object: &Object<'_>) {
        if let Some(title) = object.word("summary").filter(|_| self.child.is_none()) {
            let title = Some((TitleFrom::Summary, title.into()));
            page.scribe.say(Op::Session(SessionPatch { title, ..SessionPatch::default() }));
        }
    }

    fn key(&self, object: &Object<'_>) -> String {
        format!("message:{}:{}", self.child.as_deref().unwrap_or_default(), object.id("id").unwrap_or_default())
    }

    fn remember(&mut self, object: &Object<'_>, calls: Vec<String>) {
        let id: String = object.id("id").unwrap_or_default().into();
        match self.messages.iter_mut().find(|told| told.id == id) {
            Some(told) => told.calls = calls,
            None => push(&mut self.messages, MESSAGES, Told { id, calls }),
        }
    }

    fn user(&mut self, page: &mut Page, object: &Object<'_>) {
        let (text, images) = said(object);
        let (who, keys) = (page.scribe.who.clone(), vec![format!("{}/0", self.key(object))]);
        let again = self.messages.iter().any(|told| object.id("id").is_some_and(|id| *id == *told.id));
        self.remember(object, Vec::new());
        if who == Who::Main {
            page.scribe.say(Op::Turn { ended: false });
        } else if !again && !std::mem::replace(&mut self.opened, true) {
            return page.scribe.entry_op(Op::Prompt { who, text, images, own: true, keys });
        }
        let body = Body::User { text: text.into(), images: Vec::new(), origin: None };
        page.scribe.entry_op(Op::Entry { who, keys, body, state: EntryState::Done, images });
    }

    fn answer(&mut self, page: &mut Page, object: &Object<'_>) {
        let (who, key) = (page.scribe.who.clone(), self.key(object));
        for (at, thought) in object.array("thoughts").into_iter().enumerate() {
            let inner = Object::of(thought);
            let word = |name| inner.as_ref().and_then(|thought: &Object<'_>| thought.word(name)).map(String::from);
            let texts: Vec<String> =
                [word("subject").map(|subject| format!("**{subject}**")), word("description")].into_iter().flatten().collect();
            let text = if texts.is_empty() { string(thought).unwrap_or_default().into() } else { texts.join("\n\n") };
            let body = Body::Reasoning { text: text.into() };
            let keys = vec![format!("{key}/thought/{at}")];
            page.scribe.entry_op(Op::Entry { who: who.clone(), keys, body, state: EntryState::Done, images: Vec::new() });
        }
        let (text, _) = said(object);
        if !text.is_empty() {
            think::whole(&who, &key, &text, EntryState::Done).into_iter().for_each(|op| page.scribe.entry_op(op));
        }
        let calls: Vec<Object<'_>> = object.array("toolCalls").into_iter().filter_map(Object::of).collect();
        calls.iter().for_each(|call| self.call(page, call));
        self.remember(object, calls.iter().filter_map(|call| call.id("id")).map(Into::into).collect());
        if let Some(model) = object.id("model") {
            let patch = AgentPatch { model: Some(model.into()), ..AgentPatch::default() };
            page.scribe.say(Op::Agent { who: who.clone(), patch });
        }
        if let Some(tokens) = object.object("tokens") {
            let number = |name| tokens.number(name).unwrap_or(0);
            let cached = number("cached");
            let usage = Usage {
                input: number("input").saturating_sub(cached),
                output: number("output").saturating_add(number("thoughts")),
                cache_read: cached,
                cache_write: 0,
            };
            page.scribe.say(Op::Usage { who: who.clone(), message: key, usage, context: None });
        }
        if who == Who::Main && calls.is_empty() && !text.is_empty() {
            // An answer that calls no tool is the last of its turn.
            page.scribe.say(Op::Turn { ended: true });
        }
    }

    /// Everything from this message on was taken back.
    fn rewind(&mut self, page: &mut Page, id: &str) {
        page.scribe.bookkeeping("rewind", None);
        let Some(at) = self.messages.iter().position(|told| told.id == id) else { return };
        let name = self.child.as_deref().unwrap_or_default();
        let keys: Vec<String> = self
            .messages
            .drain(at..)
            .flat_map(|told| {
                let key = format!("message:{name}:{}", told.id);
                let thoughts = (0..ENTRIES).map(|at| format!("{key}/thought/{at}")).collect::<Vec<_>>();
                let texts = (0..ENTRIES).map(|at| format!("{key}/{at}")).collect::<Vec<_>>();
                let calls = told.calls.into_iter().map(|call| format!("call:{call}"));
                [key].into_iter().chain(thoughts).chain(texts).chain(calls).collect::<Vec<_>>()
            })
            .collect();
        page.scribe.entry_op(Op::Withdraw { keys });
    }
}

/// The text and the images of a message.
fn said(object: &Object<'_>) -> (String, Vec<Blobbed>) {
    let raw = object.raw("content").or_else(|| object.raw("parts"));
    let (text, mut images) = raw.map(content::read).unwrap_or_default();
    let parts = raw.and_then(array).unwrap_or_default();
    let inline: Vec<Blobbed> = parts
        .iter()
        .filter_map(|part| Object::of(part)?.object("inlineData"))
        .filter_map(|data| Some(Blobbed { media_type: data.word("mimeType")?.into(), data: data.word("data")?.into() }))
        .collect();
    if inline.is_empty() {
        return (text, images);
    }
    let texts: Vec<String> = parts.iter().filter_map(|part| Object::of(part)?.text("text").map(Into::into)).collect();
    images.extend(inline);
    (texts.join("\n"), images)
}
