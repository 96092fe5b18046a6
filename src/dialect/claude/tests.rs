//! Rules of the translator, a table each. All lines are synthetic.

use crate::dialect::{Facts, Place, Record, Role, Translator};
use crate::model::{AgentStatus, Body, Class, EntryState, Line, Link, NameKind, Op, TitleFrom, Usage, Who, parse_time};

use super::disk::open;

/// A file of the session `s`.
struct File(Box<dyn Translator>, u64);

impl File {
    fn main() -> Self {
        Self::at(Place { session: Some("s".into()), ..Place::default() })
    }

    fn agent(id: &str) -> Self {
        Self::at(Place { session: Some("s".into()), inside: true, agent: Some(id.into()), ..Place::default() })
    }

    fn at(place: Place) -> Self {
        Self(open(Facts { session: "s".into(), place }, None).expect("a translator"), 0)
    }

    fn lines(&mut self, text: &str) -> Vec<Line> {
        let lines = self.0.record(Record::whole(self.1, text.as_bytes()));
        self.1 += text.len() as u64 + 1;
        lines
    }

    fn line(&mut self, text: &str) -> Line {
        let mut lines = self.lines(text);
        assert_eq!(lines.len(), 1, "{text}");
        lines.remove(0)
    }

    fn ops(&mut self, text: &str) -> Vec<Op> {
        self.line(text).ops
    }
}

fn user(uuid: &str, content: &str) -> String {
    format!(
        r#"{{"type":"user","uuid":"{uuid}","sessionId":"s","timestamp":"2026-02-06T10:00:00.000Z","message":{{"role":"user","content":{content}}}}}"#
    )
}

fn assistant(uuid: &str, content: &str) -> String {
    format!(
        r#"{{"type":"assistant","uuid":"{uuid}","sessionId":"s","message":{{"id":"m","model":"large","content":{content},"usage":{{"input_tokens":3,"output_tokens":5,"cache_read_input_tokens":7,"cache_creation_input_tokens":11}}}}}}"#
    )
}

fn result(call: &str, content: &str, more: &str) -> String {
    format!(
        r#"{{"type":"user","uuid":"r-{call}","sessionId":"s","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{call}","content":{content}{more}"#
    )
}

fn keys(op: &Op) -> Vec<String> {
    match op {
        Op::Entry { keys, .. } | Op::Prompt { keys, .. } => keys.clone(),
        _ => Vec::new(),
    }
}

/// The body of the one entry among the operations.
fn body(ops: &[Op]) -> &Body {
    let mut bodies = ops.iter().filter_map(|op| if let Op::Entry { body, .. } = op { Some(body) } else { None });
    bodies.next().expect("an entry")
}

fn notice(ops: &[Op]) -> (&str, &str) {
    match body(ops) {
        Body::Notice(notice) => (&notice.notice, &notice.text.text),
        other => panic!("no notice: {other:?}"),
    }
}

fn ends(ops: &[Op]) -> Vec<(Who, AgentStatus, String)> {
    let end = |op: &Op| if let Op::End { who, ending } = op { Some((who.clone(), ending.status, ending.cause.clone())) } else { None };
    ops.iter().filter_map(end).collect()
}

#[test]
fn a_turn_is_an_entry_under_the_id_of_its_line() {
    let mut file = File::main();
    let line = file.line(&user("u1", r#""Build it""#));
    assert_eq!((line.id.as_deref(), line.turn, line.class.clone()), (Some("u1"), true, Class::Entry));
    assert_eq!(line.at, parse_time("2026-02-06T10:00:00Z"));
    assert!(line.ops.iter().any(|op| matches!(op, Op::Turn { ended: false })));
    assert!(matches!(body(&line.ops), Body::User { text, origin: None, .. } if text.text == "Build it"));
    assert!(line.ops.iter().any(|op| keys(op) == ["uuid:u1/0"]));
}

#[test]
fn blocks_of_one_message_are_numbered_by_kind_over_its_lines() {
    let mut file = File::main();
    let mut found = Vec::new();
    for (uuid, content) in [
        ("a1", r#"[{"type":"thinking","thinking":"hm"}]"#),
        ("a2", r#"[{"type":"text","text":"one"},{"type":"text","text":"two"}]"#),
        ("a3", r#"[{"type":"thinking","thinking":"hm again"}]"#),
        ("a4", r#""three""#),
    ] {
        found.extend(file.ops(&assistant(uuid, content)).iter().map(keys).filter(|keys| !keys.is_empty()));
    }
    assert_eq!(
        found,
        [
            ["uuid:a1/0", "message:m/reasoning/0"],
            ["uuid:a2/0", "message:m/text/0"],
            ["uuid:a2/1", "message:m/text/1"],
            ["uuid:a3/0", "message:m/reasoning/1"],
            ["uuid:a4/0", "message:m/text/2"],
        ]
    );
}

#[test]
fn tokens_are_told_under_the_message_and_the_model_once() {
    let mut file = File::main();
    let first = file.ops(&assistant("a1", r#""x""#));
    let usage = Usage { input: 3, output: 5, cache_read: 7, cache_write: 11 };
    assert!(first.iter().any(|op| matches!(op, Op::Usage { message, usage: told, .. } if message == "m" && *told == usage)));
    let models = |ops: &[Op]| ops.iter().filter(|op| matches!(op, Op::Agent { patch, .. } if patch.model.is_some())).count();
    assert_eq!((models(&first), models(&file.ops(&assistant("a2", r#""y""#)))), (1, 0));
}

#[test]
fn arguments_stay_as_they_came() {
    let args = r#"{"n": 123456789012345678901234567890, "a":"\ud83d", "e":1e999, "a":[ ]}"#;
    let ops = File::main().ops(&assistant("a1", &format!(r#"[{{"type":"tool_use","id":"c","name":"Odd","input":{args}}}]"#)));
    assert!(
        ops.iter().any(|op| matches!(op, Op::Call { call, patch, .. } if call == "c" && patch.args.as_deref() == Some(args))),
        "{ops:?}"
    );
}

#[test]
fn a_result_goes_to_its_call() {
    for (content, more, expected, state) in [
        (r#""done""#, "}]}}", Ok("done"), EntryState::Done),
        (r#"[{"type":"text","text":"a"},{"type":"text","text":"b"}]"#, "}]}}", Ok("a\nb"), EntryState::Done),
        (r#""no such file""#, r#","is_error":true}]},"toolUseResult":"Error: no such file"}"#, Err("no such file"), EntryState::Failed),
        (
            r#""The user doesn't want to proceed with this tool use. Stop.""#,
            r#","is_error":true}]}}"#,
            Err("The user doesn't want to proceed with this tool use. Stop."),
            EntryState::Cancelled,
        ),
        (
            r#"[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}]"#,
            r#"}]},"toolUseResult":[{"type":"image"}]}"#,
            Ok(""),
            EntryState::Done,
        ),
    ] {
        let ops = File::main().ops(&result("c", content, more));
        let Some(Op::Result { call, result, state: found, images, .. }) = ops.first() else { panic!("no result: {ops:?}") };
        assert_eq!((call.as_str(), result.as_deref().map_err(String::as_str), *found), ("c", expected, state));
        assert_eq!(images.len(), usize::from(content.contains("image/png")));
    }
}

#[test]
fn a_call_of_an_agent_announces_it_and_its_result_ends_it() {
    for (more, text, named, end) in [
        (
            r#""toolUseResult":{"status":"completed","agentId":"a1","totalToolUseCount":4}"#,
            "Found three.",
            Some((Link::Exact, 4)),
            Some((AgentStatus::Finished, "result")),
        ),
        (r#""toolUseResult":{"isAsync":true,"status":"async_launched","agentId":"a1"}"#, "Launched", Some((Link::Exact, 0)), None),
        (
            r#""toolUseResult":[]"#,
            r"Found three.\n\nagentId: a1 (to resume)",
            Some((Link::Later, 0)),
            Some((AgentStatus::Finished, "result")),
        ),
        (r#""toolUseResult":"Found three.""#, "Found three.", None, Some((AgentStatus::Finished, "result"))),
    ] {
        let mut file = File::main();
        let ops = file.ops(&assistant("a", r#"[{"type":"tool_use","id":"c","name":"Agent","input":{"description":"Count files","prompt":"Count them","subagent_type":"Explore"}}]"#));
        assert!(ops.iter().any(|op| matches!(op, Op::Call { patch, .. } if patch.starts_agent)));
        assert!(
            ops.iter().any(|op| matches!(op, Op::Prompt { who, text, own: false, .. } if *who == Who::call("c") && text == "Count them"))
        );
        let described = |op: &Op| matches!(op, Op::Agent { patch, .. } if patch.description.as_deref() == Some("Count files") && patch.kind.as_deref() == Some("Explore"));
        assert!(ops.iter().any(described));
        let ops = file.ops(&result("c", &format!("\"{text}\""), &format!("}}]}},{more}}}")));
        let link = ops.iter().find_map(|op| if let Op::Agent { patch, .. } = op { patch.link } else { None });
        assert_eq!(link, named.map(|(link, _)| link), "{more}");
        let total = ops.iter().find_map(|op| if let Op::Total { tool_calls, .. } = op { *tool_calls } else { None });
        assert_eq!(total, named.map(|(_, calls)| calls).filter(|calls| *calls > 0), "{more}");
        assert_eq!(
            ends(&ops),
            end.map(|(status, cause)| (Who::call("c"), status, cause.to_owned())).into_iter().collect::<Vec<_>>(),
            "{more}"
        );
        let shown = ops.iter().find_map(|op| if let Op::Result { result: Ok(text), .. } = op { Some(text.as_str()) } else { None });
        assert_eq!(shown, text.split(r"\n").next(), "{more}");
    }
}

#[test]
fn a_failed_or_refused_call_ends_its_agent_so() {
    for (text, status, cause) in [
        ("Agent type not found", AgentStatus::Failed, "result"),
        ("[Request interrupted by user for tool use]", AgentStatus::Cancelled, "stop"),
    ] {
        let mut file = File::main();
        file.ops(&assistant("a", r#"[{"type":"tool_use","id":"c","name":"Task","input":{"prompt":"x"}}]"#));
        let ops = file.ops(&result("c", &format!("\"{text}\""), r#","is_error":true}]}}"#));
        assert_eq!(ends(&ops), [(Who::call("c"), status, cause.to_owned())]);
    }
}

#[test]
fn an_end_in_the_background_is_one_note_in_three_shapes() {
    let note = r"<task-notification>\n<task-id>a1</task-id>\n<tool-use-id>c</tool-use-id>\n<status>completed</status>\n<summary>Agent finished</summary>\n</task-notification>";
    let mut file = File::main();
    file.ops(&assistant("a", r#"[{"type":"tool_use","id":"c","name":"Agent","input":{"prompt":"x","run_in_background":true}}]"#));
    file.ops(&result("c", r#""Launched""#, r#"}]},"toolUseResult":{"isAsync":true,"agentId":"a1"}}"#));
    let mut seen = Vec::new();
    for line in [
        format!(
            r#"{{"type":"queue-operation","operation":"enqueue","timestamp":"2026-02-06T10:00:00Z","sessionId":"s","content":"{note}"}}"#
        ),
        user("n", &format!("\"{note}\"")),
        format!(
            r#"{{"type":"attachment","uuid":"t","attachment":{{"type":"queued_command","commandMode":"task-notification","prompt":"{note}"}}}}"#
        ),
    ] {
        let line = file.line(&line);
        assert_eq!((notice(&line.ops), line.turn), (("task", "Agent finished"), false));
        assert_eq!(ends(&line.ops), [(Who::runtime("a1"), AgentStatus::Finished, "explicit".to_owned())]);
        seen.extend(line.ops.iter().map(keys).filter(|keys| !keys.is_empty()));
    }
    assert!(seen.iter().all(|keys| *keys == seen[0]), "{seen:?}");
}

#[test]
fn the_end_of_a_command_in_the_background_is_no_agents() {
    let note = r#""<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n<summary>Background command \"x\" completed</summary>\n</task-notification>""#;
    let ops = File::main().ops(&user("n", note));
    assert_eq!((notice(&ops).0, ends(&ops).len()), ("task", 0));
}

#[test]
fn the_first_user_line_of_an_agents_file_is_its_prompt_and_a_later_one_begins_it_anew() {
    let mut file = File::agent("a1");
    let first = file.ops(&user("u1", r#"[{"type":"text","text":"Count them"}]"#));
    assert!(
        first.iter().any(|op| matches!(op, Op::Prompt { who, text, own: true, .. } if *who == Who::runtime("a1") && text == "Count them"))
    );
    file.ops(&assistant("a", r#""x""#));
    let later = file.line(&user("u2", r#""Now the others""#));
    assert!(later.ops.iter().any(|op| matches!(op, Op::Begin { who, .. } if *who == Who::runtime("a1"))));
    assert!(matches!(body(&later.ops), Body::User { text, .. } if text.text == "Now the others"));
    assert!(!later.ops.iter().any(|op| matches!(op, Op::Turn { .. })), "a subagent's turn is not the session's");
}

#[test]
fn helpers_that_nobody_started_are_hidden() {
    let hidden = |ops: &[Op]| ops.iter().any(|op| matches!(op, Op::Agent { patch, .. } if patch.hidden == Some(true)));
    assert!(hidden(&File::agent("acompact-1").ops(&user("u", r#""Summarise""#))));
    assert!(hidden(&File::agent("a1").ops(&user("u", r#""Warmup""#))));
    assert!(!hidden(&File::agent("a1").ops(&user("u", r#""Warm up the cache""#))));
}

#[test]
fn inline_sidechains_are_agents_by_their_first_line() {
    let line = |uuid: &str, parent: &str, text: &str| {
        format!(
            r#"{{"type":"user","isSidechain":true,"uuid":"{uuid}","parentUuid":{parent},"message":{{"role":"user","content":"{text}"}}}}"#
        )
    };
    let mut file = File::main();
    let who = |ops: &[Op]| {
        ops.iter().find_map(|op| match op {
            Op::Prompt { who: Who::Named(name), .. } | Op::Entry { who: Who::Named(name), .. } => Some((name.kind, name.id.clone())),
            _ => None,
        })
    };
    let of = |id: &str| Some((NameKind::File, id.to_owned()));
    assert_eq!(who(&file.ops(&line("x1", "null", "one"))), of("x1"));
    assert_eq!(who(&file.ops(&line("y1", "null", "two"))), of("y1"));
    assert_eq!(who(&file.ops(&line("x2", "\"x1\"", "three"))), of("x1"));
    assert_eq!(who(&file.ops(&line("y2", "\"y1\"", "four"))), of("y1"));
    assert_eq!(who(&file.ops(&line("x3", "\"x1\"", "beside x2"))), of("x1"));
}

#[test]
fn a_sidecar_names_call_and_agent_together() {
    let mut file =
        File::at(Place { role: Role::Sidecar, session: Some("s".into()), inside: true, agent: Some("a1".into()), ..Place::default() });
    let line = file.line(r#"{"agentType":"Explore","description":"Count files","toolUseId":"c","spawnDepth":1}"#);
    assert_eq!(line.class, Class::Bookkeeping("meta".into()));
    let patch = line.ops.iter().rev().find_map(|op| if let Op::Agent { who, patch } = op { Some((who, patch)) } else { None });
    let (who, patch) = patch.expect("an agent");
    assert_eq!((who, patch.call.as_deref(), patch.link), (&Who::runtime("a1"), Some("c"), Some(Link::Sidecar)));
    assert_eq!((patch.description.as_deref(), patch.kind.as_deref()), (Some("Count files"), Some("Explore")));
}

#[test]
fn a_journal_makes_no_entry_and_its_result_is_an_end() {
    let place = Place { role: Role::Journal, session: Some("s".into()), inside: true, workflow: Some("wf".into()), ..Place::default() };
    let mut file = File::at(place);
    assert!(ends(&file.ops(r#"{"type":"started","key":"k","agentId":"a1"}"#)).is_empty());
    assert_eq!(ends(&file.ops(r#"{"type":"result","key":"k","agentId":"a1","result":"x"}"#)).len(), 1);
}

#[test]
fn titles_come_from_four_kinds_of_lines() {
    let mut file = File::main();
    file.ops(&user("leaf", r#""x""#));
    for (line, expected) in [
        (r#"{"type":"custom-title","customTitle":"Mine","sessionId":"s"}"#, Some((TitleFrom::Custom, "Mine"))),
        (r#"{"type":"ai-title","aiTitle":"Made","sessionId":"s"}"#, Some((TitleFrom::Generated, "Made"))),
        (r#"{"type":"agent-name","agentName":"reviewer","sessionId":"s"}"#, Some((TitleFrom::AgentName, "reviewer"))),
        (r#"{"type":"summary","summary":"Of this","leafUuid":"leaf"}"#, Some((TitleFrom::Summary, "Of this"))),
        (r#"{"type":"summary","summary":"Of another","leafUuid":"elsewhere"}"#, None),
    ] {
        let ops = file.ops(line);
        let title = ops.iter().find_map(|op| if let Op::Session(patch) = op { patch.title.clone() } else { None });
        assert_eq!(title.as_ref().map(|(from, text)| (*from, text.as_str())), expected, "{line}");
    }
}

#[test]
fn what_is_no_turn_is_a_notice() {
    for (line, expected) in [
        (user("u", r#""[Request interrupted by user]""#), ("cancelled", "Request interrupted by user")),
        (user("u", r#""<local-command-stdout>ok</local-command-stdout>""#), ("command", "ok")),
        (user("u", r#""x""#).replacen("\"type\"", "\"isMeta\":true,\"type\"", 1), ("context", "Words for the model")),
        (user("u", r#""x""#).replacen("\"type\"", "\"isCompactSummary\":true,\"type\"", 1), ("compaction", "Summary of the conversation so far")),
        (r#"{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,"content":"Conversation compacted","compactMetadata":{"preTokens":9}}"#.into(), ("compaction", "Conversation compacted")),
        (r#"{"type":"system","subtype":"api_error","uuid":"e","error":{"error":{"error":{"message":"overloaded"}}}}"#.into(), ("error", "overloaded")),
        (r#"{"type":"system","subtype":"new_word","uuid":"e","content":"Something new"}"#.into(), ("new_word", "Something new")),
        (r#"{"type":"assistant","uuid":"e","isApiErrorMessage":true,"error":"rate_limit","message":{"id":"x","model":"<synthetic>","content":[{"type":"text","text":"Limit reached"}]}}"#.into(), ("limit", "Limit reached")),
        (r#"{"type":"assistant","uuid":"e","error":{"message":"broken"}}"#.into(), ("error", "broken")),
    ] {
        let line = File::main().line(&line);
        assert_eq!((notice(&line.ops), line.turn, line.class.clone()), (expected, false, Class::Entry));
    }
}

#[test]
fn the_turn_ends_where_the_source_says_so() {
    for (line, expected) in [
        (assistant("a", r#""x""#).replacen("\"id\":\"m\"", "\"id\":\"m\",\"stop_reason\":\"end_turn\"", 1), true),
        (assistant("a", r#""x""#).replacen("\"id\":\"m\"", "\"id\":\"m\",\"stop_reason\":\"tool_use\"", 1), false),
        (assistant("a", r#""x""#), false),
        (r#"{"type":"system","subtype":"turn_duration","uuid":"t","durationMs":5}"#.into(), true),
        (r#"{"type":"system","subtype":"stop_hook_summary","uuid":"t"}"#.into(), true),
    ] {
        let ended = |mut file: File| file.ops(&line).iter().any(|op| matches!(op, Op::Turn { ended: true }));
        assert_eq!(ended(File::main()), expected, "{line}");
        assert!(!ended(File::agent("a1")), "a subagent's turn is not the session's: {line}");
    }
}

#[test]
fn a_line_that_no_rule_knows_is_kept_whole() {
    for text in [
        r#"{"type":"future_type","data":"x","sessionId":"s"}"#,
        r#"{"no":"type"}"#,
        r#"{"type":7}"#,
        "[1,2]",
        "no json",
        "\0\0\0",
        "\"text\"",
    ] {
        let line = File::main().line(text);
        assert_eq!(line.class, Class::Opaque, "{text}");
        let Body::Notice(notice) = body(&line.ops) else { panic!("no notice") };
        assert_eq!((notice.notice.as_str(), notice.detail.as_ref().map(|detail| detail.text.as_str())), ("opaque", Some(text)));
    }
}

#[test]
fn what_is_whole_in_a_torn_line_is_salvaged() {
    let whole = user("u1", r#""Build it""#);
    for torn in
        [format!(r#"{{"type":"user","uuid":"torn","message":{{"role":"user","content":"half a li{whole}"#), format!("\0\0\0{whole}")]
    {
        let lines = File::main().lines(&torn);
        let classes: Vec<&Class> = lines.iter().map(|line| &line.class).collect();
        assert_eq!(classes, [&Class::Opaque, &Class::Part], "{torn}");
        assert_eq!((lines[1].id.as_deref(), lines[1].hash), (Some("u1"), File::main().line(&whole).hash));
    }
    let both = File::main().lines(&format!("{whole}{}", user("u2", r#""And that""#)));
    assert_eq!(
        both.iter().map(|line| (line.id.as_deref(), line.class.clone())).collect::<Vec<_>>(),
        [(Some("u1"), Class::Entry), (Some("u2"), Class::Part)]
    );
    // The parts of a record that has lost its end are no records.
    let cut = r#"{"type":"assistant","uuid":"a","message":{"content":[{"type":"text","text":"x"}"#;
    assert_eq!(File::main().lines(cut).len(), 1);
}

#[test]
fn bytes_that_are_no_text_lose_nothing_else() {
    let mut line = user("u1", r#""Build it""#).into_bytes();
    let at = line.windows(5).position(|bytes| bytes == b"Build").expect("the text");
    line.splice(at..at, *b"\xff\xfe");
    let lines = File::main().0.record(Record::whole(0, &line));
    assert_eq!(lines.iter().map(|line| line.class.clone()).collect::<Vec<_>>(), [Class::Opaque, Class::Part]);
    assert!(matches!(body(&lines[1].ops), Body::User { text, .. } if text.text.contains("Build it")));
}

#[test]
fn a_line_written_again_under_another_parent_is_the_same() {
    let line = |parent: &str| File::main().line(&user("u1", r#""x""#).replacen('{', &format!(r#"{{"parentUuid":{parent},"#), 1));
    let first = line("\"p1\"");
    for other in ["\"another\"", "null"] {
        assert_eq!(line(other).hash, first.hash, "{other}");
    }
    assert_ne!(File::main().line(&user("u1", r#""y""#).replacen('{', r#"{"parentUuid":"p1","#, 1)).hash, first.hash);
}

#[test]
fn another_session_inside_is_an_origin_or_a_name() {
    let foreign = user("u1", r#""x""#).replace("\"sessionId\":\"s\"", "\"sessionId\":\"old\"");
    let patch = |mut file: File| file.ops(&foreign).into_iter().find_map(|op| if let Op::Session(patch) = op { Some(patch) } else { None });
    let main = patch(File::main()).expect("a patch");
    assert_eq!((main.origin.map(|origin| origin.session), main.names), (Some("old".into()), vec![]));
    let inside = patch(File::agent("a1")).expect("a patch");
    assert_eq!((inside.origin, inside.names), (None, vec!["old".to_owned()]));
}

#[test]
fn odd_shapes_are_read_as_far_as_they_go() {
    for (text, class) in [
        (
            r#"{"timestamp":1780000000,"sessionId":"s","message":{"role":"assistant","id":"m","usage":{"input_tokens":1}}}"#,
            "bookkeeping:assistant",
        ),
        (r#"{"type":"tool_use","sessionId":"s","name":"bash","input":{"command":"ls"},"uuid":"t1"}"#, "entry"),
        (r#"{"type":"tool_result","sessionId":"s","name":"bash","output":"x","uuid":"r1"}"#, "opaque"),
        (r#"{"type":"user","uuid":"u","message":"plain text"}"#, "entry"),
        (r#"{"type":"assistant","uuid":"u","message":{"content":[{"type":"new_block","x":1}]}}"#, "entry"),
        (r#"{"type":"progress","uuid":"p","data":{"type":"hook_progress"}}"#, "bookkeeping:progress/hook_progress"),
        (r#"{"type":"file-history-snapshot","messageId":"x"}"#, "bookkeeping:file-history-snapshot"),
        (r#"{"type":"system","subtype":"<b>odd</b>","uuid":"x"}"#, "bookkeeping:system/boddb"),
    ] {
        assert_eq!(File::main().line(text).class.name(), class, "{text}");
    }
}

#[test]
fn a_memory_carried_over_gives_the_same_lines() {
    let texts = [
        user("u1", r#""x""#),
        assistant("a1", r#"[{"type":"text","text":"one"}]"#),
        assistant("a2", r#"[{"type":"tool_use","id":"c","name":"Agent","input":{"prompt":"p"}}]"#),
        assistant("a3", r#"[{"type":"text","text":"two"}]"#),
        result("c", r#""Launched""#, r#"}]},"toolUseResult":{"isAsync":true,"agentId":"a1"}}"#),
        user("n", r#""<task-notification><task-id>a1</task-id><status>completed</status></task-notification>""#),
    ];
    let facts = || Facts { session: "s".into(), place: Place { session: Some("s".into()), ..Place::default() } };
    let (mut whole, mut memory) = (File::main(), None::<String>);
    for text in &texts {
        let mut part = open(facts(), memory.as_deref()).expect("a translator");
        let offset = whole.1;
        assert_eq!(part.record(Record::whole(offset, text.as_bytes())), whole.lines(text), "{text}");
        memory = Some(part.memory());
    }
}
