//! The agents of a session as a tree. Pure.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Agent, AgentNo, AgentStatus, MAIN, Ms, WaitingOn};

/// An agent's place in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Leaf {
    pub n: AgentNo,
    pub parent: Option<AgentNo>,
    /// 0 for those that the main agent started.
    pub depth: u32,
    aside: bool,
}

/// All agents that are shown: those with a parent depth first, the others by themselves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    pub tree: Vec<Leaf>,
    pub loose: Vec<Leaf>,
}

impl Leaf {
    /// An agent, not yet in its place.
    pub fn of(agent: &Agent) -> Self {
        Self { n: agent.n, parent: agent.parent, depth: 0, aside: agent.is_aside() }
    }
}

/// Orders agents depth first, siblings by `n`. Whoever hangs below nobody who is shown, or in a ring, is loose.
pub fn tree(leaves: impl Iterator<Item = Leaf>) -> Tree {
    let mut below: BTreeMap<AgentNo, Vec<Leaf>> = BTreeMap::new();
    let all: Vec<Leaf> = leaves.filter(|leaf| leaf.n != MAIN && !leaf.aside).collect();
    for leaf in &all {
        if let Some(parent) = leaf.parent {
            below.entry(parent).or_default().push(*leaf);
        }
    }
    let mut out = Tree::default();
    let mut placed = BTreeSet::new();
    let mut stack: Vec<Leaf> = below.get(&MAIN).into_iter().flatten().rev().copied().collect();
    while let Some(leaf) = stack.pop() {
        if placed.insert(leaf.n) {
            out.tree.push(leaf);
            let kids = below.get(&leaf.n).into_iter().flatten().rev();
            stack.extend(kids.map(|kid| Leaf { depth: leaf.depth + 1, ..*kid }));
        }
    }
    out.loose = all.into_iter().filter(|leaf| !placed.contains(&leaf.n)).collect();
    out
}

/// How soon an agent wants to be looked at, the least first: whoever waits for the person, then what runs, then the newest end.
pub fn urgency(agent: &Agent) -> (u8, Reverse<Ms>, AgentNo) {
    let asks = agent.status == AgentStatus::Waiting && agent.waiting_on == Some(WaitingOn::Person);
    let ended = agent.last_at.or(agent.started_at).unwrap_or_default();
    match agent.status.is_running() {
        _ if asks => (0, Reverse(0), agent.n),
        // Not by their last activity: they would change places with each line.
        true => (1, Reverse(0), agent.n),
        false => (2, Reverse(ended), agent.n),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(n: AgentNo, parent: Option<AgentNo>) -> Leaf {
        Leaf { n, parent, depth: 0, aside: false }
    }

    #[test]
    fn children_follow_their_parent() {
        let all = [leaf(0, None), leaf(1, Some(0)), leaf(2, Some(0)), leaf(3, Some(1)), leaf(4, Some(3)), leaf(5, None)];
        let tree = tree(all.into_iter());
        let places: Vec<_> = tree.tree.iter().map(|leaf| (leaf.n, leaf.depth)).collect();
        assert_eq!(places, [(1, 0), (3, 1), (4, 2), (2, 0)]);
        assert_eq!(tree.loose.iter().map(|leaf| leaf.n).collect::<Vec<_>>(), [5]);
    }

    #[test]
    fn a_ring_of_parents_ends() {
        let tree = tree([leaf(1, Some(2)), leaf(2, Some(1)), leaf(3, Some(3))].into_iter());
        assert_eq!((tree.tree.len(), tree.loose.len()), (0, 3));
    }

    #[test]
    fn who_is_merged_hidden_or_a_part_is_left_out() {
        let aside = Leaf { aside: true, ..leaf(1, Some(0)) };
        assert_eq!(tree([aside].into_iter()), Tree::default());
    }

    #[test]
    fn whoever_waits_for_a_person_comes_first_then_what_runs_then_the_newest_end() {
        let agent = |n, status, last_at| Agent { n, status, last_at: Some(last_at), ..Agent::default() };
        let asks = Agent { waiting_on: Some(WaitingOn::Person), ..agent(5, AgentStatus::Waiting, 1) };
        let (ended, failed) = (agent(1, AgentStatus::Finished, 10), agent(2, AgentStatus::Failed, 20));
        let mut all = [ended, failed, agent(3, AgentStatus::Running, 5), agent(4, AgentStatus::Running, 9), asks];
        all.sort_by_key(urgency);
        assert_eq!(all.map(|agent| agent.n), [5, 3, 4, 2, 1]);
    }
}
