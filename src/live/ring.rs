//! The latest changes of one session, or of the list, encoded.

use std::collections::VecDeque;
use std::sync::Arc;

use super::wire::Encoded;
use crate::model::AgentNo;

/// How much a ring holds.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub frames: usize,
    /// Beyond its newest frame.
    pub bytes: usize,
}

impl Default for Size {
    fn default() -> Self {
        Self { frames: 4_096, bytes: 4 << 20 }
    }
}

/// A bounded run of frames without a hole: everything above `floor`, up to the newest.
#[derive(Debug, Default)]
pub struct Ring {
    size: Size,
    frames: VecDeque<Arc<Encoded>>,
    bytes: usize,
    /// The number below its oldest frame; `None` while nothing was ever put in.
    floor: Option<u64>,
}

/// What a ring has for a reader.
#[derive(Debug)]
pub enum Since {
    /// The reader is older than the ring, or the ring cannot tell.
    Older,
    /// Nothing above the reader's number.
    Nothing,
    /// Frames that pass the filter, and the number reached by reading them.
    Frames(Vec<Arc<Encoded>>, u64),
}

impl Ring {
    /// An empty ring.
    pub fn new(size: Size) -> Self {
        Self { size, ..Self::default() }
    }

    /// Puts a frame in; numbers rise.
    pub fn push(&mut self, frame: Encoded) {
        self.floor.get_or_insert(frame.at.saturating_sub(1));
        self.bytes += frame.len();
        self.frames.push_back(Arc::new(frame));
        while self.frames.len() > self.size.frames || (self.bytes > self.size.bytes && self.frames.len() > 1) {
            let Some(oldest) = self.frames.pop_front() else { break };
            self.bytes -= oldest.len();
            self.floor = Some(oldest.at);
        }
    }

    /// The newest number, 0 while nothing was ever put in.
    pub fn head(&self) -> u64 {
        self.frames.back().map_or(0, |frame| frame.at)
    }

    /// Frames above `at`, entry frames only of `agents` where that is given, up to about `bytes`.
    pub fn since(&self, at: u64, agents: Option<&[AgentNo]>, bytes: usize) -> Since {
        match self.floor {
            None => return Since::Older,
            Some(floor) if at < floor => return Since::Older,
            Some(_) if at > self.head() => return Since::Older,
            Some(_) if at == self.head() => return Since::Nothing,
            Some(_) => {}
        }
        let (mut found, mut size, mut reached) = (Vec::new(), 0, at);
        for frame in self.frames.range(self.frames.partition_point(|frame| frame.at <= at)..) {
            if size >= bytes {
                break;
            }
            reached = frame.at;
            if passes(frame.agent, agents) {
                size += frame.len();
                found.push(Arc::clone(frame));
            }
        }
        Since::Frames(found, reached)
    }
}

/// True unless it is the frame of an entry whose agent is not asked for.
pub fn passes(agent: Option<AgentNo>, agents: Option<&[AgentNo]>) -> bool {
    agent.is_none_or(|agent| agents.is_none_or(|agents| agents.contains(&agent)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Change, Field, Gone};

    const BYTES: usize = 1 << 20;

    fn append(at: u64, agent: AgentNo, text: &str) -> Encoded {
        Encoded::new(at, &Change::Append { agent, seq: 1, field: Field::Text, from: 0, text: text.into(), rev: at })
    }

    fn numbers(since: Since) -> Option<(Vec<u64>, u64)> {
        match since {
            Since::Frames(frames, reached) => Some((frames.iter().map(|frame| frame.at).collect(), reached)),
            Since::Older | Since::Nothing => None,
        }
    }

    #[test]
    fn an_empty_ring_cannot_tell() {
        assert!(matches!(Ring::default().since(0, None, BYTES), Since::Older));
    }

    #[test]
    fn a_reader_gets_what_is_above_it_and_only_that() {
        let mut ring = Ring::default();
        (5..=8).for_each(|at| ring.push(append(at, (at % 2) as AgentNo, "x")));
        assert!(matches!(ring.since(3, None, BYTES), Since::Older));
        assert_eq!(numbers(ring.since(4, None, BYTES)), Some((vec![5, 6, 7, 8], 8)));
        assert_eq!(numbers(ring.since(6, None, BYTES)), Some((vec![7, 8], 8)));
        assert_eq!(numbers(ring.since(4, Some(&[1]), BYTES)), Some((vec![5, 7], 8)));
        assert_eq!(numbers(ring.since(4, None, 1)), Some((vec![5], 5)));
        assert!(matches!(ring.since(8, None, BYTES), Since::Nothing));
        assert!(matches!(ring.since(9, None, BYTES), Since::Older));
    }

    #[test]
    fn rows_of_sessions_and_agents_pass_every_filter() {
        let mut ring = Ring::default();
        ring.push(Encoded::new(1, &Change::Gone(Gone::default())));
        assert_eq!(numbers(ring.since(0, Some(&[]), BYTES)), Some((vec![1], 1)));
    }

    #[test]
    fn a_ring_is_bounded_by_frames_and_by_bytes() {
        let mut ring = Ring::new(Size { frames: 50, bytes: BYTES });
        (1..=60).for_each(|at| ring.push(append(at, 0, "x")));
        assert!(matches!(ring.since(9, None, BYTES), Since::Older));
        assert!(matches!(ring.since(10, None, BYTES), Since::Frames(..)));
        let long = "x".repeat(BYTES);
        ring.push(append(61, 0, &long));
        ring.push(append(62, 0, &long));
        assert_eq!(numbers(ring.since(61, None, BYTES)), Some((vec![62], 62)));
        assert!(matches!(ring.since(60, None, BYTES), Since::Older));
    }
}
