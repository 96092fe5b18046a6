//! Texts that a rollout holds twice: as the item that the model sees, and as the event that a person saw.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::dialect::list::push;
use crate::model::Hash64;

/// Texts that are waited for a second time.
const WAITING: usize = 64;

/// Texts that have come in one of their two shapes.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Said(VecDeque<Once>);

#[derive(Clone, Serialize, Deserialize)]
struct Once {
    of: Hash64,
    item: bool,
    key: String,
}

/// The key of a text, and whether it has come in its other shape before.
pub struct Found {
    pub key: String,
    pub again: bool,
}

impl Said {
    /// The key of a text of this kind: that of its other shape where it came before, else `new`.
    pub fn key(&mut self, kind: &str, text: &str, item: bool, new: String) -> Found {
        let of = Hash64::of_parts(&[kind.as_bytes(), b" ", text.trim().as_bytes()]);
        let at = self.0.iter().position(|once| once.of == of && once.item != item);
        if let Some(once) = at.and_then(|at| self.0.remove(at)) {
            return Found { key: once.key, again: true };
        }
        push(&mut self.0, WAITING, Once { of, item, key: new.clone() });
        Found { key: new, again: false }
    }
}
