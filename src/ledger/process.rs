//! The session's processes: one after the other, each with a stream of its own, and what an end of one says of the agents in it.
//!
//! Invariant: an agent lives in a process; when that has ended, or another has begun, it does not run.

use super::facts::Exit;
use super::runs::{End, Mark};
use super::{Book, Here};
use crate::model::{AgentStatus, Ending};

impl Book {
    /// The process has ended: so have the children that were running in it.
    pub(super) fn exit(&mut self, here: &Here, stopped: bool, cause: Option<String>) {
        self.facts.exit = Some(Exit { stopped, cause, at: here.mark.at });
        for n in self.open_children.clone() {
            let ending = Ending { status: AgentStatus::Cancelled, cause: "parent exit".into(), at: here.mark.at, run: None, note: None };
            self.end(here, n, ending);
        }
    }

    /// A process of the session begins, and this source is its stream: of what ran in an earlier one nothing is known.
    pub(super) fn process(&mut self, here: &mut Here) {
        if !self.facts.processes.contains(&here.mark.source) {
            self.facts.processes.push(here.mark.source);
        }
        here.mark = self.mark(here.mark.source, here.mark.pos, here.mark.at);
        for n in self.open_children.clone() {
            let facts: Vec<_> =
                self.family(n).into_iter().filter_map(|mate| self.agents.get(mate as usize)).map(|agent| &agent.facts).collect();
            let begins = facts.iter().flat_map(|facts| &facts.begins).map(|begin| begin.mark);
            let lines = facts.iter().flat_map(|facts| facts.outline());
            let last = begins.chain(lines).filter(|mark| mark.process > 0).max_by_key(|mark| (mark.process, mark.pos));
            let Some(last) = last.filter(|last| last.process < here.mark.process) else { continue };
            let mark = Mark { pos: u64::MAX, at: None, ..last };
            let end = End { mark, status: AgentStatus::Unknown, cause: "restart".into(), run: None, note: None };
            if let Some(agent) = self.agents.get_mut(n as usize) {
                agent.facts.ends.push(end);
                agent.unsettled = true;
            }
            self.pending.agents.insert(n);
        }
    }
}
