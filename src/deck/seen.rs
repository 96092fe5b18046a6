//! What is new of an agent to somebody who has seen a part of it.

use crate::model::{Agent, MAIN, Seen};

impl Seen {
    /// What is seen of an agent that nobody has opened: a subagent's prompt is known from its step.
    pub fn first(agent: &Agent) -> Self {
        Self { seq: u32::from(agent.n != MAIN), ended_run: 0 }
    }

    /// Everything that the agent's row tells of.
    pub fn all(agent: &Agent) -> Self {
        Self { seq: agent.last_seq, ended_run: ended_run(agent) }
    }
}

/// The number of things that are new: entries, and the agent's end.
pub fn unread(agent: &Agent, seen: Option<Seen>) -> u32 {
    let seen = seen.unwrap_or_else(|| Seen::first(agent));
    agent.last_seq.saturating_sub(seen.seq) + u32::from(ended_run(agent) > seen.ended_run)
}

fn ended_run(agent: &Agent) -> u32 {
    if agent.status.is_end() { super::opening::current_run(agent) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AgentStatus, Run};

    #[test]
    fn entries_and_the_end_count_each_once() {
        let mut agent = Agent { n: 1, last_seq: 0, status: AgentStatus::Running, ..Agent::default() };
        assert_eq!(unread(&agent, None), 0);
        agent.last_seq = 5;
        assert_eq!(unread(&agent, None), 4);
        let seen = Seen::all(&agent);
        assert_eq!(unread(&agent, Some(seen)), 0);
        agent.status = AgentStatus::Finished;
        assert_eq!(unread(&agent, Some(seen)), 1);
        let seen = seen.max(Seen::all(&agent));
        agent.rev += 10;
        assert_eq!(unread(&agent, Some(seen)), 0, "a row that changes after its end is nothing new");
        agent.runs = (1..=2).map(|run| Run { run, ..Run::default() }).collect();
        agent.last_seq = 7;
        assert_eq!(unread(&agent, Some(seen)), 3);
    }

    #[test]
    fn tabs_merge_by_the_larger() {
        let (a, b) = (Seen { seq: 3, ended_run: 1 }, Seen { seq: 9, ended_run: 0 });
        assert_eq!(a.max(b), Seen { seq: 9, ended_run: 1 });
        assert_eq!(a.max(b), b.max(a));
    }
}
