//! What lines tell of agents.

use super::*;

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
