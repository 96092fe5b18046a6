//! How agents begin and end.

use super::*;
use crate::model::WaitingOn;

fn rows(lines: &[String]) -> (Vec<String>, Memory) {
    let (memory, _) = told(lines);
    (agents(&memory), memory)
}

fn background(of: &str, n: u32) -> Vec<String> {
    vec![
        calls(of, &format!("c{n}"), &format!("toolu_{n}"), &format!("slow {n}"), "Go slowly"),
        started(&format!("s{n}"), &format!("a{n}"), &format!("toolu_{n}"), r#","is_backgrounded":true,"prompt":"Go slowly""#),
        result(of, &format!("l{n}"), &format!("toolu_{n}"), "Async agent launched", &LAUNCHED.replace("a1", &format!("a{n}"))),
    ]
}

#[test]
fn a_foreground_child_from_call_to_result() {
    let (rows, memory) = rows(&[
        init("i"),
        calls("", "1", "P", "count files", "Count them"),
        started("2", "a1", "P", r#","is_backgrounded":false,"prompt":"Count them""#),
        turn("P", "3", "Count them"),
        uses("P", "4", "C", "find"),
        result("P", "5", "C", "21", ""),
        says("P", "6", "m6", "21 files"),
        updated("7", "a1", r#"{"status":"completed","end_time":1800000000000}"#),
        notified("8", "a1", "P", "completed", "count files"),
        result("", "9", "P", "21 files", r#"{"status":"completed","agentId":"a1","totalToolUseCount":1}"#),
        says("", "10", "m10", "There are 21."),
        ends("11", "There are 21."),
    ]);
    assert_eq!(rows, ["count files · exact · Main · finished (explicit)"]);
    assert_eq!(
        memory.words(0),
        ["tool: {\"description\":\"count files\",\"subagent_type\":\"Explore\",\"prompt\":\"Count them\"}|21 files", "text: There are 21."]
    );
    let child = memory.titled("count files");
    assert_eq!(memory.words(child.n), ["user: Count them", "tool: {\"command\":\"find\"}|21", "text: 21 files"]);
    assert_eq!((child.id.as_str(), child.ended_at, child.same_report, child.tool_calls), ("a1", Some(1_800_000_000_000), true, 1));
    assert_eq!(status(&memory), SessionStatus::Idle);
}

#[test]
fn two_parallel_children_with_equal_prompts_stay_apart() {
    let (rows, memory) = rows(&[
        calls("", "1", "P", "one", "Look around"),
        calls("", "2", "Q", "two", "Look around"),
        turn("Q", "3", "Look around"),
        turn("P", "4", "Look around"),
        says("P", "5", "m5", "I am one"),
        says("Q", "6", "m6", "I am two"),
        result("", "7", "Q", "two done", ""),
        says("P", "8", "m8", "still one"),
    ]);
    assert_eq!(rows, ["one · exact · Main · running", "two · exact · Main · finished (result)"]);
    assert_eq!(memory.words(number(&memory, "one")), ["user: Look around", "text: I am one", "text: still one"]);
    assert_eq!(memory.words(number(&memory, "two")), ["user: Look around", "text: I am two"]);
}

#[test]
fn a_child_before_its_call_is_that_calls_child() {
    let (rows, memory) = rows(&[says("P", "1", "m1", "Early"), started("2", "a1", "P", ""), calls("", "3", "P", "late call", "Do it")]);
    assert_eq!(rows, ["late call · exact · Main · running"]);
    assert_eq!(memory.words(number(&memory, "late call")), ["user: Do it", "text: Early"]);
}

#[test]
fn an_end_before_the_start_stays_an_end() {
    let (rows, _) =
        rows(&[calls("", "1", "P", "quick", "Do it"), notified("2", "a1", "P", "completed", "done"), started("3", "a1", "P", "")]);
    assert_eq!(rows, ["quick · exact · Main · finished (explicit)"]);
}

#[test]
fn completed_by_an_update_is_not_yet_the_end() {
    let (rows, _) = rows(&[calls("", "1", "P", "x", "Do"), started("2", "a1", "P", ""), updated("3", "a1", r#"{"status":"completed"}"#)]);
    assert_eq!(rows, ["x · exact · Main · running"]);
}

#[test]
fn failed_by_an_update_alone_is_the_end_and_one_note() {
    let mut lines = background("", 1);
    lines.push(updated("u", "a1", r#"{"status":"failed","error":"out of memory"}"#));
    let (rows, memory) = rows(&lines);
    assert_eq!(rows, ["slow 1 · exact · Main · failed (explicit)"]);
    assert_eq!(memory.words(0)[1..], ["notice: out of memory"]);
}

#[test]
fn killed_is_a_stop_and_its_notification_adds_no_second_note() {
    let mut lines = background("", 1);
    lines.push(updated("u", "a1", r#"{"status":"killed"}"#));
    lines.push(notified("n", "a1", "toolu_1", "stopped", "Stopped by the user"));
    let (rows, memory) = rows(&lines);
    assert_eq!(rows, ["slow 1 · exact · Main · cancelled (stop)"]);
    assert_eq!(memory.words(0)[1..], ["notice: Stopped by the user"]);
}

#[test]
fn the_end_told_as_notification_and_as_text_is_one_note() {
    let mut lines = background("", 1);
    lines.push(notified("n", "a1", "toolu_1", "completed", "All done"));
    let text = "<task-notification>\\n<task-id>a1</task-id>\\n<tool-use-id>toolu_1</tool-use-id>\\n<status>completed</status>\\n<summary>All done</summary>\\n</task-notification>";
    lines.push(turn("", "x", text));
    let (rows, memory) = rows(&lines);
    assert_eq!(rows, ["slow 1 · exact · Main · finished (explicit)"]);
    assert_eq!(memory.words(0).len(), 2, "{:?}", memory.words(0));
}

#[test]
fn a_launch_is_no_end_and_the_session_waits_for_it() {
    for launched in [LAUNCHED, ""] {
        let (rows, memory) = rows(&[
            init("i"),
            calls("", "1", "P", "slow", "Go"),
            result("", "2", "P", "Async agent launched successfully", launched),
            says("", "3", "m3", "Launched."),
            ends("4", "Launched."),
        ]);
        assert_eq!(rows.len(), 1);
        assert!(rows[0].ends_with("running") || rows[0].ends_with("queued"), "{rows:?}");
        assert_eq!((status(&memory), memory.session.waiting_on), (SessionStatus::Waiting, Some(WaitingOn::Agents)));
        assert_eq!(memory.words(0).len(), 2, "the last answer is not told twice");
    }
}

#[test]
fn a_background_child_over_several_turns_and_a_turn_that_nobody_asked_for() {
    let mut lines = vec![init("i")];
    lines.extend(background("", 1));
    lines.extend([says("", "t", "mt", "Launched."), ends("r1", "Launched."), says("toolu_1", "k", "mk", "working")]);
    let (_, memory) = rows(&lines);
    assert_eq!(status(&memory), SessionStatus::Waiting);
    lines.extend([
        updated("u", "a1", r#"{"status":"completed"}"#),
        notified("n", "a1", "toolu_1", "completed", "done"),
        line("system/background_tasks_changed", "b", r#""tasks":[]"#),
        init("i2"),
        says("", "t2", "mt2", "It has ended."),
    ]);
    let (rows, memory) = rows(&lines);
    assert_eq!(rows, ["slow 1 · exact · Main · finished (explicit)"]);
    assert_eq!(status(&memory), SessionStatus::Running);
    lines.extend([ends("r2", "It has ended."), ends("r3", "")]);
    let (_, memory) = self::rows(&lines);
    assert_eq!(status(&memory), SessionStatus::Idle);
    assert_eq!(memory.words(0)[1..], ["text: Launched.", "notice: done", "text: It has ended."]);
}

#[test]
fn a_later_beginning_opens_the_next_run() {
    let mut lines = background("", 1);
    lines.extend([
        says("toolu_1", "k", "mk", "first"),
        notified("n", "a1", "toolu_1", "completed", "once"),
        started("s", "a1", "", r#","run_id":"r2""#),
        says("toolu_1", "k2", "mk2", "second"),
    ]);
    let (running, _) = rows(&lines);
    assert_eq!(running, ["slow 1 · exact · Main · finished (explicit), running"]);
    lines.extend([notified("n2", "a1", "toolu_1", "completed", "twice")]);
    let (rows, memory) = rows(&lines);
    assert_eq!(rows, ["slow 1 · exact · Main · finished (explicit), finished (explicit)"]);
    assert_eq!(memory.words(0)[1..], ["notice: once", "notice: twice"]);
}

#[test]
fn a_start_of_an_earlier_run_is_late() {
    let mut lines = background("", 1);
    lines.extend([
        started("s", "a1", "", r#","run_id":"r2""#),
        notified("n", "a1", "toolu_1", "completed", "once"),
        started("s0", "a1", "", r#","run_id":"r1""#),
    ]);
    assert_eq!(rows(&lines).0, ["slow 1 · exact · Main · finished (explicit)"]);
}

#[test]
fn late_lines_of_a_file_behind_the_streams_end_change_no_status_in_either_order() {
    let mut told = background("", 1);
    told.extend([says("toolu_1", "k", "mk", "Seen"), notified("n", "a1", "toolu_1", "completed", "once")]);
    let stream: Vec<(u32, Line)> = translate(&told).into_iter().map(|line| (1, line)).collect();
    let disk = crate::dialect::by_name("claude-disk").expect("the dialect");
    let place = crate::dialect::Place { inside: true, session: Some("s".into()), agent: Some("a1".into()), ..Default::default() };
    let mut file = (disk.open)(Facts { session: "s".into(), place }, None).expect("a translator");
    let own = |uuid: &str, kind: &str, message: &str, second: u32| {
        format!(
            r#"{{"type":"{kind}","uuid":"{uuid}","sessionId":"s","agentId":"a1","isSidechain":true,"timestamp":"2026-02-06T10:00:{second:02}.000Z","message":{message}}}"#
        )
    };
    let lines = read(
        &mut *file,
        0,
        &[
            own("p", "user", r#"{"content":"Go slowly"}"#, 1),
            own("k", "assistant", r#"{"id":"mk","content":[{"type":"text","text":"Seen"}]}"#, 2),
            own("y", "assistant", r#"{"id":"my","content":[{"type":"text","text":"One more"}]}"#, 30),
        ],
    );
    let file: Vec<(u32, Line)> = lines.into_iter().map(|line| (2, line)).collect();
    for lines in [[&stream[..], &file[..]].concat(), [&file[..], &stream[..]].concat()] {
        let mut memory = Memory::default();
        memory.feed(&session(), &lines, |_| true);
        assert_eq!(agents(&memory), ["slow 1 · exact · Main · finished (explicit)"]);
        assert_eq!(memory.words(number(&memory, "slow 1")), ["user: Go slowly", "text: Seen", "text: One more"]);
    }
}

#[test]
fn a_line_of_the_child_behind_its_end_in_the_stream_is_a_new_run() {
    let mut lines = background("", 1);
    lines.extend([notified("n", "a1", "toolu_1", "completed", "once"), says("toolu_1", "k", "mk", "again")]);
    assert_eq!(rows(&lines).0, ["slow 1 · exact · Main · finished (explicit), running"]);
}

#[test]
fn nested_to_depth_four_each_under_the_one_that_called_it() {
    let (rows, _) = rows(&[
        calls("", "1", "A", "one", "p1"),
        calls("A", "2", "B", "two", "p2"),
        calls("B", "3", "C", "three", "p3"),
        calls("C", "4", "D", "four", "p4"),
        says("D", "5", "m5", "Deep"),
        result("C", "6", "D", "Deep", ""),
    ]);
    assert_eq!(
        rows,
        [
            "one · exact · Main · running",
            "two · exact · one · running",
            "three · exact · two · running",
            "four · exact · three · finished (result)",
        ]
    );
}

#[test]
fn a_nested_childs_note_stands_with_the_one_that_started_it() {
    let mut lines = vec![calls("", "1", "A", "outer", "p1")];
    lines.extend(background("A", 2));
    lines.push(notified("n", "a2", "toolu_2", "completed", "inner is done"));
    let (_, memory) = rows(&lines);
    assert!(memory.words(number(&memory, "outer")).contains(&"notice: inner is done".to_owned()));
    assert_eq!(memory.words(0).len(), 1);
}

#[test]
fn a_refused_launch_is_a_failure() {
    let refused = r#""message":{"content":[{"type":"tool_result","tool_use_id":"P","content":"Too many agents","is_error":true}]},"parent_tool_use_id":null"#;
    let (rows, _) = rows(&[calls("", "1", "P", "x", "Go"), line("user", "2", refused)]);
    assert_eq!(rows, ["x · exact · Main · failed (result)"]);
}

#[test]
fn other_tasks_are_no_agents() {
    let shell = r#""task_id":"b1","tool_use_id":"S","description":"sleep","task_type":"local_bash""#;
    let (rows, _) =
        rows(&[uses("", "1", "S", "sleep 5"), line("system/task_started", "2", shell), updated("3", "b1", r#"{"status":"killed"}"#)]);
    assert_eq!(rows, [""; 0]);
}

#[test]
fn the_exit_of_the_process_ends_running_children() {
    let mut lines: Vec<(u32, Line)> = translate(&background("", 1)).into_iter().map(|line| (1, line)).collect();
    let exit = crate::model::Op::Exit { stopped: false, cause: Some("process exit".into()) };
    let mut last = lines[2].1.clone();
    (last.offset, last.id, last.ops) = (9, Some("exit".into()), vec![exit]);
    lines.push((1, last));
    let mut memory = Memory::default();
    memory.feed(&session(), &lines, |_| false);
    assert_eq!(agents(&memory), ["slow 1 · exact · Main · cancelled (parent exit)"]);
    assert_eq!(status(&memory), SessionStatus::Exited);
}

#[test]
fn a_restart_in_mid_run_leaves_what_ran_unknown_until_it_is_told() {
    let mut first = vec![init("i")];
    first.extend(background("", 1));
    let second = [init("i2"), says("", "t", "mt", "Back again.")];
    let mut lines: Vec<(u32, Line)> = translate(&first).into_iter().map(|line| (1, line)).collect();
    lines.extend(translate(&second).into_iter().map(|line| (2, line)));
    let mut memory = Memory::default();
    memory.feed(&session(), &lines, |_| false);
    assert_eq!(agents(&memory), ["slow 1 · exact · Main · unknown (restart)"]);
    assert_eq!(status(&memory), SessionStatus::Running);

    for (more, expected) in [
        (notified("n", "a1", "toolu_1", "stopped", "Stopped"), "slow 1 · exact · Main · cancelled (stop)"),
        (started("s", "a1", "", r#","run_id":"r2""#), "slow 1 · exact · Main · unknown (restart), running"),
    ] {
        let mut memory = memory.clone();
        let all = [&second[..], &[more]].concat();
        let more: Vec<(u32, Line)> = translate(&all).into_iter().skip(2).map(|line| (2, line)).collect();
        memory.feed(&session(), &more, |_| false);
        assert_eq!(agents(&memory), [expected]);
    }
}
