//! Lines as lines: identity, damage, odd shapes, memory.

use super::*;

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
fn a_line_of_the_stream_is_kept_and_lands_in_no_transcript() {
    for text in [
        r#"{"type":"assistant","uuid":"x","session_id":"s","parent_tool_use_id":"P","message":{"id":"m","content":[{"type":"text","text":"A child's"}]}}"#,
        r#"{"type":"system","subtype":"init","uuid":"x","session_id":"s"}"#,
        r#"{"type":"user","parent_tool_use_id":null,"message":{"content":"x"}}"#,
    ] {
        let line = File::main().line(text);
        assert_eq!((line.class.clone(), line.session.id.as_str()), (Class::Opaque, "s"), "{text}");
        assert_eq!(notice(&line.ops), ("opaque", "A line of another kind of transcript, which does not belong here."));
    }
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
