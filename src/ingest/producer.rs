//! Where a producer stands: which numbers of its it has been told are kept.
//!
//! Invariant: a number is taken once. What comes again is compared with what was taken, as far back as hashes are kept.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::Refusal;
use crate::model::Hash64;

/// Lines whose hashes are kept: more than a producer sends before it waits for an answer.
const HASHES: usize = 1_024;

/// Who sends, as its headers say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Producer {
    pub id: String,
    /// Raised by a producer that starts anew; an older one is refused.
    pub epoch: u64,
    /// The number of the first line.
    pub seq: u64,
}

/// Where a producer's last commit left it; written with its lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Standing {
    pub epoch: u64,
    /// The number that comes next.
    pub next: u64,
    pub closed: bool,
    /// True from its end until it works again.
    pub exited: bool,
    /// The sessions that were closed with it.
    pub sessions: Vec<String>,
    hashes: VecDeque<u32>,
}

impl Standing {
    /// How many of `lines` were taken before. `known` is false for a producer that was never heard.
    pub fn admit(&mut self, known: bool, producer: &Producer, lines: &[&[u8]], reopen: bool) -> Result<usize, Refusal> {
        if known && producer.epoch < self.epoch {
            return Err(Refusal::Stale(self.epoch));
        }
        if !known || producer.epoch > self.epoch {
            // A producer begins at 0 or at 1.
            if producer.seq > 1 {
                return Err(Refusal::Gap(0));
            }
            *self = Self { epoch: producer.epoch, next: producer.seq, ..Self::default() };
        }
        let Some(back) = self.next.checked_sub(producer.seq) else { return Err(Refusal::Gap(self.next)) };
        let before = usize::try_from(back).unwrap_or(usize::MAX).min(lines.len());
        for (at, line) in (producer.seq..).zip(lines.iter().take(before)) {
            let ago = usize::try_from(self.next - at).unwrap_or(usize::MAX);
            let kept = self.hashes.len().checked_sub(ago).and_then(|place| self.hashes.get(place));
            if kept.is_some_and(|kept| *kept != hash(line)) {
                return Err(Refusal::Reused(at));
            }
        }
        if self.closed && before < lines.len() {
            if !reopen {
                return Err(Refusal::Closed);
            }
            self.closed = false;
        }
        Ok(before)
    }

    /// Notes lines as taken.
    pub fn took(&mut self, lines: &[&[u8]]) {
        self.next = self.next.saturating_add(lines.len() as u64);
        // Of more lines than are kept the first need none.
        self.hashes.extend(lines.iter().skip(lines.len().saturating_sub(HASHES)).map(|line| hash(line)));
        self.hashes.drain(..self.hashes.len().saturating_sub(HASHES));
    }
}

fn hash(line: &[u8]) -> u32 {
    (Hash64::of(line).0 >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(epoch: u64, seq: u64) -> Producer {
        Producer { id: "p".into(), epoch, seq }
    }

    #[test]
    fn a_number_is_taken_once() {
        let mut standing = Standing::default();
        assert_eq!(standing.admit(false, &by(1, 0), &[b"a", b"b"], false), Ok(0));
        standing.took(&[b"a", b"b"]);
        for (producer, lines, expected) in [
            (by(1, 0), &[&b"a"[..], b"b"][..], Ok(2)),
            (by(1, 1), &[b"b", b"c"], Ok(1)),
            (by(1, 2), &[b"c"], Ok(0)),
            (by(1, 3), &[b"d"], Err(Refusal::Gap(2))),
            (by(1, 1), &[b"x"], Err(Refusal::Reused(1))),
            (by(0, 2), &[b"c"], Err(Refusal::Stale(1))),
            (by(2, 5), &[b"c"], Err(Refusal::Gap(0))),
            (by(2, 0), &[b"c"], Ok(0)),
        ] {
            assert_eq!(standing.clone().admit(true, &producer, lines, false), expected, "{producer:?}");
        }
        standing.closed = true;
        assert_eq!(standing.clone().admit(true, &by(1, 1), &[b"b"], false), Ok(1), "told again, it is still taken");
        assert_eq!(standing.clone().admit(true, &by(1, 2), &[b"c"], false), Err(Refusal::Closed));
        assert_eq!(standing.admit(true, &by(1, 2), &[b"c"], true), Ok(0));
    }
}
