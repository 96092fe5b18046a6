//! DeerFlow by examples, all synthetic: frames and rows in, rows out. Expected rows are written by hand.

pub mod cases;

use proptest::prelude::*;

use crate::dialect::recognise;
use crate::dialect::trial::*;

const DIALECT: &str = "deerflow";

fn metadata(run: &str) -> Told {
    event("metadata", "", format!(r#"{{"run_id":"{run}","thread_id":"s"}}"#))
}

fn end() -> Told {
    event("end", "", "null")
}

fn custom(kind: &str, task: &str, more: &str) -> Told {
    event("custom", "", format!(r#"{{"type":"task_{kind}","task_id":"{task}"{more}}}"#))
}

/// Steps of a subagent: what it says, with a call or without.
fn says(task: &str, index: u8, text: &str) -> Told {
    let message = format!(r#"{{"type":"ai","id":"{task}-{index}","content":"{text}"}}"#);
    let input = u32::from(index) * 10;
    custom(
        "running",
        task,
        &format!(r#","message":{message},"message_index":{index},"usage":{{"input_tokens":{input},"output_tokens":{index}}}"#),
    )
}

fn searches(task: &str, index: u8, query: &str) -> Told {
    let call = format!(r#"{{"name":"web_search","args":{{"query":"{query}"}},"id":"{task}-s"}}"#);
    let message = format!(r#"{{"type":"ai","id":"{task}-{index}","content":"","tool_calls":[{call}]}}"#);
    custom("running", task, &format!(r#","message":{message},"message_index":{index}"#))
}

fn finds(task: &str, index: u8, text: &str) -> Told {
    let message = format!(r#"{{"type":"tool","tool_call_id":"{task}-s","name":"web_search","content":"{text}"}}"#);
    custom("running", task, &format!(r#","message":{message},"message_index":{index}"#))
}

/// The main agent's calls of tasks.
fn launches(id: &str, tasks: &[&str]) -> Told {
    let call = |task: &&str| {
        format!(
            r#"{{"name":"task","args":{{"description":"Look","prompt":"Look around","subagent_type":"general-purpose"}},"id":"{task}"}}"#
        )
    };
    let calls = tasks.iter().map(call).collect::<Vec<_>>().join(",");
    event("updates", "", format!(r#"{{"agent":{{"messages":[{{"type":"ai","id":"{id}","content":"","tool_calls":[{calls}]}}]}}}}"#))
}

fn reports(task: &str, text: &str, more: &str) -> Told {
    let message = format!(r#"{{"type":"tool","tool_call_id":"{task}","content":"{text}","additional_kwargs":{{{more}}}}}"#);
    event("updates", "", format!(r#"{{"tools":{{"messages":[{message}]}}}}"#))
}

fn row(seq: u32, kind: &str, content: &str) -> Told {
    line(format!(
        r#"{{"thread_id":"s","run_id":"r","seq":{seq},"event_type":"{kind}","category":"x","content":{content},"metadata":{{"caller":"lead_agent"}},"created_at":"2026-02-06T10:00:{seq:02}Z"}}"#
    ))
}

#[track_caller]
fn shows(records: &[Told], expected: &[&str]) {
    assert_eq!(rows(&told(DIALECT, records)), expected);
}

const TASK: &str = r#"  tool "Look": {"description":"Look","prompt":"Look around","subagent_type":"general-purpose"} | Two found"#;

#[test]
fn a_subagent_is_told_from_its_start_to_its_end() {
    let records = [
        metadata("r"),
        launches("m", &["t1"]),
        custom("started", "t1", r#","description":"Look","model_name":"small""#),
        searches("t1", 1, "rust"),
        finds("t1", 2, "two"),
        says("t1", 3, "Two found"),
        custom("completed", "t1", r#","result":"Two found","usage":{"input_tokens":5,"output_tokens":1}"#),
        reports("t1", "Task Succeeded. Result: Two found", r#""subagent_status":"completed""#),
        end(),
    ];
    shows(
        &records,
        &[
            "session idle",
            TASK,
            "t1: Look (general-purpose), finished, exact of main",
            "  user: Look around",
            r#"  tool "Search the web for rust": {"query":"rust"} | two"#,
            "  text: Two found",
        ],
    );
    let memory = told(DIALECT, &records);
    let child = memory.titled("Look");
    assert_eq!((child.usage.input, child.usage.output, child.model.as_deref()), (30, 3, Some("small")), "counters never roll back");
    assert!(child.same_report);
}

#[test]
fn a_status_decides_the_end() {
    let start = [metadata("r"), launches("m", &["t1"])];
    let ends = |last: Told| {
        let memory = told(DIALECT, &[&start[..], &[last, end()]].concat());
        let child = memory.titled("Look");
        (child.status.word(), child.cause.clone().unwrap_or_default())
    };
    for (status, expected) in [("failed", "failed"), ("timed_out", "failed"), ("cancelled", "cancelled"), ("completed", "finished")] {
        assert_eq!(ends(custom(status, "t1", r#","error":"why""#)).0, expected, "{status}");
        assert_eq!(ends(reports("t1", "Task failed.", &format!(r#""subagent_status":"{status}""#))).0, expected, "{status}");
    }
    assert_eq!(ends(reports("t1", "x", r#""subagent_status":"polling_timed_out""#)).0, "failed");
    let capped = ends(reports("t1", "x", r#""subagent_status":"completed","subagent_stop_reason":"token_capped""#));
    assert_eq!(capped, ("finished", "result, token capped".into()));
    assert_eq!(ends(end()).0, "unknown");
}

#[test]
fn a_childs_line_may_come_before_its_call_and_its_end_before_its_start() {
    let records = [
        metadata("r"),
        says("t1", 1, "Two found"),
        custom("completed", "t1", r#","result":"Two found""#),
        launches("m", &["t1"]),
        reports("t1", "Two found", ""),
        end(),
    ];
    shows(
        &records,
        &["session idle", TASK, "t1: Look (general-purpose), finished, exact of main", "  user: Look around", "  text: Two found"],
    );
    let late = [metadata("r"), custom("failed", "t1", r#","error":"no""#), custom("started", "t1", r#","description":"Look""#), end()];
    assert_eq!(told(DIALECT, &late).titled("Look").status.word(), "failed");
}

#[test]
fn a_run_that_fails_ends_its_subagents() {
    let error = event("error", "", r#"{"error":"ValueError","message":"Out of luck"}"#);
    let records = [metadata("r"), launches("m", &["t1"]), custom("started", "t1", r#","description":"Look""#), says("t1", 1, "Two"), error];
    let memory = told(DIALECT, &records);
    assert_eq!((memory.titled("Look").status.word(), memory.session.status.word()), ("cancelled", "idle"));
    assert_eq!(transcripts(&memory)["t1"][1..], ["user: Look around", "text: Two"]);
}

#[test]
fn parallel_tasks_with_equal_prompts_are_told_apart() {
    let records = [metadata("r"), launches("m", &["t1", "t2"]), says("t2", 1, "Beta"), says("t1", 1, "Alpha"), says("t2", 2, "Beta two")];
    let rows = transcripts(&told(DIALECT, &records));
    assert_eq!(rows["t1"][1..], ["user: Look around", "text: Alpha"]);
    assert_eq!(rows["t2"][1..], ["user: Look around", "text: Beta", "text: Beta two"]);
}

#[test]
fn a_message_told_again_by_its_number_stands_once() {
    let records = [
        metadata("r"),
        launches("m", &["t1"]),
        says("t1", 0, "One"),
        says("t1", 1, "Two"),
        says("t1", 0, "One"),
        says("t1", 1, "Two, and more"),
    ];
    assert_eq!(transcripts(&told(DIALECT, &records))["t1"][1..], ["user: Look around", "text: One", "text: Two, and more"]);
}

#[test]
fn a_gap_ends_nothing_and_what_was_cut_is_told_anew() {
    let part = |text: &str| event("messages", "", format!(r#"[{{"type":"AIMessageChunk","id":"m","content":"{text}"}},{{}}]"#));
    let gap = |at: u8| {
        event(
            "gap",
            "",
            format!(r#"{{"code":"stream_replay_gap","run_id":"r","requested_event_id":"{at}","earliest_available_event_id":"9"}}"#),
        )
    };
    let state = event("values", "", r#"{"messages":[{"type":"ai","id":"m","content":"One two three"}]}"#);
    let lost = "Some events of this run were lost; what they told comes with the next state.";
    let records = [metadata("r"), launches("l", &["t1"]), part("One "), gap(1), part("three"), state];
    let all = rows(&told(DIALECT, &records));
    assert_eq!(all[0], "session running");
    assert!(
        all.contains(&"  text: One two three".to_owned()) && all.contains(&format!("  gap: {lost} | asked for 1, the earliest is 9")),
        "{all:#?}"
    );
    assert_eq!(told(DIALECT, &records).titled("Look").status.word(), "queued");
    let many: Vec<Told> = std::iter::once(metadata("r")).chain((0..6).map(gap)).collect();
    let all = rows(&told(DIALECT, &many));
    assert_eq!(all.iter().filter(|row| row.contains(lost)).count(), 5);
    assert!(all.last().is_some_and(|row| row.contains("not joined any more")) && all[0] == "session running", "{all:#?}");
}

/// The rows that were kept of the run in the first test.
fn kept() -> Vec<Told> {
    vec![
        row(1, "run.start", r#"{"chain":"x"}"#),
        row(2, "llm.human.input", r#"{"type":"human","id":"h","content":"Go"}"#),
        row(
            3,
            "llm.ai.response",
            r#"{"type":"ai","id":"m","content":"","tool_calls":[{"name":"task","args":{"description":"Look","prompt":"Look around","subagent_type":"general-purpose"},"id":"t1"}]}"#,
        ),
        row(5, "subagent.start", r#"{"task_id":"t1","description":"Look"}"#),
        row(
            6,
            "subagent.step",
            r#"{"task_id":"t1","message_index":1,"kind":"ai","text":"","truncated":false,"tool_calls":[{"name":"web_search","args":{"query":"rust"}}]}"#,
        ),
        row(
            7,
            "subagent.step",
            r#"{"task_id":"t1","message_index":2,"kind":"tool","text":"two","truncated":false,"tool_name":"web_search"}"#,
        ),
        row(8, "subagent.step", r#"{"task_id":"t1","message_index":3,"kind":"ai","text":"Two found","truncated":false}"#),
        row(
            9,
            "subagent.end",
            r#"{"task_id":"t1","status":"completed","result":"Two found","usage":{"input_tokens":30,"output_tokens":3}}"#,
        ),
        row(11, "llm.tool.result", r#"{"type":"tool","tool_call_id":"t1","content":"Two found"}"#),
        row(12, "run.end", "{}"),
    ]
}

const KEPT: [&str; 7] = [
    "session idle",
    "  user: Go",
    TASK,
    "t1: Look (general-purpose), finished, exact of main",
    "  user: Look around",
    r#"  tool "Search the web for rust": {"query":"rust"} | two"#,
    "  text: Two found",
];

#[test]
fn kept_rows_are_read_as_lines_and_as_pages() {
    shows(&kept(), &KEPT);
    let all: Vec<String> = kept().into_iter().filter_map(|told| if let Told::Line(text) = told { Some(text) } else { None }).collect();
    shows(&[line(format!("[{}]", all.join(",")))], &KEPT);
    shows(&[line(format!(r#"{{"data":[{}],"has_more":false,"next_before_seq":null}}"#, all.join(",")))], &KEPT);
}

#[test]
fn the_stream_and_the_rows_of_one_session_are_one() {
    let live = [
        metadata("r"),
        event("values", "", r#"{"messages":[{"type":"human","id":"h","content":"Go"}]}"#),
        launches("m", &["t1"]),
        searches("t1", 1, "rust"),
        finds("t1", 2, "two"),
        says("t1", 3, "Two found"),
        custom("completed", "t1", r#","result":"Two found""#),
        reports("t1", "Two found", r#""subagent_status":"completed""#),
        end(),
    ];
    let both = |first: &[Told], second: &[Told]| {
        let mut memory = crate::ledger::memory::Memory::default();
        for (source, records) in [(1, first), (2, second)] {
            let lines: Vec<_> = translate(DIALECT, records, |_| false).into_iter().map(|line| (source, line)).collect();
            memory.feed(&lines[0].1.session.clone(), &lines, |_| false);
        }
        rows(&memory)
    };
    assert_eq!(both(&live, &kept()), KEPT);
    assert_eq!(both(&kept(), &live), KEPT);
}

#[test]
fn a_text_that_was_cut_revises_nothing() {
    let cut = row(8, "subagent.step", r#"{"task_id":"t1","message_index":3,"kind":"ai","text":"Two","truncated":true}"#);
    let records = [metadata("r"), launches("m", &["t1"]), says("t1", 3, "Two found"), cut];
    assert_eq!(transcripts(&told(DIALECT, &records))["t1"][1..], ["user: Look around", "text: Two found"]);
}

#[test]
fn a_question_waits_for_the_next_turn() {
    let call =
        r#"{"name":"ask_clarification","args":{"question":"Which one?","clarification_type":"choice","options":["A","B"]},"id":"q"}"#;
    let asks = event("updates", "", format!(r#"{{"agent":{{"messages":[{{"type":"ai","id":"m","content":"","tool_calls":[{call}]}}]}}}}"#));
    let repeats = reports("q", "Which one? 1. A 2. B", "");
    let start = [metadata("r"), asks, repeats, end()];
    shows(&start, &["session waiting", r#"  ask open ["a", "b"] [running]: Which one?"#]);
    let answer = event("values", "", r#"{"messages":[{"type":"human","id":"h","content":"A"}]}"#);
    let echo = event("values", "", r#"{"messages":[{"type":"human","id":"h__user","content":"A"}]}"#);
    shows(
        &[&start[..], &[metadata("r2"), answer, echo]].concat(),
        &["session running", r#"  ask answered ["a", "b"]: Which one? | A"#, "  user: A"],
    );
}

#[test]
fn a_form_is_a_question_and_an_unknown_one_is_plain() {
    let asks = |input: &str| {
        let message = format!(r#"{{"type":"tool","tool_call_id":"q","content":"x","artifact":{{"human_input":{input}}}}}"#);
        let memory = told(DIALECT, &[metadata("r"), event("updates", "", format!(r#"{{"tools":{{"messages":[{message}]}}}}"#))]);
        rows(&memory).pop().unwrap_or_default()
    };
    assert_eq!(asks(r#"{"version":1,"type":"free_text","question":"Why?"}"#), "  ask open [] [running]: Why?");
    assert_eq!(
        asks(r#"{"version":1,"type":"choice_with_other","question":"Which?","options":[{"label":"A"},"B"]}"#),
        r#"  ask open ["a", "b"] [running]: Which?"#
    );
    assert_eq!(
        asks(r#"{"version":2,"type":"form","title":"Fill in","fields":[{"name":"age","type":"number"}]}"#),
        "  ask open [] [running]: Fill in"
    );
    assert_eq!(asks(r#"{"version":9}"#), "  ask open [] [running]: Your answer is asked for.");
}

#[test]
fn a_thread_as_it_is_kept_is_read() {
    let messages = r#"[{"type":"human","id":"h","content":[{"type":"text","text":"Go"}]},{"type":"ai","id":"m","content":"Done","additional_kwargs":{"reasoning_content":"Hm"}}]"#;
    let state = format!(
        r#"{{"values":{{"messages":{messages},"title":"A title","thread_data":{{}}}},"next":[],"checkpoint":{{"thread_id":"t"}},"created_at":"2026-02-06T10:00:00Z"}}"#
    );
    let memory = told(DIALECT, &[line(&state)]);
    assert_eq!(rows(&memory), ["session idle", "  user: Go", "  reasoning: Hm", "  text: Done"]);
    assert_eq!((memory.session.id.as_str(), memory.session.title.as_str()), ("t", "A title"));
    assert_eq!(recognise(state.as_bytes()).map(|dialect| dialect.name), Some(DIALECT));
}

#[test]
fn a_stream_is_recognised_by_its_content() {
    let head = "event: metadata\ndata: {\"run_id\":\"r\"}\n\nevent: custom\ndata: {\"type\":\"task_started\",\"task_id\":\"t\"}\n\n";
    assert_eq!(recognise(head.as_bytes()).map(|dialect| dialect.name), Some(DIALECT));
    let Some(Told::Line(first)) = kept().into_iter().next() else { panic!("a line") };
    assert_eq!(recognise(first.as_bytes()).map(|dialect| dialect.name), Some(DIALECT));
    let plain = "event: metadata\ndata: {\"run_id\":\"r\"}\n\nevent: values\ndata: {\"messages\":[]}\n\n";
    assert_eq!(recognise(plain.as_bytes()).map(|dialect| dialect.name), Some("langgraph"));
}

fn child(task: &str, words: &str) -> Vec<Told> {
    let records = [
        custom("started", task, r#","description":"Look""#),
        searches(task, 1, words),
        finds(task, 2, words),
        says(task, 3, &format!("<think>hm</think>{words}")),
        custom("completed", task, &format!(r#","result":"{words}""#)),
    ];
    named(task, &records)
}

/// The same events, each with an id.
fn named(stream: &str, records: &[Told]) -> Vec<Told> {
    let name = |(at, told): (usize, &Told)| match told {
        Told::Event { name, data, .. } => Told::Event { name: name.clone(), id: Some(format!("{stream}{at}")), data: data.clone() },
        line => line.clone(),
    };
    records.iter().enumerate().map(name).collect()
}

fn around(children: Vec<Told>) -> Vec<Told> {
    let after = [reports("t1", "Alpha", ""), reports("t2", "Beta", ""), end()];
    [named("m", &[metadata("r"), launches("m", &["t1", "t2"])]), children, named("z", &after)].concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_restart_gives_the_same_lines(cuts in prop::collection::vec(any::<bool>(), 23)) {
        restarts_change_nothing(DIALECT, &around([child("t1", "Alpha"), child("t2", "Beta")].concat()), &cuts)?;
        restarts_change_nothing(DIALECT, &kept(), &cuts)?;
    }

    #[test]
    fn frames_told_again_change_nothing(repeats in prop::collection::vec(any::<prop::sample::Index>(), 7)) {
        repeats_change_nothing(DIALECT, &around([child("t1", "Alpha"), child("t2", "Beta")].concat()), &repeats)?;
    }

    #[test]
    fn children_in_any_order_have_the_same_transcripts(choices in prop::collection::vec(any::<prop::sample::Index>(), 1..20)) {
        let children = [child("t1", "Alpha"), child("t2", "Beta")];
        let straight = told(DIALECT, &around(children.concat()));
        let mixed = told(DIALECT, &around(interleave(&children, &choices)));
        prop_assert_eq!(transcripts(&straight), transcripts(&mixed));
    }
}

#[test]
fn nothing_makes_it_fail() {
    survives(DIALECT, &[around(child("t1", "Alpha")), kept()].concat());
}

#[test]
fn every_sample_is_read_with_its_account_closed() {
    for path in samples("deerflow").unwrap_or_default() {
        let (classes, opaque, books) = account(DIALECT, &path);
        println!("{}: {:?}", path.display(), classes.0);
        books.values().for_each(|(memory, _)| println!("  {} rows, {:?}", rows(memory).len(), memory.session.title));
        // Contracts and replays are schemas and requests, no streams.
        assert!(opaque.is_empty() || !path.to_string_lossy().contains("demo-threads"), "{}: {opaque:#?}", path.display());
    }
}
