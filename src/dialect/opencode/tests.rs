//! OpenCode by examples, all synthetic: events in, rows out. Expected rows are written by hand.

pub mod cases;
mod properties;

use crate::dialect::Record;
use crate::dialect::kit::{self, agents, one, told, transcript};
use crate::model::{Class, SessionStatus, WaitingOn};

/// An event of the server, with an id that its content gives.
fn event(kind: &str, properties: &str) -> String {
    let id = crate::model::Hash64::of(format!("{kind} {properties}").as_bytes()).0;
    format!(r#"{{"id":"evt_{id:016x}","type":"{kind}","properties":{{{properties}}}}}"#)
}

fn session(id: &str, parent: &str, title: &str) -> String {
    let parent = if parent.is_empty() { String::new() } else { format!(r#","parentID":"{parent}""#) };
    event("session.created", &format!(r#""info":{{"id":"{id}","title":"{title}","directory":"/w/demo"{parent}}}"#))
}

fn message(session: &str, id: &str, role: &str, more: &str) -> String {
    event("message.updated", &format!(r#""info":{{"id":"{id}","sessionID":"{session}","role":"{role}"{more}}}"#))
}

fn part(session: &str, message: &str, id: &str, fields: &str) -> String {
    event("message.part.updated", &format!(r#""part":{{"id":"{id}","sessionID":"{session}","messageID":"{message}",{fields}}}"#))
}

fn delta(session: &str, part: &str, text: &str) -> String {
    event("message.part.delta", &format!(r#""sessionID":"{session}","partID":"{part}","field":"text","delta":"{text}""#))
}

fn status(session: &str, word: &str, n: u32) -> String {
    event("session.status", &format!(r#""sessionID":"{session}","status":{{"type":"{word}"}},"n":{n}"#))
}

fn user(session: &str, id: &str, text: &str) -> Vec<String> {
    vec![message(session, id, "user", ""), part(session, id, &format!("{id}.p"), &format!(r#""type":"text","text":"{text}""#))]
}

fn says(session: &str, id: &str, parts: &[&str]) -> Vec<String> {
    let part_id = format!("{id}.p");
    let mut all = vec![message(session, id, "assistant", ""), part(session, id, &part_id, r#""type":"text","text":"","time":{"start":1}"#)];
    all.extend(parts.iter().map(|text| delta(session, &part_id, text)));
    all.push(part(session, id, &part_id, &format!(r#""type":"text","text":"{}","time":{{"start":1,"end":2}}"#, parts.concat())));
    all
}

fn tool(session: &str, call: &str, name: &str, state: &str) -> String {
    part(
        session,
        &format!("m-{call}"),
        &format!("p-{call}"),
        &format!(r#""type":"tool","callID":"{call}","tool":"{name}","state":{{{state}}}"#),
    )
}

fn task(session: &str, call: &str, status: &str, child: &str) -> String {
    let state = format!(
        r#""status":"{status}","input":{{"description":"count files","prompt":"Count them","subagent_type":"explore"}},"metadata":{{"sessionId":"{child}"}}"#
    );
    let end = match status {
        "completed" => r#","output":"One file.""#,
        "error" => r#","error":"out of memory""#,
        _ => "",
    };
    tool(session, call, "task", &format!("{state}{end}"))
}

#[test]
fn a_turn_from_its_beginning_to_its_end() {
    let memory = one(
        "opencode",
        &[
            vec![event("server.connected", ""), session("s", "", "Look around")],
            user("s", "u", "Hello"),
            vec![status("s", "busy", 1), message("s", "m", "assistant", "")],
            vec![part("s", "m", "r", r#""type":"reasoning","text":"","time":{"start":1}"#), delta("s", "r", "H"), delta("s", "r", "m")],
            vec![part("s", "m", "r", r#""type":"reasoning","text":"Hm.","time":{"start":1,"end":2}"#)],
            vec![tool("s", "c", "bash", r#""status":"running","input":{"command":"ls"}"#)],
            vec![tool("s", "c", "bash", r#""status":"completed","input":{"command":"ls"},"output":"a""#)],
            vec![tool(
                "s",
                "t",
                "todowrite",
                r#""status":"completed","input":{"todos":[{"content":"x","status":"pending"}]},"output":"[]""#,
            )],
            vec![event("todo.updated", r#""sessionID":"s","todos":[{"content":"x","status":"pending"}]"#)],
            says("s", "n", &["<think>so</think>It ", "is."]),
            vec![message(
                "s",
                "n",
                "assistant",
                r#","modelID":"big","tokens":{"input":5,"output":2,"reasoning":1,"cache":{"read":7,"write":0}}"#,
            )],
            vec![status("s", "idle", 2), event("session.idle", r#""sessionID":"s""#)],
        ]
        .concat(),
    );
    assert_eq!(
        transcript(&memory, 0),
        ["user: Hello", "reasoning: Hm.", "tool: Run ls → a", "todos: x Pending", "reasoning: so", "text: It is."]
    );
    assert_eq!((memory.session.status, memory.session.title.as_str()), (SessionStatus::Idle, "Look around"));
    let usage = memory.session.usage;
    assert_eq!((usage.input, usage.output, usage.cache_read), (5, 3, 7));
}

fn family() -> Vec<String> {
    [
        vec![
            session("s", "", "Main one"),
            status("s", "busy", 1),
            task("s", "c", "running", "k"),
            session("k", "s", "count files (@explore subagent)"),
        ],
        user("k", "u", "Count them"),
        vec![status("k", "busy", 1)],
        says("k", "m", &["One file."]),
        vec![status("k", "idle", 2), event("session.idle", r#""sessionID":"k""#)],
        vec![task("s", "c", "completed", "k")],
    ]
    .concat()
}

#[test]
fn a_childs_session_is_an_agent_of_its_callers() {
    let memory = one("opencode", &family());
    assert_eq!(agents(&memory), ["count files (explore) · exact · Main · finished (explicit)"]);
    assert_eq!(kit::of(&memory, "count files"), ["user: (prompt) Count them", "text: One file."]);
    assert_eq!(transcript(&memory, 0), ["tool: count files → One file."]);
    assert_eq!((memory.titled("count files").id.as_str(), memory.titled("count files").same_report), ("k", true));
}

#[test]
fn a_childs_events_before_its_parent_are_told_are_held() {
    let all = family();
    let early = [all[4..].to_vec(), all[..4].to_vec()].concat();
    let (sessions, classes) = told("opencode", &early);
    assert_eq!(sessions.keys().collect::<Vec<_>>(), ["s"]);
    assert_eq!(classes.len(), early.len());
    assert_eq!(kit::of(&sessions["s"], "count files"), ["user: (prompt) Count them", "text: One file."]);
}

#[test]
fn an_event_of_a_session_that_nobody_tells_of_is_told_at_the_end() {
    let (sessions, classes) = told("opencode", &says("x", "m", &["Alone."]));
    assert_eq!(transcript(&sessions["x"], 0), ["text: Alone."]);
    assert_eq!(classes.len(), 4);
}

#[test]
fn parallel_children_with_equal_prompts_stay_apart() {
    let memory = one(
        "opencode",
        &[
            vec![session("s", "", "Main one"), status("s", "busy", 1), task("s", "c", "running", "k"), task("s", "d", "running", "l")],
            vec![session("l", "s", "two"), session("k", "s", "one")],
            says("l", "m1", &["I am l"]),
            says("k", "m2", &["I am k"]),
            vec![task("s", "c", "error", "k")],
        ]
        .concat(),
    );
    assert_eq!(
        agents(&memory),
        ["count files (explore) · exact · Main · failed (result)", "count files (explore) · exact · Main · running"]
    );
    let texts: Vec<_> = memory
        .agents
        .values()
        .filter(|agent| agent.n > 0 && !agent.is_aside())
        .map(|agent| (agent.id.clone(), transcript(&memory, agent.n)))
        .collect();
    assert_eq!(
        texts,
        [
            ("k".into(), vec!["user: (prompt) Count them".into(), "text: I am k".into()]),
            ("l".into(), vec!["user: (prompt) Count them".into(), "text: I am l".to_owned()])
        ]
    );
}

#[test]
fn a_further_turn_of_a_child_is_a_run_of_its_own_and_an_abort_a_stop() {
    let mut all = family();
    all.extend(user("k", "u2", "And folders?"));
    all.extend([
        status("k", "busy", 3),
        event("session.error", r#""sessionID":"k","error":{"name":"MessageAbortedError","data":{"message":"Aborted"}}"#),
        status("k", "idle", 4),
    ]);
    let memory = one("opencode", &all);
    assert_eq!(agents(&memory), ["count files (explore) · exact · Main · finished (explicit), cancelled (stop)"]);
    assert_eq!(kit::of(&memory, "count files")[2..], ["user: And folders?", "notice: cancelled: Aborted"]);
}

#[test]
fn nested_children_stand_in_the_session_at_the_root() {
    let memory = one("opencode", &[session("s", "", "r"), status("s", "busy", 1), session("k", "s", "one"), session("l", "k", "two")]);
    assert_eq!(agents(&memory), ["one · exact · Main · queued", "two · exact · one · queued"]);
}

#[test]
fn two_sessions_of_one_server_stay_two() {
    let all = [vec![session("s", "", "a"), session("t", "", "b")], says("t", "m1", &["In t"]), says("s", "m2", &["In s"])].concat();
    let (sessions, _) = told("opencode", &all);
    assert_eq!(
        (transcript(&sessions["s"], 0), transcript(&sessions["t"], 0)),
        (vec!["text: In s".to_owned()], vec!["text: In t".to_owned()])
    );
}

#[test]
fn older_servers_tell_what_is_new_beside_the_part() {
    let grown = |text: &str, delta: &str, time: &str| {
        event(
            "message.part.updated",
            &format!(
                r#""part":{{"id":"p","sessionID":"s","messageID":"m","type":"text","text":"{text}","time":{time}}},"delta":"{delta}""#
            ),
        )
    };
    let memory = one(
        "opencode",
        &[
            session("s", "", "a"),
            message("s", "m", "assistant", ""),
            grown("One", "One", r#"{"start":1}"#),
            grown("One two", " two", r#"{"start":1}"#),
            grown("One two.", ".", r#"{"start":1}"#),
        ],
    );
    assert_eq!(transcript(&memory, 0), ["text: One two. [running]"]);
}

#[test]
fn a_question_waits_for_its_answer() {
    let asked = event("permission.asked", r#""id":"q","sessionID":"k","permission":"bash","patterns":["rm x"]"#);
    let mut all = vec![session("s", "", "a"), status("s", "busy", 1), session("k", "s", "child"), status("k", "busy", 1), asked];
    let memory = one("opencode", &all);
    assert_eq!(kit::of(&memory, "child"), ["ask: bash rm x Open  [running]"]);
    assert_eq!((memory.session.status, memory.session.waiting_on), (SessionStatus::Waiting, Some(WaitingOn::Person)));
    all.push(event("permission.replied", r#""sessionID":"k","requestID":"q","reply":"reject""#));
    let memory = one("opencode", &all);
    assert_eq!(kit::of(&memory, "child"), ["ask: bash rm x Denied reject"]);
    assert_eq!(memory.session.status, SessionStatus::Running);
}

#[test]
fn what_is_removed_is_withdrawn() {
    let all =
        [vec![session("s", "", "a")], says("s", "m", &["Gone"]), vec![event("message.removed", r#""sessionID":"s","messageID":"m""#)]]
            .concat();
    assert_eq!(transcript(&one("opencode", &all), 0), ["text: Gone [withdrawn]"]);
}

#[test]
fn a_printed_run_is_one_session() {
    let printed = |kind: &str, fields: &str| format!(r#"{{"type":"{kind}","timestamp":1767037000000,"sessionID":"s",{fields}}}"#);
    let memory = one(
        "opencode",
        &[
            printed("step_start", r#""part":{"id":"a","messageID":"m","type":"step-start"}"#),
            printed(
                "tool_use",
                r#""part":{"id":"b","messageID":"m","type":"tool","callID":"c","tool":"task","state":{"status":"completed","input":{"description":"look","prompt":"Look"},"output":"Seen.","metadata":{"sessionId":"k"}}}"#,
            ),
            printed("reasoning", r#""part":{"id":"r","messageID":"m","type":"reasoning","text":"Hm","time":{"start":1,"end":2}}"#),
            printed("text", r#""part":{"id":"t","messageID":"m","type":"text","text":"Done.","time":{"start":1,"end":2}}"#),
            printed(
                "step_finish",
                r#""part":{"id":"f","messageID":"m","type":"step-finish","reason":"stop","tokens":{"input":3,"output":1}}"#,
            ),
            printed("error", r#""error":{"name":"APIError","data":{"message":"Too many"}}"#),
        ],
    );
    assert_eq!(transcript(&memory, 0), ["tool: look → Seen.", "reasoning: Hm", "text: Done.", "notice: error: Too many"]);
    assert_eq!(agents(&memory), ["look · exact · Main · finished (result)"]);
    assert_eq!((memory.session.status, memory.session.usage.input), (SessionStatus::Idle, 3));
}

pub fn next() -> Vec<String> {
    let next =
        |kind: &str, fields: &str| event(&format!("session.next.{kind}"), &format!(r#""sessionID":"s","assistantMessageID":"m",{fields}"#));
    vec![
        session("s", "", "a"),
        next("prompted", r#""messageID":"u","prompt":{"text":"Hello"}"#),
        next("step.started", r#""model":{"id":"big"}"#),
        next("reasoning.delta", r#""reasoningID":"r","delta":"H""#),
        next("reasoning.ended", r#""reasoningID":"r","text":"Hm""#),
        next("text.delta", r#""textID":"t","delta":"O""#),
        next("text.ended", r#""textID":"t","text":"One""#),
        next("tool.input.started", r#""callID":"c","name":"bash""#),
        next("tool.input.delta", r#""callID":"c","delta":"{""#),
        next("tool.called", r#""callID":"c","tool":"bash","input":{"command":"ls"}"#),
        next("tool.success", r#""callID":"c","structured":{},"content":[{"type":"text","text":"a"}]"#),
        part("s", "m", "p", r#""type":"text","text":"Told twice","time":{"start":1,"end":2}"#),
        next("step.ended", r#""finish":"stop","tokens":{"input":1,"output":1}"#),
    ]
}

#[test]
fn the_newer_events_tell_the_same_and_nothing_is_told_twice() {
    let memory = one("opencode", &next());
    assert_eq!(transcript(&memory, 0), ["user: Hello", "reasoning: Hm", "text: One", "tool: Run ls → a"]);
    assert_eq!(memory.session.status, SessionStatus::Idle);
}

#[test]
fn a_torn_line_that_waits_for_its_session_is_counted_once() {
    let waits = |id: &str| part("oc-9", "m1", id, r#""type":"text","text":"x","time":{"start":1,"end":2}"#);
    let torn = format!("{{\"half\":\"{}", waits("p1"));
    let list = format!("[{},{}]", waits("p2"), waits("p3"));
    let records = [torn, list, session("oc-9", "", "Late"), status("oc-9", "idle", 1)];
    let mut translator = kit::open("opencode", None);
    let numbered = records.iter().enumerate();
    let mut lines: Vec<_> = numbered.flat_map(|(at, text)| translator.record(Record::whole(at as u64, text.as_bytes()))).collect();
    lines.extend(translator.end());
    assert_eq!(lines.iter().filter(|line| line.class != Class::Part).count(), records.len());
    // What was held is told nevertheless.
    let (sessions, _) = told("opencode", &records);
    assert_eq!(transcript(&sessions["oc-9"], 0).iter().filter(|words| words.ends_with(": x")).count(), 3);
}

#[test]
fn an_end_that_comes_before_its_start_stays_an_end_and_a_crash_is_one() {
    let main = || [session("s", "", "Main one"), status("s", "busy", 1)];
    let child = || [vec![session("k", "s", "count files")], says("k", "m", &["One file."])].concat();
    let early = [main().to_vec(), vec![task("s", "c", "completed", "k")], child()].concat();
    let memory = one("opencode", &early);
    assert_eq!(agents(&memory), ["count files (explore) · exact · Main · finished (result)"]);
    assert_eq!(kit::of(&memory, "count files"), ["user: (prompt) Count them", "text: One file."]);
    let error = event("session.error", r#""sessionID":"k","error":{"name":"UnknownError","data":{"message":"out of luck"}}"#);
    let crashed = [main().to_vec(), vec![task("s", "c", "running", "k")], child(), vec![error]].concat();
    let memory = one("opencode", &crashed);
    assert_eq!(agents(&memory), ["count files (explore) · exact · Main · failed (explicit)"]);
    assert_eq!(kit::of(&memory, "count files").last().map(String::as_str), Some("notice: error: out of luck"));
}
