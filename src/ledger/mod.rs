//! The ledger: the only place where operations become changes.
//!
//! Decision: one [`Book`] a session, held in memory by its one writing owner, rebuilt from the store at need. It gathers
//! facts line by line and derives rows from them when a draft is taken.
//! Invariants: the eleven rules of ARCHITECTURE.md; the same line twice changes nothing; the order in which the
//! files of a session are read changes no row but for `n` and `rev`. No I/O.

mod apply;
mod content;
mod copies;
mod draft;
mod entries;
mod facts;
mod infer;
mod links;
#[cfg(test)]
pub(crate) mod memory;
mod parts;
mod process;
mod rows;
mod runs;
#[cfg(test)]
mod tests;
mod tree;

use std::collections::{BTreeMap, BTreeSet, HashMap};

pub use draft::{Bare, Draft, LineRecord, NewBlob, Saved, Shelf, without_content};

use crate::model::{
    Agent, AgentCounts, AgentNo, Change, Class, Entry, EntryRef, Field, Key, Line, MAIN, Ms, Name, NameKind, Session, SessionId, Usage, Who,
};
use facts::{AgentFacts, SessionFacts};
use runs::{Mark, Span};

/// A session's book.
pub struct Book {
    id: SessionId,
    session: Session,
    facts: SessionFacts,
    counts: AgentCounts,
    usage: Usage,
    agents: Vec<AgentBook>,
    names: HashMap<Name, AgentNo>,
    /// By agent: those merged into it, or parts of it.
    mates: HashMap<AgentNo, Vec<AgentNo>>,
    /// Subagents whose last run has no end.
    open_children: BTreeSet<AgentNo>,
    keys: HashMap<Key, EntryRef>,
    lines: HashMap<Key, LineRecord>,
    /// The source's tree, by the line above.
    below: HashMap<Key, Vec<Key>>,
    usages: HashMap<(AgentNo, Key), Usage>,
    /// All entries in state `open`, as they are now.
    open: BTreeMap<EntryRef, Entry>,
    pending: Pending,
}

/// One agent of a book.
#[derive(Default)]
struct AgentBook {
    /// As it stands in the last draft.
    row: Agent,
    facts: AgentFacts,
    /// What the next row will say.
    merged_into: Option<AgentNo>,
    part_of: Option<AgentNo>,
    /// The names that lead here directly.
    names: Vec<Name>,
    spans: Vec<Span>,
    /// True if new evidence may have moved the borders between runs.
    unsettled: bool,
}

/// What the next draft will hold.
#[derive(Default)]
struct Pending {
    entries: BTreeMap<EntryRef, Entry>,
    appends: BTreeMap<(EntryRef, Field), (u64, String)>,
    agents: BTreeSet<AgentNo>,
    session: bool,
    draft: Draft,
}

/// The line at hand.
struct Here<'a> {
    shelf: &'a dyn Shelf,
    mark: Mark,
    copy: bool,
    /// The entries that the line made.
    made: Vec<EntryRef>,
    /// The agent in whose transcript the line stands.
    home: Option<AgentNo>,
    /// The first entry that the line told again.
    found: Option<EntryRef>,
}

impl Book {
    /// The book of a session that nobody has heard of.
    pub fn new(id: SessionId) -> Self {
        let mut book = Self::blank(id);
        book.agents.push(AgentBook::default());
        book.pending.agents.insert(MAIN);
        book.pending.session = true;
        book
    }

    fn blank(id: SessionId) -> Self {
        Self {
            id,
            session: Session::default(),
            facts: SessionFacts::default(),
            counts: AgentCounts::default(),
            usage: Usage::default(),
            agents: Vec::new(),
            names: HashMap::new(),
            mates: HashMap::new(),
            open_children: BTreeSet::new(),
            keys: HashMap::new(),
            lines: HashMap::new(),
            below: HashMap::new(),
            usages: HashMap::new(),
            open: BTreeMap::new(),
            pending: Pending::default(),
        }
    }

    /// The book as it was after its last draft. A memory that cannot be read is an error: the session is then refused, not guessed.
    pub fn restore(saved: Saved) -> Result<Self, String> {
        let unread = |error: serde_json::Error| format!("the memory of session {} cannot be read: {error}", saved.id.id);
        let mut book = Self::blank(saved.id.clone());
        book.facts = serde_json::from_str(&saved.state).map_err(unread)?;
        book.counts = saved.session.agents;
        book.usage = saved.session.usage;
        book.session = saved.session;
        for (row, facts) in saved.agents {
            if row.n as usize != book.agents.len() {
                return Err(format!("agent {} of session {} is missing", book.agents.len(), book.id.id));
            }
            if let Some(target) = row.merged_into.or(row.part_of) {
                book.mates.entry(target).or_default().push(row.n);
            }
            let facts = serde_json::from_str(&facts).map_err(unread)?;
            let (merged_into, part_of) = (row.merged_into, row.part_of);
            let row = Agent { rev: 0, ..row };
            book.agents.push(AgentBook { row, facts, merged_into, part_of, unsettled: true, ..AgentBook::default() });
        }
        for (name, n) in saved.names {
            if let Some(agent) = book.agents.get_mut(n as usize) {
                agent.names.push(name.clone());
                book.names.insert(name, n);
            }
        }
        for (key, record) in &saved.lines {
            if let Some(parent) = record.parent {
                book.below.entry(parent).or_default().push(*key);
            }
        }
        book.keys = saved.keys.into_iter().collect();
        book.lines = saved.lines.into_iter().collect();
        book.usages = saved.usages.into_iter().map(|(n, key, usage)| ((n, key), usage)).collect();
        book.open = saved.open.into_iter().map(|entry| (entry.at_ref(), entry)).collect();
        for n in book.numbers() {
            book.derive_spans(n, None);
        }
        Ok(book)
    }

    /// The session's identity.
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// Applies one line of the source `source` and tells what became of it: the line's own class, or `Duplicate`.
    pub fn line(&mut self, shelf: &dyn Shelf, source: u32, line: Line) -> Class {
        let mark = self.mark(source, line.offset, line.at);
        if line.is_control() {
            let mut here = Here { shelf, mark, copy: false, made: Vec::new(), home: None, found: None };
            self.apply_all(&mut here, line.ops);
            return line.class;
        }
        let key = match &line.id {
            Some(id) => Key::of(&["line", id]),
            None => Key::of(&["at", &source.to_string(), &line.offset.to_string(), &line.hash.0.to_string()]),
        };
        let parent = line.parent.as_deref().map(|id| Key::of(&["line", id]));
        if let Some(known) = self.lines.get(&key).copied()
            && (known.hash == line.hash || line.copy)
        {
            if known.parent != parent && !line.copy {
                self.replant(key, parent);
            }
            // A part of a line is not counted, whatever becomes of it.
            return if line.class == Class::Part { Class::Part } else { Class::Duplicate };
        }
        if self.facts.no_news && !line.copy {
            self.facts.no_news = false;
            self.touch_open();
        }
        let revised = self.lines.contains_key(&key);
        if line.turn && !revised && !line.copy {
            self.rewind(shelf, parent);
        }
        let mut here = Here { shelf, mark, copy: line.copy, made: Vec::new(), home: None, found: None };
        self.apply_all(&mut here, line.ops);
        facts::earliest(&mut self.facts.started_at, line.at);
        facts::latest(&mut self.facts.last_at, line.at);
        self.pending.session = true;
        if let Some(home) = here.home {
            self.saw(home, here.mark);
        }
        // What another source told before is this line's too: if it is rewound, so is that.
        let told = here.found.filter(|_| here.made.is_empty() && !revised && !line.copy);
        let made = here.made.first().copied().or(told).map_or((here.home.unwrap_or(MAIN), 0), |first| (first.agent, first.seq));
        let count = u32::try_from(here.made.len()).unwrap_or(u32::MAX).max(u32::from(told.is_some()));
        self.plant(key, LineRecord { hash: line.hash, parent, turn: line.turn, agent: made.0, first: made.1, count });
        line.class
    }

    /// Where and when something was said.
    fn mark(&self, source: u32, pos: u64, at: Option<Ms>) -> Mark {
        facts::mark(&self.facts.processes, source, pos, at)
    }

    /// Notes that a line of the agent's own was there, which may begin a run.
    fn saw(&mut self, n: AgentNo, mark: Mark) {
        let target = self.resolve(n);
        if let Some(agent) = self.agents.get_mut(target as usize) {
            agent.facts.saw(mark);
        }
        // The runs of a part are those of the whole.
        let whole = self.whole(target);
        if let Some(agent) = self.agents.get_mut(whole as usize) {
            let next = runs::run_of(&agent.spans, mark) as usize > agent.spans.len();
            agent.unsettled |= next || runs::unsettles(&agent.spans, mark);
        }
        self.pending.agents.extend([target, whole]);
    }

    /// Takes what has changed since the last draft; empty if nothing has.
    pub fn take(&mut self, shelf: &dyn Shelf) -> Draft {
        self.settle_parts();
        self.settle_runs(shelf);
        if self.session_status() != (self.session.status, self.session.waiting_on) {
            // A session that begins or ceases to run changes what its open children are.
            self.touch_open();
        }
        self.derive_agents();
        let mut pending = std::mem::take(&mut self.pending);
        let mut draft = std::mem::take(&mut pending.draft);
        for (at, entry) in pending.entries {
            pending.appends.retain(|(of, _), _| *of != at);
            draft.changes.push(Change::Entry(Box::new(entry)));
        }
        for ((at, field), (from, text)) in pending.appends {
            draft.changes.push(Change::Append { agent: at.agent, seq: at.seq, field, from, text, rev: 0 });
        }
        if pending.session {
            draft.state = serde_json::to_string(&self.facts).ok();
        }
        let row = self.session_row();
        let known = Session { rev: 0, grev: 0, ..self.session.clone() };
        if row != known {
            self.session = row.clone();
            draft.changes.push(Change::Session(Box::new(row)));
        }
        draft
    }

    /// Derives the rows of all agents that new evidence touched.
    fn derive_agents(&mut self) {
        self.pending.agents.insert(MAIN);
        let touched = std::mem::take(&mut self.pending.agents);
        let mut all: BTreeSet<AgentNo> = touched.iter().flat_map(|n| [self.resolve(*n), self.whole(*n)]).collect();
        all.extend(touched);
        for n in all {
            let Some(new) = self.agent_row(n) else { continue };
            let Some(agent) = self.agents.get_mut(n as usize) else { continue };
            let facts = serde_json::to_string(&agent.facts).unwrap_or_default();
            self.pending.draft.facts.push((n, facts));
            let old = std::mem::replace(&mut agent.row, new.clone());
            if old == new && old != Agent::default() {
                continue;
            }
            self.recount(&old, &new);
            self.pending.draft.changes.push(Change::Agent(Box::new(new)));
        }
    }

    fn numbers(&self) -> Vec<AgentNo> {
        (0..u32::try_from(self.agents.len()).unwrap_or(u32::MAX)).collect()
    }

    /// The agent, made on first sight.
    fn agent(&mut self, who: &Who) -> AgentNo {
        let Who::Named(name) = who else { return MAIN };
        if let Some(n) = self.names.get(name) {
            return self.resolve(*n);
        }
        let n = u32::try_from(self.agents.len()).unwrap_or(u32::MAX);
        self.agents.push(AgentBook { unsettled: true, ..AgentBook::default() });
        self.bind(name.clone(), n);
        self.pending.agents.insert(n);
        if name.kind == NameKind::Copy {
            self.set_aside(n, &name.id);
        } else {
            self.open_children.insert(n);
        }
        n
    }

    fn bind(&mut self, name: Name, n: AgentNo) {
        if let Some(agent) = self.agents.get_mut(n as usize) {
            agent.names.push(name.clone());
        }
        self.names.insert(name.clone(), n);
        self.pending.draft.names.push((name, n));
    }

    fn names_of(&self, n: AgentNo) -> impl Iterator<Item = &Name> {
        self.agents.get(n as usize).into_iter().flat_map(|agent| &agent.names)
    }
}
