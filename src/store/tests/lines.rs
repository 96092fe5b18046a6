//! Lines of a made-up dialect, and parcels of them.

use crate::model::{
    AgentPatch, AgentStatus, Body, Class, Classes, Ending, EntryState, Field, Hash64, Line, Link, Name, NameKind, Op, SessionId, ToolPatch,
    Who,
};
use crate::store::{Parcel, SourceState};

pub(crate) fn id(session: &str) -> SessionId {
    SessionId { family: "test".into(), id: session.into() }
}

/// The line at `offset`, which is 10 bytes long.
pub(crate) fn line(session: &str, offset: u64, ops: Vec<Op>) -> Line {
    Line {
        session: id(session),
        offset,
        id: Some(format!("line-{offset}")),
        hash: Hash64::of(format!("{ops:?}").as_bytes()),
        parent: None,
        turn: false,
        copy: false,
        at: Some(1_780_000_000_000 + offset as i64),
        class: Class::Entry,
        ops,
    }
}

/// A parcel of a file's lines, from the first one's place to the end of the last.
pub(crate) fn parcel(file: &str, lines: Vec<Line>) -> Parcel {
    let from = lines.first().map_or(0, |line| line.offset);
    let offset = lines.iter().filter(|line| !line.is_control()).map(|line| line.offset + 10).max().unwrap_or(from);
    let source =
        SourceState { name: file.into(), dialect: "test".into(), offset, state: format!("behind {offset}"), ..SourceState::default() };
    Parcel { source, from, lines, other: Classes::default(), bulk: false, done: None }
}

pub(crate) fn says(who: Who, key: &str, text: &str) -> Op {
    Op::Entry { who, keys: vec![key.into()], body: Body::Text { text: text.into() }, state: EntryState::Done, images: Vec::new() }
}

pub(crate) fn grows(who: Who, key: &str, text: &str) -> Op {
    Op::Append { who, key: key.into(), body: Some(Body::Text { text: "".into() }), field: Field::Text, text: text.into() }
}

pub(crate) fn closes(key: &str) -> Op {
    Op::Close { key: key.into(), state: EntryState::Done }
}

/// The call that starts an agent.
pub(crate) fn starts(call: &str, title: &str) -> Vec<Op> {
    let patch = ToolPatch { name: Some("Agent".into()), title: Some(title.into()), starts_agent: true, ..ToolPatch::default() };
    vec![
        Op::Call { who: Who::Main, call: call.into(), keys: Vec::new(), patch },
        Op::Agent { who: Who::call(call), patch: AgentPatch { description: Some(title.into()), ..AgentPatch::default() } },
    ]
}

/// The result of that call.
pub(crate) fn reports(call: &str, runtime: &str, report: &str) -> Vec<Op> {
    let name = Name { kind: NameKind::Runtime, id: runtime.into() };
    let ending = Ending { status: AgentStatus::Finished, cause: "result".into(), at: None, run: None, note: None };
    vec![
        Op::Agent { who: Who::call(call), patch: AgentPatch { names: vec![name], link: Some(Link::Exact), ..AgentPatch::default() } },
        Op::Result { who: Who::Main, call: call.into(), result: Ok(report.into()), images: Vec::new(), state: EntryState::Done },
        Op::End { who: Who::call(call), ending },
    ]
}

/// A session with two agents under it, one of which has ended, as the lines of two files.
pub(crate) fn story() -> Vec<(&'static str, Line)> {
    let child = || Who::runtime("r1");
    let mut ops = vec![
        ("main", vec![says(Who::Main, "m1", "Good morning.")]),
        ("main", starts("c1", "Count the doors")),
        ("child", vec![says(child(), "k1", "One door.")]),
        ("main", starts("c2", "Count the windows")),
        ("child", vec![grows(child(), "k2", "Two ")]),
        ("child", vec![grows(child(), "k2", "doors.")]),
        ("main", vec![says(Who::Main, "m2", "Both are counting.")]),
        ("child", vec![closes("k2")]),
        ("main", reports("c1", "r1", "Two doors.")),
        ("main", vec![grows(Who::Main, "m3", "It is ")]),
        ("main", vec![grows(Who::Main, "m3", "a house.")]),
    ];
    let (mut places, mut lines) = (std::collections::HashMap::<&str, u64>::new(), Vec::new());
    for (file, ops) in ops.drain(..) {
        let place = places.entry(file).or_default();
        let mut line = line("s1", *place, ops);
        line.id = Some(format!("{file}-{place}"));
        *place += 10;
        lines.push((file, line));
    }
    lines
}
