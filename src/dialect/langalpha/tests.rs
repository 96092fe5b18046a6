//! LangAlpha by examples of both eras, all synthetic: events in, rows out. Expected rows are written by hand.

pub mod cases;

use proptest::prelude::*;

use crate::dialect::recognise;
use crate::dialect::trial::*;

const DIALECT: &str = "langalpha";

fn of(name: &str, agent: &str, more: &str) -> Told {
    event(name, "", format!(r#"{{"thread_id":"s","agent":"{agent}"{more}}}"#))
}

fn chunk(agent: &str, id: &str, kind: &str, text: &str) -> Told {
    of("message_chunk", agent, &format!(r#","id":"{id}","role":"assistant","content":"{text}","content_type":"{kind}""#))
}

fn says(agent: &str, id: &str, text: &str) -> Told {
    chunk(agent, id, "text", text)
}

fn stops(agent: &str, id: &str, reason: &str) -> Told {
    of("message_chunk", agent, &format!(r#","id":"{id}","finish_reason":"{reason}""#))
}

fn calls(agent: &str, id: &str, calls: &[String]) -> Told {
    of("tool_calls", agent, &format!(r#","id":"{id}","tool_calls":[{}],"finish_reason":"tool_calls""#, calls.join(",")))
}

fn call(id: &str, name: &str, args: &str) -> String {
    format!(r#"{{"name":"{name}","args":{args},"id":"{id}","type":"tool_call"}}"#)
}

fn task(id: &str, what: &str) -> String {
    call(id, "Task", &format!(r#"{{"description":"{what}","prompt":"Please {what}","subagent_type":"scout"}}"#))
}

fn result(agent: &str, call: &str, text: &str) -> Told {
    of("tool_call_result", agent, &format!(r#","id":null,"tool_call_id":"{call}","content":"{text}","content_type":"text""#))
}

fn user(text: &str) -> Told {
    event("user_message", "", format!(r#"{{"thread_id":"s","turn_index":0,"content":"{text}"}}"#))
}

fn status(active: &str, completed: &str) -> Told {
    event("subagent_status", "", format!(r#"{{"thread_id":"s","active_tasks":[{active}],"completed_tasks":[{completed}]}}"#))
}

fn listed(id: &str, what: &str, more: &str) -> String {
    format!(r#"{{"id":"{id}","description":"{what}","type":"scout","tool_calls":2,"current_tool":"web"{more}}}"#)
}

fn artifact(id: &str, action: &str, what: &str, more: &str) -> Told {
    let payload = format!(r#"{{"task_id":"{id}","action":"{action}","description":"{what}","prompt":"Please {what}","type":"scout"}}"#);
    of("artifact", "main", &format!(r#","artifact_type":"task","artifact_id":"task:{id}","payload":{payload}{more}"#))
}

#[track_caller]
fn shows(records: &[Told], expected: &[&str]) {
    assert_eq!(rows(&told(DIALECT, records)), expected);
}

fn heads(records: &[Told]) -> Vec<String> {
    rows(&told(DIALECT, records)).into_iter().skip(1).filter(|row| !row.starts_with(' ')).collect()
}

#[test]
fn reasoning_makes_a_panel_by_its_words_and_signals_end_it() {
    let records = [
        user("Go"),
        chunk("model:1", "m", "reasoning_signal", "start"),
        chunk("model:1", "m", "reasoning", "Hm, "),
        chunk("model:1", "m", "reasoning", "yes."),
        chunk("model:1", "m", "reasoning_signal", "complete"),
        says("model:1", "m", "So"),
        says("model:1", "m", " it is."),
        stops("model:1", "m", "stop"),
        chunk("model:1", "n", "reasoning", "Early, "),
        chunk("model:1", "n", "reasoning_signal", "start"),
        chunk("model:1", "n", "reasoning", "and on"),
        says("model:1", "n", "Done"),
    ];
    shows(
        &records,
        &[
            "session running",
            "  user: Go",
            "  reasoning: Hm, yes.",
            "  text: So it is.",
            "  reasoning: Early, and on",
            "  text [running]: Done",
        ],
    );
}

#[test]
fn calls_in_parts_are_told_whole_by_the_calls() {
    let part = |json: &str| of("tool_call_chunks", "model:1", &format!(r#","id":"m","tool_call_chunks":[{json}]"#));
    let records = [
        says("model:1", "m", "Look:"),
        part(r#"{"name":"ls","args":"","id":"c1","index":0,"type":"tool_call_chunk"}"#),
        part(r#"{"args":"{\"path\":\"a\"}","index":0}"#),
        calls("model:1", "m", &[call("c1", "ls", r#"{"path":"a"}"#)]),
        result("tools", "c1", "b"),
    ];
    shows(&records, &["session running", "  text: Look:", r#"  tool "List a": {"path":"a"} | b"#]);
}

const DEPLOYED: &str = "Background subagent deployed: **Task-Ab3**\\n- Type: scout";

#[test]
fn a_task_is_announced_speaks_and_ends() {
    let records = [
        user("Go"),
        calls("main", "m", &[task("c1", "look")]),
        artifact("Ab3", "init", "look", ""),
        result("main", "c1", DEPLOYED),
        chunk("task:Ab3", "x", "reasoning", "Where?"),
        calls("task:Ab3", "x", &[call("c2", "web", r#"{"query":"q"}"#)]),
        result("task:Ab3", "c2", "two"),
        says("task:Ab3", "y", "Two found"),
        calls("main", "n", &[call("c3", "TaskOutput", r#"{"task_id":"Ab3"}"#)]),
        result("main", "c3", "### Task-Ab3 (scout) - completed\\nTwo found"),
        says("main", "o", "Done"),
        stops("main", "o", "stop"),
    ];
    shows(
        &records,
        &[
            "session idle",
            "  user: Go",
            "  tool \"look\": {\"description\":\"look\",\"prompt\":\"Please look\",\"subagent_type\":\"scout\"} | Background subagent deployed: **Task-Ab3**\n- Type: scout",
            "  tool \"Read the output of Ab3\": {\"task_id\":\"Ab3\"} | ### Task-Ab3 (scout) - completed\nTwo found",
            "  text: Done",
            "Ab3: look (scout), finished, exact of main",
            "  user: Please look",
            "  reasoning: Where?",
            r#"  tool "Use web — q": {"query":"q"} | two"#,
            "  text [running]: Two found",
        ],
    );
}

#[test]
fn lines_of_a_task_behind_its_end_are_late_and_a_resume_begins_anew() {
    let start = [calls("main", "m", &[task("c1", "look")]), artifact("Ab3", "init", "look", ""), result("main", "c1", DEPLOYED)];
    let end = result("main", "c3", "### Task-Ab3 (scout) - completed\\nTwo");
    let recorded = [&start[..], &[end.clone(), says("task:Ab3", "x", "One"), says("task:Ab3", "y", "Two")]].concat();
    let memory = told(DIALECT, &recorded);
    let child = memory.titled("look");
    assert_eq!((child.status.word(), child.runs.len()), ("finished", 1), "a recorded body tells the end first");
    let update = [&recorded[..], &[artifact("Ab3", "update", "more", "")]].concat();
    let resumed = [&recorded[..], &[artifact("Ab3", "resume", "more", "")]].concat();
    for (records, expected) in [(&update, "running"), (&resumed, "running")] {
        let memory = told(DIALECT, records);
        let child = memory.titled("look");
        assert_eq!((child.status.word(), child.runs.len()), (expected, 2));
    }
    let ended = [&resumed[..], &[result("main", "c4", "### Task-Ab3 (scout) - failed")]].concat();
    assert_eq!(told(DIALECT, &ended).titled("look").status.word(), "failed");
    let running = [&start[..], &[artifact("Ab3", "update", "more", "")]].concat();
    assert_eq!(told(DIALECT, &running).titled("look").runs.len(), 1, "words to one that works begin nothing");
}

#[test]
fn a_childs_line_may_come_before_its_announcement() {
    let records = [
        says("task:Ab3", "x", "One"),
        artifact("Ab3", "init", "look", ""),
        calls("main", "m", &[task("c1", "look")]),
        result("main", "c1", DEPLOYED),
    ];
    assert_eq!(heads(&records), ["Ab3: look (scout), running, exact of main"]);
    assert_eq!(transcripts(&told(DIALECT, &records))["Ab3"][1..], ["user: Please look", "text [running]: One"]);
}

#[test]
fn a_call_that_goes_on_with_a_task_makes_no_agent() {
    let follow = call("c2", "Task", r#"{"task_id":"Ab3","action":"update","prompt":"Group them"}"#);
    let steered = of("steering_delivered", "task:Ab3", r#","count":1,"content":"Group them""#);
    let records = [
        calls("main", "m", &[task("c1", "look")]),
        artifact("Ab3", "init", "look", ""),
        result("main", "c1", DEPLOYED),
        calls("main", "n", &[follow]),
        result("main", "c2", "Follow-up sent to **Task-Ab3**."),
        steered,
        event("steering_delivered", "", r#"{"thread_id":"s","count":1,"messages":[{"content":"Hurry","timestamp":1.5}],"timestamp":2.5}"#),
    ];
    assert_eq!(heads(&records), ["Ab3: look (scout), running, exact of main"]);
    let all = transcripts(&told(DIALECT, &records));
    assert_eq!(all["Ab3"][1..], ["user: Please look", "user: Group them"]);
    assert_eq!(all["main"].last().map(String::as_str), Some("user: Hurry"));
}

#[test]
fn a_task_ends_as_its_status_says_also_before_it_speaks() {
    let start = [calls("main", "m", &[task("c1", "look")]), artifact("B", "init", "look", "")];
    for (status, expected) in [("completed", "finished"), ("failed", "failed"), ("error", "failed"), ("cancelled", "cancelled")] {
        let end = event("", "", format!(r#"{{"thread_id":"s","task_id":"B","status":"{status}"}}"#));
        let bound = result("main", "c1", "Background subagent deployed: **Task-B**");
        for records in
            [[&start[..], &[bound.clone(), end.clone(), says("task:B", "y", "Beta")]].concat(), [&[end][..], &start, &[bound]].concat()]
        {
            assert_eq!(heads(&records), [format!("B: look (scout), {expected}, exact of main")], "{status}");
        }
    }
}

#[test]
fn parallel_tasks_with_equal_words_are_told_apart_by_their_ids() {
    let records = [
        calls("main", "m", &[task("c1", "look"), task("c2", "look")]),
        artifact("B", "init", "look", ""),
        artifact("A", "init", "look", ""),
        says("task:A", "x", "Alpha"),
        says("task:B", "y", "Beta"),
        result("main", "c2", "Background subagent deployed: **Task-B**"),
        result("main", "c1", "Background subagent deployed: **Task-A**"),
    ];
    let memory = told(DIALECT, &records);
    let all = transcripts(&memory);
    assert_eq!((all["A"][2].as_str(), all["B"][2].as_str()), ("text [running]: Alpha", "text [running]: Beta"));
    let call = |id: &str| memory.agents.values().find(|agent| agent.id == id && !agent.is_aside()).and_then(|agent| agent.call.clone());
    assert_eq!((call("A").as_deref(), call("B").as_deref()), (Some("c1"), Some("c2")));
}

#[test]
fn an_older_status_names_its_tasks_with_or_without_the_agent() {
    let start = [user("Go"), calls("model:1", "m", &[task("c1", "look"), task("c2", "find")])];
    let both = [listed("Task-1", "look", ""), listed("Task-2", "find", "")].join(",");
    let told = |extra: &[Told]| heads(&[&start[..], extra].concat());
    let spoken = [says("tools:a", "x", "Alpha"), says("tools:b", "y", "Beta")];
    assert_eq!(
        told(&[&[status(&both, "")][..], &spoken].concat()),
        [
            "Task-1: look (scout), running, inferred of main",
            "Task-2: find (scout), running, inferred of main",
            "tools:a: Subagent, running, unlinked",
            "tools:b: Subagent, running, unlinked",
        ],
        "never a guess between two"
    );
    let named = [listed("Task-1", "look", r#","agent":"tools:b""#), listed("Task-2", "find", r#","agent":"tools:a""#)].join(",");
    assert_eq!(
        told(&[&[status(&named, "")][..], &spoken].concat()),
        ["Task-1: look (scout), running, inferred of main", "Task-2: find (scout), running, inferred of main"]
    );
    let records = [&start[..], &[status(&named, "")], &spoken].concat();
    assert_eq!(transcripts(&crate::dialect::trial::told(DIALECT, &records))["Task-1"][2], "text [running]: Beta");
}

#[test]
fn one_task_and_one_child_are_one() {
    let records = [
        user("Go"),
        calls("model:1", "m", &[task("c1", "look")]),
        status(&listed("Task-1", "look", ""), ""),
        says("tools:a", "x", "Alpha"),
    ];
    assert_eq!(heads(&records).len(), 1);
    assert!(heads(&records)[0].ends_with("look (scout), running, inferred of main"), "{:?}", heads(&records));
    let alone = [status(&listed("Task-1", "look", ""), ""), says("tools:a", "x", "Alpha")];
    assert_eq!(heads(&alone), ["Task-1: look (scout), running, inferred of main"]);
}

#[test]
fn completed_tasks_are_strings_or_objects_and_those_without_an_id_are_skipped() {
    let start = status(&listed("Task-1", "look", ""), "");
    for (completed, expected) in [
        (r#""Task-1""#, "finished"),
        (r#"{"id":"Task-1","description":"look"}"#, "finished"),
        (r#"{"description":"look"}"#, "running"),
        (r#"null"#, "running"),
        (r#""""#, "running"),
    ] {
        let memory = told(DIALECT, &[start.clone(), status("", completed), status("", completed)]);
        assert_eq!(memory.titled("look").status.word(), expected, "{completed}");
        assert_eq!(memory.titled("look").tool_calls, 2);
        assert_eq!(memory.agents.len(), 2, "{completed}");
    }
    let lines = translate(DIALECT, &[status("", r#"{"description":"x"}"#)], |_| false);
    assert_eq!(lines[0].class.name(), "bookkeeping:subagent_status/1-without-id");
}

#[test]
fn mains_own_result_stays_in_main_whatever_it_says() {
    let records = [calls("model:1", "m", &[call("c1", "ls", "{}")]), result("tools:9", "c1", "out"), result("tools:9", "c9", "other")];
    shows(
        &records,
        &["session running", r#"  tool "List a folder": {} | out"#, "tools:9: Subagent, running, unlinked", r#"  tool "": other"#],
    );
}

#[test]
fn a_list_is_told_once_by_its_call_and_its_artifact() {
    let list = r#"{"todos":[{"content":"One","status":"pending","activeForm":"x"}]}"#;
    let artifact = of("artifact", "ptc", &format!(r#","artifact_type":"todo_update","artifact_id":"c1","payload":{list}"#));
    let made = calls("model:1", "m", &[call("c1", "TodoWrite", list)]);
    for records in [[made.clone(), artifact.clone()], [artifact.clone(), made]] {
        let all = rows(&told(DIALECT, &records));
        assert_eq!(all[1..], ["  todos: pending one"], "{records:?}");
    }
    shows(&[artifact], &["session running", "  todos: pending one"]);
}

#[test]
fn tokens_of_each_call_of_a_model_add_up() {
    let used = |agent: &str, input: u8| {
        of("context_window", agent, &format!(r#","action":"token_usage","signal":"complete","input_tokens":{input},"output_tokens":1"#))
    };
    let memory = told(DIALECT, &[used("model:1", 10), used("model:2", 20), used("task:A", 7), used("model:3", 20)]);
    assert_eq!((memory.agents[&0].usage.input, memory.agents[&0].usage.output, memory.agents[&1].usage.input), (50, 3, 7));
}

#[test]
fn events_stand_in_lines_with_and_without_their_data_apart() {
    let apart = r#"{"event":"message_chunk","data":{"thread_id":"s","agent":"main","id":"m","content":"Hi","content_type":"text"}}"#;
    let flat = r#"{"event":"message_chunk","_eventId":2,"thread_id":"s","agent":"main","id":"m","content":" you","content_type":"text"}"#;
    shows(&[line(apart), line(flat)], &["session running", "  text [running]: Hi you"]);
    shows(&[line(format!("[{apart},{flat}]"))], &["session running", "  text [running]: Hi you"]);
    for head in [apart, flat, "id: 1\nevent: message_chunk\ndata: {\"thread_id\":\"s\",\"agent\":\"main\"}\n\n"] {
        assert_eq!(recognise(head.as_bytes()).map(|dialect| dialect.name), Some(DIALECT), "{head}");
    }
}

fn child(id: &str, words: &str) -> Vec<Told> {
    let agent = format!("task:{id}");
    let records = [
        chunk(&agent, &format!("x{id}"), "reasoning", "Hm"),
        calls(&agent, &format!("x{id}"), &[call(&format!("w{id}"), "web", r#"{"query":"q"}"#)]),
        result(&agent, &format!("w{id}"), words),
        says(&agent, &format!("y{id}"), words),
        says(&agent, &format!("y{id}"), "."),
        stops(&agent, &format!("y{id}"), "stop"),
    ];
    named(&records)
}

/// The same events, each with an id; ids start anew in each stream.
fn named(records: &[Told]) -> Vec<Told> {
    let name = |(at, told): (usize, &Told)| match told {
        Told::Event { name, data, .. } => Told::Event { name: name.clone(), id: Some(at.to_string()), data: data.clone() },
        line => line.clone(),
    };
    records.iter().enumerate().map(name).collect()
}

fn around(children: Vec<Told>) -> Vec<Told> {
    let before = [
        user("Go"),
        calls("main", "m", &[task("c1", "look"), task("c2", "look")]),
        artifact("A", "init", "look", r#","tool_call_id":"c1""#),
        artifact("B", "init", "look", r#","tool_call_id":"c2""#),
    ];
    let after = [
        result("main", "c3", "### Task-A (scout) - completed\\n\\n### Task-B (scout) - failed"),
        says("main", "z", "Done"),
        stops("main", "z", "stop"),
    ];
    let main = named(&[&before[..], &after[..]].concat());
    let (before, after) = main.split_at(before.len());
    [before, &children, after].concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_restart_gives_the_same_lines(cuts in prop::collection::vec(any::<bool>(), 23)) {
        restarts_change_nothing(DIALECT, &around([child("A", "Alpha"), child("B", "Beta")].concat()), &cuts)?;
    }

    #[test]
    fn frames_told_again_change_nothing(repeats in prop::collection::vec(any::<prop::sample::Index>(), 7)) {
        repeats_change_nothing(DIALECT, &around([child("A", "Alpha"), child("B", "Beta")].concat()), &repeats)?;
    }

    #[test]
    fn children_in_any_order_have_the_same_transcripts(choices in prop::collection::vec(any::<prop::sample::Index>(), 1..20)) {
        let children = [child("A", "Alpha"), child("B", "Beta")];
        let straight = told(DIALECT, &around(children.concat()));
        let mixed = told(DIALECT, &around(interleave(&children, &choices)));
        prop_assert_eq!(transcripts(&straight), transcripts(&mixed));
    }
}

#[test]
fn nothing_makes_it_fail() {
    let older = [status(&listed("Task-1", "look", ""), r#""Task-2""#), says("tools:a", "x", "A")];
    survives(DIALECT, &[&around(child("A", "Alpha"))[..], &older].concat());
}

#[test]
fn every_sample_is_read_with_its_account_closed() {
    for path in samples("langalpha").unwrap_or_default() {
        let (classes, opaque, books) = account(DIALECT, &path);
        println!("{}: {:?}", path.display(), classes.0);
        for (memory, classes) in books.values() {
            let mut by: std::collections::BTreeMap<String, u32> = std::collections::BTreeMap::new();
            classes.iter().for_each(|class| *by.entry(class.name()).or_default() += 1);
            println!("  {by:?}");
            rows(memory).iter().filter(|row| !row.starts_with(' ')).for_each(|row| println!("  {row}"));
            let unlinked =
                memory.agents.values().filter(|agent| agent.n > 0 && !agent.is_aside() && agent.link == crate::model::Link::Unlinked);
            assert_eq!(unlinked.count(), 0);
        }
        assert!(opaque.is_empty(), "{}: {opaque:#?}", path.display());
    }
}
