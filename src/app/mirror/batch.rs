//! Changes that wait for a frame, and how many of them a frame takes.
//!
//! Decision: a frame takes only as much as keeps it short, and the rest waits for the next; what it may take is learned from how long the
//! last ones took, since what a change costs is its view. Agents take turns, each with all that has come for it: so a frame touches a few
//! cards with several entries each, not all of them with one. The session and its conversation have a turn in every frame, and the
//! agent that a person is at in every second. Of a row only the newest state of a batch is applied: it holds the others.
//! Invariant: the order of the stream is kept within the session and within each agent, and nothing is left out that a later row does not
//! hold.

use std::collections::{BTreeSet, VecDeque};

use crate::model::{AgentNo, Change, EntryRef, MAIN};

/// What a frame may spend on changes and their views, ms.
const BUDGET: f64 = 6.0;
/// The same where so many changes wait that they would come too late.
const HURRY: f64 = 24.0;
const MANY: usize = 1_500;
/// The least that a frame takes, and what the first one does.
const LEAST: usize = 8;
const FIRST: usize = 200;
/// A frame gives turns to this part of the agents that wait, and to so many at least.
const PART: usize = 8;
const TURNS: usize = 1;

/// The changes that have come and are not applied yet.
#[derive(Debug)]
pub struct Batch {
    /// Of the session and of its conversation.
    first: VecDeque<Change>,
    /// Of the other agents, whoever has waited longest in front; none is empty.
    turns: VecDeque<(AgentNo, VecDeque<Change>)>,
    waiting: usize,
    slice: usize,
    /// The next frame is a second one.
    second: bool,
}

impl Default for Batch {
    fn default() -> Self {
        Self { first: VecDeque::new(), turns: VecDeque::new(), waiting: 0, slice: FIRST, second: false }
    }
}

impl Batch {
    pub fn push(&mut self, change: Change) {
        self.waiting += 1;
        let Some(n) = agent(&change).filter(|n| *n != MAIN) else { return self.first.push_back(change) };
        match self.turns.iter_mut().find(|(of, _)| *of == n) {
            Some((_, waiting)) => waiting.push_back(change),
            None => self.turns.push_back((n, VecDeque::from([change]))),
        }
    }

    pub fn clear(&mut self) {
        self.first.clear();
        self.turns.clear();
        self.waiting = 0;
    }

    pub fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    /// What the next frame takes, and how many changes that were. `at` is the agent that a person is at.
    pub fn slice(&mut self, at: AgentNo) -> (Vec<Change>, usize) {
        let turns = if self.waiting > MANY { usize::MAX } else { TURNS.max(self.turns.len() / PART) };
        self.second = !self.second;
        self.take(self.slice, turns, if self.second { at } else { MAIN })
    }

    /// All that waits.
    pub fn all(&mut self) -> Vec<Change> {
        self.take(usize::MAX, usize::MAX, MAIN).0
    }

    fn take(&mut self, most: usize, turns: usize, at: AgentNo) -> (Vec<Change>, usize) {
        let mut taken: Vec<Change> = self.first.drain(..most.min(self.first.len())).collect();
        if let Some((_, waiting)) = self.turns.iter_mut().find(|(n, _)| *n == at) {
            // Half of what is left: the others have their turns all the same.
            let part = most.saturating_sub(taken.len()).div_ceil(2);
            taken.extend(waiting.drain(..part.min(waiting.len())));
            self.turns.retain(|(_, waiting)| !waiting.is_empty());
        }
        for _ in 0..turns {
            let Some((n, mut waiting)) = self.turns.pop_front() else { break };
            taken.extend(waiting.drain(..most.saturating_sub(taken.len()).min(waiting.len())));
            if !waiting.is_empty() {
                // The frame is full; whoever has much waits like the others for what is left.
                self.turns.push_back((n, waiting));
                break;
            }
        }
        self.waiting = self.waiting.saturating_sub(taken.len());
        let count = taken.len();
        (newest(taken), count)
    }

    /// `taken` changes took so many ms: what the next frame takes follows from it.
    pub fn took(&mut self, taken: usize, ms: f64) {
        let budget = if self.waiting > MANY { HURRY } else { BUDGET };
        let fits = taken as f64 * budget / ms.max(0.1);
        // A frame that took less than it could tells little of what a full one would take.
        let most = if taken < self.slice { self.slice } else { self.slice.saturating_mul(2) };
        self.slice = (fits as usize).clamp(LEAST, most.max(LEAST));
    }
}

/// The agent that a change is about; none where that is the session.
fn agent(change: &Change) -> Option<AgentNo> {
    match change {
        Change::Session(_) => None,
        Change::Agent(agent) => Some(agent.n),
        Change::Entry(entry) => Some(entry.agent),
        Change::Append { agent, .. } => Some(*agent),
        Change::Gone(gone) => gone.agent,
    }
}

/// The changes in their order, without the states of rows that a later one of them replaces.
fn newest(changes: Vec<Change>) -> Vec<Change> {
    let mut agents: BTreeSet<AgentNo> = BTreeSet::new();
    let mut sessions: BTreeSet<String> = BTreeSet::new();
    let mut entries: BTreeSet<EntryRef> = BTreeSet::new();
    let mut kept: Vec<Change> = changes
        .into_iter()
        .rev()
        .filter(|change| match change {
            Change::Agent(agent) => agents.insert(agent.n),
            Change::Session(session) => sessions.insert(session.id.clone()),
            Change::Entry(entry) => entries.insert(entry.at_ref()),
            // A later row of the entry holds it.
            Change::Append { agent, seq, .. } => !entries.contains(&EntryRef { agent: *agent, seq: *seq }),
            // What comes before a removal is not of what comes after it.
            Change::Gone(_) => {
                agents.clear();
                sessions.clear();
                entries.clear();
                true
            }
        })
        .collect();
    kept.reverse();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Agent, Body, Entry, Field, Gone, Notice};

    fn agent(n: AgentNo, rev: u64) -> Change {
        Change::Agent(Box::new(Agent { n, rev, ..Agent::default() }))
    }

    fn entry(seq: u32) -> Change {
        of(1, seq)
    }

    fn of(agent: AgentNo, seq: u32) -> Change {
        Change::Entry(Box::new(Entry::finished(agent, seq, Body::Notice(Notice::default()))))
    }

    fn append(seq: u32) -> Change {
        Change::Append { agent: 1, seq, field: Field::Text, from: 0, text: "a".into(), rev: 1 }
    }

    fn told(changes: &[Change]) -> Vec<String> {
        let word = |change: &Change| match change {
            Change::Agent(agent) => format!("agent {} at {}", agent.n, agent.rev),
            Change::Entry(entry) => format!("entry {}", entry.seq),
            Change::Append { seq, .. } => format!("append to {seq}"),
            _ => "gone".to_owned(),
        };
        changes.iter().map(word).collect()
    }

    #[test]
    fn of_rows_only_the_newest_is_applied_and_all_entries_are_in_their_order() {
        let mut batch = Batch::default();
        [agent(1, 1), entry(1), agent(2, 2), agent(1, 3), entry(2), agent(1, 4)].into_iter().for_each(|change| batch.push(change));
        assert_eq!(told(&batch.all()), ["entry 1", "entry 2", "agent 1 at 4", "agent 2 at 2"]);
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
            let (changes, count) = batch.slice(MAIN);
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
    fn of_an_entry_too_only_the_newest_state_is_applied() {
        let mut batch = Batch::default();
        [entry(1), append(1), entry(2), append(2), entry(1), append(1)].into_iter().for_each(|change| batch.push(change));
        assert_eq!(told(&batch.all()), ["entry 2", "append to 2", "entry 1", "append to 1"]);
    }

    #[test]
    fn agents_take_turns_with_all_that_waits_for_them_and_the_conversation_has_one_in_each() {
        let mut batch = Batch::default();
        let come = |batch: &mut Batch, seq| {
            (0..=12).for_each(|n| batch.push(of(n, seq)));
        };
        let mut taken: Vec<EntryRef> = Vec::new();
        for seq in 1..=24 {
            come(&mut batch, seq);
            let (changes, _) = batch.slice(MAIN);
            let touched: Vec<EntryRef> =
                changes.iter().filter_map(|change| if let Change::Entry(entry) = change { Some(entry.at_ref()) } else { None }).collect();
            let agents: BTreeSet<AgentNo> = touched.iter().map(|at| at.agent).collect();
            assert!(agents.len() <= 1 + TURNS && agents.contains(&MAIN), "frame {seq}: {agents:?}");
            taken.extend(touched);
        }
        let last = |n: AgentNo| taken.iter().rev().find(|at| at.agent == n).map_or(0, |at| at.seq);
        assert!((1..=12).all(|n| last(n) > 24 - 12 / TURNS as u32), "nobody waits longer than it takes all to have their turn");
        let of = |n: AgentNo| taken.iter().filter(|at| at.agent == n).map(|at| at.seq).collect::<Vec<_>>();
        assert!((0..=12).all(|n| of(n) == (1..=last(n)).collect::<Vec<_>>()), "each in its order, without a gap");
    }

    #[test]
    fn one_with_very_much_holds_no_other_up() {
        for at in [MAIN, 1] {
            let mut batch = Batch::default();
            (1..=1_000).for_each(|seq| batch.push(of(1, seq)));
            batch.push(of(2, 1));
            batch.took(LEAST, 1_000.0);
            let (first, second) = (batch.slice(at).0, batch.slice(at).0);
            let two = |change: &Change| super::agent(change) == Some(2);
            assert!(first.iter().chain(&second).any(two), "{at}");
        }
    }

    #[test]
    fn the_agent_that_a_person_is_at_has_a_turn_in_every_second_frame() {
        let mut batch = Batch::default();
        let mut seen = Vec::new();
        for seq in 1..=24 {
            (1..=12).for_each(|n| batch.push(of(n, seq)));
            let (changes, _) = batch.slice(7);
            seen.extend(changes.into_iter().filter(|change| super::agent(change) == Some(7)));
            if seq % 2 == 1 {
                assert_eq!(told(&seen), (1..=seq).map(|seq| format!("entry {seq}")).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn many_agents_with_little_each_do_not_wait_for_one_another() {
        let mut batch = Batch::default();
        (1..=160).for_each(|n| batch.push(agent(n, 1)));
        assert_eq!(batch.slice(MAIN).1, 20);
    }

    #[test]
    fn where_very_many_wait_a_frame_takes_more() {
        let mut batch = Batch::default();
        (1..=5_000).for_each(|seq| batch.push(entry(seq)));
        let (_, count) = batch.slice(MAIN);
        batch.took(count, count as f64 * 0.5);
        assert_eq!(batch.slice(MAIN).1, 48);
        batch.clear();
        assert!(batch.is_empty(), "after a gap nothing of before is applied");
    }
}
