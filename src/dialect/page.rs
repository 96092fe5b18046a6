//! Where the lines of one record are written.

use std::mem;

use super::scribe::Scribe;
use crate::model::{Class, Hash64, Line, Ms, Op, SessionId, Who};

/// The lines of one record, as they are written.
pub struct Page {
    pub scribe: Scribe,
    /// The session of the line at hand.
    pub session: String,
    /// True if the session of the record itself is not known yet: its line is written when it is.
    pub deferred: bool,
    /// Where the line at hand stands in its source.
    pub offset: u64,
    id: Option<String>,
    done: Vec<Leaf>,
}

/// A line that is written.
struct Leaf {
    session: String,
    offset: u64,
    id: Option<String>,
    scribe: Scribe,
}

impl Page {
    pub fn new(session: String, offset: u64, id: Option<String>, scribe: Scribe) -> Self {
        Self { scribe, session, deferred: false, offset, id, done: Vec::new() }
    }

    /// Begins a further line, of its own id and time.
    pub fn next(&mut self, session: String, offset: u64, id: String, who: Who, at: Option<Ms>) {
        let scribe = mem::replace(&mut self.scribe, Scribe::new(who, format!("line:{id}"), at));
        let (session, offset) = (mem::replace(&mut self.session, session), mem::replace(&mut self.offset, offset));
        let leaf = Leaf { session, offset, id: self.id.replace(id), scribe };
        self.done.push(leaf);
    }

    /// True until a further line has begun.
    pub fn is_first(&self) -> bool {
        self.done.is_empty()
    }

    /// The record's own line, those behind it, and whether one of these made an entry.
    pub fn finish(mut self, family: &str, hash: Hash64) -> (Line, Vec<Line>, bool) {
        self.done.push(Leaf { session: self.session, offset: self.offset, id: self.id, scribe: self.scribe });
        let mut lines = self.done.into_iter().map(|leaf| leaf.line(family, hash));
        let first = lines.next().unwrap_or_else(|| plain(family, self.offset, hash));
        let mut more: Vec<Line> = lines.collect();
        let entries = more.iter().any(|line| line.class == Class::Entry);
        for line in &mut more {
            // What a further line says hangs on more than its record: its id alone tells whether it was told.
            line.hash = Hash64::of(line.id.as_deref().unwrap_or_default().as_bytes());
            line.class = Class::Part;
        }
        (first, more, entries)
    }
}

impl Leaf {
    fn line(self, family: &str, hash: Hash64) -> Line {
        Line {
            session: SessionId { family: family.into(), id: self.session },
            id: self.id,
            turn: self.scribe.turn,
            at: self.scribe.at,
            class: self.scribe.class(),
            ops: self.scribe.ops,
            ..plain(family, self.offset, hash)
        }
    }
}

/// A line that says nothing.
pub fn plain(family: &str, offset: u64, hash: Hash64) -> Line {
    Line {
        session: SessionId { family: family.into(), id: String::new() },
        offset,
        id: None,
        hash,
        parent: None,
        turn: false,
        copy: false,
        at: None,
        class: Class::Bookkeeping("empty".into()),
        ops: Vec::new(),
    }
}

/// Says an operation before all others of a line, but behind the beginning of a process.
pub fn first(line: &mut Line, op: Op) {
    let at = usize::from(matches!(line.ops.first(), Some(Op::Process)));
    line.ops.insert(at, op);
}
