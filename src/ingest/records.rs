//! Physical lines to records: one line each, but for a pretty-printed object or array, whose lines are held until it closes, and for a
//! server-sent event, which ends with a blank line.

use super::split::Physical;
use super::sse;
use crate::dialect::{Cut, Record, is_whole};

/// A record that is spread over more than this is none.
const MOST_LINES: u64 = 100_000;
const MOST_BYTES: usize = 16 << 20;

/// What a physical line has led to.
#[derive(Debug)]
pub enum Piece<'a> {
    /// A record, and the number of physical lines behind its first.
    Record(Record<'a>, u64),
    Blank,
}

/// Puts the lines of a pretty-printed object or of an event together.
#[derive(Default)]
pub struct Joiner {
    /// True if what is held is an event.
    event: bool,
    /// True once an event has come: any line but JSON may then be of one. A torn line of another source alone does not make a stream.
    stream: bool,
    /// The lines held, as they came, with their ends.
    held: Vec<u8>,
    start: u64,
    lines: u64,
    depth: u64,
}

impl Joiner {
    /// Where the lines that are held begin.
    pub fn start(&self) -> Option<u64> {
        (self.lines > 0).then_some(self.start)
    }

    /// The number of lines held.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Takes a line and gives what it completes.
    pub fn line<E>(&mut self, line: Physical<'_>, each: &mut impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        let (offset, raw) = (line.offset, line.bytes);
        let bytes = raw.strip_suffix(b"\r").unwrap_or(raw);
        if self.event {
            if sse::may_stand(bytes) && self.lines < MOST_LINES && self.held.len() + bytes.len() < MOST_BYTES && line.cut.is_none() {
                self.keep(raw);
                return Ok(());
            }
            self.end_event(each)?;
        }
        if self.lines > 0 {
            if self.goes_on(bytes, line.cut) {
                return self.hold(raw, each);
            }
            self.give_up(each)?;
        }
        if bytes.trim_ascii().is_empty() && line.cut.is_none() {
            return each(Piece::Blank);
        }
        let begins = offset == 0 && sse::is_bare(bytes);
        if line.cut.is_none() && (sse::is_field(bytes) || begins || (self.stream && sse::may_stand(bytes))) {
            (self.start, self.event) = (offset, true);
            self.keep(raw);
            return Ok(());
        }
        if line.cut.is_none() && opens(bytes) {
            self.start = offset;
            return self.hold(raw, each);
        }
        each(Piece::Record(Record { cut: line.cut, ..Record::whole(offset, bytes) }, 0))
    }

    /// True for a line that can belong to the object that is open: it is indented, or closes.
    fn goes_on(&self, bytes: &[u8], cut: Option<Cut>) -> bool {
        let inside = matches!(bytes.first(), None | Some(b' ' | b'\t' | b'}' | b']'));
        inside && cut.is_none() && self.lines < MOST_LINES && self.held.len() + bytes.len() < MOST_BYTES
    }

    /// True if `rest`, a line that has begun, completes what is held or is whole itself.
    pub fn closes(&self, rest: &[u8]) -> bool {
        match () {
            () if self.event || self.lines == 0 && sse::is_field(rest) => event_of(&[&self.held, rest].concat()).is_some(),
            () => is_whole(rest) || self.lines > 0 && matches!(rest.trim_ascii_start().first(), Some(b'}' | b']')),
        }
    }

    /// The input has ended: an event without its blank line counts if its data is whole.
    pub fn end<E>(&mut self, each: &mut impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        if self.event && event_of(&self.held).is_some() { self.end_event(each) } else { Ok(()) }
    }

    fn end_event<E>(&mut self, each: &mut impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        let (held, lines) = (std::mem::take(&mut self.held), std::mem::take(&mut self.lines));
        self.event = false;
        match sse::read_event(&held) {
            Some(event) => {
                self.stream = true;
                each(Piece::Record(sse::record(self.start, &held, Some(&event)), lines.saturating_sub(1)))
            }
            // Comments, or an event without data: it says nothing.
            None => (0..lines).try_for_each(|_| each(Piece::Blank)),
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.held.extend_from_slice(bytes);
        self.held.push(b'\n');
        self.lines += 1;
    }

    fn hold<E>(&mut self, bytes: &[u8], each: &mut impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        self.keep(bytes);
        let Some(depth) = depth_behind(self.depth, bytes) else { return self.give_up(each) };
        self.depth = depth;
        if depth > 0 {
            return Ok(());
        }
        let (held, more) = (std::mem::take(&mut self.held), self.lines - 1);
        self.lines = 0;
        each(Piece::Record(Record::whole(self.start, held.trim_ascii_end()), more))
    }

    /// The lines held are no object: each stands for itself.
    fn give_up<E>(&mut self, each: &mut impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        let held = std::mem::take(&mut self.held);
        (self.lines, self.depth) = (0, 0);
        let mut offset = self.start;
        for line in held.split_inclusive(|byte| *byte == b'\n') {
            let bytes = line.trim_ascii_end();
            each(if bytes.is_empty() { Piece::Blank } else { Piece::Record(Record::whole(offset, bytes), 0) })?;
            offset += line.len() as u64;
        }
        Ok(())
    }
}

/// The event of these lines, if its data is whole JSON.
fn event_of(lines: &[u8]) -> Option<sse::Event> {
    sse::read_event(lines).filter(|event| is_whole(event.data.as_bytes()))
}

/// True for a line that begins an object or an array and does not end it.
fn opens(line: &[u8]) -> bool {
    let ends = |end: &[u8]| line.trim_ascii_end().ends_with(end);
    (line.starts_with(b"{") && !ends(b"}")) || (line.starts_with(b"[") && !ends(b"]"))
}

/// How many brackets are open behind this line; `None` if it ends inside of a string or closes more than is open.
fn depth_behind(mut depth: u64, line: &[u8]) -> Option<u64> {
    let (mut quoted, mut escaped) = (false, false);
    for byte in line {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => depth += 1,
            b'}' | b']' if !quoted => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    (!quoted).then_some(depth)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::super::split::Splitter;
    use super::*;

    fn pieces(text: &str) -> Vec<(u64, String, u64)> {
        let (mut splitter, mut joiner, mut found) = (Splitter::at(0, false), Joiner::default(), Vec::new());
        let mut each = |piece: Piece<'_>| -> Result<(), Infallible> {
            found.push(match piece {
                Piece::Record(record, more) => (record.offset, String::from_utf8_lossy(record.bytes).into_owned(), more),
                Piece::Blank => (0, "blank".into(), 0),
            });
            Ok(())
        };
        let Ok(()) = splitter.feed(text.as_bytes(), |line| joiner.line(line, &mut each));
        found
    }

    #[test]
    fn an_event_is_one_record_and_its_blank_line_a_blank() {
        let text = "event: values\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\n: ping\n\ndata: [2]\n\n{\"c\":1}\n";
        let found = pieces(text);
        let told: Vec<_> =
            found.iter().map(|(offset, text, more)| (*offset, text.as_str(), *more)).filter(|(_, text, _)| *text != "blank").collect();
        assert_eq!(found.len() - told.len(), 4, "three blank lines, and the comment");
        let at = |part: &str| text.find(part).expect("a part") as u64;
        assert_eq!(told, [(0, "{\"a\":\n1}", 2), (at("data: [2]"), "[2]", 0), (at("{\"c\""), "{\"c\":1}", 0)]);
    }

    #[test]
    fn a_pretty_printed_object_is_one_record() {
        let pretty = "{\n  \"a\": [\n    {},\n    \"}{\"\n  ],\n\n  \"b\": {\n  }\n}";
        assert_eq!(pieces(&format!("{pretty}\n{{\"c\":1}}\n")), [(0, pretty.into(), 8), (pretty.len() as u64 + 1, "{\"c\":1}".into(), 0)]);
    }

    #[test]
    fn a_pretty_printed_array_is_one_record() {
        let pretty = "[\n  {\n    \"a\": 1\n  },\n  []\n]";
        assert_eq!(pieces(&format!("{pretty}\n[1]\n")), [(0, pretty.into(), 5), (pretty.len() as u64 + 1, "[1]".into(), 0)]);
    }

    #[test]
    fn a_torn_line_takes_no_other_with_it() {
        for torn in ["{\"a\":", "{\"a\":\"half", "{\"a\":{\"b\":1},"] {
            let found = pieces(&format!("{torn}\n{{\"c\":1}}\n"));
            assert_eq!(found.iter().map(|(_, text, more)| (text.as_str(), *more)).collect::<Vec<_>>(), [(torn, 0), ("{\"c\":1}", 0)]);
            assert_eq!(found[1].0, torn.len() as u64 + 1);
        }
    }

    #[test]
    fn line_ends_marks_and_blanks_are_no_content() {
        assert_eq!(
            pieces("\u{feff}{}\r\n\r\n  \n{}\n"),
            [(3, "{}".into(), 0), (0, "blank".into(), 0), (0, "blank".into(), 0), (12, "{}".into(), 0)]
        );
    }
}
