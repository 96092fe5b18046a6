//! LangGraph by examples, all synthetic: frames in, rows out. Expected rows are written by hand.

use proptest::prelude::*;

use crate::dialect::trial::*;
use crate::dialect::{by_name, recognise};

const DIALECT: &str = "langgraph";

/// A chunk of an AI message, in the namespace that the event's name says.
fn chunk(space: &str, id: &str, content: &str, more: &str) -> Told {
    let name = if space.is_empty() { "messages".to_owned() } else { format!("messages|{space}") };
    event(&name, "", format!(r#"[{{"type":"AIMessageChunk","id":"{id}","content":{content}{more}}},{{"thread_id":"s"}}]"#))
}

fn says(space: &str, id: &str, text: &str) -> Told {
    chunk(space, id, &format!("\"{text}\""), "")
}

fn metadata(run: &str) -> Told {
    event("metadata", "", format!(r#"{{"run_id":"{run}"}}"#))
}

fn end() -> Told {
    event("end", "", "null")
}

fn task(call: &str, prompt: &str) -> String {
    format!(r#"{{"name":"task","args":{{"description":"{prompt}","subagent_type":"scout"}},"id":"{call}"}}"#)
}

/// The main agent calls tools, in one whole message.
fn calls(id: &str, calls: &[String]) -> Told {
    event(
        "updates",
        "",
        format!(r#"{{"model":{{"messages":[{{"type":"ai","id":"{id}","content":"","tool_calls":[{}]}}]}}}}"#, calls.join(",")),
    )
}

fn answers(call: &str, text: &str) -> Told {
    event("updates", "", format!(r#"{{"tools":{{"messages":[{{"type":"tool","tool_call_id":"{call}","content":"{text}"}}]}}}}"#))
}

fn user(text: &str) -> Told {
    event("values", "", format!(r#"{{"messages":[{{"type":"human","id":"h-{text}","content":"{text}"}}]}}"#))
}

/// The first words in a namespace.
fn opens(space: &str, text: &str) -> Told {
    event(&format!("values|{space}"), "", format!(r#"{{"messages":[{{"type":"human","id":"h-{space}","content":"{text}"}}]}}"#))
}

#[track_caller]
fn shows(records: &[Told], expected: &[&str]) {
    assert_eq!(rows(&told(DIALECT, records)), expected);
}

#[test]
fn chunks_extend_and_the_whole_message_replaces() {
    let whole = r#"{"model":{"messages":[{"type":"ai","id":"m","content":"Hello there","tool_calls":[]}]}}"#;
    shows(
        &[metadata("r"), user("Hi"), says("", "m", "Hel"), says("", "m", "lo"), event("updates", "", whole), end()],
        &["session idle", "  user: Hi", "  text: Hello there"],
    );
}

#[test]
fn snapshots_replace() {
    let partial = |text: &str| event("messages/partial", "", format!(r#"[{{"type":"ai","id":"m","content":"{text}"}}]"#));
    let complete = event("messages/complete", "", r#"[{"type":"ai","id":"m","content":"Hello"}]"#);
    shows(&[metadata("r"), partial("He"), partial("Hell")], &["session running", "  text [running]: Hell"]);
    shows(&[metadata("r"), partial("He"), partial("Hell"), complete, end()], &["session idle", "  text: Hello"]);
}

#[test]
fn reasoning_keeps_its_place_and_several_stretches_are_several() {
    let thinks = |text: &str| chunk("", "m", r#""""#, &format!(r#","additional_kwargs":{{"reasoning_content":"{text}"}}"#));
    shows(
        &[metadata("r"), thinks("First "), thinks("this."), says("", "m", "Aha. "), thinks("Then."), says("", "m", "Done."), end()],
        &["session idle", "  reasoning: First this.", "  text: Aha. ", "  reasoning: Then.", "  text: Done."],
    );
    let blocks = |index: u8, kind: &str, name: &str, text: &str| {
        chunk("", "n", &format!(r#"[{{"type":"{kind}","{name}":"{text}","index":{index}}}]"#), "")
    };
    shows(
        &[
            metadata("r"),
            blocks(0, "thinking", "thinking", "A"),
            blocks(0, "thinking", "thinking", "B"),
            blocks(1, "text", "text", "C"),
            end(),
        ],
        &["session idle", "  reasoning: AB", "  text: C"],
    );
    shows(
        &[metadata("r"), says("", "m", "<thi"), says("", "m", "nk>why</th"), says("", "m", "ink>So."), end()],
        &["session idle", "  reasoning: why", "  text: So."],
    );
}

#[test]
fn calls_come_in_chunks_and_stand_in_their_place() {
    let part = |json: &str| chunk("", "m", r#""""#, &format!(r#","tool_call_chunks":[{json}]"#));
    let last = chunk("", "m", r#""""#, r#","response_metadata":{"finish_reason":"tool_calls"}"#);
    let records = [
        metadata("r"),
        says("", "m", "Look:"),
        part(r#"{"index":0,"id":"c1","name":"read","args":""}"#),
        part(r#"{"index":0,"args":"{\"path\":"}"#),
        part(r#"{"index":1,"id":"c2","name":"list","args":"{}"}"#),
        part(r#"{"index":0,"args":"\"a.rs\"}"}"#),
        last,
        answers("c2", "two"),
        answers("c1", "one"),
    ];
    shows(&records, &["session running", "  text: Look:", r#"  tool "read a.rs": {"path":"a.rs"} | one"#, r#"  tool "list": {} | two"#]);
}

#[test]
fn a_replay_starts_over_and_a_state_told_again_changes_nothing() {
    let state = r#"{"messages":[{"type":"human","id":"h-Hi","content":"Hi"},{"type":"ai","id":"m","content":"Hello"}]}"#;
    let expected = ["session running", "  user: Hi", "  text: Hello"];
    let once = [metadata("r"), user("Hi"), says("", "m", "Hel"), says("", "m", "lo")];
    shows(&[&once[..], &once[..]].concat(), &["session running", "  user: Hi", "  text [running]: Hello"]);
    shows(&[&once[..], &[event("values", "", state), event("values", "", state)]].concat(), &expected);
    let memory = told(DIALECT, &[&once[..], &[event("values", "", state)], &[metadata("r2"), event("values", "", state)]].concat());
    assert_eq!(rows(&memory), expected);
}

#[test]
fn an_id_that_a_later_run_uses_for_other_words_is_another_message() {
    let run =
        |run: &str, text: &str| [metadata(run), says("", "run-0", text), chunk("", "run-0", "\"\"", r#","chunk_position":"last""#), end()];
    shows(&[run("r1", "One"), run("r2", "Two")].concat(), &["session idle", "  text: One", "  text: Two"]);
}

#[test]
fn a_subagent_is_inferred_from_its_first_words() {
    let records = [
        metadata("r"),
        calls("m", &[task("c1", "Count files"), task("c2", "Find names")]),
        opens("tools:b", "Find names"),
        says("tools:b", "x", "Three names"),
        opens("tools:a", "Count files"),
        says("tools:a", "y", "Seven files"),
        answers("c1", "Seven files"),
        answers("c2", "Three names"),
        event("values", "", r#"{"messages":[]}"#),
        end(),
    ];
    shows(
        &records,
        &[
            "session idle",
            r#"  tool "Count files": {"description":"Count files","subagent_type":"scout"} | Seven files"#,
            r#"  tool "Find names": {"description":"Find names","subagent_type":"scout"} | Three names"#,
            "tools:b: Find names (scout), finished, inferred of main",
            "  user: Find names",
            "  text [running]: Three names",
            "tools:a: Count files (scout), finished, inferred of main",
            "  user: Count files",
            "  text [running]: Seven files",
        ]
        .map(|row| row.replace("text [running]", "text"))
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>(),
    );
}

#[test]
fn equal_prompts_stay_unlinked_until_there_is_evidence() {
    let start = [
        metadata("r"),
        calls("m", &[task("c1", "Same"), task("c2", "Same")]),
        opens("tools:a", "Same"),
        says("tools:a", "x", "A"),
        opens("tools:b", "Same"),
        says("tools:b", "y", "B"),
    ];
    let heads = |records: &[Told]| {
        let all = rows(&read_to_end(DIALECT, records));
        all.into_iter().filter(|row| !row.starts_with(' ')).skip(1).collect::<Vec<_>>()
    };
    assert_eq!(
        heads(&start),
        [
            "c1: Same (scout), queued, exact of main",
            "c2: Same (scout), queued, exact of main",
            "tools:a: Same, running, unlinked",
            "tools:b: Same, running, unlinked",
        ]
    );
    let bound = event("tasks", "", r#"{"id":"b","name":"tools","input":{"tool_call":{"id":"c1","name":"task","args":{}}}}"#);
    assert_eq!(
        heads(&[&start[..], &[bound]].concat()),
        ["tools:a: Same (scout), running, inferred of main", "tools:b: Same (scout), running, exact of main"]
    );
}

#[test]
fn a_childs_line_may_come_before_its_call() {
    let records = [
        metadata("r"),
        opens("tools:a", "Count"),
        says("tools:a", "y", "Seven"),
        calls("m", &[task("c1", "Count")]),
        answers("c1", "Seven"),
        end(),
    ];
    shows(
        &records,
        &[
            "session idle",
            r#"  tool "Count": {"description":"Count","subagent_type":"scout"} | Seven"#,
            "tools:a: Count (scout), finished, inferred of main",
            "  user: Count",
            "  text: Seven",
        ],
    );
}

#[test]
fn namespaces_nest_at_any_depth() {
    let inner = r#"{"model":{"messages":[{"type":"ai","id":"n","content":"","tool_calls":[{"name":"task","args":{"description":"Deeper"},"id":"c2"}]}]}}"#;
    let records = [
        metadata("r"),
        calls("m", &[task("c1", "Deep")]),
        opens("tools:a", "Deep"),
        event("updates|tools:a", "", inner),
        opens("tools:a|tools:b", "Deeper"),
        says("tools:a|tools:b", "y", "Here"),
    ];
    shows(
        &records,
        &[
            "session running",
            r#"  tool "Deep" [running]: {"description":"Deep","subagent_type":"scout"}"#,
            "tools:a: Deep (scout), running, inferred of main",
            "  user: Deep",
            r#"  tool "Deeper" [running]: {"description":"Deeper"}"#,
            "tools:a|tools:b: Deeper, running, inferred of tools:a",
            "  user: Deeper",
            "  text [running]: Here",
        ],
    );
}

#[test]
fn the_main_agents_own_tools_stand_in_main() {
    let message = |ns: &str, id: &str| {
        event(
            "messages",
            "",
            format!(r#"[{{"type":"AIMessageChunk","id":"{id}","content":"x"}},{{"langgraph_checkpoint_ns":"{ns}","thread_id":"s"}}]"#),
        )
    };
    let records = [metadata("r"), message("model:1", "a"), message("tools:9", "b"), message("tools:9|model:1", "c")];
    shows(
        &records,
        &["session running", "  text [running]: x", "  text [running]: x", "tools:9: Subagent, running, unlinked", "  text [running]: x"],
    );
}

#[test]
fn a_run_that_dies_ends_its_agents_and_one_that_ends_leaves_them_unknown() {
    let start = [metadata("r"), calls("m", &[task("c1", "Count")]), opens("tools:a", "Count"), says("tools:a", "y", "Sev")];
    let status = |last: Told| {
        let all = rows(&told(DIALECT, &[&start[..], &[last]].concat()));
        (all[0].clone(), all.into_iter().find(|row| row.starts_with("tools:a")).expect("the agent"))
    };
    let died = status(event("error", "", r#"{"error":"ValueError","message":"Out of luck"}"#));
    assert_eq!(died, ("session idle".into(), "tools:a: Count (scout), cancelled, inferred of main".into()));
    assert_eq!(status(end()), ("session idle".into(), "tools:a: Count (scout), unknown, inferred of main".into()));
    assert_eq!(status(says("tools:a", "y", "en")).1, "tools:a: Count (scout), running, inferred of main");
}

#[test]
fn an_end_may_come_before_the_start_is_told() {
    let records = [
        metadata("r"),
        calls("m", &[task("c1", "Count")]),
        answers("c1", "Seven"),
        opens("tools:a", "Count"),
        says("tools:a", "y", "Seven"),
        end(),
    ];
    let all = rows(&told(DIALECT, &records));
    assert!(all.contains(&"tools:a: Count (scout), finished, inferred of main".to_owned()), "{all:#?}");
}

#[test]
fn an_interrupt_is_a_question_until_a_later_run_goes_on() {
    let value = r#"{"action_requests":[{"name":"rm","args":{},"description":"Delete it?"}],"review_configs":[{"allowed_decisions":["approve","reject"]}]}"#;
    let asked = event("updates", "", format!(r#"{{"__interrupt__":[{{"id":"i1","value":{value}}}]}}"#));
    let start = [metadata("r"), says("", "m", "May I?"), asked, end()];
    let open = r#"  ask open ["approve", "reject"] [running]: Delete it?"#;
    shows(&start, &["session waiting", "  text: May I?", open]);
    let goes_on = [metadata("r2"), says("", "m2", "Gone.")];
    let done = r#"  ask answered ["approve", "reject"]: Delete it?"#;
    shows(&[&start[..], &goes_on].concat(), &["session running", "  text: May I?", done, "  text [running]: Gone."]);
    let drops = [metadata("r2"), user("Never mind")];
    let gone = r#"  ask withdrawn ["approve", "reject"]: Delete it?"#;
    shows(&[&start[..], &drops].concat(), &["session running", "  text: May I?", gone, "  user: Never mind"]);
}

#[test]
fn the_newer_protocol_tells_calls_and_agents_exactly() {
    let at = |method: &str, space: &str, data: &str| {
        event(
            method,
            "",
            format!(r#"{{"type":"event","method":"{method}","params":{{"namespace":[{space}],"timestamp":1700000000000,"data":{data}}}}}"#),
        )
    };
    let records = [
        at("lifecycle", "", r#"{"event":"running"}"#),
        at("messages", r#""model:1""#, r#"{"event":"message-start","id":"m"}"#),
        at("messages", r#""model:1""#, r#"{"event":"content-block-delta","index":0,"delta":{"type":"reasoning-delta","reasoning":"Hm"}}"#),
        at("messages", r#""model:1""#, r#"{"event":"content-block-delta","index":1,"delta":{"type":"text-delta","text":"Go"}}"#),
        at(
            "messages",
            r#""model:1""#,
            r#"{"event":"content-block-start","index":2,"content":{"type":"tool_use","id":"c1","name":"task","input":""}}"#,
        ),
        at(
            "messages",
            r#""model:1""#,
            r#"{"event":"content-block-finish","index":2,"content":{"id":"c1","name":"task","args":"{\"description\":\"Count\"}"}}"#,
        ),
        at("messages", r#""model:1""#, r#"{"event":"message-finish","reason":"stop","usage":{"input_tokens":5,"output_tokens":2}}"#),
        at(
            "tools",
            r#""tools:t""#,
            r#"{"event":"tool-started","tool_call_id":"c1","tool_name":"task","input":"{\"description\":\"Count\"}"}"#,
        ),
        at("messages", r#""tools:t","model:2""#, r#"{"event":"message-start","id":"n"}"#),
        at(
            "messages",
            r#""tools:t","model:2""#,
            r#"{"event":"content-block-delta","index":0,"delta":{"type":"text-delta","text":"Seven"}}"#,
        ),
        at(
            "tools",
            r#""tools:t""#,
            r#"{"event":"tool-finished","tool_call_id":"c1","output":{"type":"tool","tool_call_id":"c1","content":"Seven"}}"#,
        ),
        at("messages", r#""tools:t""#, r#"{"event":"message-start","id":"t","role":"tool","tool_call_id":"c1"}"#),
        at("messages", r#""tools:t""#, r#"{"event":"content-block-finish","index":0,"content":{"type":"text","text":"Seven"}}"#),
        at("lifecycle", "", r#"{"event":"completed"}"#),
    ];
    shows(
        &records,
        &[
            "session idle",
            "  reasoning: Hm",
            "  text: Go",
            r#"  tool "Count": {"description":"Count"} | Seven"#,
            "tools:t: Count, finished, exact of main",
            "  user: Count",
            "  text: Seven",
        ],
    );
}

#[test]
fn a_list_of_the_state_is_told_once_for_each_change() {
    let state = |status: &str| event("values", "", format!(r#"{{"messages":[],"todos":[{{"content":"One","status":"{status}"}}]}}"#));
    let list = r#"{"name":"write_todos","args":{"todos":[{"content":"One","status":"pending"}]},"id":"c1"}"#.to_owned();
    shows(
        &[metadata("r"), calls("m", &[list]), state("pending"), state("completed"), state("completed")],
        &["session running", "  todos: pending one", "  todos: completed one"],
    );
}

#[test]
fn agents_elsewhere_are_told_by_the_state() {
    let state = |status: &str| {
        event(
            "values",
            "",
            format!(
                r#"{{"messages":[],"async_tasks":{{"t1":{{"agent_name":"scout","thread_id":"x","run_id":"y","status":"{status}"}}}}}}"#
            ),
        )
    };
    let head = |records: &[Told]| rows(&told(DIALECT, records)).pop();
    assert_eq!(head(&[metadata("r"), state("running")]).as_deref(), Some("t1: scout (scout), running, later of main"));
    assert_eq!(head(&[metadata("r"), state("running"), state("success")]).as_deref(), Some("t1: scout (scout), finished, later of main"));
}

#[test]
fn what_nobody_knows_is_kept() {
    let memory = told(
        DIALECT,
        &[metadata("r"), event("custom", "", r#"{"type":"progress","done":3}"#), event("novelty", "", r#"{"x":1}"#), line("no JSON")],
    );
    assert_eq!(
        rows(&memory),
        [
            "session running",
            r#"  custom: progress | {"type":"progress","done":3}"#,
            r#"  opaque: A frame named novelty, which no rule knows. | {"x":1}"#,
            "  opaque: This line cannot be read. | no JSON",
        ]
    );
}

#[test]
fn two_threads_in_one_body_are_two_sessions() {
    let says = |thread: &str| event("messages", "", format!(r#"[{{"type":"ai","id":"m","content":"x"}},{{"thread_id":"{thread}"}}]"#));
    let books = books(translate(DIALECT, &[says("t1"), says("t2"), says("t1")], |_| false));
    assert_eq!(books.keys().map(|id| id.id.as_str()).collect::<Vec<_>>(), ["t1", "t2"]);
}

#[test]
fn a_thread_that_is_named_later_is_a_name_of_the_session() {
    let says = |id: &str| event("messages", "", format!(r#"[{{"type":"ai","id":"{id}","content":"x"}},{{"thread_id":"t1"}}]"#));
    let memory = told(DIALECT, &[metadata("r"), user("Hi"), says("m"), says("n")]);
    assert_eq!((memory.session.id.as_str(), memory.session.names.as_slice()), ("s", &["t1".to_owned()][..]));
}

#[test]
fn a_stream_is_recognised_by_its_content() {
    for head in [
        "event: metadata\ndata: {\"run_id\":\"r\"}\n\nevent: values\ndata: {\"messages\":[]}\n\n",
        "[\"values\",{\"messages\":[]}]\n",
        "{\"event\":\"messages\",\"data\":[{\"type\":\"AIMessageChunk\",\"content\":\"\"},{}]}\n",
        "event: lifecycle\ndata: {\"type\":\"event\",\"method\":\"lifecycle\",\"params\":{\"namespace\":[]}}\n\n",
    ] {
        assert_eq!(recognise(head.as_bytes()).map(|dialect| dialect.name), Some(DIALECT), "{head}");
    }
    for head in ["{\"type\":\"user\",\"uuid\":\"u\",\"message\":{}}\n", "{\"event\":\"start\"}\n", "event: hello\ndata: 1\n\n"] {
        assert_eq!((by_name(DIALECT).expect("it").recognise)(head.as_bytes()), 0, "{head}");
    }
}

/// A run with two children that are told by evidence.
fn session() -> Vec<Vec<Told>> {
    let child = |space: &str, call: &str, words: &str| {
        let id = |n: u8| format!("{space}-{n}");
        let bound = format!(r#"{{"id":"{space}","name":"tools","input":{{"tool_call":{{"id":"{call}","name":"task","args":{{}}}}}}}}"#);
        let path = format!("tools:{space}");
        let part = |text: &str| format!(r#"[{{"type":"AIMessageChunk","id":"m{space}","content":"{text}"}},{{"thread_id":"s"}}]"#);
        let name = format!("messages|{path}");
        let opens = format!(r#"{{"messages":[{{"type":"human","id":"h{space}","content":"Same"}}]}}"#);
        vec![
            event("tasks", &id(1), bound),
            event(&format!("values|{path}"), &id(2), opens),
            event(&name, &id(3), part("<think>hm</th")),
            event(&name, &id(4), part("ink>")),
            event(&name, &id(5), part(words)),
            event(&name, &id(6), part(".")),
        ]
    };
    vec![child("a", "c1", "Alpha"), child("b", "c2", "Beta")]
}

fn around(children: Vec<Told>) -> Vec<Told> {
    let name = |told: Told, id: &str| match told {
        Told::Event { name, data, .. } => Told::Event { name, id: Some(id.into()), data },
        line => line,
    };
    let mut all = vec![name(metadata("r"), "1"), name(user("Go"), "2"), name(calls("m", &[task("c1", "Same"), task("c2", "Same")]), "3")];
    all.extend(children);
    all.extend([
        name(answers("c2", "Beta."), "4"),
        name(answers("c1", "Alpha."), "5"),
        name(says("", "z", "All done"), "6"),
        name(end(), "7"),
    ]);
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_restart_gives_the_same_lines(cuts in prop::collection::vec(any::<bool>(), 23)) {
        restarts_change_nothing(DIALECT, &around(session().concat()), &cuts)?;
    }

    #[test]
    fn frames_told_again_change_nothing(repeats in prop::collection::vec(any::<prop::sample::Index>(), 7)) {
        repeats_change_nothing(DIALECT, &around(session().concat()), &repeats)?;
    }

    #[test]
    fn children_in_any_order_have_the_same_transcripts(choices in prop::collection::vec(any::<prop::sample::Index>(), 1..20)) {
        let straight = told(DIALECT, &around(session().concat()));
        let mixed = told(DIALECT, &around(interleave(&session(), &choices)));
        prop_assert_eq!(transcripts(&straight), transcripts(&mixed));
    }
}

#[test]
fn nothing_makes_it_fail() {
    survives(DIALECT, &around(session().concat()));
}

#[test]
fn every_sample_is_read_with_its_account_closed() {
    for path in samples("langgraph-sse").unwrap_or_default() {
        let (classes, opaque, books) = account(DIALECT, &path);
        println!("{}: {:?}", path.display(), classes.0);
        books
            .values()
            .for_each(|(memory, _)| rows(memory).iter().for_each(|row| println!("  {}", row.chars().take(160).collect::<String>())));
        assert!(opaque.is_empty(), "{}: {opaque:#?}", path.display());
    }
}
