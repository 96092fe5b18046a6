//! What all dialects of one JSON object a record have in common: reading it, whose session it is, what was told before.
//!
//! Decision: a dialect only says what an object means ([`Teller`]); its memory is the teller itself. A record whose session is
//! not known yet is held, within bounds, and gives its line when it is.
//! Invariants: a record told again changes no memory; a part of a record is told as a line of its own; the first line of a record
//! carries its class.

use std::collections::VecDeque;
use std::mem;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::json::{Object, array};
use super::list::push;
use super::page::{self, Page};
use super::scribe::Scribe;
use super::teller::{Teller, sure, unwrapped};
use super::{Event, Facts, Record, Translator, opaque, salvage};
use crate::model::{Class, Hash64, Line, Op, SessionId, SessionPatch, Who};

/// Records by which one that is told again is known.
const LINES: usize = 512;
/// Sessions of one source.
const SESSIONS: usize = 64;
/// How much is held of records whose session is not known yet, in bytes.
const HELD: usize = 128 << 10;
/// Records that are owed their line.
const OWED: usize = 1_024;
/// The parts that are told of one record.
const PARTS: usize = 100_000;

pub fn open<T: Teller>(facts: Facts, memory: Option<&str>) -> Result<Box<dyn Translator>, String> {
    let fresh = || {
        let mut memory = Memory::<T>::default();
        memory.teller.placed(&facts);
        Ok(memory)
    };
    let memory = memory.map_or_else(fresh, serde_json::from_str).map_err(|fault| fault.to_string())?;
    Ok(Box::new(Frame { facts, memory, said: false }))
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default, bound = "T: Teller")]
struct Memory<T: Teller> {
    /// The session of the last record: of records that name none, too.
    last: Option<String>,
    /// Where the last record stands.
    offset: u64,
    /// Sessions whose dialect has been told.
    told: VecDeque<String>,
    lines: VecDeque<Hash64>,
    held: VecDeque<Held>,
    /// Places and hashes of records whose line waits for a session.
    owed: VecDeque<(u64, Hash64)>,
    teller: T,
}

/// A record whose session is not known yet.
#[derive(Serialize, Deserialize)]
struct Held {
    offset: u64,
    text: String,
    name: Option<String>,
    id: Option<String>,
    /// True if it stands inside of a record that has its line.
    #[serde(default)]
    part: bool,
}

struct Frame<T: Teller> {
    facts: Facts,
    memory: Memory<T>,
    /// True if a part of the record at hand made an entry.
    said: bool,
}

impl<T: Teller> Translator for Frame<T> {
    fn record(&mut self, record: Record<'_>) -> Vec<Line> {
        if let Some(cut) = record.cut {
            return self.unreadable(record, format!("This line is too long to be read: {} bytes.", cut.len));
        }
        let Ok(text) = std::str::from_utf8(record.bytes) else {
            return self.unreadable(record, "This line is no text.".into());
        };
        let trimmed = text.trim();
        if let Some(object) = Object::parse(trimmed) {
            let mut lines = self.object(record, trimmed, &object, false);
            lines.extend(self.release());
            return lines;
        }
        let list = Some(trimmed).filter(|text| text.starts_with('[')).and_then(|text| serde_json::from_str::<&RawValue>(text).ok());
        let (found, clean) = match list.and_then(array) {
            Some(items) => (items.into_iter().map(RawValue::get).filter(|item| item.starts_with('{')).collect(), true),
            None => salvage::records(trimmed),
        };
        let clean = clean && !found.is_empty();
        let mut lines = if clean { Vec::new() } else { self.unreadable(record, "This line cannot be read as a whole.".into()) };
        // The first that is whole is the record's own line, be it told later.
        let (mut said, mut first) = (false, lines.is_empty());
        for part in found.into_iter().take(PARTS) {
            let Some(object) = Object::parse(part).filter(|object| clean || sure::<T>(object) > 0) else { continue };
            let more = self.object(record, part, &object, !std::mem::take(&mut first));
            lines.extend(more);
            said |= self.said;
        }
        if let Some(first) = lines.first_mut().filter(|line| said && matches!(line.class, Class::Bookkeeping(_))) {
            first.class = Class::Entry;
        }
        lines.extend(self.release());
        lines
    }

    fn memory(&self) -> String {
        serde_json::to_string(&self.memory).unwrap_or_default()
    }

    fn end(&mut self) -> Vec<Line> {
        let mut lines = Vec::new();
        while let Some(held) = self.memory.held.pop_front() {
            lines.extend(self.held(&held));
        }
        let mut page = Page::new(self.last(), self.memory.offset, None, Scribe::new(Who::Main, "end".into(), None));
        self.memory.teller.end(&mut page);
        // The page itself stands for no record.
        page.deferred = true;
        lines.extend(self.finish(page, Hash64::default(), true));
        let last = self.last();
        let owed = mem::take(&mut self.memory.owed);
        lines.extend(owed.into_iter().map(|owed| owed_line::<T>(owed, &last, Class::Bookkeeping("held".into()))));
        lines
    }
}

impl<T: Teller> Frame<T> {
    fn last(&self) -> String {
        self.memory.last.clone().unwrap_or_else(|| self.facts.session.clone())
    }

    fn unreadable(&mut self, record: Record<'_>, why: String) -> Vec<Line> {
        let mut scribe = Scribe::new(Who::Main, String::new(), None);
        scribe.say(opaque::entry(Who::Main, record, why));
        scribe.opaque();
        self.memory.offset = record.offset;
        let page = Page::new(self.last(), record.offset, None, scribe);
        self.finish(page, opaque::hash(record), false)
    }

    /// A record and the records inside of it. `part`: it stands inside of a record itself.
    fn object(&mut self, record: Record<'_>, text: &str, object: &Object<'_>, part: bool) -> Vec<Line> {
        let inner = unwrapped(object);
        let (object, wrapped) = (inner.as_ref().unwrap_or(object), inner.is_some().then_some(object));
        let event = record.event.or_else(|| wrapped.map(|_| Event { name: "", id: None }));
        let outer = wrapped.and_then(|outer| outer.word("id")).map(String::from);
        let event = event.map(|event| Event { id: event.id.or(outer.as_deref()), ..event });
        let here = Record { bytes: text.as_bytes(), cut: None, event, offset: record.offset };
        if self.memory.teller.waits(object) && text.len() <= HELD {
            return self.hold(here, text, part);
        }
        self.said = false;
        let mut lines = self.line(here, text, object, part);
        for inner in T::parts(object).into_iter().take(PARTS) {
            let Some(object) = Object::of(inner) else { continue };
            let inside = Record { bytes: inner.get().as_bytes(), ..here };
            lines.extend(self.line(inside, inner.get(), &object, true));
        }
        // What its parts say, the record says.
        if let Some(first) = lines.first_mut().filter(|line| self.said && matches!(line.class, Class::Bookkeeping(_))) {
            first.class = Class::Entry;
        }
        lines
    }

    fn line(&mut self, record: Record<'_>, text: &str, object: &Object<'_>, part: bool) -> Vec<Line> {
        let hash = Hash64::of(text.as_bytes());
        let session = self.memory.teller.session(object).unwrap_or_else(|| self.last());
        self.memory.offset = record.offset;
        let stream = self.memory.teller.stream(object);
        let sent = record.event.and_then(|event| event.id).map(|id| format!("sse:{stream}:{id}:{:016x}", hash.0));
        // Where a position is a line's number, only its id tells a second record of that line from the first.
        let inside = part.then(|| format!("part:{stream}:{}:{:016x}", record.offset, hash.0));
        let id = self.memory.teller.id(object).or(sent).or(inside);
        let base = id.as_ref().map_or_else(|| format!("{stream}:{:016x}@{}", hash.0, record.offset), |id| format!("line:{id}"));
        let known = Hash64::of_parts(&[session.as_bytes(), b" ", base.as_bytes(), b" ", &hash.0.to_le_bytes()]);
        let again = self.memory.lines.contains(&known);
        if !again {
            push(&mut self.memory.lines, LINES, known);
        }
        let mut teller = if again { self.memory.teller.clone() } else { mem::take(&mut self.memory.teller) };
        let scribe = Scribe::new(Who::Main, base, teller.at(object));
        let mut page = Page::new(session, record.offset, id, scribe);
        teller.tell(&mut page, object);
        if page.is_first() && page.scribe.class() == Class::Opaque {
            let who = page.scribe.who.clone();
            page.scribe.say(opaque::entry(who, record, unknown(object)));
            // What no rule knows is shown, wherever that is.
            page.deferred = false;
        }
        if !again {
            self.memory.teller = teller;
        }
        self.finish(page, hash, part)
    }

    /// The lines of a page. What is owed comes before the first line whose session is known.
    fn finish(&mut self, page: Page, hash: Hash64, part: bool) -> Vec<Line> {
        let (deferred, offset) = (page.deferred, self.memory.offset);
        let (mut first, more, entries) = page.finish(T::FAMILY, hash);
        self.said |= entries || first.class == Class::Entry;
        if part {
            first.class = Class::Part;
        } else if deferred {
            self.memory.owed.push_back((offset, hash));
        }
        let own = Some(first).filter(|_| !deferred);
        let mut lines: Vec<Line> = own.into_iter().chain(more).collect();
        if let Some(session) = lines.first().map(|line| line.session.id.clone()) {
            let class = if entries { Class::Entry } else { Class::Bookkeeping("held".into()) };
            let owed = mem::take(&mut self.memory.owed).into_iter().map(|owed| owed_line::<T>(owed, &session, class.clone()));
            lines = owed.chain(lines).collect();
        }
        if self.memory.owed.len() > OWED
            && let Some(owed) = self.memory.owed.pop_front()
        {
            lines.push(owed_line::<T>(owed, &self.last(), Class::Bookkeeping("held".into())));
        }
        lines.iter_mut().for_each(|line| self.introduce(line));
        lines
    }

    /// Says of a session, before its first line, by what dialect it comes, and what the caller calls it.
    fn introduce(&mut self, line: &mut Line) {
        let session = &line.session.id;
        let first = self.memory.last.is_none();
        if !self.memory.told.contains(session) {
            let name = Some(&self.facts.session).filter(|name| first && !name.is_empty() && *name != session);
            let patch =
                SessionPatch { dialect: Some(T::NAME.into()), names: name.cloned().into_iter().collect(), ..SessionPatch::default() };
            push(&mut self.memory.told, SESSIONS, session.clone());
            page::first(line, Op::Session(patch));
        }
        self.memory.last = Some(line.session.id.clone());
    }

    /// Keeps a record until its session is known. What does not fit any more is told as it is.
    fn hold(&mut self, record: Record<'_>, text: &str, part: bool) -> Vec<Line> {
        let (name, id) = record.event.map_or((None, None), |event| (Some(event.name.into()), event.id.map(String::from)));
        self.memory.held.push_back(Held { offset: record.offset, text: text.into(), name, id, part });
        let mut lines = Vec::new();
        while self.memory.held.iter().map(|held| held.text.len()).sum::<usize>() > HELD {
            let Some(held) = self.memory.held.pop_front() else { break };
            lines.extend(self.held(&held));
        }
        lines
    }

    /// Tells the held records whose session is known by now, each in its turn.
    fn release(&mut self) -> Vec<Line> {
        let mut lines = Vec::new();
        let ready = |teller: &T, held: &Held| Object::parse(&held.text).is_none_or(|object| !teller.waits(&object));
        while let Some(at) = self.memory.held.iter().position(|held| ready(&self.memory.teller, held)) {
            let Some(held) = self.memory.held.remove(at) else { break };
            lines.extend(self.held(&held));
        }
        lines
    }

    fn held(&mut self, held: &Held) -> Vec<Line> {
        let Some(object) = Object::parse(&held.text) else { return Vec::new() };
        let event = held.name.as_deref().map(|name| Event { name, id: held.id.as_deref() });
        let record = Record { event, ..Record::whole(held.offset, held.text.as_bytes()) };
        self.line(record, &held.text, &object, held.part)
    }
}

/// The line of a record whose session was not known when it was read.
fn owed_line<T: Teller>((offset, hash): (u64, Hash64), session: &str, class: Class) -> Line {
    let line = page::plain(T::FAMILY, offset, hash);
    Line { session: SessionId { id: session.into(), ..line.session }, class, ..line }
}

fn unknown(object: &Object<'_>) -> String {
    let kind = ["type", "event", "method", "kind", "role"].iter().find_map(|name| object.word(name)).unwrap_or_default();
    let word: String = kind.chars().filter(|c| !c.is_control()).take(60).collect();
    if word.is_empty() { "A line without a type.".into() } else { format!("A line of the type {word}, which no rule knows.") }
}
