//! Codex by examples, all synthetic: lines in, rows out. Expected rows are written by hand.

pub mod cases;
pub mod exec;
mod properties;

use crate::dialect::kit::{self, Sessions, agents, feed, one, open, transcript};
use crate::dialect::{Facts, Record, by_name};
use crate::ledger::memory::Memory;
use crate::model::{Line, SessionStatus};

const ROOT: &str = "019fc000-0000-7000-8000-000000000001";
const CHILD: &str = "019fc111-0000-7000-8000-000000000002";
const OTHER: &str = "019fc111-0000-7000-8000-000000000003";

/// A line at a second of the day.
fn line(second: u32, kind: &str, payload: &str) -> String {
    format!(r#"{{"timestamp":"2026-08-01T10:{:02}:{:02}.000Z","type":"{kind}","payload":{payload}}}"#, second / 60, second % 60)
}

fn item(second: u32, fields: &str) -> String {
    line(second, "response_item", &format!("{{{fields}}}"))
}

fn event(second: u32, kind: &str, fields: &str) -> String {
    let comma = if fields.is_empty() { "" } else { "," };
    line(second, "event_msg", &format!(r#"{{"type":"{kind}"{comma}{fields}}}"#))
}

fn head() -> String {
    line(0, "session_meta", &format!(r#"{{"id":"{ROOT}","cwd":"/w/demo","source":"cli"}}"#))
}

fn child(id: &str, second: u32, nickname: &str, more: &str) -> String {
    let source = format!(
        r#"{{"subagent":{{"thread_spawn":{{"parent_thread_id":"{ROOT}","depth":1,"agent_nickname":"{nickname}","agent_role":"explorer"}}}}}}"#
    );
    line(second, "session_meta", &format!(r#"{{"id":"{id}","timestamp":"2026-08-01T10:00:{second:02}.000Z","source":{source}{more}}}"#))
}

fn says(second: u32, text: &str) -> String {
    item(second, &format!(r#""type":"message","role":"assistant","content":[{{"type":"output_text","text":"{text}"}}]"#))
}

fn user(second: u32, text: &str) -> String {
    item(second, &format!(r#""type":"message","role":"user","content":[{{"type":"input_text","text":"{text}"}}]"#))
}

fn call(second: u32, id: &str, name: &str, args: &str) -> String {
    item(second, &format!(r#""type":"function_call","name":"{name}","call_id":"{id}","arguments":"{}""#, args.replace('"', "\\\"")))
}

fn output(second: u32, id: &str, text: &str) -> String {
    item(second, &format!(r#""type":"function_call_output","call_id":"{id}","output":"{}""#, text.replace('"', "\\\"")))
}

/// Files, read one after the other.
fn files(all: &[&[String]]) -> Sessions {
    let lines: Vec<(u32, Line)> =
        (1..).zip(all).flat_map(|(source, file)| kit::translate("codex", file).into_iter().map(move |line| (source, line))).collect();
    feed(&lines, |_| false).0
}

fn whole(all: &[&[String]]) -> Memory {
    let sessions = files(all);
    assert_eq!(sessions.len(), 1, "{:?}", sessions.keys());
    sessions.into_values().next().expect("a session")
}

fn parent() -> Vec<String> {
    vec![
        head(),
        event(1, "user_message", r#""message":"Look around""#),
        event(1, "task_started", ""),
        call(2, "c1", "spawn_agent", r#"{"message":"Count files","agent_type":"explorer"}"#),
        output(3, "c1", &format!(r#"{{"agent_id":"{CHILD}","nickname":"Zeus"}}"#)),
    ]
}

fn child_file() -> Vec<String> {
    vec![
        child(CHILD, 3, "Zeus", ""),
        event(3, "task_started", ""),
        event(4, "user_message", r#""message":"Count files""#),
        user(4, "Count files"),
        call(5, "k1", "shell", r#"{"command":["bash","-lc","ls"]}"#),
        output(6, "k1", r#"{"output":"a\\n","metadata":{"exit_code":0}}"#),
        says(7, "One file."),
        event(7, "agent_message", r#""message":"One file.""#),
        event(8, "task_complete", r#""last_agent_message":"One file.""#),
    ]
}

#[test]
fn a_turn_is_told_once_though_it_stands_twice() {
    let memory = one(
        "codex",
        &[
            head(),
            user(1, "<environment_context>x</environment_context>"),
            event(1, "user_message", r#""message":"Hello""#),
            user(1, "Hello"),
            item(2, r#""type":"reasoning","summary":[{"type":"summary_text","text":"**Hm**"}],"encrypted_content":"x""#),
            event(2, "agent_reasoning", r#""text":"**Hm**""#),
            says(3, "Hi."),
            event(3, "agent_message", r#""message":"Hi.""#),
            event(4, "agent_message", r#""message":"Hi.""#),
            says(4, "Hi."),
            event(5, "task_complete", ""),
        ],
    );
    assert_eq!(
        transcript(&memory, 0),
        ["notice: context: Words for the model", "user: Hello", "reasoning: **Hm**", "text: Hi.", "text: Hi."]
    );
    assert_eq!((memory.session.status, memory.session.title.as_str()), (SessionStatus::Idle, "Hello"));
    assert_eq!(memory.session.cwd.as_deref(), Some("/w/demo"));
}

#[test]
fn calls_and_results_are_one_entry_each() {
    let memory = one(
        "codex",
        &[
            head(),
            call(1, "a", "shell", r#"{"command":["ls"]}"#),
            output(2, "a", r#"{"output":"no","metadata":{"exit_code":2}}"#),
            item(3, r#""type":"custom_tool_call","name":"apply_patch","call_id":"b","input":"*** Begin Patch\n*** Update File: a.rs\n""#),
            item(4, r#""type":"custom_tool_call_output","call_id":"b","output":[{"type":"input_text","text":"Done"}]"#),
            item(5, r#""type":"web_search_call","id":"w","status":"completed","action":{"type":"search","query":"rust"}"#),
            call(6, "p", "update_plan", r#"{"plan":[{"step":"One","status":"in_progress"}]}"#),
            output(7, "z", "out of nowhere"),
            event(8, "exec_command_end", r#""call_id":"a""#),
        ],
    );
    assert_eq!(
        transcript(&memory, 0),
        [
            "tool: Run ls ! no [failed]",
            "tool: Edit a.rs → Done",
            "tool: Search the web for rust",
            "todos: One InProgress",
            "tool:  → out of nowhere"
        ]
    );
}

#[test]
fn a_child_has_its_own_file_and_its_callers_link() {
    for order in [[0, 1], [1, 0]] {
        let all = [parent(), child_file()];
        let memory = whole(&[&all[order[0]], &all[order[1]]]);
        assert_eq!(agents(&memory), ["Zeus (explorer) · exact · Main · finished (explicit)"]);
        assert_eq!(kit::of(&memory, "Zeus"), ["user: (prompt) Count files", "tool: Run ls → a\n", "text: One file."]);
        assert_eq!(memory.titled("Zeus").call.as_deref(), Some("c1"));
        assert!(transcript(&memory, 0).contains(&"user: Look around".to_owned()));
    }
}

#[test]
fn what_the_parent_is_told_of_an_end_is_one() {
    let mut main = parent();
    main.extend([
        call(20, "c2", "wait", &format!(r#"{{"ids":["{CHILD}"]}}"#)),
        output(21, "c2", &format!(r#"{{"status":{{"{CHILD}":{{"completed":"One file."}}}}}}"#)),
        event(21, "collab_waiting_end", &format!(r#""agent_statuses":[{{"thread_id":"{CHILD}","status":{{"completed":"One file."}}}}]"#)),
    ]);
    assert_eq!(agents(&whole(&[&main])), ["Zeus (explorer) · exact · Main · finished (result)"]);
    assert_eq!(agents(&whole(&[&main, &child_file()])), ["Zeus (explorer) · exact · Main · finished (explicit)"]);
}

#[test]
fn who_is_closed_is_stopped_however_that_is_told() {
    let call = call(20, "c2", "close_agent", &format!(r#"{{"id":"{CHILD}"}}"#));
    let told = event(21, "collab_close_end", &format!(r#""receiver_thread_id":"{CHILD}","status":"shutdown""#));
    for more in [vec![call, output(21, "c2", r#"{"status":"shutdown"}"#)], vec![told]] {
        let main = [parent(), more].concat();
        assert_eq!(agents(&whole(&[&main])), ["Zeus (explorer) · exact · Main · cancelled (stop)"]);
    }
}

#[test]
fn a_further_turn_of_a_child_is_a_run_of_its_own() {
    let mut main = parent();
    main.push(call(30, "c3", "send_input", &format!(r#"{{"id":"{CHILD}","message":"And folders?"}}"#)));
    let mut file = child_file();
    file.extend([event(31, "task_started", ""), event(31, "user_message", r#""message":"And folders?""#), says(32, "None.")]);
    let memory = whole(&[&main, &file]);
    assert_eq!(agents(&memory), ["Zeus (explorer) · exact · Main · finished (explicit), running"]);
    assert_eq!(kit::of(&memory, "Zeus")[3..], ["user: And folders?", "text: None."]);
}

#[test]
fn errors_stops_and_refusals_are_ends() {
    for (last, status) in [
        (event(9, "turn_aborted", r#""reason":"interrupted""#), "cancelled (stop)"),
        (event(9, "task_complete", r#""error":{"message":"no quota"}"#), "failed (explicit)"),
    ] {
        let mut file = child_file();
        file.pop();
        file.push(last);
        assert_eq!(agents(&whole(&[&parent(), &file])), [format!("Zeus (explorer) · exact · Main · {status}")]);
    }
    let refused = [&parent()[..4], &[output(3, "c1", "too many agents")]].concat();
    assert_eq!(agents(&whole(&[&refused])), ["Count files (explorer) · exact · Main · failed (result)"]);
}

#[test]
fn parallel_children_with_equal_prompts_stay_apart() {
    let mut main = parent();
    main.extend([
        call(3, "c2", "spawn_agent", r#"{"message":"Count files","agent_type":"explorer"}"#),
        output(4, "c2", &format!(r#"{{"agent_id":"{OTHER}","nickname":"Hera"}}"#)),
    ]);
    let hera = [child(OTHER, 4, "Hera", ""), event(5, "user_message", r#""message":"Count files""#), says(6, "I am Hera.")];
    let memory = whole(&[&hera, &main, &child_file()]);
    assert_eq!(kit::of(&memory, "Hera"), ["user: (prompt) Count files", "text: I am Hera."]);
    assert_eq!(kit::of(&memory, "Zeus")[2], "text: One file.");
    assert_eq!(memory.titled("Hera").call.as_deref(), Some("c2"));
}

#[test]
fn a_copied_history_is_skipped_by_its_numbers() {
    let numbered = |at: u64, line: String| line.replacen('{', &format!("{{\"ordinal\":{at},"), 1);
    let file = [
        numbered(0, child(CHILD, 3, "Zeus", r#","subagent_history_start_ordinal":3"#)),
        numbered(1, head()),
        numbered(2, says(1, "The parent's words")),
        numbered(3, event(4, "user_message", r#""message":"Count files""#)),
        numbered(4, says(5, "Mine")),
    ];
    let memory = whole(&[&file]);
    assert_eq!(kit::of(&memory, "Zeus"), ["user: (prompt) Count files", "text: Mine"]);
    assert_eq!(memory.session.id, ROOT);
}

#[test]
fn a_copied_history_without_numbers_lasts_until_the_first_turn_of_its_own() {
    let turn = |second, id: &str| event(second, "task_started", &format!(r#""turn_id":"{id}""#));
    let file = [
        child(CHILD, 3, "Zeus", &format!(r#","forked_from_id":"{ROOT}""#)),
        head(),
        turn(3, "019fc000-0000-7000-8000-00000000000a"),
        says(3, "The parent's words"),
        turn(3, "019fc111-1111-7000-8000-00000000000b"),
        event(4, "user_message", r#""message":"Count files""#),
        says(5, "Mine"),
    ];
    assert_eq!(kit::of(&whole(&[&file]), "Zeus"), ["user: (prompt) Count files", "text: Mine"]);
}

#[test]
fn a_thread_that_a_person_forked_is_a_session_with_its_origin() {
    let sessions = files(&[&[
        line(0, "session_meta", &format!(r#"{{"id":"{OTHER}","forked_from_id":"{ROOT}","source":"cli"}}"#)),
        head(),
        says(1, "Copied"),
    ]]);
    let memory = &sessions[OTHER];
    assert_eq!(memory.session.origin.as_ref().map(|origin| origin.session.as_str()), Some(ROOT));
    assert_eq!(transcript(memory, 0), ["text: Copied"]);
}

#[test]
fn tokens_are_counters_and_a_cache_is_no_input() {
    let count = |input: u32| {
        event(
            1,
            "token_count",
            &format!(
                r#""info":{{"total_token_usage":{{"input_tokens":{input},"cached_input_tokens":60,"output_tokens":7}},"last_token_usage":{{"total_tokens":50}},"model_context_window":1000}}"#
            ),
        )
    };
    let memory = one("codex", &[head(), count(100), count(90)]);
    let main = &memory.agents[&0];
    assert_eq!((main.usage.input, main.usage.cache_read, main.usage.output), (40, 60, 7));
    assert_eq!(main.context.map(|context| (context.used, context.window)), Some((50, Some(1000))));
}

#[test]
fn the_oldest_files_are_read_too() {
    let memory = one(
        "codex",
        &[
            r#"{"id":"old","timestamp":"2025-05-01T10:00:00Z","instructions":null}"#.into(),
            r#"{"record_type":"state"}"#.into(),
            r#"{"timestamp":"2025-05-01T10:00:00Z","role":"user","content":"Hello"}"#.into(),
            r#"{"timestamp":"2025-05-01T10:00:01Z","type":"tool_call","function":{"name":"translate"},"arguments":"{\"text\":\"a\"}"}"#
                .into(),
            r#"{"timestamp":"2025-05-01T10:00:01Z","type":"tool_result","name":"translate","result":"b"}"#.into(),
            r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"b"}]}"#.into(),
        ],
    );
    assert_eq!(memory.session.id, "old");
    assert_eq!(transcript(&memory, 0), ["user: Hello", "tool: Use translate — a → b", "text: b"]);
}

#[test]
fn a_file_names_its_thread() {
    let place = by_name("codex").expect("codex").place;
    for name in [format!("rollout-2026-08-01T10-00-00-{ROOT}.jsonl"), format!("rollout-2026-08-01T10-00-00-{ROOT}.jsonl.zst")] {
        assert_eq!(place(&["sessions", &name]).session.as_deref(), Some(ROOT), "{name}");
    }
    assert_eq!(place(&["notes.jsonl"]).session.as_deref(), Some("notes"));
}

#[test]
fn the_memory_of_another_translator_is_refused_in_words() {
    let opened = (by_name("codex").expect("codex").open)(Facts::default(), Some("no json"));
    assert!(opened.err().is_some_and(|why| !why.is_empty()));
    assert_eq!(open("codex", None).record(Record::whole(0, b"{}")).len(), 1);
}
