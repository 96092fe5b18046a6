//! A body's lines, as its bytes come in: plain or packed, one JSON object a line, one JSON array, or the data of events.

use std::collections::VecDeque;
use std::io::{self, Write};

use axum::http::{HeaderMap, StatusCode, header};
use flate2::write::MultiGzDecoder;
use serde_json::value::RawValue;

use crate::api::Problem;
use crate::dialect::is_whole;
use crate::ingest::sse::{Parser, to_block};

/// The longest body, packed and unpacked, in bytes.
const BODY: usize = 64 << 20;
/// The longest line.
const LINE: usize = 16 << 20;

/// Types of one object a line.
const NDJSON: [&str; 3] = ["application/x-ndjson", "application/ndjson", "application/jsonl"];
/// The type of an array, or of one object a line.
const JSON: &str = "application/json";
/// The type of a stream of events, the data of each a line.
const EVENTS: &str = "text/event-stream";

/// Lines that have come and not been taken.
pub struct Lines {
    unpack: Option<MultiGzDecoder<Bounded>>,
    /// Bytes behind the last newline; of an array all.
    rest: Vec<u8>,
    /// How many of them hold no newline.
    searched: usize,
    whole: VecDeque<Vec<u8>>,
    /// Those of them that say something.
    said: usize,
    /// Their bytes, with a newline each.
    bytes: usize,
    came: usize,
    unpacked: usize,
    json: bool,
    events: Option<Parser>,
}

impl Lines {
    /// Refuses other types and encodings.
    pub fn new(headers: &HeaderMap) -> Result<Self, Problem> {
        let word = |name| headers.get(name).map(|value: &axum::http::HeaderValue| value.to_str().unwrap_or("?"));
        let refused = |what: String| Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "wrong_type", what);
        let kind = word(header::CONTENT_TYPE).unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if kind != JSON && kind != EVENTS && !NDJSON.contains(&kind.as_str()) {
            return Err(refused(format!("A body here is of the type {}, {JSON} or {EVENTS}.", NDJSON[0])));
        }
        let unpack = is_packed(headers)?.then(|| MultiGzDecoder::new(Bounded::default()));
        let told = word(header::CONTENT_LENGTH).and_then(|value| value.parse::<usize>().ok());
        if told.is_some_and(|told| told > BODY) {
            return Err(too_long());
        }
        Ok(Self {
            unpack,
            rest: Vec::new(),
            searched: 0,
            whole: VecDeque::new(),
            said: 0,
            bytes: 0,
            came: 0,
            unpacked: 0,
            json: kind == JSON,
            events: (kind == EVENTS).then(Parser::default),
        })
    }

    /// More of the body.
    pub fn add(&mut self, chunk: &[u8]) -> Result<(), Problem> {
        self.came += chunk.len();
        if self.came > BODY {
            return Err(too_long());
        }
        match &mut self.unpack {
            None => self.rest.extend_from_slice(chunk),
            Some(unpack) => {
                unpack.get_mut().left = BODY.saturating_sub(self.unpacked);
                let known = self.unpacked > 0 || !unpack.get_ref().bytes.is_empty();
                unpack.write_all(chunk).map_err(|error| unreadable(&error, known || !unpack.get_ref().bytes.is_empty()))?;
                self.collect();
            }
        }
        if self.json && self.is_array() {
            return Ok(());
        }
        self.split()
    }

    /// The body has ended. What stands behind the last newline is a line if it is whole; if the body was cut, it is none. True if it
    /// was cut: on its way, in its packing, or in its last line.
    pub fn end(&mut self, mut cut: bool) -> Result<bool, Problem> {
        if let Some(unpack) = &mut self.unpack
            && !cut
        {
            unpack.get_mut().left = BODY.saturating_sub(self.unpacked);
            // A packed body without its trailer was cut as well: its whole lines are good.
            if let Err(error) = unpack.try_finish() {
                if error.kind() == io::ErrorKind::FileTooLarge {
                    return Err(too_long());
                }
                cut = true;
            }
            self.collect();
            if !(self.json && self.is_array()) {
                self.split()?;
            }
        }
        if let Some(events) = &mut self.events {
            let last = events.end().filter(|_| !cut);
            last.iter().for_each(|event| self.push(to_block(event)));
        } else if self.json && self.is_array() {
            let all: Vec<&RawValue> = serde_json::from_slice(&self.rest)
                .map_err(|_| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "unreadable", "The body is no whole JSON array."))?;
            let lines: Vec<Vec<u8>> = all.into_iter().map(|raw| one_line(raw.get())).collect();
            lines.into_iter().for_each(|line| self.push(line));
        } else if !cut && is_whole(&self.rest) {
            let last = std::mem::take(&mut self.rest);
            self.push(last);
        } else {
            cut |= !self.rest.trim_ascii().is_empty();
        }
        self.rest.clear();
        Ok(cut)
    }

    /// True if there is a line to be taken.
    pub fn ready(&self) -> bool {
        !self.whole.is_empty()
    }

    /// How many lines there are that say something: a commit is not for blank ones.
    pub fn said(&self) -> usize {
        self.said
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes lines: at least one if there is one, at most `most` that say something, and none that would lead beyond `bytes`.
    pub fn take(&mut self, most: usize, bytes: usize) -> Vec<Vec<u8>> {
        let (mut taken, mut said, mut sum) = (Vec::new(), 0, 0usize);
        while let Some(line) = self.whole.front() {
            let says = says(line);
            sum = sum.saturating_add(line.len() + 1);
            if (said >= most && says) || (!taken.is_empty() && sum > bytes) {
                break;
            }
            said += usize::from(says);
            self.said -= usize::from(says);
            self.bytes -= line.len() + 1;
            taken.extend(self.whole.pop_front());
        }
        taken
    }

    fn is_array(&self) -> bool {
        self.whole.is_empty() && self.rest.trim_ascii_start().first() == Some(&b'[')
    }

    fn collect(&mut self) {
        if let Some(unpack) = &mut self.unpack {
            let new = std::mem::take(&mut unpack.get_mut().bytes);
            self.unpacked += new.len();
            self.rest.extend(new);
        }
    }

    fn split(&mut self) -> Result<(), Problem> {
        if let Some(events) = &mut self.events {
            let mut found = Vec::new();
            events.feed(&std::mem::take(&mut self.rest), &mut |event| found.push(to_block(&event)));
            let longest = found.iter().map(Vec::len).max().unwrap_or(0).max(events.waiting());
            found.into_iter().for_each(|line| self.push(line));
            return if longest > LINE { Err(too_long()) } else { Ok(()) };
        }
        let mut from = 0;
        while let Some(at) = self.rest.get(self.searched..).and_then(|tail| tail.iter().position(|byte| *byte == b'\n')) {
            let end = self.searched + at;
            let line = self.rest.get(from..end).unwrap_or_default().to_vec();
            if line.len() > LINE {
                return Err(too_long());
            }
            self.push(line);
            from = end + 1;
            self.searched = from;
        }
        self.rest.drain(..from);
        self.searched = self.rest.len();
        if self.rest.len() > LINE { Err(too_long()) } else { Ok(()) }
    }

    fn push(&mut self, line: Vec<u8>) {
        self.bytes += line.len() + 1;
        self.said += usize::from(says(&line));
        self.whole.push_back(line);
    }
}

fn says(line: &[u8]) -> bool {
    !line.trim_ascii().is_empty()
}

/// JSON without line ends, which stand between its tokens alone.
pub fn one_line(json: &str) -> Vec<u8> {
    json.replace(['\n', '\r'], " ").into_bytes()
}

fn too_long() -> Problem {
    let what = format!("A body here has at most {} MiB, a line at most {} MiB.", BODY >> 20, LINE >> 20);
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_long", what)
}

/// `begun`: some of it was unpacked before.
fn unreadable(error: &io::Error, begun: bool) -> Problem {
    match error.kind() {
        io::ErrorKind::FileTooLarge => too_long(),
        _ if begun => {
            Problem::bad_request("The body is damaged, or has bytes behind the end of its gzip: its lines up to there were kept.")
        }
        _ => no_gzip(),
    }
}

/// True for a body that is packed with gzip; other encodings are refused.
pub fn is_packed(headers: &HeaderMap) -> Result<bool, Problem> {
    match headers.get(header::CONTENT_ENCODING).map(|value| value.as_bytes()) {
        None | Some(b"identity") => Ok(false),
        Some(b"gzip") => Ok(true),
        Some(_) => {
            let what = "A body here is plain, or packed once with gzip.";
            Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "wrong_type", what))
        }
    }
}

/// For a body that says that it is packed so, and is not.
pub fn no_gzip() -> Problem {
    Problem::bad_request("The body is not packed with gzip.")
}

/// Takes unpacked bytes up to a bound, so that a small body cannot become a large one.
#[derive(Default)]
struct Bounded {
    bytes: Vec<u8>,
    left: usize,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.left = self.left.checked_sub(bytes.len()).ok_or_else(|| io::Error::from(io::ErrorKind::FileTooLarge))?;
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use flate2::Compression;
    use flate2::write::GzEncoder;

    fn lines(kind: &'static str, encoding: Option<&'static str>) -> Result<Lines, u16> {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        encoding.map(|encoding| headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding)));
        Lines::new(&headers).map_err(|problem| problem.status)
    }

    fn read(lines: &mut Lines, body: &[u8], step: usize, cut: bool) -> Vec<String> {
        read_to(lines, body, step, cut, false)
    }

    fn read_to(lines: &mut Lines, body: &[u8], step: usize, cut: bool, ends_early: bool) -> Vec<String> {
        body.chunks(step).for_each(|chunk| lines.add(chunk).expect("room"));
        assert_eq!(lines.end(cut), Ok(cut || ends_early));
        lines.take(usize::MAX, usize::MAX).into_iter().map(|line| String::from_utf8(line).expect("text")).collect()
    }

    fn packed(body: &[u8]) -> Vec<u8> {
        let mut pack = GzEncoder::new(Vec::new(), Compression::best());
        pack.write_all(body).expect("a pack");
        pack.finish().expect("a pack")
    }

    #[test]
    fn lines_come_out_whole_however_they_come_in() {
        let body = b"{\"a\":1}\n\n{\"b\":\"\xc3\xa4\"}\n{\"c\":3}";
        let expected = ["{\"a\":1}", "", "{\"b\":\"\u{e4}\"}", "{\"c\":3}"];
        for step in 1..body.len() {
            assert_eq!(read(&mut lines("application/x-ndjson", None).expect("lines"), body, step, false), expected);
            assert_eq!(
                read(&mut lines("application/json; charset=utf-8", Some("gzip")).expect("lines"), &packed(body), step, false),
                expected
            );
        }
        assert_eq!(read(&mut lines("application/jsonl", None).expect("lines"), body, 3, true), expected[..3]);
        let torn = read_to(&mut lines("application/jsonl", None).expect("lines"), &body[..body.len() - 1], 3, false, true);
        assert_eq!(torn, expected[..3]);
        let packed = packed(body);
        for end in 1..packed.len() {
            let cut = read_to(&mut lines(JSON, Some("gzip")).expect("lines"), &packed[..end], 7, false, true);
            assert!(cut.len() <= 3 && cut.iter().zip(expected).all(|(line, expected)| line == expected), "{cut:?}");
        }
        assert_eq!(read(&mut lines(JSON, None).expect("lines"), b" [{\"a\":\n1},{\"b\":2}]", 2, false), ["{\"a\": 1}", "{\"b\":2}"]);
    }

    #[test]
    fn blank_lines_cost_no_commit() {
        let mut lines = lines(JSON, None).expect("lines");
        lines.add("\n \n".repeat(10_000).as_bytes()).expect("room");
        lines.add(b"{\"a\":1}\n\n{\"b\":2}\n").expect("room");
        assert_eq!((lines.said(), lines.bytes()), (2, 10_000 * 3 + 8 + 1 + 8));
        assert_eq!(lines.take(1, usize::MAX).len(), 20_002, "one that says something, and the blank ones around it");
        assert_eq!((lines.said(), lines.take(1, usize::MAX).len(), lines.bytes()), (1, 1, 0));
        lines.add("\n".repeat(100).as_bytes()).expect("room");
        assert_eq!(lines.take(usize::MAX, 30).len(), 30, "they are bounded, too");
    }

    #[test]
    fn what_is_behind_the_end_of_a_packed_body_is_said_so() {
        let said = |body: &[u8]| {
            let mut lines = lines(JSON, Some("gzip")).expect("lines");
            body.chunks(3).find_map(|chunk| lines.add(chunk).err()).map(|problem| (problem.status, problem.message))
        };
        let whole = packed(b"{}\n");
        assert_eq!(said(&whole), None);
        let (status, words) = said(&[&whole[..], b"rubbish, and more of it"].concat()).expect("a refusal");
        assert!(status == 400 && words.contains("behind the end of its gzip"), "{words}");
        let (_, words) = said(b"{}\n{}\n{}\n{}\n").expect("a refusal");
        assert!(words.contains("is not packed with gzip"), "{words}");
    }

    #[test]
    fn the_data_of_events_are_lines() {
        let body =
            b"\xef\xbb\xbf: hello\r\nid: 1\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\nevent: x\ndata: {\"b\":2}\n\ndata:\n\ndata: {\"c\":3}";
        let first = "id: 1\ndata: {\"a\":\ndata: 1}\n";
        let second = "event: x\ndata: {\"b\":2}\n";
        for step in 1..body.len() {
            let taken = |body: &[u8], encoding, cut| read(&mut lines(EVENTS, encoding).expect("lines"), body, step, cut);
            assert_eq!(taken(body, None, false), [first, second, "data: {\"c\":3}\n"]);
            assert_eq!(taken(body, None, true), [first, second]);
            assert_eq!(taken(&packed(body), Some("gzip"), false).len(), 3);
        }
        let mut lines = lines("text/event-stream; charset=utf-8", None).expect("lines");
        let long = format!("data: {}\n", "x".repeat(1 << 20));
        assert_eq!((0..20).find_map(|_| lines.add(long.as_bytes()).err()).map(|problem| problem.status), Some(413));
    }

    #[test]
    fn other_types_and_large_bodies_are_refused() {
        for (kind, encoding) in [("text/plain", None), ("", None), (JSON, Some("br")), (JSON, Some("gzip, gzip"))] {
            assert_eq!(lines(kind, encoding).err(), Some(415), "{kind} {encoding:?}");
        }
        let bomb = packed(&vec![b'\n'; BODY + 1]);
        assert!(bomb.len() < BODY / 500);
        let mut lines = lines(JSON, Some("gzip")).expect("lines");
        let refused = bomb.chunks(1 << 16).find_map(|chunk| lines.add(chunk).err()).or_else(|| lines.end(false).err());
        assert_eq!(refused.map(|problem| problem.status), Some(413));
        let mut lines = self::lines(JSON, None).expect("lines");
        assert_eq!((0..20).find_map(|_| lines.add(&vec![b'x'; 1 << 20]).err()).map(|problem| problem.status), Some(413));
    }
}
