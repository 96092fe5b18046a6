//! Bytes to server-sent events, as the HTML standard reads them.
//!
//! Decision: lines end by CR, LF or CRLF, wherever a chunk is cut; a byte order mark at the start, comments and unknown fields say
//! nothing. The id of an event is the one in its own lines: the last id of the stream, which the standard hands on, says where a
//! reader goes on, and two events of one text would be one by it.
//! Invariants: an event without data is none; one without its blank line has not come yet; each stands for itself, so that a
//! reader may begin at any.

use super::{Record, is_whole, unmarked};

/// An event that has come whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// Its name; empty where it has none.
    pub name: String,
    /// Its data lines, joined by LF.
    pub data: String,
    pub id: Option<String>,
    /// The last id that the stream gave, with this event or before it.
    pub last: Option<String>,
    /// Milliseconds after which a reader should come back, where the stream has said so.
    pub retry: Option<u64>,
}

/// Takes a stream in chunks and gives its events.
#[derive(Default)]
pub struct Parser {
    /// The line that has begun.
    line: Vec<u8>,
    /// True behind a CR: an LF that follows belongs to it.
    cr: bool,
    /// True once the first line has been read.
    begun: bool,
    name: String,
    /// Data lines of the event that has begun, each with an LF behind it.
    data: String,
    id: Option<String>,
    last: Option<String>,
    retry: Option<u64>,
}

impl Parser {
    /// More of the stream.
    pub fn feed(&mut self, chunk: &[u8], each: &mut impl FnMut(Event)) {
        let mut rest = chunk;
        while !rest.is_empty() {
            if std::mem::take(&mut self.cr)
                && let Some(behind) = rest.strip_prefix(b"\n")
            {
                rest = behind;
                continue;
            }
            let Some(at) = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')) else {
                self.line.extend_from_slice(rest);
                return;
            };
            let (part, behind) = rest.split_at(at);
            self.line.extend_from_slice(part);
            self.cr = behind.first() == Some(&b'\r');
            rest = behind.get(1..).unwrap_or_default();
            let line = std::mem::take(&mut self.line);
            self.read(&line, each);
        }
    }

    /// Bytes that wait for the end of their event.
    pub fn waiting(&self) -> usize {
        self.line.len() + self.data.len()
    }

    /// The stream has ended: the event that has begun, an unfinished line included, if its data is whole JSON.
    pub fn end(&mut self) -> Option<Event> {
        let (line, mut last) = (std::mem::take(&mut self.line), None);
        for line in [&line[..], b""] {
            self.read(line, &mut |event| last = Some(event));
        }
        last.filter(|event| is_whole(event.data.as_bytes()))
    }

    fn read(&mut self, line: &[u8], each: &mut impl FnMut(Event)) {
        let line = if std::mem::replace(&mut self.begun, true) { line } else { unmarked(line) };
        if !line.is_empty() {
            return self.field(line);
        }
        let (name, mut data, id) = (std::mem::take(&mut self.name), std::mem::take(&mut self.data), self.id.take());
        data.pop();
        if !data.is_empty() {
            each(Event { name, data, id, last: self.last.clone(), retry: self.retry });
        }
    }

    fn field(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(line);
        let (name, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "event" => value.clone_into(&mut self.name),
            "data" => {
                self.data.push_str(value);
                self.data.push('\n');
            }
            "id" if !value.contains('\0') => {
                self.id = Some(value.to_owned()).filter(|id| !id.is_empty());
                self.last.clone_from(&self.id);
            }
            "retry" if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.retry = value.parse().ok().or(self.retry)
            }
            _ => {}
        }
    }
}

/// True for a line that belongs to a stream of events and could not be JSON.
pub fn is_field(line: &[u8]) -> bool {
    [&b"data:"[..], b"event:", b"id:", b"retry:", b":"].iter().any(|field| line.starts_with(field))
}

/// True for a line that is a field without a value: so it is known only at a stream's beginning.
pub fn is_bare(line: &[u8]) -> bool {
    let line = line.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    matches!(line, b"data" | b"event" | b"id" | b"retry")
}

/// True for a line that can stand in a stream of events: any but JSON.
pub fn may_stand(line: &[u8]) -> bool {
    !line.is_empty() && !matches!(line.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// The text of an event: what a line is elsewhere.
pub fn to_block(event: &Event) -> Vec<u8> {
    let mut out = String::new();
    if !event.name.is_empty() {
        out += &format!("event: {}\n", event.name);
    }
    out.extend(event.id.iter().map(|id| format!("id: {id}\n")));
    out.extend(event.data.split('\n').map(|line| format!("data: {line}\n")));
    out.into_bytes()
}

/// Reads such a text; `None` for a line that is no event.
pub fn read_block(bytes: &[u8]) -> Option<Event> {
    if is_field(bytes) { read_event(bytes) } else { None }
}

/// Reads the lines of one event; `None` if it says nothing.
pub fn read_event(bytes: &[u8]) -> Option<Event> {
    let (mut parser, mut found) = (Parser::default(), None);
    for part in [bytes, b"\n\n"] {
        parser.feed(part, &mut |event| found = found.take().or(Some(event)));
    }
    found
}

/// The record that a line, or an event's text, is.
pub fn record<'a>(offset: u64, bytes: &'a [u8], event: Option<&'a Event>) -> Record<'a> {
    match event {
        Some(event) => Record::event(offset, &event.name, event.id.as_deref(), event.data.as_bytes()),
        None => Record::whole(offset, bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &[u8], step: usize) -> Vec<(String, String, Option<String>)> {
        let (mut parser, mut found) = (Parser::default(), Vec::new());
        text.chunks(step).for_each(|chunk| parser.feed(chunk, &mut |event| found.push((event.name, event.data, event.id))));
        found
    }

    fn one(name: &str, data: &str, id: Option<&str>) -> (String, String, Option<String>) {
        (name.to_owned(), data.to_owned(), id.map(str::to_owned))
    }

    #[test]
    fn events_come_out_whole_however_the_stream_is_cut() {
        for (what, text, expected) in [
            ("LF", "data: a\n\n", vec![one("", "a", None)]),
            ("CR", "data:a\r\rdata: b\r\r", vec![one("", "a", None), one("", "b", None)]),
            ("CRLF", "data: a\r\ndata: b\r\n\r\n", vec![one("", "a\nb", None)]),
            ("mixed", "data: a\rdata: b\ndata: c\r\n\n\rdata: d\n\r", vec![one("", "a\nb\nc", None), one("", "d", None)]),
            ("a mark, comments", "\u{feff}: heartbeat\n\n:\nevent: values\n: x\ndata: 1\n\n", vec![one("values", "1", None)]),
            ("a mark once only", "data: a\n\n\u{feff}data: b\n\n", vec![one("", "a", None)]),
            ("lines, and the id behind them", "data: {\"a\":\ndata:  1}\nid: 7\n\n", vec![one("", "{\"a\":\n 1}", Some("7"))]),
            ("an id of no event", "id: 7\n\ndata: a\n\nid\ndata: b\n\n", vec![one("", "a", None), one("", "b", None)]),
            ("an id with NUL", "id: 7\nid: x\0y\ndata: a\n\n", vec![one("", "a", Some("7"))]),
            ("a name without data", "event: gone\n\ndata: a\n\n", vec![one("", "a", None)]),
            ("data without a value", "data\n\ndata\ndata\n\ndata:\n", vec![one("", "\n", None)]),
            ("retry, fields of no meaning", "retry: 10\nretry: x\nother: y\nno\ndata: \u{e4}\n\n", vec![one("", "\u{e4}", None)]),
            ("one blank is no text", "data:  a\ndata:b \n\n", vec![one("", " a\nb ", None)]),
            ("without its blank line", "data: a\n", vec![]),
            ("nothing", "\n\n\r\n\r", vec![]),
        ] {
            for step in 1..=text.len() {
                assert_eq!(events(text.as_bytes(), step), expected, "{what} in steps of {step}");
            }
        }
        assert_eq!(events(b"data: a\xffb\n\n", 3), [one("", "a\u{fffd}b", None)]);
    }

    #[test]
    fn the_last_id_and_the_pause_are_handed_on() {
        let (mut parser, mut found) = (Parser::default(), Vec::new());
        let text = "id: 7\n\ndata: a\n\nretry: 250\nid: 8\ndata: b\n\ndata: c\n\nid\ndata: d\n\n";
        parser.feed(text.as_bytes(), &mut |event| found.push((event.data, event.last, event.retry)));
        let told = |data: &str, last: Option<&str>, retry| (data.to_owned(), last.map(str::to_owned), retry);
        let expected =
            [told("a", Some("7"), None), told("b", Some("8"), Some(250)), told("c", Some("8"), Some(250)), told("d", None, Some(250))];
        assert_eq!(found, expected);
    }

    #[test]
    fn an_event_survives_being_a_line() {
        let event = |name: &str, data: &str, id: Option<&str>| Event {
            name: name.into(),
            data: data.into(),
            id: id.map(Into::into),
            ..Event::default()
        };
        for event in [event("a", "{\"x\":\n1}", Some("7")), event("a|b:c", "", None), event("", "id: []", None), event("", "\n", None)] {
            let read = read_block(&to_block(&event));
            assert_eq!(
                read.map(|read| (read.name, read.data, read.id)),
                Some((event.name, event.data, event.id)).filter(|(_, data, _)| !data.is_empty())
            );
        }
        for line in [&b"{\"data\":1}"[..], b"", b": a comment", b"database"] {
            assert_eq!(read_block(line), None);
        }
    }

    #[test]
    fn what_has_not_come_whole_is_held_and_counts_at_the_end_if_its_data_is_whole() {
        for (text, whole) in [("event: x\ndata: {\"a\":\ndata: 1}", true), ("data: {\"a\":", false), (": x", false)] {
            let mut parser = Parser::default();
            parser.feed(text.as_bytes(), &mut |event| panic!("{event:?}"));
            assert!(parser.waiting() > 0);
            let last = parser.end();
            let expected = whole.then(|| ("x".to_owned(), "{\"a\":\n1}".to_owned()));
            assert_eq!(last.map(|event| (event.name, event.data)), expected, "{text}");
            assert_eq!(parser.end(), None);
        }
    }
}
