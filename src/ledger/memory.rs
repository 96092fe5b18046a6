//! A store in memory, for tests: keeps drafts as the real one does, and gives a book back.

use std::collections::{BTreeMap, HashMap};

use super::{Book, Draft, LineRecord, Saved, Shelf};
use crate::model::{Agent, AgentNo, Change, Class, Entry, EntryRef, EntryState, Field, Key, Line, Name, Session, SessionId, Usage};

/// One session's rows, and what its book remembers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub session: Session,
    pub agents: BTreeMap<AgentNo, Agent>,
    pub entries: BTreeMap<EntryRef, Entry>,
    pub changes: Vec<Change>,
    pub blobs: HashMap<String, Vec<u8>>,
    facts: BTreeMap<AgentNo, String>,
    state: String,
    names: BTreeMap<Name, AgentNo>,
    keys: HashMap<Key, EntryRef>,
    lines: HashMap<Key, LineRecord>,
    usages: HashMap<(AgentNo, Key), Usage>,
}

impl Shelf for Memory {
    fn entry(&self, at: EntryRef) -> Option<Entry> {
        self.entries.get(&at).cloned()
    }

    fn entries(&self, agent: AgentNo) -> Vec<Entry> {
        self.entries.values().filter(|entry| entry.agent == agent).cloned().collect()
    }
}

impl Memory {
    /// Writes a draft, checking what every draft must hold.
    pub fn write(&mut self, draft: Draft) {
        for change in draft.changes {
            self.apply(&change);
            self.changes.push(change);
        }
        self.facts.extend(draft.facts);
        self.state = draft.state.unwrap_or(std::mem::take(&mut self.state));
        self.names.extend(draft.names);
        self.keys.extend(draft.keys);
        self.lines.extend(draft.lines);
        self.usages.extend(draft.usages.into_iter().map(|(n, key, usage)| ((n, key), usage)));
        self.blobs.extend(draft.blobs.into_iter().map(|blob| (blob.hash, blob.bytes)));
    }

    fn apply(&mut self, change: &Change) {
        match change {
            Change::Session(row) => self.session = (**row).clone(),
            Change::Agent(row) => {
                self.agents.insert(row.n, (**row).clone());
            }
            Change::Entry(row) => {
                self.entries.insert(row.at_ref(), (**row).clone());
            }
            Change::Append { agent, seq, field, from, text, .. } => {
                let entry = self.entries.get_mut(&EntryRef { agent: *agent, seq: *seq }).expect("an append extends a row that is there");
                let long = match field {
                    Field::Text => entry.body.texts_mut().into_iter().next().expect("a text"),
                    _ => super::entries::text_of(&mut entry.body, *field).expect("a text"),
                };
                assert_eq!(long.text.len() as u64, *from, "an append knows the length that it extends");
                long.text.push_str(text);
            }
            Change::Gone(_) => {}
        }
    }

    pub fn saved(&self, id: SessionId) -> Saved {
        Saved {
            id,
            session: self.session.clone(),
            state: self.state.clone(),
            agents: self.agents.iter().map(|(n, row)| (row.clone(), self.facts[n].clone())).collect(),
            names: self.names.iter().map(|(name, n)| (name.clone(), *n)).collect(),
            keys: self.keys.iter().map(|(key, at)| (*key, *at)).collect(),
            lines: self.lines.iter().map(|(key, record)| (*key, *record)).collect(),
            usages: self.usages.iter().map(|((n, key), usage)| (*n, *key, *usage)).collect(),
            open: self.entries.values().filter(|entry| entry.state == EntryState::Open).cloned().collect(),
        }
    }

    /// Feeds lines to a book, taking a draft behind each line where `cut` says so and reopening the book there.
    pub fn feed(&mut self, id: &SessionId, lines: &[(u32, Line)], cut: impl Fn(usize) -> bool) -> Vec<Class> {
        let mut book = if self.agents.is_empty() { Book::new(id.clone()) } else { Book::restore(self.saved(id.clone())).expect("a book") };
        let mut classes = Vec::new();
        for (index, (source, line)) in lines.iter().enumerate() {
            classes.push(book.line(self, *source, line.clone()));
            if cut(index) {
                let draft = book.take(self);
                self.write(draft);
                book = Book::restore(self.saved(id.clone())).expect("a book");
            }
        }
        let draft = book.take(self);
        self.write(draft);
        classes
    }

    /// The agent of this title.
    pub fn titled(&self, title: &str) -> &Agent {
        self.agents.values().find(|agent| agent.title == title && !agent.is_aside()).expect("an agent of this title")
    }

    /// The agent's entries as "kind: text", by `seq`.
    pub fn words(&self, agent: AgentNo) -> Vec<String> {
        let entries = self.entries.values().filter(|entry| entry.agent == agent);
        entries
            .map(|entry| {
                let mut body = entry.body.clone();
                let text: Vec<String> = body.texts_mut().into_iter().map(|long| long.text.clone()).collect();
                format!("{}: {}", entry.body.kind(), text.join("|"))
            })
            .collect()
    }
}

/// Puts sources into one, each in its own order, by a list of choices.
pub(crate) fn interleave<T: Clone>(sources: &[Vec<T>], choices: &[proptest::sample::Index]) -> Vec<T> {
    let mut rests: Vec<&[T]> = sources.iter().map(Vec::as_slice).collect();
    let mut choices = choices.iter().cycle();
    let mut out = Vec::new();
    loop {
        rests.retain(|rest| !rest.is_empty());
        if rests.is_empty() {
            return out;
        }
        let pick = choices.next().map_or(0, |choice| choice.index(rests.len()));
        if let Some((first, rest)) = rests[pick].split_first() {
            out.push(first.clone());
            rests[pick] = rest;
        }
    }
}
