//! Bytes to physical lines, on LF alone, in bounded memory.

use sha2::{Digest, Sha256};

use crate::dialect::Cut;
use crate::model::Hash64;

/// A line longer than this is not held: its head and its hash stand for it.
pub const LONGEST: usize = 32 << 20;
/// How much of such a line is kept.
const HEAD: usize = 64 << 10;

/// A line without its LF.
#[derive(Clone, Copy, Debug)]
pub struct Physical<'a> {
    /// Where it begins in the file.
    pub offset: u64,
    pub bytes: &'a [u8],
    /// Where the next line begins.
    pub end: u64,
    /// Set where `bytes` is only the head.
    pub cut: Option<Cut>,
}

/// Takes a file in chunks and gives its lines.
#[derive(Default)]
pub struct Splitter {
    /// The line that has begun, as far as it is held.
    held: Vec<u8>,
    /// Where it begins.
    start: u64,
    /// Its length and hash so far, once it is too long.
    over: Option<(u64, Sha256)>,
}

impl Splitter {
    /// For the bytes from `offset` on, which must be the start of a line.
    pub fn at(offset: u64) -> Self {
        Self { start: offset, ..Self::default() }
    }

    /// The next byte that is wanted.
    pub fn next(&self) -> u64 {
        self.start + self.over.as_ref().map_or(self.held.len() as u64, |(len, _)| *len)
    }

    /// The line that has begun, without an end so far.
    pub fn rest(&self) -> &[u8] {
        &self.held
    }

    /// True if the line that has begun is too long to be held.
    pub fn is_over(&self) -> bool {
        self.over.is_some()
    }

    /// Takes the line that has begun as a whole line.
    pub fn take_rest(&mut self) -> Vec<u8> {
        self.start = self.next();
        std::mem::take(&mut self.held)
    }

    /// Takes `chunk` in, and gives each line that ends in it.
    pub fn feed<E>(&mut self, chunk: &[u8], mut each: impl FnMut(Physical<'_>) -> Result<(), E>) -> Result<(), E> {
        let mut from = 0;
        for at in memchr::memchr_iter(b'\n', chunk) {
            let part = chunk.get(from..at).unwrap_or_default();
            from = at + 1;
            let offset = self.start;
            if self.held.is_empty() && self.over.is_none() {
                self.start += part.len() as u64 + 1;
                each(Physical { offset, bytes: part, end: self.start, cut: None })?;
                continue;
            }
            self.hold(part);
            let len = self.next() - offset;
            self.start = offset + len + 1;
            let cut = self.over.take().map(|(len, hash)| Cut { len, hash: Hash64::of_digest(hash.finalize().into()) });
            let line = std::mem::take(&mut self.held);
            each(Physical { offset, bytes: &line, end: self.start, cut })?;
        }
        self.hold(chunk.get(from..).unwrap_or_default());
        Ok(())
    }

    fn hold(&mut self, part: &[u8]) {
        if let Some((len, hash)) = &mut self.over {
            *len += part.len() as u64;
            hash.update(part);
            return;
        }
        self.held.extend_from_slice(part);
        if self.held.len() > LONGEST {
            self.over = Some((self.held.len() as u64, Sha256::new_with_prefix(&self.held)));
            self.held.truncate(HEAD);
            self.held.shrink_to_fit();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// Offset, bytes and end of each line.
    type Lines = Vec<(u64, Vec<u8>, u64)>;

    fn lines(parts: &[&[u8]]) -> (Lines, Vec<u8>) {
        let (mut splitter, mut found) = (Splitter::at(0), Vec::new());
        for part in parts {
            let each = |line: Physical<'_>| -> Result<(), Infallible> {
                found.push((line.offset, line.bytes.to_vec(), line.end));
                Ok(())
            };
            let Ok(()) = splitter.feed(part, each);
        }
        (found, splitter.rest().to_vec())
    }

    #[test]
    fn a_cut_at_any_byte_gives_the_same_lines() {
        let text = "\u{feff}{\"a\":\"ä\"}\r\n\n\0\0\n{\"b\":1}\n half".as_bytes();
        let whole = lines(&[text]);
        assert_eq!(whole.0.iter().map(|(offset, ..)| *offset).collect::<Vec<_>>(), [0, 15, 16, 19]);
        assert_eq!(whole.1, b" half");
        for cut in 0..=text.len() {
            assert_eq!(lines(&[&text[..cut], &text[cut..]]), whole, "cut at {cut}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_kept_by_head_and_hash() {
        let chunk = vec![b'x'; 1 << 20];
        let (mut splitter, mut found) = (Splitter::at(0), Vec::new());
        for _ in 0..40 {
            let Ok(()) = splitter.feed(&chunk, |_| Ok::<(), Infallible>(()));
            assert!(splitter.rest().len() <= LONGEST + chunk.len());
        }
        let each = |line: Physical<'_>| -> Result<(), Infallible> {
            found.push((line.bytes.len(), line.end, line.cut.map(|cut| (cut.len, cut.hash))));
            Ok(())
        };
        let Ok(()) = splitter.feed(b"x\nnext\n", each);
        let len = 40 * (1 << 20) + 1;
        let hash = Hash64::of(&vec![b'x'; len]);
        assert_eq!(found, [(HEAD, len as u64 + 1, Some((len as u64, hash))), (4, len as u64 + 6, None)]);
    }
}
