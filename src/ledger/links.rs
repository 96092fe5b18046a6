//! Who is who, and whose child: names, merges, links.
//!
//! Decision: a merge moves nothing, it points. A stub keeps its facts, and the row of the agent that it turned out to be is
//! derived from both, so an inference can be taken back.
//! Invariant: never a guess between two candidates.

use std::collections::BTreeSet;

use super::apply::call_key;
use super::copies::copied;
use super::facts::{self, AgentFacts, CallFact, Prompt, earliest};
use super::rows::is_open;
use super::runs::{self, Mark};
use super::{AgentBook, Book, Here, Shelf};
use crate::model::{AgentNo, Body, EntryRef, Link, MAIN, Name, NameKind, SourceRef, Who};

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

    pub(super) fn facts_of(&self, n: AgentNo) -> Option<&AgentFacts> {
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
            Some(other) => {
                self.confirm(n, &name);
                self.merge(here, n, self.resolve(other))
            }
        }
    }

    /// Evidence names the call that was inferred to be this agent's: that is taken back no more.
    fn confirm(&mut self, n: AgentNo, name: &Name) {
        if let Some(agent) = self.agents.get_mut(n as usize).filter(|_| name.kind == NameKind::Call) {
            agent.facts.inferred.take_if(|call| *call == name.id);
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

    /// A stub's prompt stands in for the target's, until its own line comes.
    pub(super) fn hand_over_prompt(&mut self, here: &Here, stub: AgentNo, target: AgentNo) {
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
        for key in [call_key(&call), copied(&call)] {
            if let Some(at) = self.keys.get(&key).copied() {
                self.point_to_child(here, &call, at);
            }
        }
    }

    /// The agent that a call started, if one is known.
    pub(super) fn child_of(&self, call: &str) -> Option<AgentNo> {
        let name = Name { kind: NameKind::Call, id: call.into() };
        self.names.get(&name).map(|n| self.resolve(*n))
    }

    /// A workflow's launch says whose its agents are.
    pub(super) fn launched(&mut self, who: &Who, run: String) {
        let n = self.agent(who);
        let started = |agent: &AgentBook| agent.facts.workflow.as_ref() == Some(&run);
        let started: Vec<AgentNo> =
            self.numbers().into_iter().zip(&self.agents).filter(|(_, agent)| started(agent)).map(|(n, _)| n).collect();
        self.pending.agents.extend(started);
        self.facts.workflows.insert(run, n);
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
        let owner = call.as_deref().and_then(|call| self.keys.get(&call_key(call)).or_else(|| self.keys.get(&copied(call))));
        let owner = owner.map(|at| self.whole(at.agent));
        let run = facts.iter().find_map(|facts| facts.workflow.as_ref());
        // Whose run it is, is told by the run's launch; until then the folder says whose session.
        let launched = run.map(|run| (self.facts.workflows.get(run).copied().unwrap_or(MAIN), Link::Sidecar));
        let said = facts.iter().flat_map(|facts| facts.parents.iter().copied()).chain(launched).max_by_key(|(_, link)| *link);
        let (parent, grade) = match (owner, said) {
            // A call picked by its text under a parent that was announced does not lower the grade.
            (Some(owner), Some((parent, said))) if self.whole(parent) == owner => (Some(owner), link.max(said)),
            (Some(owner), _) => (Some(owner), link),
            (None, Some((parent, said))) => (Some(self.whole(parent)), said),
            (None, None) => (None, Link::Unlinked),
        };
        let sound = |parent: &AgentNo| !self.is_under(*parent, n);
        let (parent, grade) = parent.filter(sound).map_or((None, Link::Unlinked), |parent| (Some(parent), grade));
        // A person's word stands until there is evidence; it names no call.
        let assigned = facts.iter().find_map(|facts| facts.assigned).map(|parent| self.resolve(parent));
        match assigned.filter(sound) {
            Some(assigned) if grade < Link::Assigned => (call.filter(|_| parent == Some(assigned)), Some(assigned), Link::Assigned),
            _ => (call, parent, grade),
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

    /// The runs of an agent, as last derived.
    pub(super) fn spans(&self, n: AgentNo) -> &[runs::Span] {
        self.agents.get(n as usize).map_or(&[], |agent| &agent.spans)
    }

    /// Derives the runs of every agent of which new evidence came, and moves entries whose run has changed.
    pub(super) fn settle_runs(&mut self, shelf: &dyn Shelf) {
        let touched: BTreeSet<AgentNo> =
            self.pending.agents.iter().flat_map(|n| [self.resolve(*n), self.whole(*n)]).filter(|n| *n != MAIN).collect();
        for n in touched {
            if self.agents.get(n as usize).is_some_and(|agent| agent.unsettled) {
                self.derive_spans(n, Some(shelf));
            }
        }
    }

    /// Derives the runs of agent `n`. The first and last line of each source suffice while no line is later than an end;
    /// else all entries are looked at.
    pub(super) fn derive_spans(&mut self, n: AgentNo, shelf: Option<&dyn Shelf>) {
        if let Some(agent) = self.agents.get_mut(n as usize).filter(|agent| agent.part_of.is_some()) {
            (agent.spans, agent.unsettled) = (Vec::new(), false);
            self.open_children.remove(&n);
            return;
        }
        let family = self.family(n);
        let facts: Vec<&AgentFacts> = family.iter().filter_map(|mate| self.facts_of(*mate)).collect();
        let ends: Vec<_> = facts.iter().flat_map(|facts| facts.ends.iter().cloned()).collect();
        let begins: Vec<_> = facts.iter().flat_map(|facts| facts.begins.iter().cloned()).collect();
        let content: Vec<AgentNo> = family.into_iter().filter(|mate| !self.is_aside_copy(*mate)).collect();
        let outline: Vec<Mark> = content.iter().filter_map(|mate| self.facts_of(*mate)).flat_map(AgentFacts::outline).collect();
        let mut spans = runs::derive(&ends, &begins, &outline);
        let split = spans.len() > 1 || outline.iter().any(|mark| ends.iter().any(|end| mark.later_than(end.mark)));
        if let Some(shelf) = shelf.filter(|_| split) {
            let own = |mate: AgentNo| self.facts_of(mate).is_some_and(|facts| facts.prompt == Prompt::Own);
            let mut entries = Vec::new();
            for mate in content {
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
