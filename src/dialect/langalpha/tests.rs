//! LangAlpha by examples of both eras, all synthetic: events in, rows out. Expected rows are written by hand.

pub mod cases;
mod older;
mod tasks;

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
