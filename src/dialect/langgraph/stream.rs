//! A source of frames: which session each belongs to, and which were read before.

use super::memory::{Memory, Own, SESSIONS};
use crate::dialect::chain::{Frame, Scribe, frames, push};
use crate::dialect::json::Object;
use crate::dialect::{Facts, Record, Translator, opaque};
use crate::model::{Class, Hash64, Line, Op, SessionId, SessionPatch, Who};

/// What tells the dialects of this kind apart.
#[derive(Clone, Copy)]
pub struct Rules {
    pub dialect: &'static str,
    pub family: &'static str,
    /// Tells one frame.
    pub tell: fn(&mut Teller, &mut Scribe, &Frame<'_>),
    /// The stream in which a frame's id is unique.
    pub stream: fn(&Own, &Frame<'_>) -> String,
}

/// The translator of one source, which may hold several sessions.
pub struct Stream {
    facts: Facts,
    memory: Memory,
    rules: Rules,
}

/// Tells the frames of one session.
pub struct Teller {
    pub own: Own,
}

impl Stream {
    pub fn open(facts: Facts, memory: Option<&str>, rules: Rules) -> Result<Box<dyn Translator>, String> {
        let memory = memory.map_or(Ok(Memory::default()), serde_json::from_str).map_err(|fault| fault.to_string())?;
        Ok(Box::new(Self { facts, memory, rules }))
    }

    fn unreadable(&mut self, record: Record<'_>, why: String) -> Line {
        let session = self.memory.last.clone().unwrap_or_else(|| self.facts.session.clone());
        self.memory.last.get_or_insert_with(|| session.clone());
        Line {
            session: SessionId { family: self.rules.family.into(), id: session },
            offset: record.offset,
            id: None,
            hash: opaque::hash(record),
            parent: None,
            turn: false,
            copy: false,
            at: None,
            class: Class::Opaque,
            ops: vec![opaque::entry(Who::Main, record, why)],
        }
    }

    /// The session of a frame. The first thread that a source names is only a name of the session that has begun without one.
    fn session(&mut self, frame: &Frame<'_>, thread: Option<String>) -> String {
        let known = thread.as_ref().and_then(|thread| self.memory.threads.iter().find(|(known, _)| known == thread));
        let session = match (&self.memory.last, &thread, known) {
            (_, _, Some((_, session))) => session.clone(),
            (Some(last), Some(_), None) if self.memory.threads.is_empty() => last.clone(),
            (_, Some(thread), None) => thread.clone(),
            (Some(last), None, _) => last.clone(),
            (None, None, _) if self.facts.session.is_empty() => run(frame).unwrap_or_default(),
            (None, None, _) => self.facts.session.clone(),
        };
        if let Some(thread) = thread.filter(|thread| self.memory.threads.iter().all(|(known, _)| known != thread)) {
            push(&mut self.memory.threads, SESSIONS, (thread, session.clone()));
        }
        self.memory.last = Some(session.clone());
        session
    }

    fn line(&mut self, record: Record<'_>, frame: &Frame<'_>) -> Line {
        let thread = super::thread(frame);
        let session = self.session(frame, thread.clone());
        let mut scribe = Scribe::new(frame.name.split('|').next().unwrap_or_default());
        let mut own = self.memory.session(&session);
        let hash = Hash64::of_parts(&[frame.name.as_bytes(), b"\n", frame.data.as_bytes()]);
        // An id is unique in its run's stream, and may start anew there: the content tells.
        let stream = (self.rules.stream)(&own, frame);
        let id = frame.id.as_deref().map(|id| format!("{stream}:{id}:{:016x}", hash.0));
        let again = id.as_deref().is_some_and(|id| own.again(id));
        let kept = again.then(|| own.clone());
        if !std::mem::replace(&mut own.began, true) {
            let name = Some(self.facts.session.clone()).filter(|name| !name.is_empty() && *name != session);
            let patch =
                SessionPatch { dialect: Some(self.rules.dialect.into()), names: name.into_iter().collect(), ..SessionPatch::default() };
            scribe.say(Op::Session(patch));
        }
        if let Some(thread) = thread.filter(|thread| *thread != session && own.thread.as_ref() != Some(thread)) {
            own.thread = Some(thread.clone());
            scribe.say(Op::Session(SessionPatch { names: vec![thread], ..SessionPatch::default() }));
        }
        let mut teller = Teller { own };
        (self.rules.tell)(&mut teller, &mut scribe, frame);
        teller.first_words(&mut scribe);
        self.memory.keep(session.clone(), kept.unwrap_or(teller.own));
        if scribe.infer {
            scribe.say(Op::EndOfInput);
        }
        if scribe.is_opaque() {
            let word: String = frame.name.chars().filter(|c| !c.is_control()).take(60).collect();
            let why = if word.is_empty() {
                "A frame without a name that a rule knows.".into()
            } else {
                format!("A frame named {word}, which no rule knows.")
            };
            let part = Record { bytes: frame.data.as_bytes(), ..record };
            scribe.say(opaque::entry(Who::Main, part, why));
        }
        Line {
            session: SessionId { family: self.rules.family.into(), id: session },
            offset: record.offset,
            id: scribe.id.take().or(id),
            hash,
            parent: None,
            turn: false,
            copy: scribe.copy,
            at: scribe.at,
            class: scribe.class(),
            ops: scribe.ops,
        }
    }
}

impl Translator for Stream {
    fn record(&mut self, record: Record<'_>) -> Vec<Line> {
        if let Some(cut) = record.cut {
            return vec![self.unreadable(record, format!("This line is too long to be read: {} bytes.", cut.len))];
        }
        let (mut lines, mut classes) = (Vec::new(), Vec::new());
        for (at, frame) in frames(record).iter().enumerate() {
            let mut line = self.line(record, frame);
            classes.push(line.class.clone());
            if at > 0 {
                line.id = line.id.or_else(|| Some(format!("part:{}:{at}:{:016x}", record.offset, line.hash.0)));
                line.class = Class::Part;
            }
            lines.push(line);
        }
        // Of several frames the record has one class: opaque where a part of it is.
        for class in [Class::Entry, Class::Opaque] {
            if let Some(first) = classes.contains(&class).then(|| lines.first_mut()).flatten() {
                first.class = class;
            }
        }
        if lines.is_empty() {
            lines.push(self.unreadable(record, "This line cannot be read.".into()));
        }
        lines
    }

    fn memory(&self) -> String {
        serde_json::to_string(&self.memory).unwrap_or_default()
    }
}

/// The stream of the run: the one that a frame begins, else the one that goes on.
pub fn of_run(own: &Own, frame: &Frame<'_>) -> String {
    run(frame).filter(|_| frame.name == "metadata").or_else(|| own.run.clone()).unwrap_or_default()
}

/// The run that a frame names.
fn run(frame: &Frame<'_>) -> Option<String> {
    let object = Object::parse(&frame.data)?;
    object.word("run_id").map(Into::into)
}
