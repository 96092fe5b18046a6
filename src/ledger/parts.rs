//! Several transcripts of one agent: the first in time is the whole, the others are its parts, drawn behind it.
//!
//! Invariant: which of them is the whole does not hang on which was read first.

use super::Book;
use crate::model::{AgentNo, MAIN, Ms};

impl Book {
    /// The agent that this number is shown by, or is a part of.
    pub(super) fn whole(&self, n: AgentNo) -> AgentNo {
        let mut at = self.resolve(n);
        for _ in 0..self.agents.len() {
            match self.agents.get(at as usize).and_then(|agent| agent.part_of) {
                Some(target) => at = self.resolve(target),
                None => return at,
            }
        }
        at
    }

    /// The agent and all that was merged into it or is a part of it.
    pub(super) fn family(&self, n: AgentNo) -> Vec<AgentNo> {
        std::iter::once(n).chain(self.mates.get(&n).into_iter().flatten().copied()).collect()
    }

    /// Lets `stub` show `target`, or be a part of it.
    pub(super) fn point(&mut self, stub: AgentNo, target: AgentNo, part: bool) {
        let mut moved = self.mates.remove(&stub).unwrap_or_default();
        moved.push(stub);
        for n in &moved {
            if let Some(agent) = self.agents.get_mut(*n as usize) {
                let part = agent.part_of.is_some() || (part && *n == stub);
                let slot = if part { &mut agent.part_of } else { &mut agent.merged_into };
                *slot = Some(target);
            }
            self.pending.agents.insert(*n);
        }
        self.open_children.remove(&stub);
        self.mates.entry(target).or_default().extend(moved);
        if let Some(agent) = self.agents.get_mut(target as usize) {
            agent.unsettled = true;
        }
        self.pending.agents.insert(target);
    }

    /// Lets the earliest transcript be the whole, of each agent that has several and was touched.
    pub(super) fn settle_parts(&mut self) {
        let touched: Vec<AgentNo> = self.pending.agents.iter().map(|n| self.whole(*n)).filter(|n| *n != MAIN).collect();
        for whole in touched {
            let transcripts = self.family(whole).into_iter().filter(|n| *n == whole || self.is_part(*n));
            let first = transcripts.min_by_key(|n| (self.first_time(*n), self.names_of(*n).min()));
            if let Some(first) = first.filter(|first| *first != whole) {
                self.lead(whole, first);
            }
        }
    }

    fn is_part(&self, n: AgentNo) -> bool {
        self.agents.get(n as usize).is_some_and(|agent| agent.part_of.is_some()) && !self.is_aside_copy(n)
    }

    fn first_time(&self, n: AgentNo) -> Ms {
        self.facts_of(n).and_then(|facts| facts.first_at).unwrap_or(Ms::MAX)
    }

    /// Makes a part the whole.
    fn lead(&mut self, whole: AgentNo, part: AgentNo) {
        if let Some(mates) = self.mates.get_mut(&whole) {
            mates.retain(|mate| *mate != part);
        }
        if let Some(agent) = self.agents.get_mut(part as usize) {
            agent.part_of = None;
        }
        self.point(whole, part, true);
    }
}
