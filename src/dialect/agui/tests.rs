//! AG-UI by examples, all synthetic: events in, rows out. Expected rows are written by hand.

pub mod cases;
mod properties;

use crate::dialect::kit::{agents, of, one, transcript};
use crate::ledger::memory::Memory;
use crate::model::{SessionStatus, WaitingOn};

/// `{"type":kind,…fields}` of the subagent `agent`, or of the main agent for "".
fn event(agent: &str, kind: &str, fields: &str) -> String {
    let agent = if agent.is_empty() { String::new() } else { format!(r#","subagentRunId":"{agent}""#) };
    let comma = if fields.is_empty() { "" } else { "," };
    format!(r#"{{"type":"{kind}"{agent}{comma}{fields}}}"#)
}

fn run(id: &str) -> String {
    event("", "RUN_STARTED", &format!(r#""threadId":"t","runId":"{id}""#))
}

fn done(id: &str) -> String {
    event("", "RUN_FINISHED", &format!(r#""threadId":"t","runId":"{id}""#))
}

fn says(agent: &str, id: &str, parts: &[&str]) -> Vec<String> {
    let mut all = vec![event(agent, "TEXT_MESSAGE_START", &format!(r#""messageId":"{id}","role":"assistant""#))];
    all.extend(parts.iter().map(|part| event(agent, "TEXT_MESSAGE_CONTENT", &format!(r#""messageId":"{id}","delta":"{part}""#))));
    all.push(event(agent, "TEXT_MESSAGE_END", &format!(r#""messageId":"{id}""#)));
    all
}

fn calls(agent: &str, id: &str, name: &str, args: &str) -> Vec<String> {
    let args = args.replace('"', "\\\"");
    vec![
        event(agent, "TOOL_CALL_START", &format!(r#""toolCallId":"{id}","toolCallName":"{name}""#)),
        event(agent, "TOOL_CALL_ARGS", &format!(r#""toolCallId":"{id}","delta":"{args}""#)),
        event(agent, "TOOL_CALL_END", &format!(r#""toolCallId":"{id}""#)),
    ]
}

fn result(agent: &str, id: &str, text: &str) -> String {
    event(agent, "TOOL_CALL_RESULT", &format!(r#""messageId":"r-{id}","toolCallId":"{id}","content":"{text}""#))
}

fn starts(agent: &str, name: &str, more: &str) -> String {
    event(agent, "SUBAGENT_STARTED", &format!(r#""name":"{name}"{more}"#))
}

fn ends(agent: &str, more: &str) -> String {
    event(agent, "SUBAGENT_FINISHED", more)
}

fn told(parts: &[Vec<String>]) -> Memory {
    one("ag-ui", &parts.concat())
}

#[test]
fn a_turn_from_its_beginning_to_its_end() {
    let memory = told(&[
        vec![run("1")],
        vec![event("", "REASONING_START", r#""messageId":"q""#)],
        vec![event("", "REASONING_MESSAGE_CONTENT", r#""messageId":"q","delta":"Let me see""#)],
        vec![event("", "REASONING_MESSAGE_END", r#""messageId":"q""#)],
        calls("", "c", "read_file", r#"{"path":"a.rs"}"#),
        vec![result("", "c", "fn main")],
        says("", "m", &["It is ", "there."]),
        vec![done("1")],
    ]);
    assert_eq!(transcript(&memory, 0), ["reasoning: Let me see", "tool: Read a.rs → fn main", "text: It is there."]);
    assert_eq!((memory.session.status, memory.session.id.as_str()), (SessionStatus::Idle, "t"));
}

#[test]
fn a_child_from_its_call_to_its_result() {
    let memory = told(&[
        vec![run("1")],
        calls("", "c", "delegate", r#"{"task":"Count them"}"#),
        vec![starts("a", "counter", r#","description":"count files","parentToolCallId":"c""#)],
        calls("a", "k", "bash", r#"{"command":"ls"}"#),
        vec![result("a", "k", "x")],
        says("a", "m1", &["One file."]),
        vec![ends("a", r#""result":"One file.""#)],
        vec![result("", "c", "One file.")],
        says("", "m2", &["There is one."]),
        vec![done("1")],
    ]);
    assert_eq!(agents(&memory), ["count files (counter) · exact · Main · finished (explicit)"]);
    assert_eq!(of(&memory, "count files"), ["user: (prompt) Count them", "tool: Run ls → x", "text: One file."]);
    assert_eq!(transcript(&memory, 0), ["tool: Count them → One file.", "text: There is one."]);
    let child = memory.titled("count files");
    assert_eq!((child.id.as_str(), child.call.as_deref(), child.same_report), ("a", Some("c"), true));
}

#[test]
fn parallel_children_with_equal_prompts_stay_apart() {
    let memory = told(&[
        vec![run("1")],
        calls("", "c", "delegate", r#"{"task":"Look"}"#),
        calls("", "d", "delegate", r#"{"task":"Look"}"#),
        vec![starts("b", "two", r#","parentToolCallId":"d""#), starts("a", "one", r#","parentToolCallId":"c""#)],
        says("b", "m1", &["I am two"]),
        says("a", "m2", &["I am one"]),
        vec![ends("b", "")],
    ]);
    let rows = agents(&memory);
    assert_eq!(rows, ["Look (two) · exact · Main · finished (explicit)", "Look (one) · exact · Main · running"]);
    let texts: Vec<_> = memory.agents.values().filter(|agent| agent.n > 0).map(|agent| transcript(&memory, agent.n)).collect();
    assert_eq!(texts, [["user: (prompt) Look", "text: I am two"], ["user: (prompt) Look", "text: I am one"]]);
}

#[test]
fn a_childs_line_before_its_announcement_is_its_own() {
    let memory =
        told(&[vec![run("1")], says("a", "m1", &["Early"]), vec![starts("a", "late", r#","description":"late one""#)], vec![done("1")]]);
    assert_eq!(agents(&memory), ["late one (late) · exact · Main · running"]);
    assert_eq!(of(&memory, "late one"), ["text: Early"]);
    assert_eq!((memory.session.status, memory.session.waiting_on), (SessionStatus::Waiting, Some(WaitingOn::Agents)));
}

#[test]
fn an_end_before_the_start_stays_an_end() {
    let memory = told(&[vec![run("1"), ends("a", ""), starts("a", "quick", "")]]);
    assert_eq!(agents(&memory), ["quick (quick) · exact · Main · finished (explicit)"]);
}

#[test]
fn suspended_is_no_end_and_a_second_start_is_a_new_run() {
    let mut all = vec![run("1"), starts("a", "w", ""), ends("a", r#""outcome":{"type":"suspended"}"#)];
    let memory = one("ag-ui", &all);
    assert_eq!(agents(&memory), ["w (w) · exact · Main · waiting"]);
    all.extend([starts("a", "w", ""), ends("a", r#""outcome":{"type":"success"}"#)]);
    let memory = one("ag-ui", &all);
    assert_eq!(agents(&memory), ["w (w) · exact · Main · finished (explicit)"]);
    all.extend([starts("a", "w", ""), event("a", "SUBAGENT_ERROR", r#""message":"out of memory""#)]);
    let memory = one("ag-ui", &all);
    assert_eq!(agents(&memory), ["w (w) · exact · Main · finished (explicit), failed (explicit)"]);
}

#[test]
fn nested_children_stand_under_the_one_that_started_them() {
    let memory = told(&[
        vec![run("1"), starts("a", "one", "")],
        calls("a", "c", "delegate", r#"{"task":"deeper"}"#),
        vec![starts("b", "two", r#","parentToolCallId":"c","parentSubagentRunId":"a""#)],
        vec![starts("d", "three", r#","parentSubagentRunId":"b""#)],
    ]);
    assert_eq!(
        agents(&memory),
        ["one (one) · exact · Main · running", "deeper (two) · exact · one · running", "three (three) · exact · deeper · running"]
    );
}

#[test]
fn a_run_that_fails_ends_what_ran_in_it() {
    let memory = told(&[vec![run("1"), starts("a", "w", ""), event("", "RUN_ERROR", r#""message":"Timed out""#)]]);
    assert_eq!(agents(&memory), ["w (w) · exact · Main · cancelled (parent exit)"]);
    assert_eq!(transcript(&memory, 0), ["notice: error: Timed out"]);
}

#[test]
fn a_run_that_tells_no_end_leaves_what_ran_unknown() {
    let memory = told(&[vec![run("1"), starts("a", "w", ""), run("2")]]);
    assert_eq!(agents(&memory), ["w (w) · exact · Main · unknown (restart)"]);
    assert_eq!(memory.session.status, SessionStatus::Running);
}

#[test]
fn an_interrupt_is_a_question_until_the_next_run_answers_it() {
    let asked =
        r#""threadId":"t","runId":"1","outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"approval","message":"Delete it?"}]}"#;
    let mut all = vec![run("1"), event("", "RUN_FINISHED", asked)];
    let memory = one("ag-ui", &all);
    assert_eq!(transcript(&memory, 0), ["ask: Delete it? Open  [running]"]);
    assert_eq!((memory.session.status, memory.session.waiting_on), (SessionStatus::Waiting, Some(WaitingOn::Person)));
    let input = r#""threadId":"t","runId":"2","input":{"messages":[],"resume":[{"interruptId":"i","status":"resolved","payload":"yes"}]}"#;
    all.push(event("", "RUN_STARTED", input));
    let memory = one("ag-ui", &all);
    assert_eq!(transcript(&memory, 0), ["ask: Delete it? Answered yes"]);
    assert_eq!(memory.session.status, SessionStatus::Running);
}

#[test]
fn chunks_begin_and_end_by_what_follows() {
    let memory = told(&[vec![
        run("1"),
        event("", "TEXT_MESSAGE_CHUNK", r#""messageId":"m","role":"assistant","delta":"One ""#),
        event("", "TEXT_MESSAGE_CHUNK", r#""delta":"text.""#),
        event("a", "TEXT_MESSAGE_CHUNK", r#""messageId":"n","delta":"A child's""#),
        event("", "TOOL_CALL_CHUNK", r#""toolCallId":"c","toolCallName":"grep","delta":"{\"pattern\":""#),
        event("a", "TEXT_MESSAGE_CHUNK", r#""delta":" words.""#),
        event("", "TOOL_CALL_CHUNK", r#""delta":"\"x\"}""#),
        event("", "REASONING_MESSAGE_CHUNK", r#""messageId":"r","delta":"Hm""#),
        event("", "REASONING_MESSAGE_CHUNK", r#""delta":"""#),
        done("1"),
    ]]);
    assert_eq!(transcript(&memory, 0), ["text: One text.", "tool: Search x [running]", "reasoning: Hm"]);
    assert_eq!(transcript(&memory, 1), ["text: A child's words."]);
}

#[test]
fn the_older_names_of_reasoning_make_one_stretch_each() {
    let think = |kind: &str, text: &str| event("", kind, &format!(r#""delta":"{text}""#));
    let memory = told(&[
        vec![run("1"), event("", "THINKING_START", ""), event("", "THINKING_TEXT_MESSAGE_START", "")],
        vec![think("THINKING_TEXT_MESSAGE_CONTENT", "One "), think("THINKING_TEXT_MESSAGE_CONTENT", "thought")],
        vec![event("", "THINKING_TEXT_MESSAGE_END", ""), event("", "THINKING_END", "")],
        vec![event("", "THINKING_START", ""), think("THINKING_CONTENT", "Another"), event("", "THINKING_END", "")],
        says("", "m", &["Said."]),
        vec![done("1")],
    ]);
    assert_eq!(transcript(&memory, 0), ["reasoning: One thought", "reasoning: Another", "text: Said."]);
}

#[test]
fn reasoning_in_a_text_stands_in_its_place() {
    let memory = told(&[vec![run("1")], says("", "m", &["<thi", "nk>Hm", "m</think>So ", "it is."]), vec![done("1")]]);
    assert_eq!(transcript(&memory, 0), ["reasoning: Hmm", "text: So it is."]);
}

#[test]
fn a_snapshot_replaces_and_removes_nothing() {
    let messages = r#""messages":[{"id":"u","role":"user","content":"Hello"},{"id":"m","role":"assistant","content":"Whole now.","toolCalls":[{"id":"c","type":"function","function":{"name":"bash","arguments":"{\"command\":\"ls\"}"}}]},{"id":"x","role":"tool","toolCallId":"c","content":"out"}]"#;
    let memory = told(&[
        vec![run("1")],
        says("", "old", &["Kept."]),
        vec![event("", "TEXT_MESSAGE_START", r#""messageId":"m""#), event("", "TEXT_MESSAGE_CONTENT", r#""messageId":"m","delta":"Half""#)],
        vec![event("", "MESSAGES_SNAPSHOT", messages), event("", "MESSAGES_SNAPSHOT", messages), done("1")],
    ]);
    assert_eq!(transcript(&memory, 0), ["text: Kept.", "text: Whole now.", "user: Hello", "tool: Run ls → out"]);
}

#[test]
fn state_is_one_entry_that_patches_change_and_its_list_one_each() {
    let memory = told(&[vec![
        run("1"),
        event("", "STATE_SNAPSHOT", r#""snapshot":{"n":1,"todos":[{"content":"a","status":"pending"}]}"#),
        event("", "STATE_DELTA", r#""delta":[{"op":"replace","path":"/n","value":2}]"#),
        event("", "STATE_DELTA", r#""delta":[{"op":"replace","path":"/todos/0/status","value":"completed"}]"#),
        event("", "STATE_DELTA", r#""delta":[{"op":"remove","path":"/nothing"}]"#),
        event("", "ACTIVITY_SNAPSHOT", r#""messageId":"p","activityType":"PLAN","content":{"at":1}"#),
        event("", "ACTIVITY_SNAPSHOT", r#""messageId":"p","activityType":"PLAN","content":{"at":7},"replace":false"#),
        event("", "ACTIVITY_DELTA", r#""messageId":"p","activityType":"PLAN","patch":[{"op":"add","path":"/b","value":2}]"#),
        done("1"),
    ]]);
    assert_eq!(transcript(&memory, 0), ["notice: state: State", "todos: a Pending", "todos: a Completed", "notice: activity: PLAN"]);
    let detail = |seq: u32| match &memory.entries[&crate::model::EntryRef { agent: 0, seq }].body {
        crate::model::Body::Notice(notice) => notice.detail.as_ref().map(|text| text.text.split_whitespace().collect::<String>()),
        _ => None,
    };
    assert_eq!(detail(1).as_deref(), Some(r#"{"n":2,"todos":[{"content":"a","status":"completed"}]}"#));
    assert_eq!(detail(4).as_deref(), Some(r#"{"at":1,"b":2}"#));
}

#[test]
fn a_childs_own_first_turn_is_its_prompt() {
    let mut user = says("a", "u", &["Look ", "closely"]);
    user[0] = user[0].replace("assistant", "user");
    let memory = told(&[vec![run("1"), starts("a", "w", "")], user, says("a", "m", &["Done"])]);
    assert_eq!(transcript(&memory, 1), ["user: (prompt) Look closely", "text: Done"]);
}

#[test]
fn tokens_of_a_cache_are_no_input() {
    let usage = r#""threadId":"t","runId":"1","usage":[{"inputTokens":100,"outputTokens":7,"cachedInputTokens":60},{"inputTokens":1}]"#;
    let memory = one("ag-ui", &[run("1"), event("", "RUN_FINISHED", usage)]);
    let usage = memory.session.usage;
    assert_eq!((usage.input, usage.output, usage.cache_read), (41, 7, 60));
}

#[test]
fn types_that_no_rule_knows_are_kept() {
    let memory = one("ag-ui", &[run("1"), event("", "META_EVENT", r#""x":1"#)]);
    assert_eq!(transcript(&memory, 0), ["notice: opaque: A line of the type META_EVENT, which no rule knows."]);
}
