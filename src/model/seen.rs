//! What a person has already seen of an agent.

use serde::{Deserialize, Serialize};

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
