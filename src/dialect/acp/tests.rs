//! ACP by examples, all synthetic: messages in, rows out. Expected rows are written by hand.

pub mod cases;
mod properties;

use crate::dialect::kit::{agents, of, one, told, transcript};
use crate::model::{SessionStatus, WaitingOn};

fn update(session: &str, kind: &str, fields: &str) -> String {
    let comma = if fields.is_empty() { "" } else { "," };
    format!(
        r#"{{"jsonrpc":"2.0","method":"session/update","params":{{"sessionId":"{session}","update":{{"sessionUpdate":"{kind}"{comma}{fields}}}}}}}"#
    )
}

fn request(id: u32, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}}}}}"#)
}

fn reply(id: u32, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{{result}}}}}"#)
}

fn chunk(session: &str, kind: &str, text: &str) -> String {
    update(session, &format!("{kind}_chunk"), &format!(r#""content":{{"type":"text","text":"{text}"}}"#))
}

fn prompt(id: u32, session: &str, text: &str) -> String {
    request(id, "session/prompt", &format!(r#""sessionId":"{session}","prompt":[{{"type":"text","text":"{text}"}}]"#))
}

fn call(session: &str, id: &str, fields: &str) -> String {
    update(session, "tool_call", &format!(r#""toolCallId":"{id}",{fields}"#))
}

fn called(session: &str, id: &str, status: &str, text: &str) -> String {
    update(
        session,
        "tool_call_update",
        &format!(r#""toolCallId":"{id}","status":"{status}","content":[{{"type":"content","content":{{"type":"text","text":"{text}"}}}}]"#),
    )
}

fn subagent(session: &str, child: &str, title: &str, state: &str) -> String {
    update(session, "subagent_update", &format!(r#""sessionId":"{child}","title":"{title}","state":{{"state":"{state}"}}"#))
}

#[test]
fn a_turn_from_its_request_to_its_reply() {
    let memory = one(
        "acp",
        &[
            request(1, "session/new", r#""cwd":"/w/demo""#),
            reply(1, r#""sessionId":"s""#),
            prompt(2, "s", "Hello"),
            chunk("s", "user_message", "Hello"),
            chunk("s", "agent_thought", "H"),
            chunk("s", "agent_thought", "m"),
            chunk("s", "agent_message", "<think>so</thi"),
            update("s", "usage_update", r#""used":5,"size":100"#),
            chunk("s", "agent_message", "nk>One."),
            call("s", "c", r#""title":"Read a.rs","kind":"read","status":"pending","rawInput":{"path":"a.rs"}"#),
            called("s", "c", "completed", "fn main"),
            chunk("s", "agent_message", "Two."),
            update("s", "plan", r#""entries":[{"content":"x","priority":"high","status":"in_progress"}]"#),
            update("s", "session_info_update", r#""title":"Reading""#),
            reply(2, r#""stopReason":"end_turn""#),
        ],
    );
    assert_eq!(
        transcript(&memory, 0),
        ["user: Hello", "reasoning: Hm", "reasoning: so", "text: One.", "tool: Read a.rs → fn main", "text: Two.", "todos: x InProgress"]
    );
    assert_eq!((memory.session.status, memory.session.title.as_str(), memory.session.id.as_str()), (SessionStatus::Idle, "Reading", "s"));
}

#[test]
fn messages_by_id_are_kept_apart_and_replaced() {
    let by =
        |kind: &str, id: &str, text: &str| update("s", kind, &format!(r#""messageId":"{id}","content":{{"type":"text","text":"{text}"}}"#));
    let memory = one(
        "acp",
        &[
            by("agent_message_chunk", "1", "One"),
            by("agent_message_chunk", "2", "Two"),
            update("s", "agent_message", r#""messageId":"2","content":[{"type":"text","text":"Two!"}]"#),
        ],
    );
    assert_eq!(transcript(&memory, 0), ["text: One", "text: Two!"]);
}

#[test]
fn a_permission_waits_for_its_reply() {
    let asked = r#""sessionId":"s","toolCall":{"toolCallId":"c","title":"Delete it"},"options":[{"optionId":"y","name":"Allow"},{"optionId":"n","name":"Reject"}]"#;
    let mut all = vec![prompt(7, "s", "Do"), request(7, "session/request_permission", asked)];
    let memory = one("acp", &all);
    assert_eq!(transcript(&memory, 0)[1], "ask: Delete it Open  [running]");
    assert_eq!((memory.session.status, memory.session.waiting_on), (SessionStatus::Waiting, Some(WaitingOn::Person)));
    all.push(reply(7, r#""outcome":{"outcome":"selected","optionId":"n"}"#));
    let memory = one("acp", &all);
    assert_eq!(transcript(&memory, 0)[1], "ask: Delete it Denied Reject");
    assert_eq!(memory.session.status, SessionStatus::Running);
}

#[test]
fn a_child_session_is_an_agent_of_its_parents() {
    let memory = one(
        "acp",
        &[
            prompt(1, "s", "Look"),
            subagent("s", "k", "count files", "running"),
            chunk("k", "user_message", "Count "),
            chunk("k", "user_message", "them"),
            chunk("s", "agent_message", "Meanwhile "),
            chunk("k", "agent_message", "One file."),
            chunk("s", "agent_message", "here."),
            subagent("k", "l", "deeper", "running"),
            chunk("l", "agent_message", "Deep."),
            subagent("s", "k", "count files", "idle"),
        ],
    );
    assert_eq!(agents(&memory), ["count files · exact · Main · finished (explicit)", "deeper · exact · count files · running"]);
    assert_eq!(of(&memory, "count files")[..2], ["user: (prompt) Count them", "text: One file."]);
    assert_eq!(transcript(&memory, 0), ["user: Look", "text: Meanwhile here. [running]"]);
}

#[test]
fn children_that_an_extension_names_by_their_calls_stay_apart() {
    let by = |call: &str, text: &str| {
        update(
            "s",
            "agent_message_chunk",
            &format!(r#""content":{{"type":"text","text":"{text}"}},"_meta":{{"claudeCode":{{"parentToolUseId":"{call}"}}}}"#),
        )
    };
    let memory = one(
        "acp",
        &[
            by("d", "Early"),
            call("s", "c", r#""title":"one""#),
            call("s", "d", r#""title":"two""#),
            by("c", "I am one"),
            by("d", " two"),
            called("s", "c", "completed", "Done"),
            called("s", "d", "failed", "No"),
        ],
    );
    assert_eq!(
        agents(&memory),
        ["Subagent · exact · Main · finished (result)", "one · exact · Main · finished (result)"].map(|row| row.replacen(
            "Subagent · exact · Main · finished",
            "Subagent · exact · Main · failed",
            1
        ))
    );
    assert_eq!(of(&memory, "Subagent"), ["text: Early two [running]"]);
    assert_eq!(of(&memory, "one"), ["text: I am one [running]"]);
}

#[test]
fn two_sessions_of_one_agent_stay_two() {
    let (sessions, _) = told("acp", &[chunk("s", "agent_message", "In s"), chunk("t", "agent_message", "In t")]);
    assert_eq!(sessions.keys().collect::<Vec<_>>(), ["s", "t"]);
    assert_eq!(transcript(&sessions["t"], 0), ["text: In t [running]"]);
}

#[test]
fn a_cancelled_turn_says_so() {
    let memory = one("acp", &[prompt(1, "s", "Go"), reply(1, r#""stopReason":"cancelled""#)]);
    assert_eq!(transcript(&memory, 0), ["user: Go", "notice: cancelled: The turn was cancelled."]);
    assert_eq!(memory.session.status, SessionStatus::Idle);
}
