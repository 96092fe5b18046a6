//! The agents of a session as a tree. Pure.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Agent, AgentNo, MAIN};

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
}
