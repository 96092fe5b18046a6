//! Changes that wait for a frame, and how many of them a frame takes.
//!
//! Decision: a frame takes only as much as keeps it short, and the rest waits for the next; what it may take is learned from how long the
//! last ones took, since what a change costs is its view. Of an agent's and a session's row only the newest of a batch is applied: each
//! carries the whole state.
//! Invariant: the order of the stream is kept, and nothing is left out that a later row does not hold.

use std::collections::{BTreeSet, VecDeque};

use crate::model::{AgentNo, Change};

/// What a frame may spend on changes and their views, ms.
const BUDGET: f64 = 6.0;
/// The same where so many changes wait that they would come too late.
const HURRY: f64 = 24.0;
const MANY: usize = 1_500;
/// The least that a frame takes, and what the first one does.
const LEAST: usize = 8;
const FIRST: usize = 200;

/// The changes that have come and are not applied yet.
#[derive(Debug)]
pub struct Batch {
    waiting: VecDeque<Change>,
    slice: usize,
}

impl Default for Batch {
    fn default() -> Self {
        Self { waiting: VecDeque::new(), slice: FIRST }
    }
}

impl Batch {
    pub fn push(&mut self, change: Change) {
        self.waiting.push_back(change);
    }

    pub fn clear(&mut self) {
        self.waiting.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// What the next frame takes, and how many changes that were.
    pub fn slice(&mut self) -> (Vec<Change>, usize) {
        let taken = self.slice.min(self.waiting.len());
        (newest(self.waiting.drain(..taken)), taken)
    }

    /// All that waits.
    pub fn all(&mut self) -> Vec<Change> {
        newest(self.waiting.drain(..))
    }

    /// `taken` changes took so many ms: what the next frame takes follows from it.
    pub fn took(&mut self, taken: usize, ms: f64) {
        let budget = if self.waiting.len() > MANY { HURRY } else { BUDGET };
        let fits = taken as f64 * budget / ms.max(0.1);
        // A frame that took less than it could tells little of what a full one would take.
        let most = if taken < self.slice { self.slice } else { self.slice.saturating_mul(2) };
        self.slice = (fits as usize).clamp(LEAST, most.max(LEAST));
    }
}

/// The changes in their order, without the rows of agents and sessions that a later one of them replaces.
fn newest(changes: impl DoubleEndedIterator<Item = Change>) -> Vec<Change> {
    let mut agents: BTreeSet<AgentNo> = BTreeSet::new();
    let mut sessions: BTreeSet<String> = BTreeSet::new();
    let mut kept: Vec<Change> = changes
        .rev()
        .filter(|change| match change {
            Change::Agent(agent) => agents.insert(agent.n),
            Change::Session(session) => sessions.insert(session.id.clone()),
            // What comes before a removal is not of what comes after it.
            Change::Gone(_) => {
                agents.clear();
                sessions.clear();
                true
            }
            Change::Entry(_) | Change::Append { .. } => true,
        })
        .collect();
    kept.reverse();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Agent, Body, Entry, Gone, Notice};

    fn agent(n: AgentNo, rev: u64) -> Change {
        Change::Agent(Box::new(Agent { n, rev, ..Agent::default() }))
    }

    fn entry(seq: u32) -> Change {
        Change::Entry(Box::new(Entry::finished(1, seq, Body::Notice(Notice::default()))))
    }

    fn told(changes: &[Change]) -> Vec<String> {
        let word = |change: &Change| match change {
            Change::Agent(agent) => format!("agent {} at {}", agent.n, agent.rev),
            Change::Entry(entry) => format!("entry {}", entry.seq),
            _ => "gone".to_owned(),
        };
        changes.iter().map(word).collect()
    }

    #[test]
    fn of_rows_only_the_newest_is_applied_and_all_entries_are_in_their_order() {
        let mut batch = Batch::default();
        [agent(1, 1), entry(1), agent(2, 2), agent(1, 3), entry(2), agent(1, 4)].into_iter().for_each(|change| batch.push(change));
        assert_eq!(told(&batch.all()), ["entry 1", "agent 2 at 2", "entry 2", "agent 1 at 4"]);
        let gone = || Change::Gone(Gone { agent: Some(1), session: None, rev: 2 });
        [agent(1, 1), gone(), agent(1, 3)].into_iter().for_each(|change| batch.push(change));
        assert_eq!(told(&batch.all()), ["agent 1 at 1", "gone", "agent 1 at 3"]);
    }

    #[test]
    fn a_frame_takes_what_it_has_time_for_and_nothing_is_lost() {
        let mut batch = Batch::default();
        (1..=1_000).for_each(|seq| batch.push(entry(seq)));
        let mut taken = Vec::new();
        let mut slices = Vec::new();
        while !batch.is_empty() {
            let (changes, count) = batch.slice();
            slices.push(count);
            taken.extend(told(&changes));
            // Half a millisecond each.
            batch.took(count, count as f64 * 0.5);
        }
        assert_eq!(taken, (1..=1_000).map(|seq| format!("entry {seq}")).collect::<Vec<_>>());
        assert_eq!((slices[0], slices[1]), (FIRST, 12));
        assert!(slices.iter().skip(1).all(|count| *count <= 12), "{slices:?}");
    }

    #[test]
    fn where_very_many_wait_a_frame_takes_more() {
        let mut batch = Batch::default();
        (1..=5_000).for_each(|seq| batch.push(entry(seq)));
        let (_, count) = batch.slice();
        batch.took(count, count as f64 * 0.5);
        assert_eq!(batch.slice().1, 48);
        batch.clear();
        assert!(batch.is_empty(), "after a gap nothing of before is applied");
    }
}
