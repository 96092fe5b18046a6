//! Copies of what an agent says, told by another source (rule 8).
//!
//! Decision: copies are a transcript of their own, set aside. When all input has been read and the agent has no transcript, it is
//! shown by its copies; its own lines, whenever they come, take that back.
//! Invariant: a copy counts only while the agent has nothing of its own, in whatever order the two are read.

use super::facts::AgentFacts;
use super::{Book, Here};
use crate::model::{AgentNo, Key, MAIN, Name, NameKind, Who};

impl Book {
    /// New copies stand aside, behind the agent that they are of.
    pub(super) fn set_aside(&mut self, n: AgentNo, id: &str) {
        let whole = self.agent(&Who::runtime(id));
        if let Some(agent) = self.agents.get_mut(n as usize) {
            agent.facts.copy_of = Some(id.to_owned());
            agent.part_of = Some(whole);
        }
        self.mates.entry(whole).or_default().push(n);
    }

    /// The agent in whose transcript its own line stands: not that of its copies.
    pub(super) fn own(&mut self, who: &Who) -> AgentNo {
        let n = self.agent(who);
        let tells = matches!(who, Who::Named(name) if name.kind != NameKind::Copy);
        match self.original(n).filter(|_| tells) {
            Some(original) => self.part_from_copies(n, original),
            None => n,
        }
    }

    /// True for copies that do not count.
    pub(super) fn is_aside_copy(&self, n: AgentNo) -> bool {
        self.agents.get(n as usize).is_some_and(|agent| agent.facts.copy_of.is_some() && agent.part_of.is_some())
    }

    /// The key of the entry of a call in this transcript: copies have keys of their own.
    pub(super) fn call_key_in(&self, n: AgentNo, call: &str) -> Key {
        let copies = self.agents.get(n as usize).is_some_and(|agent| agent.facts.copy_of.is_some());
        if copies { copied(call) } else { super::apply::call_key(call) }
    }

    /// The input has been read to its end: agents without a transcript are shown by their copies.
    pub(super) fn show_copies(&mut self, here: &Here) {
        for n in self.numbers() {
            let Some(whole) = self.original(n).map(|original| self.resolve(original)) else { continue };
            let has = |n: AgentNo| self.agents.get(n as usize).is_some_and(|agent| agent.facts.has_transcript());
            if whole == n || whole == MAIN || has(whole) || !has(n) {
                continue;
            }
            if let Some(mates) = self.mates.get_mut(&whole) {
                mates.retain(|mate| *mate != n);
            }
            if let Some(agent) = self.agents.get_mut(n as usize) {
                agent.part_of = None;
            }
            self.point(whole, n, false);
            self.hand_over_prompt(here, whole, n);
        }
    }

    /// The agent that these copies are of, before any merge.
    fn original(&self, n: AgentNo) -> Option<AgentNo> {
        let AgentFacts { copy_of, .. } = &self.agents.get(n as usize)?.facts;
        let name = Name { kind: NameKind::Runtime, id: copy_of.clone()? };
        self.names.get(&name).copied()
    }

    /// A line of the agent's own has come: it takes its names back, and the copies stand aside again.
    fn part_from_copies(&mut self, copies: AgentNo, original: AgentNo) -> AgentNo {
        let mut mates = self.mates.remove(&copies).unwrap_or_default();
        for mate in &mates {
            if let Some(agent) = self.agents.get_mut(*mate as usize) {
                let slot = if agent.part_of.is_some() { &mut agent.part_of } else { &mut agent.merged_into };
                *slot = Some(original).filter(|original| original != mate);
            }
        }
        mates.retain(|mate| *mate != original);
        mates.push(copies);
        self.mates.entry(original).or_default().extend(mates.iter().copied());
        let mut names = Vec::new();
        if let Some(agent) = self.agents.get_mut(copies as usize) {
            agent.part_of = Some(original);
            agent.unsettled = true;
            names.extend(agent.names.iter().filter(|name| name.kind != NameKind::Copy).cloned());
            agent.names.retain(|name| name.kind == NameKind::Copy);
        }
        names.into_iter().for_each(|name| self.bind(name, original));
        if let Some(agent) = self.agents.get_mut(original as usize) {
            agent.unsettled = true;
        }
        self.pending.agents.extend(mates);
        self.pending.agents.insert(original);
        original
    }
}

/// The key of a copied call.
pub(super) fn copied(call: &str) -> Key {
    Key::of(&["copied call", call])
}
