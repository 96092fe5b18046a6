//! Frames: events with their data, however they are written down.
//!
//! A record is a server-sent event, or a line that holds one: `{"event":…,"data":…}`, the same with the data's fields beside the
//! name, `[mode,data]`, `[namespace,mode,data]`; or an array of any of these, or a page that holds one.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::dialect::Record;
use crate::dialect::head::lines;
use crate::dialect::json::{Object, array, string};

/// One event.
#[derive(Clone, Debug)]
pub struct Frame<'a> {
    /// The event's name, or its mode. Empty where there is none: `data` is then the whole object.
    pub name: String,
    /// Unique in its stream only.
    pub id: Option<String>,
    /// JSON, or empty.
    pub data: Cow<'a, str>,
}

/// The frames of a record; none if it is no JSON of such a form.
pub fn frames<'a>(record: Record<'a>) -> Vec<Frame<'a>> {
    let Ok(text) = std::str::from_utf8(record.bytes) else { return Vec::new() };
    let text = text.trim();
    if let Some(event) = record.event.filter(|event| !event.name.is_empty()) {
        let readable = text.is_empty() || serde_json::from_str::<&RawValue>(text).is_ok();
        let frame = Frame { name: event.name.into(), id: event.id.map(Into::into), data: text.into() };
        return if readable { vec![frame] } else { Vec::new() };
    }
    let Ok(raw) = serde_json::from_str::<&RawValue>(text) else { return Vec::new() };
    let mut found = within(raw);
    for frame in &mut found {
        frame.id = frame.id.take().or_else(|| record.event?.id.map(Into::into));
    }
    found
}

/// The frames of a value that no event names.
fn within(raw: &RawValue) -> Vec<Frame<'_>> {
    if raw.get().starts_with('{') {
        return page(raw).unwrap_or_else(|| object(raw).into_iter().collect());
    }
    let Some(elements) = array(raw) else { return Vec::new() };
    pair(&elements).map_or_else(|| elements.iter().filter_map(|raw| object(raw).or_else(|| pair(&array(raw)?))).collect(), |one| vec![one])
}

/// The elements of `{"data":[…],"has_more":…}`.
fn page(raw: &RawValue) -> Option<Vec<Frame<'_>>> {
    let page = Object::of(raw).filter(|page| page.has("has_more") && !page.has("event"))?;
    Some(array(page.raw("data")?)?.into_iter().filter_map(object).collect())
}

fn object(raw: &RawValue) -> Option<Frame<'_>> {
    let object = Object::of(raw)?;
    let id = ["_eventId", "event_id"].into_iter().find_map(|name| object.raw(name)).map(word);
    let Some(name) = object.word("event") else { return Some(Frame { name: String::new(), id, data: raw.get().into() }) };
    let id = id.or_else(|| object.raw("id").filter(|_| object.has("data")).map(word));
    let data = if object.has("data") { object.raw("data").map_or("", |data| data.get()) } else { raw.get() };
    Some(Frame { name: name.into(), id, data: data.into() })
}

/// `[mode,data]` or `[namespace,mode,data]`.
fn pair<'a>(elements: &[&'a RawValue]) -> Option<Frame<'a>> {
    let (namespace, mode, data) = match elements {
        [mode, data] => (Vec::new(), string(mode)?, data),
        [namespace, mode, data] => (array(namespace)?.into_iter().map(string).collect::<Option<Vec<_>>>()?, string(mode)?, data),
        _ => return None,
    };
    let name = std::iter::once(mode).chain(namespace).collect::<Vec<_>>().join("|");
    Some(Frame { name, id: None, data: data.get().into() })
}

/// A string, or any other value as it is written.
fn word(raw: &RawValue) -> String {
    string(raw).map_or_else(|| raw.get().to_owned(), Into::into)
}

/// The frames in the first lines of a source of unknown kind, for telling whose it is.
pub fn heads(text: &str, most: usize) -> Vec<Frame<'_>> {
    let lines = lines(text).map(|line| line.trim().as_bytes()).take(most);
    let (mut found, mut name) = (Vec::new(), None);
    for line in lines {
        let field = |field: &[u8]| line.strip_prefix(field).map(<[u8]>::trim_ascii_start);
        if let Some(event) = field(b"event:") {
            name = std::str::from_utf8(event).ok();
        } else if let Some(data) = field(b"data:") {
            let frame = name.map_or_else(|| frames(Record::whole(0, data)), |name| frames(Record::event(0, name, None, data)));
            found.extend(frame);
        } else if line.is_empty() {
            name = None;
        } else {
            found.extend(frames(Record::whole(0, line)));
        }
    }
    if found.is_empty() {
        // One value over several lines, of which the end may be missing.
        found.extend(frames(Record::whole(0, text.as_bytes())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_in_all_forms() {
        let show = |frames: Vec<Frame<'_>>| {
            frames.iter().map(|frame| format!("{} {} {}", frame.name, frame.id.as_deref().unwrap_or("-"), frame.data)).collect::<Vec<_>>()
        };
        for (line, expected) in [
            (r#"{"event":"a","data":{"x":1}}"#, vec![r#"a - {"x":1}"#]),
            (r#"{"event":"a","data":null,"id":"7"}"#, vec!["a 7 "]),
            (r#"{"event":"a","x":1,"_eventId":3}"#, vec![r#"a 3 {"event":"a","x":1,"_eventId":3}"#]),
            (r#"["values",{"x":1}]"#, vec![r#"values - {"x":1}"#]),
            (r#"[["tools:a","tools:b"],"values",{}]"#, vec!["values|tools:a|tools:b - {}"]),
            (r#"[{"event":"a","data":1},["b",2]]"#, vec!["a - 1", "b - 2"]),
            (r#"{"data":[{"x":1}],"has_more":false}"#, vec![r#" - {"x":1}"#]),
            (r#"{"type":"event"}"#, vec![r#" - {"type":"event"}"#]),
            ("7", vec![]),
            ("no", vec![]),
        ] {
            assert_eq!(show(frames(Record::whole(0, line.as_bytes()))), expected, "{line}");
        }
        assert_eq!(show(frames(Record::event(0, "end", Some("9"), b""))), ["end 9 "]);
        assert_eq!(show(frames(Record::event(0, "", Some("9"), br#"{"event":"a","data":1}"#))), ["a 9 1"]);
        assert_eq!(
            show(heads("id: 1\nevent: metadata\ndata: {\"run_id\":\"r\"}\n\n[\"b\",2]\n", 256)),
            ["metadata - {\"run_id\":\"r\"}", "b - 2"]
        );
    }
}
