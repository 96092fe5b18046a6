//! What the translator remembers between two lines of a rollout. Bounded: each list forgets its oldest.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::said::Said;
use crate::dialect::list::Known;
use crate::model::{Ms, Who};

#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Rollout {
    /// Whose file it is: what its first head says.
    pub owner: Option<Owner>,
    /// True while the lines are a copy of another thread's.
    pub copied: bool,
    pub cwd: bool,
    pub model: Option<String>,
    /// True once a turn of the agent's own has been read.
    pub opened: bool,
    pub said: Said,
    pub calls: Known<Call, 1024>,
    /// Calls without an id: their names and the ids that they were given.
    pub nameless: VecDeque<(String, String)>,
}

/// The thread that a file belongs to.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Owner {
    pub thread: String,
    /// The thread at the root of the tree.
    pub session: String,
    pub child: bool,
    pub born: Option<Ms>,
    /// The number of the first line that is no copy.
    pub starts: Option<u64>,
}

/// A call without a result.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Call {
    pub name: String,
    /// Of calls about agents: the agent that they name.
    pub agent: Option<String>,
}

impl Rollout {
    /// The agent whose transcript the file is.
    pub fn me(&self) -> Who {
        match &self.owner {
            Some(owner) if owner.child => Who::runtime(&owner.thread),
            _ => Who::Main,
        }
    }

    /// An agent by its thread.
    pub fn agent(&self, thread: &str) -> Who {
        let root = self.owner.as_ref().is_some_and(|owner| owner.session == thread);
        if root { Who::Main } else { Who::runtime(thread) }
    }
}
