//! Inferences: whose child an agent is of which nothing is told.
//!
//! Invariant: never a guess between two. An inference is drawn when all input has been read, and taken back when evidence or a
//! second candidate comes.

use std::collections::HashMap;

use super::apply::call_key;
use super::facts::AgentFacts;
use super::{AgentBook, Book};
use crate::model::{AgentNo, Hash64, Link, MAIN, Ms, Name, NameKind, Who};

impl Book {
    /// Draws all inferences anew: a transcript without evidence belongs to a call without a transcript where each is the only
    /// candidate for the other, by equal prompts or because no other is left.
    pub(super) fn infer(&mut self) {
        self.numbers().into_iter().for_each(|n| self.take_back(n));
        let is_lone = |n: &AgentNo| {
            let lone = |agent: &AgentBook| {
                let facts = &agent.facts;
                // A position names a parent, but no call of it.
                let placed = facts.parents.iter().all(|(_, link)| *link == Link::Unlinked);
                let told = facts.hidden || !placed || facts.workflow.is_some() || facts.assigned.is_some();
                agent.merged_into.is_none() && agent.part_of.is_none() && !told
            };
            *n != MAIN && self.agents.get(*n as usize).is_some_and(lone)
        };
        let lone: Vec<AgentNo> = self.numbers().into_iter().filter(is_lone).collect();
        let called = |n: &AgentNo| self.family(*n).into_iter().filter_map(|mate| self.facts_of(mate)).any(|facts| !facts.calls.is_empty());
        let has_transcript = |n: &AgentNo| self.facts_of(*n).is_some_and(AgentFacts::has_transcript);
        let strays: Vec<AgentNo> = lone.iter().copied().filter(|n| !called(n) && has_transcript(n)).collect();
        // Whose the call is has been told, though nothing of that agent has come: it is none of those who have an id of their own.
        let is_known = |n: &AgentNo| self.names_of(*n).any(|name| name.kind == NameKind::Runtime);
        let is_taken = |n: &AgentNo| is_known(n) && strays.iter().any(is_known);
        let stubs: Vec<AgentNo> = lone.iter().copied().filter(|n| called(n) && !has_transcript(n) && !is_taken(n)).collect();
        let mut pairs = self.alike(&strays, &stubs, |facts| facts.prompt_hash);
        // What a teammate was told first has the words of its call's description beside it.
        let free = |all: &[AgentNo]| -> Vec<AgentNo> {
            all.iter().copied().filter(|n| !pairs.iter().any(|(stray, stub)| stray == n || stub == n)).collect()
        };
        let described = |facts: &AgentFacts| facts.description.as_ref().map(|said| Hash64::of(said.text.trim().as_bytes()));
        pairs.extend(self.alike(&free(&strays), &free(&stubs), described));
        pairs.retain(|(stray, stub)| self.may_start(*stub, *stray));
        if let ([stray], [stub]) = (strays.as_slice(), stubs.as_slice())
            && pairs.is_empty()
            && self.may_start(*stub, *stray)
        {
            pairs.push((*stray, *stub));
        }
        pairs.sort_unstable();
        for (stray, stub) in pairs {
            let call = self.facts_of(stub).and_then(|facts| facts.calls.first()).map(|fact| fact.call.clone());
            if let Some(agent) = self.agents.get_mut(stray as usize) {
                agent.facts.inferred = call;
            }
            self.point(stub, stray, false);
        }
    }

    /// True unless the agent's position says that another agent started it than the one that made the call.
    fn may_start(&self, stub: AgentNo, stray: AgentNo) -> bool {
        let call = self.facts_of(stub).and_then(|facts| facts.calls.first()).map(|fact| call_key(&fact.call));
        let owner = call.and_then(|call| self.keys.get(&call)).map(|at| self.resolve(at.agent));
        let parents = self.facts_of(stray).map_or(&[][..], |facts| &facts.parents);
        owner.is_none() || parents.iter().all(|(parent, _)| Some(self.resolve(*parent)) == owner)
    }

    /// The pairs of which each is the only one that says what the other says.
    fn alike(&self, strays: &[AgentNo], stubs: &[AgentNo], said: impl Fn(&AgentFacts) -> Option<Hash64>) -> Vec<(AgentNo, AgentNo)> {
        let by = |all: &[AgentNo]| {
            let mut by: HashMap<Hash64, Vec<AgentNo>> = HashMap::new();
            for n in all {
                // Of several transcripts the first in time speaks for all.
                let family = self.family(*n);
                let first = family.iter().filter_map(|mate| self.facts_of(*mate)).min_by_key(|facts| facts.first_at.unwrap_or(Ms::MAX));
                if let Some(hash) = first.and_then(&said) {
                    by.entry(hash).or_default().push(*n);
                }
            }
            by
        };
        let by_stub = by(stubs);
        let lone = |(hash, found): (Hash64, Vec<AgentNo>)| match (found.as_slice(), by_stub.get(&hash).map(Vec::as_slice)) {
            ([stray], Some([stub])) => Some((*stray, *stub)),
            _ => None,
        };
        by(strays).into_iter().filter_map(lone).collect()
    }

    /// Evidence has come about an agent whose call was only inferred to be another's: that is taken back.
    pub(super) fn doubt(&mut self, who: &Who) {
        let Who::Named(name) = who else { return };
        let stub = self.names.get(name).and_then(|n| self.agents.get(*n as usize));
        if let Some(target) = stub.and_then(|stub| stub.merged_into) {
            self.family(target).into_iter().for_each(|mate| self.take_back(mate));
        }
    }

    fn take_back(&mut self, n: AgentNo) {
        let Some(call) = self.agents.get_mut(n as usize).and_then(|agent| agent.facts.inferred.take()) else { return };
        let name = Name { kind: NameKind::Call, id: call };
        let Some(stub) = self.names.get(&name).copied().filter(|stub| *stub != n) else { return };
        // Where another transcript has become the whole, the call went along.
        let target = self.agents.get_mut(stub as usize).and_then(|agent| agent.merged_into.take()).unwrap_or(n);
        if let Some(mates) = self.mates.get_mut(&target) {
            mates.retain(|mate| *mate != stub);
        }
        for n in [stub, target] {
            if let Some(agent) = self.agents.get_mut(n as usize) {
                agent.unsettled = true;
            }
        }
        self.pending.agents.extend([stub, target]);
    }
}
