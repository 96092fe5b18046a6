//! Sidedeck's own lines: operations as JSON. `docs/sidedeck-dialect.md` describes them for those who write them.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::model::{Class, Line, Ms, Op, SessionId, SessionPatch, Who, parse_time};

use super::json::{Object, string};
use super::{Facts, Head, Place, Record, Translator, opaque};

pub const FAMILY: &str = "sidedeck";

/// How sure the first object makes it: it says what to do.
pub fn recognise(head: &Head<'_>) -> u8 {
    let ops = head.objects().first().and_then(|object| object.raw("ops"));
    if ops.is_some_and(|ops| ops.get().starts_with('[')) { 100 } else { 0 }
}

/// The file's name without its ending names the session, where its lines do not.
pub fn place(path: &[&str]) -> Place {
    let stem = path.last().map(|name| name.rsplit_once('.').map_or(*name, |(stem, _)| stem).to_owned());
    Place { session: stem, ..Place::default() }
}

pub fn session_of(record: &[u8]) -> Option<String> {
    let object = std::str::from_utf8(record).ok().and_then(Object::parse)?;
    object.word("session").map(Into::into)
}

pub fn open(facts: Facts, memory: Option<&str>) -> Result<Box<dyn Translator>, String> {
    let memory = memory.map_or(Ok(Memory::default()), serde_json::from_str).map_err(|fault| fault.to_string())?;
    Ok(Box::new(Own { facts, memory }))
}

#[derive(Default, Serialize, Deserialize)]
struct Memory {
    /// The session whose dialect has been told.
    told: Option<String>,
}

struct Own {
    facts: Facts,
    memory: Memory,
}

impl Translator for Own {
    fn record(&mut self, record: Record<'_>) -> Vec<Line> {
        let object = std::str::from_utf8(record.bytes).ok().and_then(Object::parse).filter(|_| record.cut.is_none());
        let (mut ops, class) = match object.as_ref().map(ops) {
            Some(Ok(ops)) => (ops, Class::Entry),
            Some(Err(fault)) => (vec![opaque::entry(Who::Main, record, format!("An operation cannot be read: {fault}."))], Class::Opaque),
            None => (vec![opaque::entry(Who::Main, record, "This line is no JSON object.".into())], Class::Opaque),
        };
        let word = |name| object.as_ref().and_then(|object| object.word(name)).map(String::from);
        let session = word("session").unwrap_or_else(|| self.facts.session.clone());
        if self.memory.told.as_ref() != Some(&session) {
            let patch = SessionPatch { dialect: Some("sidedeck".into()), ..SessionPatch::default() };
            ops.insert(0, Op::Session(patch));
            self.memory.told = Some(session.clone());
        }
        vec![Line {
            session: SessionId { family: FAMILY.into(), id: session },
            offset: record.offset,
            id: word("id"),
            hash: opaque::hash(record),
            parent: word("parent"),
            turn: object.as_ref().is_some_and(|object| object.flag("turn")),
            copy: false,
            at: object.as_ref().and_then(|object| object.raw("at")).and_then(time),
            class,
            ops,
        }]
    }

    fn memory(&self) -> String {
        serde_json::to_string(&self.memory).unwrap_or_default()
    }
}

fn ops(object: &Object<'_>) -> Result<Vec<Op>, String> {
    let raw = object.raw("ops").ok_or("\"ops\" is missing")?;
    serde_json::from_str(raw.get()).map_err(|fault| fault.to_string())
}

/// RFC 3339, or milliseconds since 1970.
fn time(raw: &RawValue) -> Option<Ms> {
    string(raw).map_or_else(|| raw.get().parse().ok(), |text| parse_time(&text))
}

#[cfg(test)]
pub mod tests {
    pub mod cases;

    use super::*;

    fn lines(text: &str) -> Vec<Line> {
        let mut own = open(Facts { session: "file".into(), ..Facts::default() }, None).expect("a translator");
        own.record(Record::whole(7, text.as_bytes()))
    }

    #[test]
    fn a_line_gives_its_operations() {
        let got = lines(r#"{"session":"s","id":"1","at":"2026-02-06T10:00:00Z","ops":[{"op":"turn","ended":true},{"op":"end_of_input"}]}"#);
        let line = &got[0];
        assert_eq!((line.session.id.as_str(), line.id.as_deref(), line.offset), ("s", Some("1"), 7));
        assert_eq!(line.at, parse_time("2026-02-06T10:00:00Z"));
        assert_eq!(line.class, Class::Entry);
        assert!(matches!(line.ops[..], [Op::Session(_), Op::Turn { ended: true }, Op::EndOfInput]), "{:?}", line.ops);
    }

    #[test]
    fn what_cannot_be_read_is_kept_in_the_session_of_the_file() {
        for text in ["no json", r#"{"id":"1"}"#, r#"{"ops":[{"op":"no such"}]}"#] {
            let got = lines(text);
            assert_eq!((got[0].class.clone(), got[0].session.id.as_str()), (Class::Opaque, "file"), "{text}");
            assert!(matches!(got[0].ops.last(), Some(Op::Entry { .. })));
        }
    }

    #[test]
    fn own_lines_are_recognised() {
        let own = crate::dialect::by_name(FAMILY).expect("the dialect");
        assert_eq!(own.sure(b"\n{\"session\":\"s\",\"ops\":[]}\n"), 100);
        assert_eq!(own.sure(b"{\"type\":\"user\"}\n"), 0);
    }
}
