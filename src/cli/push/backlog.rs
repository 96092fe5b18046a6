//! Lines without an acknowledgement, by their numbers.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::cli::server::{EVENTS, NDJSON};
use crate::dialect::sse;

/// Lines and bytes of one request.
const LINES: usize = 256;
const BYTES: usize = 8 << 20;
/// Bytes by which a dialect is recognised.
const HEAD: usize = 64 << 10;

/// Lines that wait, the first of them with this number.
#[derive(Default)]
pub struct Backlog {
    lines: VecDeque<Vec<u8>>,
    pub number: u64,
    pub epoch: u64,
}

impl Backlog {
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn push(&mut self, line: Vec<u8>) {
        self.lines.push_back(line);
    }

    /// The type of the next request's body: lines, or events of which each is one.
    pub fn kind(&self) -> &'static str {
        if self.lines.front().is_some_and(|line| sse::is_field(line)) { EVENTS } else { NDJSON }
    }

    /// The first lines.
    pub fn first(&self, count: usize) -> impl Iterator<Item = &[u8]> {
        self.lines.iter().take(count).map(Vec::as_slice)
    }

    /// The first bytes.
    pub fn head(&self) -> Vec<u8> {
        let mut head = Vec::new();
        for line in &self.lines {
            if !head.is_empty() && head.len() + line.len() > HEAD {
                break;
            }
            head.extend_from_slice(line);
            head.push(b'\n');
        }
        head
    }

    /// Waits for a line if there is none, for at most `patience`, then for its company. An error says that none came, or that no more
    /// will.
    pub fn gather(&mut self, lines: &Receiver<Vec<u8>>, patience: Duration, company: Duration) -> Result<(), RecvTimeoutError> {
        if self.lines.is_empty() {
            self.push(lines.recv_timeout(patience)?);
        }
        let end = Instant::now() + company;
        while self.len() < LINES {
            match lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => self.push(line),
                Err(RecvTimeoutError::Timeout) => return Ok(()),
                Err(gone) => return Err(gone),
            }
        }
        Ok(())
    }

    /// The next request: how many lines, and their bytes.
    pub fn batch(&self) -> (usize, Vec<u8>) {
        let (mut count, mut body) = (0, Vec::new());
        for line in self.lines.iter().take(LINES) {
            if count > 0 && body.len() + line.len() > BYTES {
                break;
            }
            body.extend_from_slice(line);
            body.push(b'\n');
            count += 1;
        }
        (count, body)
    }

    /// The first `count` lines are kept there. Returns their bytes.
    pub fn taken(&mut self, count: usize) -> usize {
        let count = count.min(self.lines.len());
        self.number += count as u64;
        self.lines.drain(..count).map(|line| line.len()).sum()
    }

    /// The server says which number comes next. If that is behind us, it has lost what it had: we begin anew with what we have.
    pub fn expects(&mut self, number: u64) -> usize {
        match number.checked_sub(self.number).and_then(|more| usize::try_from(more).ok()).filter(|more| *more <= self.lines.len()) {
            Some(more) => self.taken(more),
            None => {
                self.epoch += 1;
                self.number = 0;
                0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Backlog {
        let mut backlog = Backlog { number: 5, ..Backlog::default() };
        [&b"a"[..], b"bb", b"ccc"].iter().for_each(|line| backlog.push(line.to_vec()));
        backlog
    }

    #[test]
    fn what_is_acknowledged_goes_and_the_rest_keeps_its_number() {
        let mut backlog = three();
        assert_eq!(backlog.batch(), (3, b"a\nbb\nccc\n".to_vec()));
        assert_eq!(backlog.taken(2), 3);
        assert_eq!((backlog.number, backlog.batch().1), (7, b"ccc\n".to_vec()));
    }

    #[test]
    fn the_server_says_where_to_go_on() {
        let mut backlog = three();
        assert_eq!((backlog.expects(6), backlog.number, backlog.epoch, backlog.len()), (1, 6, 0, 2));
        assert_eq!((backlog.expects(2), backlog.number, backlog.epoch, backlog.len()), (0, 0, 1, 2));
        assert_eq!((backlog.expects(99), backlog.number, backlog.epoch), (0, 0, 2));
    }

    #[test]
    fn a_long_line_goes_alone() {
        let mut backlog = Backlog::default();
        backlog.push(vec![b'x'; BYTES + 1]);
        backlog.push(vec![b'y'; 10]);
        assert_eq!(backlog.batch().0, 1);
    }
}
