//! An agent's row as a signal, and apart from it where the agent stands.
//!
//! Decision: lists follow all agents of a session, and a row changes with every entry of its agent. So they follow only where each
//! stands: else each entry is paid for by every agent that there is.

use leptos::prelude::*;

use crate::deck::current_run;
use crate::model::{Agent, AgentNo, AgentStatus, Link, Ms, WaitingOn};

/// An agent's row, under its number. Clones share their signals.
#[derive(Clone)]
pub struct AgentRow {
    pub n: AgentNo,
    pub row: ArcRwSignal<Agent>,
    standing: ArcRwSignal<Standing>,
}

/// What lists of agents are made of.
#[derive(Clone, Debug, PartialEq)]
struct Standing {
    id: String,
    title: String,
    model: Option<String>,
    parent: Option<AgentNo>,
    link: Link,
    status: AgentStatus,
    waiting_on: Option<WaitingOn>,
    run: u32,
    merged_into: Option<AgentNo>,
    part_of: Option<AgentNo>,
    hidden: bool,
    started_at: Option<Ms>,
    /// The last that was heard of one that runs no more.
    last_at: Option<Ms>,
}

impl AgentRow {
    pub fn new(agent: Agent) -> Self {
        Self { n: agent.n, standing: ArcRwSignal::new(Standing::of(&agent)), row: ArcRwSignal::new(agent) }
    }

    /// Puts a row in the place of the one before; `true` if the agent stands elsewhere now.
    pub fn set(&self, agent: Agent) -> bool {
        let standing = Standing::of(&agent);
        self.row.set(agent);
        let moved = self.standing.with_untracked(|before| *before != standing);
        if moved {
            self.standing.set(standing);
        }
        moved
    }

    /// Reads the row; tracks only where the agent stands: its names, parent, status, run and model, not what it says, uses or is at.
    pub fn standing<T>(&self, read: impl FnOnce(&Agent) -> T) -> T {
        self.standing.track();
        self.row.with_untracked(read)
    }
}

impl Standing {
    fn of(agent: &Agent) -> Self {
        Self {
            id: agent.id.clone(),
            title: agent.title.clone(),
            model: agent.model.clone(),
            parent: agent.parent,
            link: agent.link,
            status: agent.status,
            waiting_on: agent.waiting_on,
            run: current_run(agent),
            merged_into: agent.merged_into,
            part_of: agent.part_of,
            hidden: agent.hidden,
            started_at: agent.started_at,
            last_at: agent.last_at.filter(|_| !agent.status.is_running()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(memo: Memo<usize>) -> usize {
        memo.get_untracked()
    }

    #[test]
    fn what_follows_where_an_agent_stands_is_left_alone_by_its_entries() {
        let owner = Owner::new();
        owner.set();
        let agent = Agent { n: 1, status: AgentStatus::Running, ..Agent::default() };
        let row = AgentRow::new(agent.clone());
        let (standing, whole) = (row.clone(), row.row.clone());
        let times = |before: Option<&usize>| before.map_or(1, |times| times + 1);
        let standing = Memo::new(move |before| standing.standing(|_| times(before)));
        let whole = Memo::new(move |before| whole.with(|_| times(before)));
        assert_eq!((runs(standing), runs(whole)), (1, 1));
        assert!(!row.set(Agent { rev: 2, last_seq: 9, last_at: Some(5), tool_calls: 3, ..agent.clone() }));
        assert_eq!((runs(standing), runs(whole)), (1, 2), "an entry");
        assert!(row.set(Agent { rev: 3, status: AgentStatus::Finished, last_at: Some(5), ..agent.clone() }));
        assert_eq!((runs(standing), runs(whole)), (2, 3), "an end");
        assert_eq!(row.standing(|agent| agent.rev), 3, "it reads the newest row");
        assert!(row.set(Agent { rev: 4, parent: Some(2), last_at: Some(6), ..agent }));
        assert_eq!(runs(standing), 3, "a parent");
    }
}
