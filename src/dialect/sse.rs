//! Bytes to server-sent events, as the HTML standard reads them.
//!
//! Decision: lines end by CR, LF or CRLF, wherever a chunk is cut; a byte order mark at the start, comments and unknown fields say
//! nothing. Invariant: an event without data is none, and one without its blank line has not come yet.

use super::Record;

/// An event that has come whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// Its name; empty where it has none.
    pub name: String,
    /// Its data lines, joined by LF.
    pub data: String,
    /// The last id that the stream gave, with this event or before it.
    pub id: Option<String>,
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

    /// The data of an event that has begun and not come whole, an unfinished line included. Ends the stream.
    pub fn rest(&mut self) -> String {
        let line = std::mem::take(&mut self.line);
        self.field(&line);
        take_data(&mut self.data)
    }

    fn read(&mut self, line: &[u8], each: &mut impl FnMut(Event)) {
        let line = if std::mem::replace(&mut self.begun, true) { line } else { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) };
        if !line.is_empty() {
            return self.field(line);
        }
        let (name, data) = (std::mem::take(&mut self.name), take_data(&mut self.data));
        if !data.is_empty() {
            each(Event { name, data, id: self.id.clone(), retry: self.retry });
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
            "id" if !value.contains('\0') => self.id = Some(value.to_owned()).filter(|id| !id.is_empty()),
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

/// The text of an event: what a line is elsewhere. Without a name and an id it is the data alone.
pub fn to_block(event: &Event) -> Vec<u8> {
    if event.name.is_empty() && event.id.is_none() {
        return event.data.replace(['\n', '\r'], " ").into_bytes();
    }
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
    if !is_field(bytes) {
        return None;
    }
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

fn take_data(data: &mut String) -> String {
    let mut data = std::mem::take(data);
    data.pop();
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &[u8], step: usize) -> Vec<(String, String, Option<String>)> {
        let (mut parser, mut found) = (Parser::default(), Vec::new());
        text.chunks(step).for_each(|chunk| parser.feed(chunk, &mut |event| found.push((event.name, event.data, event.id))));
        found
    }

    #[test]
    fn events_come_out_whole_however_the_stream_is_cut() {
        let one = |name: &str, data: &str, id: Option<&str>| (name.to_owned(), data.to_owned(), id.map(str::to_owned));
        for (text, expected) in [
            ("data: a\n\n", vec![one("", "a", None)]),
            ("\u{feff}data:a\r\rdata: b\r\n\r\n", vec![one("", "a", None), one("", "b", None)]),
            (": heartbeat\n\nevent: values\ndata: {\"a\":\ndata:  1}\nid: 7\n\n", vec![one("values", "{\"a\":\n 1}", Some("7"))]),
            ("id: 7\n\ndata: a\n\nid\ndata: b\n\n", vec![one("", "a", Some("7")), one("", "b", None)]),
            ("id: 7\nid: x\0y\ndata: a\n\n", vec![one("", "a", Some("7"))]),
            ("event: gone\n\ndata: a\n\n", vec![one("", "a", None)]),
            ("data\n\ndata\ndata\n\ndata:\n", vec![one("", "\n", None)]),
            ("retry: 10\nretry: x\nother: y\nnothing\ndata: \u{e4}\n\n", vec![one("", "\u{e4}", None)]),
            ("data: a\n", vec![]),
            ("\n\n\r\n\r", vec![]),
        ] {
            for step in 1..=text.len() {
                assert_eq!(events(text.as_bytes(), step), expected, "{text:?} in steps of {step}");
            }
        }
        assert_eq!(events(b"data: a\xffb\n\n", 3), [one("", "a\u{fffd}b", None)]);
    }

    #[test]
    fn an_event_survives_being_a_line() {
        let event =
            |name: &str, data: &str, id: Option<&str>| Event { name: name.into(), data: data.into(), id: id.map(Into::into), retry: None };
        for event in [event("a", "{\"x\":\n1}", Some("7")), event("a|b:c", "", None), event("", "[]", Some("x"))] {
            let read = read_block(&to_block(&event));
            assert_eq!(
                read.map(|read| (read.name, read.data, read.id)),
                Some((event.name, event.data, event.id)).filter(|(_, data, _)| !data.is_empty())
            );
        }
        assert_eq!(to_block(&event("", "{\"a\":\n1}", None)), b"{\"a\": 1}");
        for line in [&b"{\"data\":1}"[..], b"", b": a comment", b"database"] {
            assert_eq!(read_block(line), None);
        }
    }

    #[test]
    fn what_has_not_come_whole_is_held() {
        let mut parser = Parser::default();
        parser.feed(b"retry: 250\ndata: {\"a\":\ndata: 1}", &mut |event| panic!("{event:?}"));
        assert_eq!((parser.waiting(), parser.retry), (14, Some(250)));
        assert_eq!(parser.rest(), "{\"a\":\n1}");
        assert_eq!(parser.rest(), "");
    }
}
