//! In which order the agents of a session stand on the list: whoever waits for the person first, then what runs, then the last
//! active, each with those below it. Pure.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::app::tree::{Leaf, tree};
use crate::model::{Agent, AgentNo, AgentStatus, Ms, WaitingOn};

/// An agent's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub n: AgentNo,
    /// 0 for those that the main agent started, and for those of whom nobody knows who did.
    pub depth: u32,
}

/// Lower comes first.
type Rank = (u8, Reverse<Ms>, AgentNo);

/// True for an agent that waits for the person.
pub fn asks(agent: &Agent) -> bool {
    agent.status == AgentStatus::Waiting && agent.waiting_on == Some(WaitingOn::Person)
}

fn rank(agent: &Agent) -> Rank {
    let class = match agent.status {
        _ if asks(agent) => 0,
        status if status.is_running() => 1,
        _ => 2,
    };
    (class, Reverse(agent.last_at.or(agent.started_at).unwrap_or_default()), agent.n)
}

/// Orders agents, siblings by the best of themselves and all below them: what needs the person is never hidden low in the list.
pub fn arrange<'a>(agents: impl Iterator<Item = &'a Agent> + Clone) -> Vec<Place> {
    let tree = tree(agents.clone().map(Leaf::of));
    let mut best: BTreeMap<AgentNo, Rank> = agents.map(|agent| (agent.n, rank(agent))).collect();
    // Depth first, so the children of a leaf come after it: from behind, each is done before its parent.
    for leaf in tree.tree.iter().rev() {
        let own = best.get(&leaf.n).copied();
        if let (Some(own), Some(parent)) = (own, leaf.parent.and_then(|parent| best.get_mut(&parent))) {
            *parent = (*parent).min(own);
        }
    }
    let mut below: BTreeMap<AgentNo, Vec<Place>> = BTreeMap::new();
    let mut top = Vec::new();
    for leaf in &tree.tree {
        let place = Place { n: leaf.n, depth: leaf.depth };
        match leaf.parent.filter(|_| leaf.depth > 0) {
            Some(parent) => below.entry(parent).or_default().push(place),
            None => top.push(place),
        }
    }
    top.extend(tree.loose.iter().map(|leaf| Place { n: leaf.n, depth: 0 }));
    // The last is taken first.
    let sort = |places: &mut Vec<Place>| places.sort_by_key(|place| Reverse(best.get(&place.n).copied()));
    sort(&mut top);
    let (mut out, mut stack) = (Vec::new(), top);
    while let Some(place) = stack.pop() {
        out.push(place);
        let mut kids = below.remove(&place.n).unwrap_or_default();
        sort(&mut kids);
        stack.extend(kids);
    }
    out
}

/// `now` in the order in which it stood `before`; what is new comes behind. So nothing moves under a finger.
pub fn settled<T: Clone, K: PartialEq>(before: &[K], now: &[T], key: impl Fn(&T) -> K) -> Vec<T> {
    let stood = before.iter().filter_map(|was| now.iter().find(|item| key(item) == *was));
    let fresh = now.iter().filter(|item| !before.contains(&key(item)));
    stood.chain(fresh).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(n: AgentNo, parent: AgentNo, status: AgentStatus, last_at: Ms) -> Agent {
        let waiting_on = (status == AgentStatus::Waiting).then_some(WaitingOn::Person);
        Agent { n, parent: Some(parent), status, waiting_on, last_at: Some(last_at), ..Agent::default() }
    }

    fn order(agents: &[Agent]) -> Vec<(AgentNo, u32)> {
        arrange(agents.iter()).iter().map(|place| (place.n, place.depth)).collect()
    }

    #[test]
    fn who_waits_for_the_person_comes_first_then_what_runs_then_the_last_active() {
        use AgentStatus::{Failed, Finished, Running, Unknown, Waiting};
        let agents = [
            agent(1, 0, Finished, 900),
            agent(2, 0, Running, 100),
            agent(3, 0, Failed, 950),
            agent(4, 0, Waiting, 10),
            agent(5, 0, Unknown, 20),
            agent(6, 0, Running, 300),
        ];
        assert_eq!(order(&agents), [(4, 0), (6, 0), (2, 0), (3, 0), (1, 0), (5, 0)]);
    }

    #[test]
    fn who_is_deep_lifts_its_parents() {
        use AgentStatus::{Finished, Running, Waiting};
        let agents = [agent(1, 0, Running, 500), agent(2, 0, Finished, 1), agent(3, 2, Finished, 2), agent(4, 2, Waiting, 3)];
        assert_eq!(order(&agents), [(2, 0), (4, 1), (3, 1), (1, 0)]);
    }

    #[test]
    fn who_belongs_to_nobody_stands_among_the_others() {
        let loose = Agent { parent: None, ..agent(2, 0, AgentStatus::Running, 9) };
        assert_eq!(order(&[agent(1, 0, AgentStatus::Finished, 99), loose]), [(2, 0), (1, 0)]);
    }

    #[test]
    fn what_is_held_does_not_move() {
        assert_eq!(settled(&[3, 1, 2], &[1, 2, 4, 3], |n| *n), [3, 1, 2, 4]);
        assert_eq!(settled(&[3, 1, 2], &[2, 5], |n| *n), [2, 5]);
    }
}
