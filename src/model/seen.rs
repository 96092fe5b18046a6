//! What a person has already seen of an agent.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::AgentNo;

/// How far the agents of a session have been read.
pub type Reading = BTreeMap<AgentNo, Seen>;

/// How far an agent has been read: its highest entry, and the run whose end was seen.
///
/// An end is told by its run and not by the row's `rev`, which also rises for what nobody has to read (a count, a link).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    pub seq: u32,
    #[serde(default)]
    pub ended_run: u32,
}

impl Seen {
    /// What either has seen: how tabs and devices merge.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self { seq: self.seq.max(other.seq), ended_run: self.ended_run.max(other.ended_run) }
    }
}

/// What `more` tells beyond what is `known`, merged with it by the larger: nothing is ever unseen.
pub fn beyond(known: &Reading, more: &Reading) -> Reading {
    let merged = more.iter().map(|(n, seen)| (*n, known.get(n).map_or(*seen, |known| known.max(*seen))));
    merged.filter(|(n, merged)| known.get(n) != Some(merged)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_more_is_beyond() {
        let reading =
            |all: &[(AgentNo, u32, u32)]| all.iter().map(|(n, seq, ended_run)| (*n, Seen { seq: *seq, ended_run: *ended_run })).collect();
        let known: Reading = reading(&[(1, 5, 0), (2, 5, 1)]);
        assert_eq!(beyond(&known, &known), Reading::new());
        assert_eq!(beyond(&known, &reading(&[(1, 3, 1), (2, 4, 0), (3, 0, 0)])), reading(&[(1, 5, 1), (3, 0, 0)]));
    }
}
