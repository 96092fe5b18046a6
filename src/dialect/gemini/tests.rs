//! Gemini CLI by examples, all synthetic: lines in, rows out. Expected rows are written by hand.

pub mod cases;
mod properties;

use crate::dialect::kit::{self, Sessions, agents, feed, one, transcript};
use crate::dialect::{Facts, Record, by_name};
use crate::ledger::memory::Memory;
use crate::model::{Line, SessionStatus};

fn head(id: &str, kind: &str) -> String {
    format!(
        r#"{{"sessionId":"{id}","projectHash":"h","startTime":"2026-04-01T10:00:00Z","lastUpdated":"2026-04-01T10:00:00Z","kind":"{kind}"}}"#
    )
}

fn message(second: u32, id: &str, kind: &str, fields: &str) -> String {
    format!(r#"{{"id":"{id}","timestamp":"2026-04-01T10:00:{second:02}Z","type":"{kind}",{fields}}}"#)
}

fn says(second: u32, id: &str, text: &str) -> String {
    message(second, id, "gemini", &format!(r#""content":"{text}""#))
}

fn user(second: u32, id: &str, text: &str) -> String {
    message(second, id, "user", &format!(r#""content":[{{"text":"{text}"}}]"#))
}

fn calls(second: u32, id: &str, call: &str, fields: &str) -> String {
    message(second, id, "gemini", &format!(r#""content":"","toolCalls":[{{"id":"{call}",{fields}}}]"#))
}

fn task(second: u32, id: &str, call: &str, agent: &str, status: &str) -> String {
    let result = r#""result":[{"functionResponse":{"response":{"output":"One file."}}}]"#;
    calls(
        second,
        id,
        call,
        &format!(r#""name":"explore","args":{{"objective":"Count files"}},"agentId":"{agent}","status":"{status}",{result}"#),
    )
}

/// Files by their paths below the chats of a project, read one after the other.
fn files(all: &[(&str, &[String])]) -> Sessions {
    let dialect = by_name("gemini").expect("gemini");
    let mut lines: Vec<(u32, Line)> = Vec::new();
    for (source, (path, file)) in (1..).zip(all) {
        let parts: Vec<&str> = ["tmp", "h", "chats"].into_iter().chain(path.split('/')).collect();
        let place = (dialect.place)(&parts);
        let session = place.session.clone().unwrap_or_default();
        let mut translator = (dialect.open)(Facts { session, place }, None).expect("a translator");
        for (at, text) in file.iter().enumerate() {
            lines.extend(translator.record(Record::whole(at as u64, text.as_bytes())).into_iter().map(|line| (source, line)));
        }
    }
    feed(&lines, |_| false).0
}

fn whole(all: &[(&str, &[String])]) -> Memory {
    let sessions = files(all);
    assert_eq!(sessions.len(), 1, "{:?}", sessions.keys());
    sessions.into_values().next().expect("a session")
}

#[test]
fn a_chat_is_told_in_its_order() {
    let shell = r#""name":"run_shell_command","args":{"command":"ls","description":"List the files"},"status":"success","result":[{"functionResponse":{"response":{"output":"a"}}}]"#;
    let memory = one(
        "gemini",
        &[
            head("s", "main"),
            user(1, "u", "Hello"),
            r#"{"$set":{"lastUpdated":"2026-04-01T10:00:01Z"}}"#.into(),
            calls(2, "m", "c", shell),
            message(
                3,
                "n",
                "gemini",
                r#""thoughts":[{"subject":"Plan","description":"Look first."}],"content":"<think>so</think>Done.","model":"pro","tokens":{"input":100,"output":10,"cached":60,"thoughts":5}"#,
            ),
            message(4, "i", "info", r#""content":"Request cancelled.""#),
            r#"{"$set":{"summary":"Looking around"}}"#.into(),
        ],
    );
    assert_eq!(
        transcript(&memory, 0),
        [
            "user: Hello",
            "tool: List the files — ls → a",
            "reasoning: **Plan**\n\nLook first.",
            "reasoning: so",
            "text: Done.",
            "notice: info: Request cancelled."
        ]
    );
    assert_eq!((memory.session.status, memory.session.title.as_str()), (SessionStatus::Idle, "Looking around"));
    let usage = memory.session.usage;
    assert_eq!((usage.input, usage.output, usage.cache_read), (40, 15, 60));
}

#[test]
fn an_object_that_holds_the_chat_is_its_messages() {
    let messages = [user(1, "u", "Hello"), message(2, "m", "model", r#""parts":[{"text":"Hi"}]"#)].join(",");
    let chat = head("s", "chat").replacen('}', &format!(",\"messages\":[{messages}]}}"), 1);
    let (sessions, classes) = kit::told("gemini", &[chat]);
    assert_eq!(transcript(&sessions["s"], 0), ["user: Hello", "text: Hi"]);
    assert_eq!(classes.iter().filter(|class| **class != crate::model::Class::Part).count(), 1);
    assert_eq!(classes[0], crate::model::Class::Entry);
}

#[test]
fn a_message_that_comes_again_replaces_itself() {
    let memory = one("gemini", &[head("s", "main"), says(1, "m", "Half"), says(1, "m", "Half and whole"), says(1, "m", "Half and whole")]);
    assert_eq!(transcript(&memory, 0), ["text: Half and whole"]);
}

#[test]
fn a_rewind_takes_back_what_follows() {
    let memory = one(
        "gemini",
        &[
            head("s", "main"),
            user(1, "u", "Hello"),
            says(2, "m", "Hi"),
            user(3, "v", "Again"),
            says(4, "n", "Hm"),
            r#"{"$rewindTo":"v"}"#.into(),
            user(5, "w", "Better"),
        ],
    );
    assert_eq!(transcript(&memory, 0), ["user: Hello", "text: Hi", "user: Again [withdrawn]", "text: Hm [withdrawn]", "user: Better"]);
}

fn parent(status: &str) -> Vec<String> {
    vec![head("s", "main"), user(1, "u", "Look"), task(2, "m", "c", "k", status)]
}

fn child(id: &str, text: &str) -> Vec<String> {
    vec![head(id, "subagent"), user(2, "u", "Count files"), says(3, "m", text)]
}

#[test]
fn a_subagents_file_stands_in_the_folder_of_its_parents_session() {
    let (main, sub) = (parent("success"), child("k", "One file."));
    for order in [[("s.jsonl", &main[..]), ("s/k.jsonl", &sub)], [("s/k.jsonl", &sub), ("s.jsonl", &main)]] {
        let memory = whole(&order);
        assert_eq!(agents(&memory), ["Count files (explore) · exact · Main · finished (result)"]);
        assert_eq!(kit::of(&memory, "Count files"), ["user: (prompt) Count files", "text: One file."]);
        assert_eq!(transcript(&memory, 0), ["user: Look", "tool: Use explore — Count files → One file."]);
    }
    assert_eq!(agents(&whole(&[("s/k.jsonl", &sub)])), ["Count files · sidecar · Main · running"]);
}

#[test]
fn parallel_children_with_equal_prompts_stay_apart() {
    let mut main = parent("success");
    main.push(task(3, "n", "d", "l", "error"));
    let memory = whole(&[("s/l.jsonl", &child("l", "I am l")), ("s.jsonl", &main), ("s/k.jsonl", &child("k", "I am k"))]);
    let rows: Vec<_> = memory.agents.values().filter(|agent| agent.n > 0 && !agent.is_aside()).collect();
    let said =
        rows.iter().map(|agent| (agent.id.as_str(), agent.status.word(), transcript(&memory, agent.n)[1].clone())).collect::<Vec<_>>();
    assert_eq!(said, [("l", "failed", "text: I am l".to_owned()), ("k", "finished", "text: I am k".to_owned())]);
}

pub fn printed() -> Vec<String> {
    let line = |kind: &str, fields: &str| format!(r#"{{"type":"{kind}","timestamp":"2026-01-15T10:00:00Z",{fields}}}"#);
    vec![
        line("init", r#""session_id":"s","model":"flash""#),
        line("message", r#""role":"user","content":"Hello""#),
        line("message", r#""role":"assistant","content":"One ","delta":true"#),
        line("message", r#""role":"assistant","content":"text.","delta":true"#),
        line("tool_use", r#""tool_name":"read_file","tool_id":"t","parameters":{"absolute_path":"/a"}"#),
        line("tool_result", r#""tool_id":"t","status":"error","output":"","error":{"type":"x","message":"no file"}"#),
        line("message", r#""role":"assistant","content":"Another.","delta":true"#),
        line("error", r#""severity":"warning","message":"Slow""#),
        line("result", r#""status":"success","stats":{"input_tokens":10,"output_tokens":5,"cached":4}"#),
    ]
}

#[test]
fn what_is_printed_is_one_turn() {
    let memory = one("gemini-stream", &printed());
    assert_eq!(
        transcript(&memory, 0),
        ["user: Hello", "text: One text.", "tool: Read /a ! no file [failed]", "text: Another.", "notice: warning: Slow"]
    );
    assert_eq!((memory.session.status, memory.session.usage.input), (SessionStatus::Idle, 6));
}
