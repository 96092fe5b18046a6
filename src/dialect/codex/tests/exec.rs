//! What `codex exec --json` prints.

pub mod cases;

use super::*;

fn exec(kind: &str, fields: &str) -> String {
    let comma = if fields.is_empty() { "" } else { "," };
    format!(r#"{{"type":"{kind}"{comma}{fields}}}"#)
}

fn item(told: &str, id: &str, kind: &str, fields: &str) -> String {
    exec(&format!("item.{told}"), &format!(r#""item":{{"id":"{id}","type":"{kind}",{fields}}}"#))
}

fn started() -> String {
    exec("thread.started", r#""thread_id":"t""#)
}

fn collab(told: &str, id: &str, tool: &str, status: &str, threads: &[&str], states: &str) -> String {
    let threads: Vec<String> = threads.iter().map(|thread| format!("\"{thread}\"")).collect();
    item(
        told,
        id,
        "collab_tool_call",
        &format!(
            r#""tool":"{tool}","sender_thread_id":"t","receiver_thread_ids":[{}],"prompt":"Scan","agents_states":{{{states}}},"status":"{status}""#,
            threads.join(",")
        ),
    )
}

pub fn run() -> Vec<String> {
    vec![
        started(),
        exec("turn.started", ""),
        item("completed", "item_0", "reasoning", r#""text":"**Plan**""#),
        item("started", "item_1", "todo_list", r#""items":[{"text":"a","completed":false}]"#),
        item("started", "item_2", "command_execution", r#""command":"ls","aggregated_output":"","status":"in_progress""#),
        item("completed", "item_2", "command_execution", r#""command":"ls","aggregated_output":"a\n","exit_code":0,"status":"completed""#),
        item("completed", "item_3", "command_execution", r#""command":"no","aggregated_output":"?","exit_code":1,"status":"failed""#),
        item("completed", "item_4", "file_change", r#""changes":[{"path":"a.rs","kind":"update"}],"status":"completed""#),
        item(
            "completed",
            "item_5",
            "mcp_tool_call",
            r#""server":"hub","tool":"find","arguments":{"q":"x"},"result":null,"error":{"message":"timeout"},"status":"failed""#,
        ),
        item("updated", "item_1", "todo_list", r#""items":[{"text":"a","completed":true}]"#),
        collab("started", "item_6", "spawn_agent", "in_progress", &[], ""),
        collab("completed", "item_6", "spawn_agent", "completed", &["c"], r#""c":{"status":"running","message":null}"#),
        collab("completed", "item_7", "wait", "completed", &["c"], r#""c":{"status":"completed","message":"Scanned."}"#),
        item("completed", "item_8", "agent_message", r#""text":"<think>so</think>Done.""#),
        exec("turn.completed", r#""usage":{"input_tokens":10,"cached_input_tokens":4,"output_tokens":2}"#),
    ]
}

#[test]
fn items_replace_each_other_by_their_ids() {
    let memory = one("codex-exec", &run());
    assert_eq!(
        transcript(&memory, 0),
        [
            "reasoning: **Plan**",
            "todos: a Completed [running]",
            "tool: Run ls → a\n",
            "tool: Run no ! ? [failed]",
            "tool: Edit a.rs → ",
            "tool: Use find of hub — x ! timeout [failed]",
            "tool: Scan → ",
            "tool: Use wait — Scan → Scanned.",
            "reasoning: so",
            "text: Done.",
        ]
    );
    assert_eq!(agents(&memory), ["Scan · exact · Main · finished (result)"]);
    assert_eq!((memory.session.status, memory.session.usage.input), (SessionStatus::Idle, 6));
}

#[test]
fn a_second_process_numbers_anew_and_overwrites_nothing() {
    let process = |text: &str| {
        let lines = [started(), exec("turn.started", ""), item("completed", "item_0", "agent_message", &format!(r#""text":"{text}""#))];
        kit::translate("codex-exec", &lines)
    };
    let lines: Vec<(u32, Line)> =
        (1..).zip([process("One"), process("Two")]).flat_map(|(n, lines)| lines.into_iter().map(move |line| (n, line))).collect();
    let (sessions, _) = feed(&lines, |_| false);
    assert_eq!(transcript(&sessions["t"], 0), ["text: One", "text: Two"]);
}

#[test]
fn a_crash_leaves_what_ran_unknown_when_the_thread_goes_on() {
    let first = [started(), collab("completed", "item_0", "spawn_agent", "completed", &["c"], r#""c":{"status":"running"}"#)];
    let second = [started(), exec("turn.started", "")];
    let lines: Vec<(u32, Line)> = (1..)
        .zip([&first, &second])
        .flat_map(|(n, lines)| kit::translate("codex-exec", lines).into_iter().map(move |line| (n, line)))
        .collect();
    assert_eq!(agents(&feed(&lines, |_| false).0["t"]), ["Scan · exact · Main · unknown (restart)"]);
}

#[test]
fn older_shapes_of_items_are_read() {
    let memory = one(
        "codex-exec",
        &[
            exec("thread.resumed", r#""thread_id":"t""#),
            exec("turn.started", r#""input_text":"Hello""#),
            exec("item.started", r#""item_id":"m","item_type":"agent_message","status":"in_progress","content":{"text":"Hi"}"#),
            exec("item.delta", r#""item_id":"m","item_type":"agent_message","delta":{"text_delta":" there"}"#),
            exec("item.completed", r#""item_id":"m","item_type":"agent_message","status":"completed","content":{"text":"Hi there!"}"#),
            exec("turn.failed", r#""message":"Idle""#),
        ],
    );
    assert_eq!(transcript(&memory, 0), ["user: Hello", "text: Hi there!", "notice: error: Idle"]);
}
