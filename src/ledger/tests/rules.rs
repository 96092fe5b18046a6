//! One test a rule.

use super::super::memory::Memory;
use super::*;
use crate::model::{AgentNo, Blobbed, Body, EntryRef, Field, Notice, SessionPatch, SessionStatus, TitleFrom, Usage, WaitingOn};

fn fed(lines: &[(u32, Line)]) -> Memory {
    let mut memory = Memory::default();
    memory.feed(&session(), lines, |_| false);
    memory
}

fn child(memory: &Memory) -> &crate::model::Agent {
    memory.titled("Look")
}

#[test]
fn rule_1_a_row_is_made_on_first_sight_whatever_arrives_first() {
    let result = Op::Result { who: Who::Main, call: "c1".into(), result: Ok("out".into()), images: Vec::new(), state: EntryState::Done };
    let call = Op::Call {
        who: Who::Main,
        call: "c1".into(),
        keys: Vec::new(),
        patch: ToolPatch {
            name: Some("Read".into()),
            title: Some("Read a".into()),
            args: Some("{\"p\":1}".into()),
            ..ToolPatch::default()
        },
    };
    let memory = fed(&[(1, line("b", 9, 9, vec![result])), (1, line("a", 10, 5, vec![call]))]);
    assert_eq!(memory.words(0), ["tool: {\"p\":1}|out"]);
    let Body::Tool(tool) = &memory.entries[&EntryRef { agent: 0, seq: 1 }].body else { panic!("a tool") };
    assert_eq!((tool.name.as_str(), tool.title.as_str()), ("Read", "Read a"));
}

#[test]
fn rule_2_the_same_line_again_changes_nothing() {
    let lines = [(1, line("a", 0, 1, vec![user("a0", "Hello")])), (1, line("b", 9, 2, vec![text(Who::Main, "b0", "Hi")]))];
    let mut memory = fed(&lines);
    let before = memory.changes.len();
    let classes = memory.feed(&session(), &lines, |_| true);
    assert_eq!(classes, [Class::Duplicate, Class::Duplicate]);
    assert_eq!(memory.changes.len(), before);
}

#[test]
fn rule_2_the_same_key_again_updates() {
    let lines =
        [(1, line("a", 0, 1, vec![text(Who::Main, "k", "half")])), (1, line("b", 9, 2, vec![text(Who::Main, "k", "half and whole")]))];
    assert_eq!(fed(&lines).words(0), ["text: half and whole"]);
}

#[test]
fn rule_3_a_whole_text_after_its_deltas_replaces_them() {
    let delta = |more: &str| Op::Append {
        who: Who::Main,
        key: "k".into(),
        body: Some(Body::Text { text: "".into() }),
        field: Field::Text,
        text: more.into(),
    };
    let lines = [
        (1, line("a", 0, 1, vec![delta("Hel")])),
        (1, line("b", 1, 1, vec![delta("lo")])),
        (1, line("c", 2, 1, vec![text(Who::Main, "k", "Hello")])),
    ];
    for cut in [true, false] {
        let mut memory = Memory::default();
        memory.feed(&session(), &lines, |_| cut);
        assert_eq!(memory.words(0), ["text: Hello"]);
    }
}

#[test]
fn rule_4_a_report_that_repeats_the_last_text_is_marked() {
    for (report, same) in [("All good. ", true), ("Something else", false)] {
        let memory = fed(&[
            (1, line("a", 0, 1, starts(Who::Main, "c1", "Look", "Do"))),
            (2, line("p", 0, 2, vec![prompt("r1", "p0", "Do")])),
            (2, line("t", 9, 3, vec![text(Who::runtime("r1"), "t0", "All good.")])),
            (1, line("b", 9, 4, reports(Who::Main, "c1", "r1", report))),
        ]);
        assert_eq!(child(&memory).same_report, same, "{report}");
    }
}

#[test]
fn rule_5_usage_repeated_under_one_message_counts_once_the_last_wins() {
    let usage = |output| Usage { output, ..Usage::default() };
    let op = |message: &str, output| Op::Usage { who: Who::Main, message: message.into(), usage: usage(output), context: None };
    let memory = fed(&[
        (1, line("a", 0, 1, vec![text(Who::Main, "a0", "x"), op("m1", 3)])),
        (1, line("b", 1, 1, vec![text(Who::Main, "b0", "y"), op("m1", 10)])),
        (1, line("c", 2, 1, vec![text(Who::Main, "c0", "z"), op("m2", 5)])),
    ]);
    assert_eq!(memory.agents[&0].usage, usage(15));
    assert_eq!(memory.session.usage, usage(15));
    assert_eq!(memory.entries[&EntryRef { agent: 0, seq: 2 }].usage, Some(usage(10)));
}

#[test]
fn notices_of_one_compaction_count_once() {
    let notice = |key: &str| Op::Entry {
        who: Who::Main,
        keys: vec![key.into()],
        body: Body::Notice(Notice { notice: "compaction".into(), ..Notice::default() }),
        state: EntryState::Done,
        images: Vec::new(),
    };
    let memory = fed(&[
        (1, line("a", 0, 1, vec![text(Who::Main, "a0", "x"), notice("n1")])),
        (1, line("b", 1, 1, vec![notice("n2")])),
        (1, line("c", 2, 1, vec![text(Who::Main, "c0", "z"), notice("n3")])),
    ]);
    assert_eq!(memory.agents[&0].compactions, 2);
}

#[test]
fn rule_5_cumulative_counters_never_roll_back() {
    let total =
        |calls, input| Op::Total { who: Who::call("c1"), usage: Some(Usage { input, ..Usage::default() }), tool_calls: Some(calls) };
    let memory = fed(&[
        (1, line("a", 0, 1, starts(Who::Main, "c1", "Look", "Do"))),
        (1, line("b", 1, 2, vec![total(7, 70)])),
        (1, line("c", 2, 3, vec![total(4, 40)])),
    ]);
    assert_eq!((child(&memory).tool_calls, child(&memory).usage.input), (7, 70));
}

#[test]
fn rule_6_nothing_a_subagent_says_lands_in_the_main_transcript() {
    let memory = fed(&[
        (2, line("t", 9, 3, vec![text(Who::runtime("r1"), "t0", "child")])),
        (1, line("a", 0, 1, vec![text(Who::Main, "a0", "main")])),
    ]);
    assert_eq!(memory.words(0), ["text: main"]);
    assert_eq!(memory.words(1), ["text: child"]);
    assert_eq!(memory.entries.keys().map(|at| at.seq).collect::<Vec<_>>(), [1, 2], "seq 1 is kept for the prompt");
}

#[test]
fn rule_8_an_end_lands_and_late_content_changes_no_status() {
    let start = || (1, line("a", 0, 1_000, starts(Who::Main, "c1", "Look", "Do")));
    let own = || (2, line("p", 0, 2_000, vec![prompt("r1", "p0", "Do")]));
    let end = || (1, line("b", 9, 9_000, reports(Who::Main, "c1", "r1", "Done")));
    let late = (2, line("t", 9, 10_000, vec![text(Who::runtime("r1"), "t0", "late")]));
    for lines in [[start(), own(), end(), late.clone()], [own(), late, start(), end()]] {
        let memory = fed(&lines);
        assert_eq!(child(&memory).status, AgentStatus::Finished);
        assert_eq!(child(&memory).ended_at, Some(9_000));
        assert_eq!(child(&memory).runs.len(), 1);
        assert_eq!(memory.words(child(&memory).n), ["user: Do", "text: late"]);
    }
}

#[test]
fn rule_8_a_line_later_than_the_end_opens_the_next_run_in_either_file_order() {
    let start = || (1, line("a", 0, 1_000, starts(Who::Main, "c1", "Look", "Do")));
    let own = || (2, line("p", 0, 2_000, vec![prompt("r1", "p0", "Do")]));
    let end = || (1, line("b", 9, 9_000, reports(Who::Main, "c1", "r1", "Done")));
    let again = || (2, line("t", 9, 60_000, vec![text(Who::runtime("r1"), "t0", "again")]));
    for lines in [[start(), own(), end(), again()], [start(), end(), own(), again()], [own(), again(), start(), end()]] {
        for cut in [true, false] {
            let mut memory = Memory::default();
            memory.feed(&session(), &lines, |_| cut);
            let agent = child(&memory).clone();
            assert_eq!(agent.runs.iter().map(|run| run.status).collect::<Vec<_>>(), [AgentStatus::Finished, AgentStatus::Running]);
            let runs: Vec<u32> = memory.entries.values().filter(|entry| entry.agent == agent.n).map(|entry| entry.run).collect();
            assert_eq!(runs, [1, 2]);
            assert_eq!(agent.status, AgentStatus::Running);
        }
    }
}

#[test]
fn rule_10_a_rewind_withdraws_the_earlier_branch_and_nothing_else() {
    let turn = |id: &str, parent: Option<&str>, offset, words: &str| {
        let mut line = line(id, offset, 1, vec![user(id, words)]);
        (line.parent, line.turn) = (parent.map(Into::into), true);
        (1, line)
    };
    let said = |id: &str, parent: &str, offset| {
        let mut line = line(id, offset, 1, vec![text(Who::Main, id, id)]);
        line.parent = Some(parent.into());
        (1, line)
    };
    let memory = fed(&[
        turn("u1", None, 0, "first"),
        said("a1", "u1", 1),
        turn("u2", Some("a1"), 2, "second"),
        said("a2", "u2", 3),
        turn("u3", Some("a1"), 4, "second, edited"),
        turn("root", None, 5, "another root"),
    ]);
    let states: Vec<EntryState> = memory.entries.values().map(|entry| entry.state).collect();
    use EntryState::{Done, Withdrawn};
    assert_eq!(states, [Done, Done, Withdrawn, Withdrawn, Done, Done]);
}

#[test]
fn rule_10_parallel_results_and_lines_written_again_withdraw_nothing() {
    let mut again = line("u1", 9, 1, vec![user("u1", "first")]);
    again.parent = Some("boundary".into());
    let result = |id: &str| {
        let mut line = line(id, 5, 1, vec![text(Who::Main, id, id)]);
        line.parent = Some("a1".into());
        (1, line)
    };
    let memory = fed(&[(1, line("u1", 0, 1, vec![user("u1", "first")])), result("r1"), result("r2"), (1, again)]);
    assert!(memory.entries.values().all(|entry| entry.state == EntryState::Done));
}

#[test]
fn a_stub_is_merged_into_the_agent_with_the_transcript() {
    let memory = fed(&[
        (2, line("p", 0, 2_000, vec![prompt("r1", "p0", "Do it")])),
        (1, line("a", 0, 1_000, starts(Who::Main, "c1", "Look", "Do it"))),
        (1, line("b", 9, 9_000, reports(Who::Main, "c1", "r1", "Done"))),
    ]);
    let shown: Vec<AgentNo> = memory.agents.values().filter(|agent| !agent.is_aside()).map(|agent| agent.n).collect();
    assert_eq!(shown, [0, 1]);
    let agent = &memory.agents[&1];
    assert_eq!((agent.id.as_str(), agent.link, agent.parent, agent.call.as_deref()), ("r1", Link::Exact, Some(0), Some("c1")));
    assert_eq!((agent.title.as_str(), agent.names.join(" ")), ("Look", "c1 r1".to_owned()));
    assert_eq!(memory.agents[&2].merged_into, Some(1));
    assert_eq!(memory.session.agents.all, 1);
}

#[test]
fn never_a_guess_between_two() {
    let stray = |n: u32| (n, line(&format!("p{n}"), 0, 2_000, vec![prompt(&format!("r{n}"), &format!("p{n}"), "Same words")]));
    let call = |id: &str| (1, line(id, 0, 1_000, starts(Who::Main, id, "Look", "Same words")));
    let end = || (9, Line::control(session(), vec![Op::EndOfInput]));
    let memory = fed(&[call("c1"), call("c2"), stray(2), stray(3), end()]);
    assert!([3, 4].iter().all(|n| memory.agents[n].link == Link::Unlinked && memory.agents[n].parent.is_none()));
    let memory = fed(&[call("c1"), stray(2), end()]);
    assert_eq!((memory.agents[&2].link, memory.agents[&2].parent), (Link::Inferred, Some(0)));
    // A second candidate takes the inference back.
    let memory = fed(&[call("c1"), stray(2), end(), stray(3), end()]);
    assert!([2, 3].iter().all(|n| memory.agents[n].link == Link::Unlinked));
    assert_eq!(memory.agents[&1].merged_into, None);
}

fn assign(child: &str, parent: Option<Who>) -> (u32, Line) {
    (0, Line::control(session(), vec![Op::Assign { who: Who::runtime(child), parent }]))
}

#[test]
fn a_person_names_a_parent_until_there_is_evidence() {
    let stray = |id: &str| (2, line(&format!("p{id}"), 0, 2_000, vec![prompt(id, &format!("p{id}"), "Do")]));
    let link = |memory: &Memory, n: AgentNo| (memory.agents[&n].link, memory.agents[&n].parent);
    let mut memory = fed(&[(1, line("u", 0, 0, vec![user("u0", "Go")])), stray("r1"), stray("r2")]);
    memory.feed(&session(), &[assign("r1", Some(Who::Main)), assign("r2", Some(Who::runtime("r1")))], |_| false);
    assert_eq!((link(&memory, 1), link(&memory, 2)), ((Link::Assigned, Some(0)), (Link::Assigned, Some(1))));
    memory.feed(&session(), &[assign("r1", Some(Who::runtime("r2")))], |_| false);
    assert_eq!(link(&memory, 1), (Link::Unlinked, None), "no ring");
    memory.feed(&session(), &[assign("r2", None), assign("r1", None)], |_| false);
    assert_eq!((link(&memory, 1), link(&memory, 2)), ((Link::Unlinked, None), (Link::Unlinked, None)));
    // Evidence wins by itself; an inference is none.
    memory.feed(&session(), &[assign("r1", Some(Who::runtime("r2")))], |_| false);
    memory.feed(&session(), &[(1, line("a", 10, 1_000, starts(Who::Main, "c1", "Look", "Do")))], |_| false);
    memory.feed(&session(), &[(9, Line::control(session(), vec![Op::EndOfInput]))], |_| false);
    assert_eq!(link(&memory, 1), (Link::Assigned, Some(2)));
    memory.feed(&session(), &[(1, line("b", 20, 3_000, reports(Who::Main, "c1", "r1", "Done")))], |_| false);
    assert_eq!(link(&memory, 1), (Link::Exact, Some(0)));
}

#[test]
fn no_news_is_never_finished_and_the_next_line_restores() {
    let start = (1, line("a", 0, 1_000, starts(Who::Main, "c1", "Look", "Do")));
    let own = (2, line("p", 0, 2_000, vec![prompt("r1", "p0", "Do")]));
    let name = Name { kind: NameKind::Call, id: "c1".into() };
    let link = AgentPatch { names: vec![name], link: Some(Link::Sidecar), ..AgentPatch::default() };
    let joined = (3, line("m", 0, 2_000, vec![Op::Agent { who: Who::runtime("r1"), patch: link }]));
    let quiet = (9, Line::control(session(), vec![Op::NoNews]));
    let more = (2, line("t", 9, 3_000, vec![text(Who::runtime("r1"), "t0", "more")]));
    let mut memory = fed(&[start, own, joined]);
    assert_eq!((child(&memory).status, memory.session.status), (AgentStatus::Running, SessionStatus::Running));
    assert_eq!(memory.session.agents.running, 1);
    memory.feed(&session(), &[quiet], |_| false);
    assert_eq!((child(&memory).status, memory.session.status), (AgentStatus::Unknown, SessionStatus::Unknown));
    assert_eq!(memory.session.agents.running, 0);
    memory.feed(&session(), &[more], |_| false);
    assert_eq!((child(&memory).status, memory.session.status), (AgentStatus::Running, SessionStatus::Running));
}

#[test]
fn a_turn_that_ends_over_running_children_leaves_the_session_waiting() {
    let start = (1, line("a", 0, 1_000, starts(Who::Main, "c1", "Look", "Do")));
    let own = (2, line("p", 0, 2_000, vec![Op::Begin { who: Who::call("c1"), run: None, at: None }]));
    let turn = (1, line("b", 9, 3_000, vec![Op::Turn { ended: true }]));
    let end = (1, line("c", 19, 9_000, vec![Op::End { who: Who::call("c1"), ending: ending(AgentStatus::Finished) }]));
    let mut memory = fed(&[start, own, turn]);
    assert_eq!((memory.session.status, memory.session.waiting_on), (SessionStatus::Waiting, Some(WaitingOn::Agents)));
    memory.feed(&session(), &[end], |_| false);
    assert_eq!(memory.session.status, SessionStatus::Idle);
    assert_eq!(memory.agents[&0].status, AgentStatus::Finished);
}

#[test]
fn the_end_of_the_process_ends_running_children() {
    let start = (1, line("a", 0, 1_000, starts(Who::Main, "c1", "Look", "Do")));
    let exit = (1, line("b", 9, 3_000, vec![Op::Exit { stopped: false, cause: Some("process exit".into()) }]));
    let memory = fed(&[start, exit]);
    assert_eq!((child(&memory).status, child(&memory).cause.as_deref()), (AgentStatus::Cancelled, Some("parent exit")));
    assert_eq!(memory.session.status, SessionStatus::Exited);
}

#[test]
fn a_long_result_is_a_blob_with_a_preview() {
    let long = "é".repeat(40_000);
    let call = Op::Call { who: Who::Main, call: "c".into(), keys: Vec::new(), patch: ToolPatch::default() };
    let result = Op::Result { who: Who::Main, call: "c".into(), result: Ok(long.clone()), images: Vec::new(), state: EntryState::Done };
    let memory = fed(&[(1, line("a", 0, 1, vec![call])), (1, line("b", 1, 1, vec![result]))]);
    let Body::Tool(tool) = &memory.entries[&EntryRef { agent: 0, seq: 1 }].body else { panic!("a tool") };
    let result = tool.result.as_ref().expect("a result");
    assert_eq!(result.len(), 80_000);
    assert!(long.starts_with(&result.text) && result.text.len() <= 12_000);
    let blob = result.blob.as_ref().expect("a blob");
    assert_eq!(memory.blobs[&blob.hash], long.as_bytes());
}

#[test]
fn an_image_is_what_its_bytes_say() {
    let image = |data: &str| Blobbed { media_type: "image/png".into(), data: data.into() };
    let body = Body::User { text: "see".into(), images: Vec::new(), origin: None };
    let images = vec![image("iVBORw0KGgoAAAANSUhEUg=="), image("PHN2Zz48L3N2Zz4="), image("not base64!")];
    let op = Op::Entry { who: Who::Main, keys: vec!["k".into()], body, state: EntryState::Done, images };
    let memory = fed(&[(1, line("a", 0, 1, vec![op]))]);
    let types: Vec<&str> = memory.entries.values().flat_map(|entry| entry.body.images()).map(|image| image.media_type.as_str()).collect();
    assert_eq!(types, ["image/png", "application/octet-stream", "application/octet-stream"]);
}

#[test]
fn the_best_title_wins_and_the_last_of_a_kind() {
    let titled = |from, title: &str| Op::Session(SessionPatch { title: Some((from, title.into())), ..SessionPatch::default() });
    let memory = fed(&[
        (1, line("a", 0, 1, vec![user("a0", "\n  Fix the tests\nplease")])),
        (1, line("b", 1, 1, vec![titled(TitleFrom::Generated, "One")])),
        (1, line("c", 2, 1, vec![titled(TitleFrom::Generated, "Two")])),
        (1, line("d", 3, 1, vec![titled(TitleFrom::Summary, "Three")])),
    ]);
    assert_eq!((memory.session.title.as_str(), memory.session.title_from), ("Two", TitleFrom::Generated));
    let memory = fed(&[(1, line("a", 0, 1, vec![user("a0", "\n  Fix the tests\nplease")]))]);
    assert_eq!((memory.session.title.as_str(), memory.session.title_from), ("Fix the tests", TitleFrom::Turn));
}

#[test]
fn the_current_tool_is_the_newest_open_one_of_a_running_agent() {
    let call = |id: &str, title: &str| Op::Call {
        who: Who::Main,
        call: id.into(),
        keys: Vec::new(),
        patch: ToolPatch { title: Some(title.into()), ..ToolPatch::default() },
    };
    let done =
        |id: &str| Op::Result { who: Who::Main, call: id.into(), result: Ok("".into()), images: Vec::new(), state: EntryState::Done };
    let mut memory = fed(&[(1, line("a", 0, 1, vec![call("c1", "One"), call("c2", "Two")]))]);
    assert_eq!(memory.agents[&0].current_tool.as_deref(), Some("Two"));
    memory.feed(&session(), &[(1, line("b", 1, 1, vec![done("c2")]))], |_| false);
    assert_eq!(memory.agents[&0].current_tool.as_deref(), Some("One"));
    memory.feed(&session(), &[(9, Line::control(session(), vec![Op::NoNews]))], |_| false);
    assert_eq!(memory.agents[&0].current_tool, None);
    assert_eq!(memory.agents[&0].entry_state(&memory.entries[&EntryRef { agent: 0, seq: 1 }]), EntryState::Unknown);
}
