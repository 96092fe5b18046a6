//! The source's tree of lines, and the rewinds that it shows (rule 10).
//!
//! Invariant: only an explicit removal removes. A user turn beside an earlier branch that holds a user turn withdraws that
//! branch; several roots, parallel results and a compaction withdraw nothing.

use std::collections::HashSet;

use super::{Book, LineRecord, Shelf};
use crate::model::{EntryRef, EntryState, Key};

impl Book {
    /// Remembers a line.
    pub(super) fn plant(&mut self, key: Key, record: LineRecord) {
        let record = match self.lines.get(&key) {
            // A revision updates the entries that the line made before.
            Some(known) if record.count == 0 => LineRecord { agent: known.agent, first: known.first, count: known.count, ..record },
            _ => record,
        };
        self.replant_under(key, record.parent);
        self.lines.insert(key, record);
        self.pending.draft.lines.push((key, record));
    }

    /// A line written again takes its new parent.
    pub(super) fn replant(&mut self, key: Key, parent: Option<Key>) {
        self.replant_under(key, parent);
        if let Some(record) = self.lines.get_mut(&key) {
            record.parent = parent;
            self.pending.draft.lines.push((key, *record));
        }
    }

    fn replant_under(&mut self, key: Key, parent: Option<Key>) {
        let old = self.lines.get(&key).and_then(|record| record.parent);
        if let Some(siblings) = old.and_then(|old| self.below.get_mut(&old)) {
            siblings.retain(|sibling| *sibling != key);
        }
        if let Some(parent) = parent {
            self.below.entry(parent).or_default().push(key);
        }
    }

    /// Withdraws the earlier branches below `parent` that hold a user turn.
    pub(super) fn rewind(&mut self, shelf: &dyn Shelf, parent: Option<Key>) {
        let Some(branches) = parent.and_then(|parent| self.below.get(&parent)).cloned() else { return };
        for branch in branches {
            let lines = self.branch(branch);
            if lines.iter().any(|(_, record)| record.turn) {
                for (_, record) in lines {
                    for seq in record.first..record.first.saturating_add(record.count) {
                        self.withdraw(shelf, EntryRef { agent: record.agent, seq });
                    }
                }
            }
        }
    }

    fn branch(&self, root: Key) -> Vec<(Key, LineRecord)> {
        let (mut lines, mut seen, mut next) = (Vec::new(), HashSet::new(), vec![root]);
        while let Some(key) = next.pop() {
            if seen.insert(key) {
                lines.extend(self.lines.get(&key).map(|record| (key, *record)));
                next.extend(self.below.get(&key).into_iter().flatten());
            }
        }
        lines
    }

    /// Takes an entry back: it is kept, and drawn folded.
    pub(super) fn withdraw(&mut self, shelf: &dyn Shelf, at: EntryRef) {
        if let Some(mut entry) = self.row(shelf, at) {
            entry.state = EntryState::Withdrawn;
            self.put(entry);
        }
    }
}
