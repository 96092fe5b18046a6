//! Who is exported, in which order, under whom.
//!
//! Invariant: every agent that is no one's stub, part or hidden helper comes exactly once, whatever the links say.

use std::collections::{HashMap, HashSet};

use super::content::{said, whole};
use super::each_entry;
use crate::model::{Agent, AgentNo, Body, EntryState, Hash64, Link, MAIN, Ms};
use crate::store::{Shared, Sid, StoreError};

/// How far links are followed before they count as a ring.
const DEEPEST: usize = 10_000;

/// The agents of an export.
pub(super) struct Cast {
    agents: HashMap<AgentNo, Agent>,
    order: Vec<AgentNo>,
    parents: HashMap<AgentNo, AgentNo>,
    /// By whole agent: its transcripts in order of their first time.
    transcripts: HashMap<AgentNo, Vec<AgentNo>>,
    /// By agent: its last text.
    last_texts: HashMap<AgentNo, Hash64>,
    entries: HashMap<AgentNo, u32>,
}

impl Cast {
    pub(super) fn of(store: &Shared, sid: Sid, agents: Vec<Agent>) -> Result<Self, StoreError> {
        let mut cast = Self {
            agents: agents.into_iter().map(|agent| (agent.n, agent)).collect(),
            order: Vec::new(),
            parents: HashMap::new(),
            transcripts: HashMap::new(),
            last_texts: HashMap::new(),
            entries: HashMap::new(),
        };
        let mut shown: Vec<AgentNo> = cast.agents.values().filter(|agent| !agent.is_aside()).map(|agent| agent.n).collect();
        shown.sort_unstable();
        cast.join(store, sid, &shown)?;
        let calls = cast.read(store, sid, &shown)?;
        cast.arrange(&shown, &calls);
        Ok(cast)
    }

    /// The agents in order.
    pub(super) fn shown(&self) -> impl Iterator<Item = &Agent> {
        self.order.iter().filter_map(|n| self.agents.get(n))
    }

    /// The transcripts that are exported as this agent's.
    pub(super) fn transcripts(&self, n: AgentNo) -> &[AgentNo] {
        self.transcripts.get(&n).map_or(&[], Vec::as_slice)
    }

    /// The id of the agent that a number stands for, if that one is exported.
    pub(super) fn id(&self, n: AgentNo) -> Option<&str> {
        self.whole(n).filter(|agent| !agent.hidden).map(|agent| agent.id.as_str())
    }

    /// The id of an agent's parent; `None` for `main` and for unlinked agents.
    pub(super) fn parent_id(&self, n: AgentNo) -> Option<&str> {
        self.parents.get(&n).and_then(|parent| self.id(*parent))
    }

    /// The highest number of an exported entry.
    pub(super) fn last_seq(&self, agent: &Agent) -> u32 {
        if self.transcripts(agent.n).len() > 1 { self.entries.get(&agent.n).copied().unwrap_or_default() } else { agent.last_seq }
    }

    /// True if the agent's own last text says what `text` says.
    pub(super) fn repeats(&self, n: AgentNo, text: &str) -> bool {
        self.whole(n).and_then(|agent| self.last_texts.get(&agent.n)).is_some_and(|last| *last == said(text))
    }

    /// The agent that a stub or part belongs to.
    fn whole(&self, mut n: AgentNo) -> Option<&Agent> {
        for _ in 0..DEEPEST {
            let agent = self.agents.get(&n)?;
            match agent.merged_into.or(agent.part_of) {
                Some(target) if target != n => n = target,
                _ => return Some(agent),
            }
        }
        None
    }

    /// Finds the transcripts of each agent.
    fn join(&mut self, store: &Shared, sid: Sid, shown: &[AgentNo]) -> Result<(), StoreError> {
        self.transcripts = shown.iter().map(|n| (*n, vec![*n])).collect();
        let parts = self.agents.values().filter(|agent| agent.part_of.is_some() && !agent.hidden);
        let parts: Vec<AgentNo> = parts.map(|agent| agent.n).collect();
        for part in parts {
            let Some(whole) = self.whole(part).map(|agent| agent.n) else { continue };
            if let Some(joined) = self.transcripts.get_mut(&whole) {
                joined.push(part);
            }
        }
        for joined in self.transcripts.values_mut().filter(|joined| joined.len() > 1) {
            let mut timed = Vec::new();
            for n in joined.iter() {
                timed.push((first_time(store, sid, *n)?.unwrap_or(Ms::MAX), *n));
            }
            timed.sort_unstable();
            *joined = timed.into_iter().map(|(_, n)| n).collect();
        }
        Ok(())
    }

    /// Reads everything once: where each agent was called, as parent and position, and what each said last.
    fn read(&mut self, store: &Shared, sid: Sid, shown: &[AgentNo]) -> Result<HashMap<AgentNo, (AgentNo, u32)>, StoreError> {
        let mut calls = HashMap::new();
        for n in shown {
            let mut position = 0;
            for transcript in self.transcripts(*n).to_vec() {
                each_entry(store, sid, transcript, |entry| {
                    position += 1;
                    match entry.body {
                        Body::Tool(tool) => {
                            if let Some(child) = tool.child.and_then(|child| self.whole(child)) {
                                calls.entry(child.n).or_insert((*n, position));
                            }
                        }
                        Body::Text { text } if entry.state != EntryState::Withdrawn => {
                            self.last_texts.insert(*n, said(&whole(store, sid, text)?));
                        }
                        _ => {}
                    }
                    Ok(())
                })?;
            }
            self.entries.insert(*n, position);
        }
        Ok(calls)
    }

    /// Puts the agents in order: depth first, children by their call, unlinked ones last.
    fn arrange(&mut self, shown: &[AgentNo], calls: &HashMap<AgentNo, (AgentNo, u32)>) {
        self.parents = shown.iter().filter_map(|n| Some((*n, self.parent(*n)?))).collect();
        let place = |n: AgentNo, parent: AgentNo| {
            let position = calls.get(&n).filter(|(caller, _)| *caller == parent).map_or(u32::MAX, |(_, position)| *position);
            (position, n)
        };
        let mut children: HashMap<AgentNo, Vec<(u32, AgentNo)>> = HashMap::new();
        for (n, parent) in &self.parents {
            children.entry(*parent).or_default().push(place(*n, *parent));
        }
        // Taken from the end of a stack: the first one last.
        children.values_mut().for_each(|list| list.sort_unstable_by(|a, b| b.cmp(a)));
        let (rooted, ringed): (Vec<AgentNo>, Vec<AgentNo>) = shown.iter().partition(|n| !self.parents.contains_key(n));
        let mut seen = HashSet::new();
        for root in rooted.into_iter().chain(ringed) {
            let mut stack = vec![root];
            while let Some(n) = stack.pop() {
                if seen.insert(n) {
                    self.order.push(n);
                    stack.extend(children.get(&n).into_iter().flatten().map(|(_, child)| *child));
                }
            }
        }
    }

    /// The nearest exported agent above; the main one where the link leads nowhere, and none where it leads to one that was deleted.
    fn parent(&self, n: AgentNo) -> Option<AgentNo> {
        let agent = self.agents.get(&n)?;
        if n == MAIN || agent.link == Link::Unlinked {
            return None;
        }
        let mut above = agent.parent;
        for _ in 0..DEEPEST {
            let Some(next) = above else { break };
            match self.whole(next) {
                Some(parent) if parent.hidden && parent.link == Link::Unlinked => return None,
                Some(parent) if parent.hidden => above = parent.parent,
                Some(parent) if parent.n != n => return Some(parent.n),
                Some(_) => break,
                None => return None,
            }
        }
        Some(MAIN)
    }
}

fn first_time(store: &Shared, sid: Sid, n: AgentNo) -> Result<Option<Ms>, StoreError> {
    let mut first = None;
    each_entry(store, sid, n, |entry| {
        first = first.or(entry.at);
        Ok(())
    })?;
    Ok(first)
}
