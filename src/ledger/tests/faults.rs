//! Faults of transparent streaming interfaces, seen elsewhere: a test each, of its name, that it cannot happen here.

use super::super::memory::Memory;
use super::*;
use crate::model::{EntryRef, Field, Usage};

/// Feeds line by line; what has been shown must never move: every transcript only grows at its end.
fn fed(ops: Vec<(u32, Vec<Op>)>) -> Memory {
    let mut memory = Memory::default();
    let mut before: Vec<EntryRef> = Vec::new();
    for ((source, ops), n) in ops.into_iter().zip(1_i64..) {
        memory.feed(&session(), &[(source, line(&format!("l{n}"), n.unsigned_abs() * 10, n * 1_000, ops))], |_| false);
        let now: Vec<EntryRef> = memory.entries.keys().copied().collect();
        assert!(before.iter().all(|at| now.contains(at)), "line {n} took something away");
        for at in now.iter().filter(|at| !before.contains(at)) {
            let above = before.iter().filter(|was| was.agent == at.agent && was.seq > at.seq && at.seq > 1);
            assert_eq!(above.count(), 0, "line {n} put something above what was shown");
        }
        before = now;
    }
    memory
}

fn call(id: &str) -> Op {
    call_of(Who::Main, id)
}

fn call_of(who: Who, id: &str) -> Op {
    let patch = ToolPatch { name: Some("Read".into()), title: Some(format!("Read {id}")), args: Some(id.into()), ..ToolPatch::default() };
    Op::Call { who, call: id.into(), keys: Vec::new(), patch }
}

fn result(id: &str) -> Op {
    Op::Result { who: Who::Main, call: id.into(), result: Ok("out".into()), images: Vec::new(), state: EntryState::Done }
}

fn append(key: &str, body: Body, more: &str) -> Op {
    Op::Append { who: Who::Main, key: key.into(), body: Some(body), field: Field::Text, text: more.into() }
}

fn said() -> Body {
    Body::Text { text: "".into() }
}

fn thought() -> Body {
    Body::Reasoning { text: "".into() }
}

#[test]
fn tool_calls_above_earlier_text() {
    let memory = fed(vec![
        (1, vec![append("t", said(), "First ")]),
        (1, vec![call("c")]),
        (1, vec![append("t", said(), "look.")]),
        (1, vec![result("c")]),
    ]);
    assert_eq!(memory.words(0), ["text: First look.", "tool: c|out"]);
}

#[test]
fn a_call_that_never_completes() {
    let memory = fed(vec![
        (1, starts(Who::Main, "c", "Look", "Do")),
        (2, vec![prompt("r", "p", "Do")]),
        (2, vec![call_of(Who::runtime("r"), "x")]),
        (1, reports(Who::Main, "c", "r", "It went away.")),
    ]);
    let child = memory.titled("Look");
    let open: Vec<_> = memory.entries.values().filter(|entry| entry.agent == child.n && entry.state == EntryState::Open).collect();
    assert_eq!(open.len(), 1, "what came of it is not known");
    assert_eq!(child.entry_state(open[0]), EntryState::Unknown);
    assert_eq!((child.status, child.current_tool.as_deref()), (AgentStatus::Finished, None));
}

#[test]
fn finished_steps_vanish_when_the_answer_arrives() {
    let memory =
        fed(vec![(1, vec![call("a"), call("b")]), (1, vec![result("a"), result("b")]), (1, vec![text(Who::Main, "t", "The answer.")])]);
    assert_eq!(memory.words(0), ["tool: a|out", "tool: b|out", "text: The answer."]);
}

#[test]
fn subagent_output_shown_twice() {
    let memory = fed(vec![
        (1, starts(Who::Main, "c", "Look", "Do")),
        (2, vec![prompt("r", "p", "Do")]),
        (2, vec![text(Who::runtime("r"), "t", "Two found.")]),
        (1, reports(Who::Main, "c", "r", "Two found.")),
    ]);
    assert!(memory.words(0).iter().all(|line| !line.starts_with("text")));
    let child = memory.titled("Look").n;
    assert_eq!(memory.words(child).iter().filter(|line| line.contains("Two found.")).count(), 1);
    assert!(memory.titled("Look").same_report);
}

#[test]
fn a_reasoning_panel_that_sinks_to_the_bottom() {
    let memory = fed(vec![
        (1, vec![append("r", thought(), "Let me ")]),
        (1, vec![text(Who::Main, "t", "It is so.")]),
        (1, vec![append("r", thought(), "see.")]),
    ]);
    assert_eq!(memory.words(0), ["reasoning: Let me see.", "text: It is so."]);
}

#[test]
fn several_reasoning_segments_merged_or_doubled() {
    let memory = fed(vec![
        (1, vec![append("r1", thought(), "One")]),
        (1, vec![call("c")]),
        (1, vec![append("r2", thought(), "Two")]),
        (
            1,
            vec![Op::Entry {
                who: Who::Main,
                keys: vec!["r1".into()],
                body: Body::Reasoning { text: "One".into() },
                state: EntryState::Done,
                images: Vec::new(),
            }],
        ),
    ]);
    assert_eq!(memory.words(0), ["reasoning: One", "tool: c", "reasoning: Two"]);
}

#[test]
fn the_same_thought_three_times() {
    let whole = || Op::Entry {
        who: Who::Main,
        keys: vec!["r".into()],
        body: Body::Reasoning { text: "Hm".into() },
        state: EntryState::Done,
        images: Vec::new(),
    };
    assert_eq!(fed(vec![(1, vec![append("r", thought(), "Hm")]), (1, vec![whole()]), (1, vec![whole()])]).words(0), ["reasoning: Hm"]);
}

#[test]
fn the_page_jumping_while_streamed_elements_are_reordered() {
    // Results come in another order than their calls; `fed` sees that nothing moves.
    let memory = fed(vec![
        (1, vec![call("a")]),
        (1, vec![call("b")]),
        (1, vec![result("b")]),
        (1, vec![text(Who::Main, "t", "x")]),
        (1, vec![result("a")]),
    ]);
    assert_eq!(memory.words(0), ["tool: a|out", "tool: b|out", "text: x"]);
}

#[test]
fn subagent_output_splits_the_parents_text() {
    let memory = fed(vec![
        (1, starts(Who::Main, "c", "Look", "Do")),
        (1, vec![append("t", said(), "| a |\n")]),
        (2, vec![text(Who::runtime("r"), "u", "child")]),
        (1, vec![append("t", said(), "|-|\n")]),
    ]);
    assert!(memory.words(0).contains(&"text: | a |\n|-|\n".to_owned()), "{:?}", memory.words(0));
}

#[test]
fn token_counts_roll_back_on_replay() {
    let used = |message: &str, output| Op::Usage {
        who: Who::Main,
        message: message.into(),
        usage: Usage { output, ..Usage::default() },
        context: None,
    };
    let memory = fed(vec![
        (1, vec![text(Who::Main, "a", "x"), used("m", 30)]),
        (1, vec![text(Who::Main, "b", "y"), used("n", 5)]),
        (1, vec![text(Who::Main, "a", "x"), used("m", 30)]),
    ]);
    assert_eq!((memory.agents[&0].usage.output, memory.session.usage.output), (35, 35));
}

#[test]
fn a_resumed_agent_shows_its_turns_inverted() {
    let memory = fed(vec![
        (1, vec![user("u1", "First")]),
        (1, vec![text(Who::Main, "a1", "One")]),
        (1, vec![Op::End { who: Who::Main, ending: ending(AgentStatus::Finished) }]),
        (1, vec![user("u2", "Second")]),
        (1, vec![text(Who::Main, "a2", "Two")]),
    ]);
    assert_eq!(memory.words(0), ["user: First", "text: One", "user: Second", "text: Two"]);
}
