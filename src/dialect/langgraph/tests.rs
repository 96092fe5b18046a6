//! LangGraph by examples, all synthetic: frames in, rows out. Expected rows are written by hand.

mod agents;
pub mod cases;

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
    shows(
        &records,
        &["session running", "  text: Look:", r#"  tool "Read a.rs": {"path":"a.rs"} | one"#, r#"  tool "List a folder": {} | two"#],
    );
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
fn a_list_of_the_state_is_told_once_for_each_change() {
    let state = |status: &str| event("values", "", format!(r#"{{"messages":[],"todos":[{{"content":"One","status":"{status}"}}]}}"#));
    let list = r#"{"name":"write_todos","args":{"todos":[{"content":"One","status":"pending"}]},"id":"c1"}"#.to_owned();
    shows(
        &[metadata("r"), calls("m", &[list]), state("pending"), state("completed"), state("completed")],
        &["session running", "  todos: pending one", "  todos: completed one"],
    );
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
        assert_eq!(by_name(DIALECT).expect("it").sure(head.as_bytes()), 0, "{head}");
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
