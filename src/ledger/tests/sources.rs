//! One session by several sources: a stream beside files, one process after another.

use super::super::memory::Memory;
use super::*;

fn fed(lines: &[(u32, Line)]) -> Memory {
    let mut memory = Memory::default();
    memory.feed(&session(), lines, |_| true);
    memory
}

fn runs(memory: &Memory) -> Vec<AgentStatus> {
    memory.titled("Look").runs.iter().map(|run| run.status).collect()
}

/// A line of a stream, which knows no times.
fn timeless(id: &str, offset: u64, ops: Vec<Op>) -> Line {
    Line { at: None, ..line(id, offset, 0, ops) }
}

fn noted(status: AgentStatus) -> Op {
    let ending = Ending { note: Some("r1 once".into()), cause: "explicit".into(), ..ending(status) };
    Op::End { who: Who::runtime("r1"), ending }
}

#[test]
fn the_first_words_of_an_agent_told_under_two_ids_are_its_one_prompt() {
    let lines = [(1, line("a", 0, 1, vec![prompt("r1", "p0", "Do it")])), (2, line("b", 0, 1, vec![prompt("r1", "p1", " Do it\n")]))];
    assert_eq!(fed(&lines).words(1), ["user: Do it"]);
    let other = (2, line("b", 0, 1, vec![prompt("r1", "p1", "Do more")]));
    assert_eq!(fed(&[lines[0].clone(), other]).words(1), ["user: Do it", "user: Do more"]);
}

#[test]
fn a_rewind_withdraws_what_another_source_told_first() {
    let turn = |id: &str, parent: Option<&str>, offset| {
        let mut line = line(id, offset, 1, vec![user(id, id)]);
        (line.parent, line.turn) = (parent.map(Into::into), true);
        (1, line)
    };
    let memory = fed(&[
        (2, timeless("stream", 0, vec![user("u2", "u2")])),
        turn("u1", None, 0),
        turn("u2", Some("u1"), 1),
        turn("u3", Some("u1"), 2),
    ]);
    use EntryState::{Done, Withdrawn};
    assert_eq!(memory.entries.values().map(|entry| entry.state).collect::<Vec<_>>(), [Withdrawn, Done, Done]);
}

#[test]
fn an_end_told_by_two_sources_parts_the_lines_of_both() {
    let file = [
        (1, line("p", 0, 1_000, vec![prompt("r1", "p", "Look")])),
        (2, line("e", 0, 9_000, vec![noted(AgentStatus::Finished)])),
        (1, line("l", 9, 20_000, vec![text(Who::runtime("r1"), "later", "later")])),
    ];
    let stream = [
        (3, timeless("se", 5, vec![noted(AgentStatus::Finished)])),
        (3, timeless("sl", 6, vec![text(Who::runtime("r1"), "later", "later")])),
    ];
    for lines in [[&file[..], &stream].concat(), [&stream[..], &file].concat()] {
        let memory = fed(&lines);
        assert_eq!(runs(&memory), [AgentStatus::Finished, AgentStatus::Running]);
        assert_eq!(memory.entries.values().map(|entry| entry.run).max(), Some(2), "{:?}", memory.entries);
    }
}

#[test]
fn a_new_process_leaves_what_ran_in_the_old_one_unknown_and_nothing_else() {
    let start = |id: &str, offset| timeless(id, offset, vec![Op::Process, Op::Turn { ended: false }]);
    let said = |id: &str, offset| timeless(id, offset, vec![text(Who::runtime("r1"), id, id)]);
    let called = timeless("c", 1, starts(Who::Main, "r1c", "Look", "Look"));
    let named = timeless(
        "n",
        2,
        vec![Op::Agent {
            who: Who::call("r1c"),
            patch: AgentPatch { names: vec![Name { kind: NameKind::Runtime, id: "r1".into() }], ..AgentPatch::default() },
        }],
    );
    let first = [(1, start("p1", 0)), (1, called), (1, named), (1, said("t1", 3))];
    let again = (2, start("p2", 0));
    let memory = fed(&[&first[..], std::slice::from_ref(&again)].concat());
    assert_eq!(runs(&memory), [AgentStatus::Unknown]);
    assert_eq!(memory.titled("Look").cause.as_deref(), Some("restart"));
    // A beginning in the new process is later than all of the old one, without any times.
    let memory = fed(&[&first[..], &[again.clone(), (2, said("t2", 1))]].concat());
    assert_eq!(runs(&memory), [AgentStatus::Unknown, AgentStatus::Running]);
    // What was left behind is told after all.
    let memory = fed(&[&first[..], &[again.clone(), (2, timeless("e", 1, vec![noted(AgentStatus::Cancelled)]))]].concat());
    assert_eq!(runs(&memory), [AgentStatus::Cancelled]);
    // An agent that only files tell of lives in no process that we know.
    let file = [(9, line("f", 0, 1_000, vec![prompt("r1", "p", "Look")]))];
    assert_eq!(runs(&fed(&[&file[..], &[again]].concat())), [AgentStatus::Running]);
}
