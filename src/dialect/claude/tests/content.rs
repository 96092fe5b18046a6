//! What lines say: turns, texts, tools, titles, notices.

use super::*;

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
            ["uuid:a2/0", "message:m/text/0/0"],
            ["uuid:a2/1", "message:m/text/1/0"],
            ["uuid:a3/0", "message:m/reasoning/1"],
            ["uuid:a4/0", "message:m/text/2/0"],
        ]
    );
}

#[test]
fn reasoning_in_a_text_stands_in_its_place() {
    let ops = File::main().ops(&assistant("a", r#"[{"type":"text","text":"<think>Hm</think>So <think>or</think>not, `<think>`"}]"#));
    let told = ops.iter().filter_map(|op| match op {
        Op::Entry { keys, body: Body::Text { text }, .. } => Some(format!("{} text {}", keys[1], text.text)),
        Op::Entry { keys, body: Body::Reasoning { text }, .. } => Some(format!("{} reasoning {}", keys[1], text.text)),
        _ => None,
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            "message:m/text/0/0 reasoning Hm",
            "message:m/text/0/1 text So",
            "message:m/text/0/2 reasoning or",
            "message:m/text/0/3 text not, `<think>`"
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
fn a_spilled_result_names_the_file_that_holds_the_whole() {
    let shown = |path: &str| format!("\"<persisted-output>\\nOutput too large (40KB). Full output saved to: {path}\\n\\nPreview:\\nabc\"");
    let told = |path: &str| format!("}}]}},\"toolUseResult\":{{\"persistedOutputPath\":\"{path}\"}}}}");
    for (content, more, expected) in [
        (shown("/home/dev/.claude/projects/p/s/tool-results/b1.txt"), "}]}}".to_owned(), Some("b1.txt")),
        (shown("C:\\\\dev\\\\s\\\\tool-results\\\\b1.txt"), "}]}}".to_owned(), Some("b1.txt")),
        (r#""abc""#.to_owned(), told("/home/dev/s/tool-results/c.json"), Some("c.json")),
        (r#""abc""#.to_owned(), told("/home/dev/s/tool-results/.."), None),
        (r#""abc""#.to_owned(), told("/home/dev/s/tool-results/"), None),
        (r#""abc""#.to_owned(), told("/etc/passwd"), None),
        (r#""It says: Full output saved to: nowhere""#.to_owned(), "}]}}".to_owned(), None),
    ] {
        let ops = File::main().ops(&result("c", &content, &more));
        let found = ops
            .iter()
            .find_map(|op| if let Op::Spilled { call, file, text: None, .. } = op { Some((call.as_str(), file.as_str())) } else { None });
        assert_eq!(found, expected.map(|file| ("c", file)), "{content}{more}");
    }
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
