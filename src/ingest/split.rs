//! Bytes to physical lines, in bounded memory.
//!
//! Decision: a line ends with LF. In a stream of events, known by the names of its fields, it ends with CR and CRLF as well; that
//! is told line by line, so reading may begin at any.

use memchr::memchr2;
use sha2::{Digest, Sha256};

use super::sse::is_field;
use crate::dialect::{Cut, unmarked};
use crate::model::Hash64;

/// A line longer than this is not held: its head and its hash stand for it.
pub const LONGEST: usize = 32 << 20;
/// How much of such a line is kept.
const HEAD: usize = 64 << 10;

/// A line without its end, and the first without the mark of the order of bytes.
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
    /// True behind a CR that ended a line: an LF that follows belongs to it.
    cr: bool,
    /// True amid an event.
    event: bool,
}

impl Splitter {
    /// For the bytes from `offset` on, which must be the start of a line. `cr`: the line before it ended with CR.
    pub fn at(offset: u64, cr: bool) -> Self {
        Self { start: offset, cr, ..Self::default() }
    }

    /// The next byte that is wanted.
    pub fn next(&self) -> u64 {
        self.start + self.over.as_ref().map_or(self.held.len() as u64, |(len, _)| *len)
    }

    /// The line that has begun, without an end so far.
    pub fn rest(&self) -> &[u8] {
        self.marked(&self.held).1
    }

    /// True if the line that has begun is too long to be held.
    pub fn is_over(&self) -> bool {
        self.over.is_some()
    }

    /// Takes the line that has begun as a whole line.
    pub fn take_rest<R>(&mut self, each: impl FnOnce(Physical<'_>) -> R) -> R {
        let end = self.next();
        let held = std::mem::take(&mut self.held);
        let (offset, bytes) = self.marked(&held);
        self.start = end;
        each(Physical { offset, bytes, end, cut: None })
    }

    /// Where the text of a line begins that begins at `start`, and the text.
    fn marked<'a>(&self, line: &'a [u8]) -> (u64, &'a [u8]) {
        let bare = if self.start == 0 { unmarked(line) } else { line };
        (self.start + (line.len() - bare.len()) as u64, bare)
    }

    /// Takes `chunk` in, and gives each line that ends in it.
    pub fn feed<E>(&mut self, chunk: &[u8], mut each: impl FnMut(Physical<'_>) -> Result<(), E>) -> Result<(), E> {
        let Some(first) = chunk.first() else { return Ok(()) };
        let (mut from, mut seen) = (0, 0);
        if std::mem::take(&mut self.cr) && *first == b'\n' {
            (from, seen) = (1, 1);
            self.start += 1;
        }
        while let Some(at) = chunk.get(seen..).and_then(|tail| memchr2(b'\n', b'\r', tail)).map(|at| seen + at) {
            seen = at + 1;
            let part = chunk.get(from..at).unwrap_or_default();
            if chunk.get(at) == Some(&b'\r') {
                if !self.ends_with_cr(part) {
                    continue;
                }
                match chunk.get(seen) {
                    Some(b'\n') => seen += 1,
                    Some(_) => {}
                    None => self.cr = true,
                }
            }
            let mark = (seen - at) as u64;
            from = seen;
            if self.held.is_empty() && self.over.is_none() {
                self.event = !part.is_empty() && (self.event || is_field(self.marked(part).1));
                let (offset, bytes) = self.marked(part);
                self.start += part.len() as u64 + mark;
                each(Physical { offset, bytes, end: self.start, cut: None })?;
                continue;
            }
            self.hold(part);
            let end = self.next() + mark;
            let cut = self.over.take().map(|(len, hash)| Cut { len, hash: Hash64::of_digest(hash.finalize().into()) });
            let line = std::mem::take(&mut self.held);
            let (offset, bytes) = self.marked(&line);
            self.event = self.event || is_field(bytes);
            self.start = end;
            each(Physical { offset, bytes, end, cut })?;
        }
        self.hold(chunk.get(from..).unwrap_or_default());
        Ok(())
    }

    /// True if a CR behind `part` ends the line that has begun: an empty one, or one of an event.
    fn ends_with_cr(&self, part: &[u8]) -> bool {
        /// As long as the name of a field, behind the mark of the order of bytes.
        const NAME: usize = 9;
        let line: Vec<u8> = self.held.iter().chain(part).copied().take(NAME).collect();
        self.event || line.is_empty() || is_field(self.marked(&line).1)
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
        let (mut splitter, mut found) = (Splitter::at(0, false), Vec::new());
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
        assert_eq!(whole.0.iter().map(|(offset, ..)| *offset).collect::<Vec<_>>(), [3, 15, 16, 19]);
        assert_eq!(whole.1, b" half");
        for cut in 0..=text.len() {
            assert_eq!(lines(&[&text[..cut], &text[cut..]]), whole, "cut at {cut}");
        }
    }

    #[test]
    fn lines_of_events_end_as_those_of_the_standard() {
        let text = "\u{feff}event: x\rdata: {\rno field\r\n\r\r\ndata: 1\n\n{\"a\":\r1}\r\n: x\r\r[2]\n".as_bytes();
        let expected = ["event: x", "data: {", "no field", "", "", "data: 1", "", "{\"a\":\r1}\r", ": x", "", "[2]"];
        let whole = lines(&[text]).0;
        assert_eq!(whole.iter().map(|(_, line, _)| String::from_utf8_lossy(line).into_owned()).collect::<Vec<_>>(), expected);
        let told = |lines: Lines| lines.into_iter().map(|(offset, line, _)| (offset, line)).collect::<Vec<_>>();
        for cut in 0..=text.len() {
            assert_eq!(told(lines(&[&text[..cut], &text[cut..]]).0), told(whole.clone()), "cut at {cut}");
        }
        for (offset, _, end) in &whole {
            let (mut splitter, mut found) = (Splitter::at(*end, text[*end as usize - 1] == b'\r'), Vec::new());
            let each = |line: Physical<'_>| -> Result<(), Infallible> {
                found.push(line.offset);
                Ok(())
            };
            let Ok(()) = splitter.feed(&text[*end as usize..], each);
            let behind: Vec<u64> = whole.iter().map(|(at, ..)| *at).filter(|at| at > offset).collect();
            // Amid an event its further fields cannot be told from other lines.
            assert!(found == behind || [12, 20].contains(end), "{found:?} behind {offset}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_kept_by_head_and_hash() {
        let chunk = vec![b'x'; 1 << 20];
        let (mut splitter, mut found) = (Splitter::at(0, false), Vec::new());
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
