//! Who is who, and whose child: names, merges, links, inference.
//!
//! Decision: a merge moves nothing, it points. A stub keeps its facts, and the row of the agent that it turned out to be is
//! derived from both, so an inference can be taken back.
//! Invariant: never a guess between two candidates.

use std::collections::{BTreeSet, HashMap};

use super::apply::call_key;
use super::facts::{self, AgentFacts, CallFact, Prompt, earliest};
use super::rows::is_open;
use super::runs::{self, Mark};
use super::{Book, Here, Shelf};
use crate::model::{AgentNo, Body, EntryRef, Hash64, Link, MAIN, Name, NameKind, SourceRef};

impl Book {
    /// The agent that this number shows.
    pub(super) fn resolve(&self, n: AgentNo) -> AgentNo {
        let mut at = n;
        // A merge points at an agent that is not merged itself; the bound only guards a damaged store.
        for _ in 0..self.agents.len() {
            match self.agents.get(at as usize).and_then(|agent| agent.merged_into) {
                Some(target) => at = target,
                None => return at,
            }
        }
        at
    }

    /// The agent and all that was merged into it or is a part of it.
    pub(super) fn family(&self, n: AgentNo) -> Vec<AgentNo> {
        std::iter::once(n).chain(self.mates.get(&n).into_iter().flatten().copied()).collect()
    }

    fn facts_of(&self, n: AgentNo) -> Option<&AgentFacts> {
        self.agents.get(n as usize).map(|agent| &agent.facts)
    }

    /// Gives agent `n` a further name; if another agent has it, the two are one. Returns the agent that stays.
    pub(super) fn join(&mut self, here: &Here, n: AgentNo, name: Name) -> AgentNo {
        match self.names.get(&name).copied() {
            None => {
                self.bind(name, n);
                self.pending.agents.insert(n);
                n
            }
            Some(other) => self.merge(here, n, self.resolve(other)),
        }
    }

    fn merge(&mut self, here: &Here, a: AgentNo, b: AgentNo) -> AgentNo {
        if a == b || a == MAIN || b == MAIN {
            return if a == MAIN { b } else { a };
        }
        let weight = |n: AgentNo| {
            let transcript = self.facts_of(n).is_some_and(AgentFacts::has_transcript);
            (transcript, self.names_of(n).map(|name| name.kind).max(), std::cmp::Reverse(n))
        };
        let (target, stub) = if weight(a) >= weight(b) { (a, b) } else { (b, a) };
        let both = [a, b].iter().all(|n| self.facts_of(*n).is_some_and(AgentFacts::has_transcript));
        self.point(stub, target, both);
        if !both {
            self.hand_over_prompt(here, stub, target);
        }
        target
    }

    /// Lets `stub` show `target`, or be a part of it.
    fn point(&mut self, stub: AgentNo, target: AgentNo, part: bool) {
        let mut moved = self.mates.remove(&stub).unwrap_or_default();
        moved.push(stub);
        for n in &moved {
            if let Some(agent) = self.agents.get_mut(*n as usize) {
                let slot = if part && *n == stub { &mut agent.part_of } else { &mut agent.merged_into };
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

    /// A stub's prompt stands in for the target's, until its own line comes.
    fn hand_over_prompt(&mut self, here: &Here, stub: AgentNo, target: AgentNo) {
        let known = |n| self.facts_of(n).map_or(Prompt::None, |facts| facts.prompt);
        if known(stub) == Prompt::None || known(target) != Prompt::None {
            return;
        }
        let Some(entry) = self.row(here.shelf, EntryRef { agent: stub, seq: 1 }) else { return };
        if let Body::User { text, images, .. } = entry.body {
            let source = entry.source.unwrap_or(SourceRef { id: here.mark.source, offset: here.mark.pos });
            let mark = self.mark(source.id, source.offset, entry.at);
            let mut there = Here { mark, made: Vec::new(), home: None, ..*here };
            self.prompt(&mut there, target, text.text, images, false, &[]);
        }
    }

    /// Notes evidence that `call` started agent `n`.
    pub(super) fn link_call(&mut self, here: &Here, n: AgentNo, call: String, link: Link, itself: bool) {
        let Some(agent) = self.agents.get_mut(n as usize) else { return };
        if itself {
            earliest(&mut agent.facts.called_at, here.mark.at);
        }
        match agent.facts.calls.iter_mut().find(|fact| fact.call == call && fact.itself == itself) {
            Some(fact) => {
                fact.link = fact.link.max(link);
                earliest(&mut fact.at, here.mark.at);
            }
            None => agent.facts.calls.push(CallFact { call: call.clone(), link, at: here.mark.at, itself }),
        }
        self.pending.agents.insert(n);
        if let Some(at) = self.keys.get(&call_key(&call)).copied() {
            self.point_to_child(here, &call, at);
        }
    }

    /// The agent that a call started, if one is known.
    pub(super) fn child_of(&self, call: &str) -> Option<AgentNo> {
        let name = Name { kind: NameKind::Call, id: call.into() };
        self.names.get(&name).map(|n| self.resolve(*n))
    }

    /// Lets the call's entry show the agent that it started.
    pub(super) fn point_to_child(&mut self, here: &Here, call: &str, at: EntryRef) {
        let Some(child) = self.child_of(call) else { return };
        let known = self.row(here.shelf, at);
        let set = matches!(&known, Some(entry) if matches!(&entry.body, Body::Tool(tool) if tool.child.is_none()));
        if let Some(mut entry) = known.filter(|_| set) {
            if let Body::Tool(tool) = &mut entry.body {
                tool.child = Some(child);
            }
            self.put(entry);
        }
        self.pending.agents.insert(child);
    }

    /// The call, the parent and the grade of the evidence for it.
    pub(super) fn linked(&self, n: AgentNo) -> (Option<String>, Option<AgentNo>, Link) {
        let family = self.family(n);
        let facts: Vec<&AgentFacts> = family.iter().filter_map(|mate| self.facts_of(*mate)).collect();
        let rank = |fact: &&CallFact| (!fact.itself, fact.link, std::cmp::Reverse(fact.at), std::cmp::Reverse(fact.call.clone()));
        // The stub of an inferred call brings that call's own word; what was inferred stays inferred.
        let inferred = facts.iter().find_map(|facts| facts.inferred.clone());
        let told = facts.iter().flat_map(|facts| &facts.calls).filter(|fact| Some(&fact.call) != inferred.as_ref()).max_by_key(rank);
        let (call, link) = match (told, inferred) {
            (Some(fact), _) => (Some(fact.call.clone()), fact.link),
            (None, Some(call)) => (Some(call), Link::Inferred),
            (None, None) => (None, Link::Unlinked),
        };
        let owner = call.as_deref().and_then(|call| self.keys.get(&call_key(call))).map(|at| self.resolve(at.agent));
        let said = facts.iter().flat_map(|facts| &facts.parents).max_by_key(|(_, link)| *link);
        let (parent, grade) = match (owner, said) {
            // A call picked by its text under a parent that was announced does not lower the grade.
            (Some(owner), Some((parent, said))) if self.resolve(*parent) == owner => (Some(owner), link.max(*said)),
            (Some(owner), _) => (Some(owner), link),
            (None, Some((parent, said))) => (Some(self.resolve(*parent)), *said),
            (None, None) => (None, Link::Unlinked),
        };
        match parent {
            Some(parent) if !self.is_under(parent, n) => (call, Some(parent), grade),
            _ => (call, None, Link::Unlinked),
        }
    }

    /// True if following the parents of `n` leads to `root`: such a link would be a cycle.
    fn is_under(&self, n: AgentNo, root: AgentNo) -> bool {
        let (mut at, mut seen) = (n, BTreeSet::new());
        while at != root {
            match self.agents.get(at as usize).and_then(|agent| agent.row.parent) {
                Some(parent) if seen.insert(at) => at = self.resolve(parent),
                _ => return false,
            }
        }
        true
    }

    /// Draws all inferences anew: a transcript without evidence belongs to a call without a transcript where each is the only
    /// candidate for the other, by equal prompts or because no other is left.
    pub(super) fn infer(&mut self) {
        self.take_back_inferences();
        let is_lone = |n: &AgentNo| {
            *n != MAIN
                && self.agents.get(*n as usize).is_some_and(|agent| {
                    let placed = agent.facts.parents.iter().all(|(_, link)| *link == Link::Unlinked);
                    agent.merged_into.is_none() && agent.part_of.is_none() && !agent.facts.hidden && placed
                })
        };
        let lone: Vec<AgentNo> = self.numbers().into_iter().filter(is_lone).collect();
        let called = |n: &AgentNo| self.facts_of(*n).is_some_and(|facts| !facts.calls.is_empty());
        let has_transcript = |n: &AgentNo| self.facts_of(*n).is_some_and(AgentFacts::has_transcript);
        let stubs: Vec<AgentNo> = lone.iter().copied().filter(|n| called(n) && !has_transcript(n)).collect();
        let strays: Vec<AgentNo> = lone.iter().copied().filter(|n| !called(n) && has_transcript(n)).collect();
        let prompts = |all: &[AgentNo]| {
            let mut by: HashMap<Option<Hash64>, Vec<AgentNo>> = HashMap::new();
            for n in all {
                by.entry(self.facts_of(*n).and_then(|facts| facts.prompt_hash)).or_default().push(*n);
            }
            by
        };
        let (by_stub, by_stray) = (prompts(&stubs), prompts(&strays));
        let mut pairs: Vec<(AgentNo, AgentNo)> = Vec::new();
        for (hash, found) in &by_stray {
            if let (Some(_), [stray], Some([stub])) = (hash, found.as_slice(), by_stub.get(hash).map(Vec::as_slice))
                && self.may_start(*stub, *stray)
            {
                pairs.push((*stray, *stub));
            }
        }
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

    fn take_back_inferences(&mut self) {
        for n in self.numbers() {
            let Some(call) = self.agents.get_mut(n as usize).and_then(|agent| agent.facts.inferred.take()) else { continue };
            let name = Name { kind: NameKind::Call, id: call };
            let Some(stub) = self.names.get(&name).copied().filter(|stub| *stub != n) else { continue };
            if let Some(mates) = self.mates.get_mut(&n) {
                mates.retain(|mate| *mate != stub);
            }
            if let Some(agent) = self.agents.get_mut(stub as usize) {
                agent.merged_into = None;
                agent.unsettled = true;
            }
            if let Some(agent) = self.agents.get_mut(n as usize) {
                agent.unsettled = true;
            }
            self.pending.agents.extend([stub, n]);
        }
    }

    /// The runs of an agent, as last derived.
    pub(super) fn spans(&self, n: AgentNo) -> &[runs::Span] {
        self.agents.get(n as usize).map_or(&[], |agent| &agent.spans)
    }

    /// Derives the runs of every agent of which new evidence came, and moves entries whose run has changed.
    pub(super) fn settle_runs(&mut self, shelf: &dyn Shelf) {
        let touched: BTreeSet<AgentNo> = self.pending.agents.iter().map(|n| self.resolve(*n)).filter(|n| *n != MAIN).collect();
        for n in touched {
            if self.agents.get(n as usize).is_some_and(|agent| agent.unsettled) {
                self.derive_spans(n, Some(shelf));
            }
        }
    }

    /// Derives the runs of agent `n`. The first and last line of each source suffice while no line is later than an end;
    /// else all entries are looked at.
    pub(super) fn derive_spans(&mut self, n: AgentNo, shelf: Option<&dyn Shelf>) {
        let facts: Vec<&AgentFacts> = self.family(n).iter().filter_map(|mate| self.facts_of(*mate)).collect();
        let ends: Vec<_> = facts.iter().flat_map(|facts| facts.ends.iter().cloned()).collect();
        let begins: Vec<_> = facts.iter().flat_map(|facts| facts.begins.iter().cloned()).collect();
        let outline: Vec<Mark> = facts.iter().flat_map(|facts| facts.outline()).collect();
        let mut spans = runs::derive(&ends, &begins, &outline);
        let split = spans.len() > 1 || outline.iter().any(|mark| ends.iter().any(|end| mark.later_than(end.mark)));
        if let Some(shelf) = shelf.filter(|_| split) {
            let own = |mate: AgentNo| self.facts_of(mate).is_some_and(|facts| facts.prompt == Prompt::Own);
            let mut entries = Vec::new();
            for mate in self.family(n) {
                // A prompt that only stands in was said by the parent: it begins nothing.
                entries.extend(self.all_entries(shelf, mate).into_iter().filter(|entry| entry.seq > 1 || own(mate)));
            }
            let processes = self.facts.processes.clone();
            let mark = |source: SourceRef, at| facts::mark(&processes, source.id, source.offset, at);
            let marks = entries.iter().filter_map(|entry| Some(mark(entry.source?, entry.at)));
            spans = runs::derive(&ends, &begins, &marks.chain(outline).collect::<Vec<_>>());
            for mut entry in entries {
                let run = entry.source.map_or(1, |source| runs::run_of(&spans, mark(source, entry.at)));
                if run != entry.run {
                    entry.run = run;
                    self.put(entry);
                }
            }
        }
        if n != MAIN && is_open(&spans) {
            self.open_children.insert(n);
        } else {
            self.open_children.remove(&n);
        }
        if let Some(agent) = self.agents.get_mut(n as usize) {
            let aside = agent.merged_into.is_some() || agent.part_of.is_some() || agent.facts.hidden;
            if aside {
                self.open_children.remove(&n);
            }
            agent.spans = spans;
            agent.unsettled = shelf.is_none() && split;
        }
    }

    fn all_entries(&self, shelf: &dyn Shelf, n: AgentNo) -> Vec<crate::model::Entry> {
        let mut all: std::collections::BTreeMap<u32, _> = shelf.entries(n).into_iter().map(|entry| (entry.seq, entry)).collect();
        let range = EntryRef { agent: n, seq: 0 }..=EntryRef { agent: n, seq: u32::MAX };
        for (at, entry) in self.open.range(range.clone()).chain(self.pending.entries.range(range)) {
            all.insert(at.seq, entry.clone());
        }
        all.into_values().collect()
    }
}
