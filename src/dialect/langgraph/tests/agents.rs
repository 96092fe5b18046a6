//! Agents: which namespace is whose, where they begin and end.

use super::*;

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
fn the_mode_of_tools_tells_calls_and_agents_exactly() {
    let tool = |event_name: &str, more: &str| {
        event("tools|tools:a", "", format!(r#"{{"event":"{event_name}","toolCallId":"c1","name":"task",{more}}}"#))
    };
    let records = [
        metadata("r"),
        calls("m", &[task("c1", "Count"), task("c2", "Count")]),
        tool("on_tool_start", r#""input":"{\"description\":\"Count\",\"subagent_type\":\"scout\"}""#),
        says("tools:a", "y", "Seven"),
        tool("on_tool_end", r#""output":"Seven""#),
    ];
    let all = rows(&told(DIALECT, &records));
    assert!(all.contains(&"tools:a: Count (scout), finished, exact of main".to_owned()), "{all:#?}");
    let failed = [&records[..4], &[tool("on_tool_error", r#""error":"no""#)]].concat();
    let all = rows(&told(DIALECT, &failed));
    assert!(all.contains(&"tools:a: Count (scout), failed, exact of main".to_owned()), "{all:#?}");
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
