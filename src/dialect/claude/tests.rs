//! Rules of the translator, a table each. All lines are synthetic.

mod agents;
pub mod cases;
mod content;
mod files;
mod lines;

use crate::dialect::{Facts, Place, Record, Role, Translator};
use crate::model::{AgentStatus, Body, Class, EntryState, Line, Link, NameKind, Op, TitleFrom, Usage, Who, parse_time};

use super::disk::open;

/// A file of the session `s`.
struct File(Box<dyn Translator>, u64);

impl File {
    fn main() -> Self {
        Self::at(Place { session: Some("s".into()), ..Place::default() })
    }

    fn agent(id: &str) -> Self {
        Self::at(Place { session: Some("s".into()), inside: true, agent: Some(id.into()), ..Place::default() })
    }

    fn at(place: Place) -> Self {
        Self(open(Facts { session: "s".into(), place }, None).expect("a translator"), 0)
    }

    fn lines(&mut self, text: &str) -> Vec<Line> {
        let lines = self.0.record(Record::whole(self.1, text.as_bytes()));
        self.1 += text.len() as u64 + 1;
        lines
    }

    fn line(&mut self, text: &str) -> Line {
        let mut lines = self.lines(text);
        assert_eq!(lines.len(), 1, "{text}");
        lines.remove(0)
    }

    fn ops(&mut self, text: &str) -> Vec<Op> {
        self.line(text).ops
    }
}

fn user(uuid: &str, content: &str) -> String {
    format!(
        r#"{{"type":"user","uuid":"{uuid}","sessionId":"s","timestamp":"2026-02-06T10:00:00.000Z","message":{{"role":"user","content":{content}}}}}"#
    )
}

fn assistant(uuid: &str, content: &str) -> String {
    format!(
        r#"{{"type":"assistant","uuid":"{uuid}","sessionId":"s","message":{{"id":"m","model":"large","content":{content},"usage":{{"input_tokens":3,"output_tokens":5,"cache_read_input_tokens":7,"cache_creation_input_tokens":11}}}}}}"#
    )
}

fn result(call: &str, content: &str, more: &str) -> String {
    format!(
        r#"{{"type":"user","uuid":"r-{call}","sessionId":"s","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{call}","content":{content}{more}"#
    )
}

fn keys(op: &Op) -> Vec<String> {
    match op {
        Op::Entry { keys, .. } | Op::Prompt { keys, .. } => keys.clone(),
        _ => Vec::new(),
    }
}

/// The body of the one entry among the operations.
fn body(ops: &[Op]) -> &Body {
    let mut bodies = ops.iter().filter_map(|op| if let Op::Entry { body, .. } = op { Some(body) } else { None });
    bodies.next().expect("an entry")
}

fn notice(ops: &[Op]) -> (&str, &str) {
    match body(ops) {
        Body::Notice(notice) => (&notice.notice, &notice.text.text),
        other => panic!("no notice: {other:?}"),
    }
}

fn ends(ops: &[Op]) -> Vec<(Who, AgentStatus, String)> {
    let end = |op: &Op| if let Op::End { who, ending } = op { Some((who.clone(), ending.status, ending.cause.clone())) } else { None };
    ops.iter().filter_map(end).collect()
}
