//! Small words for memories: hashes that grow, lists that forget their oldest.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// A hash of texts, in 64 bits, which grows as they come. No protection against malice: it tells equal texts from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    /// The hash of what was there and `more` behind it.
    #[must_use]
    pub fn and(self, more: &str) -> Self {
        Self(more.bytes().fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)))
    }
}

/// The hash of several texts, each apart.
pub fn hash(parts: &[&str]) -> Hash {
    parts.iter().fold(Hash::default(), |hash, part| hash.and(part).and("\0"))
}

/// Adds to a list that holds at most `most`.
pub fn push<T>(list: &mut VecDeque<T>, most: usize, value: T) {
    while list.len() >= most {
        list.pop_front();
    }
    list.push_back(value);
}
