//! Lines, type by type.

use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::model::{AskState, Body, Entry, Limit, WaitingOn};

fn event(of: &str, id: &str, event: &str) -> String {
    line("stream_event", id, &format!("\"event\":{event},{}", parent(of)))
}

/// A message as it is written: reasoning, text, a call; then its three lines.
fn written() -> Vec<String> {
    vec![
        init("i"),
        event("", "e1", r#"{"type":"message_start","message":{"id":"m1","usage":{"input_tokens":10,"output_tokens":1}}}"#),
        event("", "e2", r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}"#),
        event("", "e3", r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Let me "}}"#),
        event("", "e4", r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"see"}}"#),
        event("", "e5", r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"x"}}"#),
        event("", "e6", r#"{"type":"content_block_stop","index":0}"#),
        event("", "e7", r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}"#),
        event("", "e8", r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"I will "}}"#),
        event(
            "",
            "e9",
            r#"{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"C","name":"Bash","input":{}}}"#,
        ),
        event("", "e10", r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"command\":"}}"#),
        event("", "e11", r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"look."}}"#),
        event("", "e12", r#"{"type":"content_block_stop","index":1}"#),
        event("", "e13", r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\"ls\"}"}}"#),
        event("", "e14", r#"{"type":"content_block_stop","index":2}"#),
        event("", "e15", r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":30}}"#),
        event("", "e16", r#"{"type":"message_stop"}"#),
    ]
}

fn whole() -> Vec<String> {
    vec![
        assistant("", "l1", "m1", r#"{"type":"thinking","thinking":"Let me see","signature":"x"}"#),
        says("", "l2", "m1", "I will look."),
        assistant("", "l3", "m1", r#"{"type":"tool_use","id":"C","name":"Bash","input":{"command":"ls"}}"#),
    ]
}

#[test]
fn a_message_is_the_same_by_parts_by_lines_and_by_both() {
    let expected = ["reasoning: Let me see", "text: I will look.", "tool: {\"command\":\"ls\"}"];
    for lines in [written(), whole(), [written(), whole()].concat(), [whole(), written()].concat()] {
        let (memory, _) = told(&lines);
        assert_eq!(memory.words(0), expected);
        assert!(memory.entries.values().any(|entry| matches!(&entry.body, Body::Tool(tool) if tool.title == "Run ls")));
    }
    let (memory, _) = told(&written());
    assert_eq!((memory.agents[&0].usage.input, memory.agents[&0].usage.output), (10, 30));
}

#[test]
fn reasoning_in_a_text_is_the_same_by_parts_by_lines_and_by_both() {
    let part = |id: &str, text: &str| {
        let delta = format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{text}"}}}}"#);
        event("", id, &delta)
    };
    let written = [
        event("", "e1", r#"{"type":"message_start","message":{"id":"m1"}}"#),
        event("", "e2", r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#),
        part("e3", "<thi"),
        part("e4", "nk>Hm</th"),
        part("e5", "ink>So."),
        event("", "e6", r#"{"type":"content_block_stop","index":0}"#),
    ];
    let whole = [says("", "l", "m1", "<think>Hm</think>So.")];
    for lines in [&written[..], &whole, &[&written[..], &whole].concat(), &[&whole[..], &written].concat()] {
        assert_eq!(told(lines).0.words(0), ["reasoning: Hm", "text: So."]);
    }
}

#[test]
fn parts_of_two_agents_do_not_mix() {
    let start = |of: &str, id: &str| {
        [
            event(of, &format!("{id}1"), &format!(r#"{{"type":"message_start","message":{{"id":"m-{id}"}}}}"#)),
            event(of, &format!("{id}2"), r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#),
        ]
    };
    let more = |of: &str, id: &str, text: &str| {
        event(of, id, &format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{text}"}}}}"#))
    };
    let mut lines = vec![calls("", "1", "P", "one", "p"), calls("", "2", "Q", "two", "q")];
    lines.extend([start("P", "p"), start("Q", "q")].concat());
    lines.extend([more("P", "a", "a1 "), more("Q", "b", "b1 "), more("P", "c", "a2"), more("Q", "d", "b2")]);
    let (memory, _) = told(&lines);
    assert_eq!(memory.words(number(&memory, "one"))[1..], ["text: a1 a2"]);
    assert_eq!(memory.words(number(&memory, "two"))[1..], ["text: b1 b2"]);
}

#[test]
fn a_part_without_its_beginning_waits_for_the_line() {
    let part = event("", "e", r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"half"}}"#);
    let (memory, classes) = told(&[part, says("", "l", "m", "the whole")]);
    assert_eq!(memory.words(0), ["text: the whole"]);
    assert_eq!(classes[0].name(), "bookkeeping:stream_event/content_block_delta");
}

fn asks(memory: &Memory) -> Vec<(u32, String, AskState)> {
    let ask = |entry: &Entry| match &entry.body {
        Body::Ask(ask) => Some((entry.agent, ask.text.text.clone(), ask.ask_state)),
        _ => None,
    };
    memory.entries.values().filter_map(ask).collect()
}

fn request(more: &str) -> String {
    format!(
        r#"{{"type":"control_request","request_id":"q1","request":{{"subtype":"can_use_tool","tool_name":"Write","input":{{"file_path":"/w/a"}},"tool_use_id":"T"{more}}}}}"#
    )
}

fn answer(body: &str) -> String {
    format!(r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"q1","response":{body}}}}}"#)
}

#[test]
fn a_question_is_one_entry_from_request_to_answer() {
    for (more, state) in [
        (vec![], AskState::Open),
        (vec![answer(r#"{"behavior":"allow"}"#)], AskState::Answered),
        (vec![answer(r#"{"behavior":"deny","message":"no"}"#)], AskState::Denied),
        (vec![r#"{"type":"control_cancel_request","request_id":"q1"}"#.into()], AskState::Withdrawn),
        (vec![ends("r", "")], AskState::Withdrawn),
    ] {
        let (memory, _) = told(&[vec![init("i"), request("")], more].concat());
        assert_eq!(asks(&memory), [(0, "Write /w/a".to_owned(), state)]);
        let waits = memory.session.waiting_on == Some(WaitingOn::Person);
        assert_eq!(waits, state == AskState::Open, "{state:?}");
    }
}

#[test]
fn a_childs_question_is_the_childs_and_the_session_waits_too() {
    let lines = [init("i"), calls("", "1", "P", "child", "p"), started("2", "a1", "P", ""), request(r#","agent_id":"a1""#)];
    let (memory, _) = told(&lines);
    let child = memory.titled("child");
    assert_eq!(asks(&memory)[0].0, child.n);
    assert_eq!((child.waiting_on, memory.session.waiting_on), (Some(WaitingOn::Person), Some(WaitingOn::Person)));
}

#[test]
fn a_denial_is_told_once_and_by_whoever_called() {
    let denial = r#"{"tool_name":"Write","tool_use_id":"T","tool_input":{"file_path":"/w/a"}}"#;
    let end = |id: &str| line("result/success", id, &format!(r#""result":"","permission_denials":[{denial}]"#));
    let early = line("system/permission_denied", "d", r#""tool_name":"Write","tool_use_id":"T","tool_input":{"file_path":"/w/a"}"#);
    for lines in [
        vec![init("i"), end("r")],
        vec![init("i"), end("r"), end("r2")],
        vec![init("i"), early, end("r")],
        vec![init("i"), request(""), answer(r#"{"behavior":"deny","message":"no"}"#), end("r")],
    ] {
        assert_eq!(asks(&told(&lines).0), [(0, "Write /w/a".to_owned(), AskState::Denied)]);
    }
    let write = r#"{"type":"tool_use","id":"T","name":"Write","input":{"file_path":"/w/a"}}"#;
    let (memory, _) = told(&[calls("", "1", "P", "child", "p"), assistant("P", "2", "m2", write), end("r")]);
    assert_eq!(asks(&memory), [(number(&memory, "child"), "Write /w/a".to_owned(), AskState::Denied)]);
}

#[test]
fn a_limit_inside_a_child_is_shown_there_and_raised_to_the_session() {
    let limit = |of: &str, id: &str, error: &str| {
        let message = r#"{"id":"mx","model":"<synthetic>","content":[{"type":"text","text":"You have hit your limit"}]}"#;
        line("assistant", id, &format!(r#""message":{message},"error":"{error}",{}"#, parent(of)))
    };
    let before = vec![init("i"), calls("", "1", "P", "child", "p"), turn("P", "2", "p")];
    for error in ["rate_limit", "server_error"] {
        let lines = [before.clone(), vec![limit("P", "3", error)]].concat();
        let (memory, _) = told(&lines);
        assert_eq!(memory.words(number(&memory, "child"))[1..], ["notice: You have hit your limit"]);
        assert_eq!(memory.words(0).len(), 1, "nothing of it in main");
        assert_eq!(memory.session.limit, Some(Limit { kind: error.into(), resets_at: None }));
        assert_eq!(status(&memory), SessionStatus::Running);
        let (memory, _) = told(&[lines, vec![says("P", "4", "m4", "On again")]].concat());
        assert_eq!(memory.session.limit, None);
    }
}

#[test]
fn the_accounts_limit_is_lifted_by_the_account_alone() {
    let event = |id: &str, status: &str| {
        line(
            "rate_limit_event",
            id,
            &format!(r#""rate_limit_info":{{"status":"{status}","resetsAt":1800000000,"rateLimitType":"five_hour"}}"#),
        )
    };
    let lines = [init("i"), event("1", "rejected"), event("2", "rejected"), says("", "3", "m3", "One more")];
    let (memory, classes) = told(&lines);
    assert_eq!(memory.session.limit, Some(Limit { kind: "five_hour".into(), resets_at: Some(1_800_000_000_000) }));
    assert_eq!(memory.words(0).iter().filter(|words| words.starts_with("notice")).count(), 1);
    assert_eq!((classes[1].name(), classes[2].name()), ("entry".into(), "bookkeeping:rate_limit_event".into()));
    let (memory, _) = told(&[&lines[..], &[event("4", "allowed")]].concat());
    assert_eq!(memory.session.limit, None);
}

#[test]
fn what_a_line_supersedes_is_withdrawn() {
    let fallback = line("assistant", "2", r#""message":{"id":"m2","content":[{"type":"text","text":"Better"}]},"supersedes":["1","c"]"#);
    let (memory, _) = told(&[says("", "1", "m1", "Worse"), uses("", "c", "C", "ls"), fallback]);
    assert_eq!(states(&memory, 0), [EntryState::Withdrawn, EntryState::Withdrawn, EntryState::Done]);
}

#[test]
fn a_result_speaks_only_where_nobody_has_and_errors_are_shown() {
    let words = |last: &str| told(&[init("i"), last.to_owned()]).0.words(0);
    assert_eq!(words(&ends("r", "Local answer")), ["text: Local answer"]);
    assert_eq!(words(&ends("r", "")), [""; 0]);
    let failed = line("result/error_during_execution", "r", r#""is_error":true,"errors":["It broke"],"result":"""#);
    assert_eq!(words(&failed), ["notice: It broke"]);
    assert_eq!(
        words(&line("result/error_max_turns", "r", r#""is_error":true"#)),
        ["notice: The turn ended with an error: error max turns."]
    );
}

#[test]
fn every_line_has_its_class() {
    for (text, class) in [
        (init("1"), "bookkeeping:system/init"),
        (line("system/thinking_tokens", "1", r#""estimated_tokens":5"#), "bookkeeping:system/thinking_tokens"),
        (line("tool_progress", "1", r#""tool_use_id":"x","tool_name":"Bash""#), "bookkeeping:tool_progress"),
        (line("system/compact_boundary", "1", r#""compact_metadata":{"trigger":"auto","pre_tokens":9}"#), "entry"),
        (line("system/local_command_output", "1", r#""content":"done""#), "entry"),
        (line("system/ping", "1", ""), "opaque"),
        (line("brand_new", "1", r#""x":1"#), "opaque"),
        ("{\"type\":\"keep_alive\"}".into(), "bookkeeping:keep_alive"),
        ("not json".into(), "opaque"),
        ("[1]".into(), "opaque"),
        (r#"{"no":"type"}"#.into(), "opaque"),
        (r#"{"type":7,"session_id":[]}"#.into(), "opaque"),
        (r#"{"type":"user","isSidechain":true,"agentId":"a1","sessionId":"s","message":{"content":"of a file"}}"#.into(), "opaque"),
        (r#"{"type":"assistant","message":"a text","session_id":"s"}"#.into(), "opaque"),
    ] {
        let lines = translate(std::slice::from_ref(&text));
        assert_eq!(lines[0].class.name(), class, "{text}");
        assert_eq!(lines.len(), 1);
    }
}

#[test]
fn two_sessions_in_one_stream_are_two() {
    let other = says("", "2", "m", "There").replace("\"session_id\":\"s\"", "\"session_id\":\"t\"");
    let lines = translate(&[says("", "1", "m", "Here"), other, r#"{"type":"keep_alive"}"#.into()]);
    assert_eq!(lines.iter().map(|line| line.session.id.as_str()).collect::<Vec<_>>(), ["s", "t", "t"]);
}

#[test]
fn two_records_on_one_line_are_both_told() {
    let torn = format!("{}{}", says("", "1", "m1", "One"), says("", "2", "m2", "Two"));
    let (memory, classes) = told(&[torn, format!("{{\"type\":\"assis{}", says("", "3", "m3", "Three"))]);
    assert_eq!(memory.words(0)[..2], ["text: One", "text: Two"]);
    assert!(memory.words(0).contains(&"text: Three".to_owned()));
    assert_eq!(classes.iter().map(Class::name).collect::<Vec<_>>(), ["entry", "part", "opaque", "part"]);
}

proptest! {
    #[test]
    fn restarts_and_repetition_change_nothing(
        cuts in proptest::collection::vec(any::<bool>(), 64),
        again in proptest::collection::vec(0usize..4, 64),
        partial in any::<bool>(),
    ) {
        let mut lines = if partial { [written(), whole()].concat() } else { whole() };
        lines.extend([
            calls("", "k1", "P", "child", "p"),
            started("k2", "a1", "P", r#","is_backgrounded":true"#),
            result("", "k3", "P", "Async agent launched", LAUNCHED),
            says("P", "k4", "mk", "One"), says("P", "k5", "mk", "Two"),
            request("").replace("{\"type\"", "{\"uuid\":\"q\",\"session_id\":\"s\",\"type\""),
            ends("k6", "x"),
            notified("k7", "a1", "P", "completed", "done"),
            says("", "k8", "m8", "Three"), says("", "k9", "m8", "Four"),
        ]);
        let (plain, _) = told(&lines);

        let mut memory = Memory::default();
        let mut stream = super::super::open(Facts::default(), None).expect("a translator");
        let mut fed = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            for back in 0..=again[at % again.len()] {
                // Told again, alone and after its followers.
                let told = &lines[at.saturating_sub(back)];
                let line = if back == 0 { line } else { told };
                fed.extend(stream.record(Record::whole(at as u64, line.as_bytes())).into_iter().map(|line| (1, line)));
            }
            if cuts[at % cuts.len()] {
                let saved = stream.memory();
                stream = super::super::open(Facts::default(), Some(&saved)).expect("a translator");
            }
        }
        memory.feed(&session(), &fed, |index| cuts[(index * 7) % cuts.len()]);
        prop_assert_eq!(bare(&memory), bare(&plain));
        prop_assert_eq!(agents(&memory), agents(&plain));
    }

    #[test]
    fn nothing_makes_it_fail(bytes in proptest::collection::vec(any::<u8>(), 0..200), kind in "[a-z_]{1,12}", field in "[a-z_]{1,20}") {
        let mut stream = super::super::open(Facts::default(), None).expect("a translator");
        stream.record(Record::whole(0, &bytes));
        for value in ["7", "[]", "{}", "\"x\"", "[{}]", "{\"a\":[[]]}"] {
            for kind in [kind.as_str(), "assistant", "user", "system", "result", "stream_event", "control_request"] {
                let text = format!("{{\"type\":\"{kind}\",\"{field}\":{value},\"message\":{{\"content\":{value}}},\"event\":{value},\"request\":{value}}}");
                prop_assert!(!stream.record(Record::whole(0, text.as_bytes())).is_empty());
            }
        }
    }
}

/// Rows without what depends on the number of deliveries.
fn bare(memory: &Memory) -> Vec<(u32, u32, EntryState, Body)> {
    memory.entries.values().map(|entry| (entry.agent, entry.seq, entry.state, entry.body.clone())).collect()
}

#[test]
fn samples_close_their_account() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/samples/claude-code-stream-json");
    let Ok(files) = crate::dialect::claude::stream::tests::samples(&folder) else {
        return println!("skipped: {} is not there", folder.display());
    };
    for (name, text) in files {
        let lines: Vec<String> = text.lines().map(String::from).collect();
        let whole: Vec<String> = lines.iter().filter(|line| !line.trim().is_empty()).cloned().collect();
        let mut account = crate::model::Classes::default();
        let mut by_session: std::collections::BTreeMap<SessionId, (Memory, Vec<(u32, Line)>)> = Default::default();
        for line in translate(&whole) {
            by_session.entry(line.session.clone()).or_default().1.push((1, line));
        }
        for (id, (memory, lines)) in &mut by_session {
            memory.feed(id, lines, |_| false).iter().for_each(|class| account.add(class));
            let opaque = memory.entries.values().filter_map(|entry| match &entry.body {
                Body::Notice(notice) if notice.notice == "opaque" => Some(notice.text.text.clone()),
                _ => None,
            });
            opaque.for_each(|why| println!("{name}: {why}"));
        }
        assert_eq!(account.total(), whole.len() as u64, "{name}: {account:?}");
        println!("{name}: {:?}", account.0);
    }
}
