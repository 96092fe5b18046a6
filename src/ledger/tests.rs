//! The rules, one by one, and the properties that must hold for any stream.

mod faults;
mod order;
mod rules;
mod sources;

use crate::model::{
    AgentPatch, AgentStatus, Body, Class, Ending, EntryState, Hash64, Line, Link, Ms, Name, NameKind, Op, SessionId, ToolPatch, Who,
};

pub(super) fn session() -> SessionId {
    SessionId { family: "test".into(), id: "s1".into() }
}

/// A line of its own id, at a position and a time.
pub(super) fn line(id: &str, offset: u64, at: Ms, ops: Vec<Op>) -> Line {
    Line {
        session: session(),
        offset,
        id: Some(id.into()),
        hash: Hash64::of(format!("{ops:?}").as_bytes()),
        parent: None,
        turn: false,
        copy: false,
        at: Some(at),
        class: Class::Entry,
        ops,
    }
}

pub(super) fn text(who: Who, key: &str, text: &str) -> Op {
    Op::Entry { who, keys: vec![key.into()], body: Body::Text { text: text.into() }, state: EntryState::Done, images: Vec::new() }
}

pub(super) fn user(key: &str, text: &str) -> Op {
    let body = Body::User { text: text.into(), images: Vec::new(), origin: None };
    Op::Entry { who: Who::Main, keys: vec![key.into()], body, state: EntryState::Done, images: Vec::new() }
}

/// The call that starts an agent, as one line of its parent tells it.
pub(super) fn starts(who: Who, call: &str, title: &str, prompt: &str) -> Vec<Op> {
    let patch = ToolPatch { name: Some("Agent".into()), title: Some(title.into()), starts_agent: true, ..ToolPatch::default() };
    vec![
        Op::Call { who, call: call.into(), keys: Vec::new(), patch },
        Op::Agent { who: Who::call(call), patch: AgentPatch { description: Some(title.into()), ..AgentPatch::default() } },
        Op::Prompt { who: Who::call(call), text: prompt.into(), images: Vec::new(), own: false, keys: Vec::new() },
    ]
}

/// The result of such a call, naming the agent.
pub(super) fn reports(who: Who, call: &str, runtime: &str, report: &str) -> Vec<Op> {
    let name = Name { kind: NameKind::Runtime, id: runtime.into() };
    vec![
        Op::Agent { who: Who::call(call), patch: AgentPatch { names: vec![name], link: Some(Link::Exact), ..AgentPatch::default() } },
        Op::Result { who, call: call.into(), result: Ok(report.into()), images: Vec::new(), state: EntryState::Done },
        Op::End { who: Who::call(call), ending: ending(AgentStatus::Finished) },
    ]
}

pub(super) fn ending(status: AgentStatus) -> Ending {
    Ending { status, cause: "result".into(), at: None, run: None, note: None }
}

pub(super) fn prompt(runtime: &str, key: &str, text: &str) -> Op {
    Op::Prompt { who: Who::runtime(runtime), text: text.into(), images: Vec::new(), own: true, keys: vec![key.into()] }
}
