//! The beginning of a source of unknown kind, read once for all dialects that are asked whether it is theirs.
//!
//! Decision: one line tells most sources, so few are looked at first, and more only where no dialect is certain.
//! Invariant: nothing here makes a dialect sure; each judges the objects and frames by its own rules.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde_json::value::RawValue;

use super::chain::{Frame, heads};
use super::json::Object;
use super::{DIALECTS, Dialect, is_whole, salvage, sse};

/// From here on no other dialect is surer by what follows.
const CERTAIN: u8 = 95;
/// Lines of the first looks.
const LOOKS: [usize; 2] = [1, 16];
/// Lines of which objects are read, and frames: an event has several.
const LINES: usize = 64;
const FRAMES: usize = 256;
/// Objects that are read inside of one that has no line for each.
const INSIDE: usize = 16;

/// What the first lines of a source hold.
pub struct Head<'a> {
    text: &'a str,
    /// True if this is all there is to look at.
    all: bool,
    objects: Vec<Object<'a>>,
    torn: OnceCell<Vec<Object<'a>>>,
    inside: OnceCell<Vec<Object<'a>>>,
    frames: OnceCell<Vec<Frame<'a>>>,
}

impl<'a> Head<'a> {
    fn of(text: &'a str, all: bool) -> Self {
        let objects = bare_lines(text).filter_map(Object::parse).collect();
        Self { text, all, objects, torn: OnceCell::new(), inside: OnceCell::new(), frames: OnceCell::new() }
    }

    /// The lines, and the data of events, that are one object each.
    pub fn objects(&self) -> &[Object<'a>] {
        &self.objects
    }

    /// What is whole in the lines that are no object.
    pub fn torn(&self) -> &[Object<'a>] {
        let torn = bare_lines(self.text).filter(|line| Object::parse(line).is_none());
        self.torn.get_or_init(|| torn.flat_map(|line| salvage::records(line).0).filter_map(Object::parse).collect())
    }

    /// The first objects at any depth that are whole: of a pretty-printed object or list that may be not.
    pub fn inside(&self) -> &[Object<'a>] {
        let first = |rest| serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>().next().and_then(Result::ok);
        let starts = || self.text.match_indices('{').take(if self.all { INSIDE } else { 0 }).filter_map(|(at, _)| self.text.get(at..));
        self.inside.get_or_init(|| starts().filter_map(first).filter_map(Object::of).collect())
    }

    /// Events with their data, however they are written down.
    pub fn frames(&self) -> &[Frame<'a>] {
        self.frames.get_or_init(|| heads(self.text, FRAMES))
    }
}

/// Lines without the name of the field that holds an event's data.
fn bare_lines(text: &str) -> impl Iterator<Item = &str> {
    lines(text).take(LINES).map(|line| line.strip_prefix("data:").unwrap_or(line).trim())
}

/// The lines of a text, by CR, LF or CRLF.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    // A CR before an LF ends no line of its own: an empty one would end an event.
    text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

/// A stream of events with the data of each in one line: between two lines of JSON an end of line is a blank like another.
fn joined(text: &str) -> Cow<'_, str> {
    if !text.lines().find(|line| !line.is_empty()).is_some_and(|line| sse::is_field(line.as_bytes())) {
        return text.into();
    }
    let (mut out, mut open) = (String::with_capacity(text.len()), false);
    for line in lines(text) {
        let data = line.strip_prefix("data:");
        match data.filter(|_| open) {
            Some(more) => out.insert_str(out.len() - 1, more),
            None => {
                out.extend([line, "\n"]);
                // What is whole by itself may have a neighbour where a careless writer left out the blank line.
                open = data.is_some_and(|data| !is_whole(data.as_bytes()));
            }
        }
    }
    out.into()
}

impl Dialect {
    /// The id of the session that a line names: a record, an event, or a line of one.
    pub fn session_in(&self, line: &[u8]) -> Option<String> {
        match sse::read_block(line) {
            Some(event) => (self.session_of)(event.data.as_bytes()),
            None => (self.session_of)(line),
        }
    }

    /// How sure it is that a source which begins with `head` is its own.
    pub fn sure(&self, head: &[u8]) -> u8 {
        (self.recognise)(&Head::of(&joined(&String::from_utf8_lossy(unmarked(head))), true))
    }
}

/// The dialect that is surest of a source which begins with `head`; `None` if none knows it.
pub fn recognise(head: &[u8]) -> Option<&'static Dialect> {
    let head = unmarked(head);
    let end = |count: usize| head.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(count - 1).map(|(at, _)| at);
    let early = LOOKS.into_iter().filter_map(|count| head.get(..end(count)?));
    let certain = |part| surest(part, false).filter(|(sure, _)| *sure >= CERTAIN);
    early.map(certain).find_map(|found| found).or_else(|| surest(head, true)).map(|(_, dialect)| dialect)
}

fn surest(head: &[u8], all: bool) -> Option<(u8, &'static Dialect)> {
    let text = String::from_utf8_lossy(head);
    let text = joined(&text);
    let head = Head::of(&text, all);
    DIALECTS.iter().map(|dialect| ((dialect.recognise)(&head), dialect)).filter(|(sure, _)| *sure > 0).max_by_key(|(sure, _)| *sure)
}

/// Bytes without the mark of their order, which a file or a stream may begin with.
pub fn unmarked(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_behind_certainty_is_not_looked_at() {
        let disk = r#"{"type":"user","sessionId":"s","uuid":"u","message":{}}"#;
        let name = |head: &str| recognise(head.as_bytes()).map(|dialect| dialect.name);
        assert_eq!(name(&format!("{disk}\n{{\"session\":\"s\",\"ops\":[]}}\n")), Some("claude-disk"));
        // Not certain by its first line, certain by its second.
        assert_eq!(name(&format!("\u{feff}{{\"type\":\"summary\",\"summary\":\"x\"}}\r\n{disk}\r\n")), Some("claude-disk"));
        // A stream of LangGraph, by all that it holds, is of what is built on it.
        let stream = "event: values\ndata: {\"messages\":[]}\n\n".repeat(40);
        assert_eq!(name(&stream), Some("langgraph"));
        let task = "event: custom\ndata: {\"type\":\"task_started\",\"task_id\":\"t\"}\n\n";
        assert_eq!(name(&(stream + task)), Some("deerflow"));
    }

    #[test]
    fn an_event_over_several_lines_is_one_line() {
        assert_eq!(
            joined("event: a\r\ndata: {\r\ndata: \"b\":\r\ndata: [\r\ndata: 1\r\ndata: ]}\r\nid: 7\r\n\r\n"),
            "event: a\ndata: { \"b\": [ 1 ]}\nid: 7\n\n\n"
        );
        let careless = "data: {\"a\":1}\ndata: {\"b\":2}\n";
        assert_eq!(joined(careless).trim_end(), careless.trim_end());
        assert_eq!(joined("{\ndata: 1\ndata: 2"), "{\ndata: 1\ndata: 2");
    }

    #[test]
    fn a_head_holds_what_stands_in_its_lines() {
        let text = "data: {\"a\":1}\r\r{\"b\":2}\n{\"half\":\"{\"c\":3}\n[\n{\"d\":{\"e\":4}},";
        let head = Head::of(text, true);
        let names = |objects: &[Object<'_>]| objects.iter().map(Object::names).collect::<Vec<_>>().concat();
        assert_eq!(names(head.objects()), ["a", "b"]);
        assert_eq!(names(head.torn()), ["c", "d"]);
        assert_eq!(names(head.inside()), ["a", "b", "c", "d", "e"]);
        assert!(Head::of(text, false).inside().is_empty());
    }
}
