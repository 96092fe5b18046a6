//! Several files of one session, all synthetic: lines in, rows out, whichever file is read first.

use super::*;
use crate::ledger::memory::Memory;
use crate::model::{AgentNo, SessionId};

fn session() -> SessionId {
    SessionId { family: "claude".into(), id: "s".into() }
}

/// A file of the session: the session's own for "", a workflow's agent for "run/agent", else an agent's.
fn file(name: &str, lines: &[String]) -> Vec<Line> {
    let (workflow, agent) = match name.split_once('/') {
        Some((run, agent)) => (Some(run.to_owned()), agent),
        None => (None, name),
    };
    let agent = Some(agent.to_owned()).filter(|agent| !agent.is_empty());
    let mut file = File::at(Place { session: Some("s".into()), inside: agent.is_some(), agent, workflow, ..Place::default() });
    lines.iter().flat_map(|line| file.lines(line)).collect()
}

/// The files read one after the other; behind each the input has ended.
fn read(files: &[(&str, Vec<String>)]) -> Memory {
    let mut memory = Memory::default();
    for (source, (name, lines)) in (1..).zip(files) {
        let mut lines: Vec<(u32, Line)> = file(name, lines).into_iter().map(|line| (source, line)).collect();
        lines.push((source, Line::control(session(), vec![Op::EndOfInput])));
        memory.feed(&session(), &lines, |_| true);
    }
    memory
}

/// "id (title) under parent, link, calls, tokens: entry, entry…" of each agent that is shown, then those of its parts.
fn rows(memory: &Memory) -> Vec<String> {
    let id = |n: AgentNo| memory.agents.get(&n).map_or("?", |agent| agent.id.as_str()).to_owned();
    let mut rows: Vec<String> = Vec::new();
    for agent in memory.agents.values().filter(|agent| !agent.is_aside()) {
        let mut parts: Vec<&crate::model::Agent> =
            memory.agents.values().filter(|part| part.n == agent.n || (part.part_of == Some(agent.n) && !part.hidden)).collect();
        parts.sort_by_key(|part| part.started_at);
        let words: Vec<String> = parts.iter().flat_map(|part| memory.words(part.n)).collect();
        let parent = agent.parent.map_or("—".into(), id);
        let link = agent.link.word();
        let (tools, tokens) = (agent.tool_calls, agent.usage.total());
        rows.push(format!("{} ({}) under {parent}, {link}, {tools}, {tokens}: {}", agent.id, agent.title, words.join(", ")));
    }
    rows.sort();
    rows
}

pub(super) fn at(second: u32, line: &str) -> String {
    let stamp = format!(",\"timestamp\":\"2026-02-06T10:00:{second:02}.000Z\"}}");
    let plain = line.replace(",\"timestamp\":\"2026-02-06T10:00:00.000Z\"", "");
    format!("{}{stamp}", plain.strip_suffix('}').expect("an object"))
}

pub(super) fn says(second: u32, uuid: &str, text: &str) -> String {
    let content = format!(r#"[{{"type":"text","text":"{text}"}}]"#);
    at(second, &assistant(uuid, &content).replace("\"id\":\"m\"", &format!("\"id\":\"m-{uuid}\"")))
}

fn uses(second: u32, uuid: &str, call: &str) -> String {
    let content = format!(r#"[{{"type":"tool_use","id":"{call}","name":"Bash","input":{{"command":"ls"}}}}]"#);
    at(second, &assistant(uuid, &content).replace("\"id\":\"m\"", &format!("\"id\":\"m-{uuid}\"")))
}

pub(super) fn calls(second: u32, uuid: &str, call: &str, description: &str, prompt: &str) -> String {
    let input = format!(r#"{{"description":"{description}","prompt":"{prompt}","subagent_type":"Explore"}}"#);
    let content = format!(r#"[{{"type":"tool_use","id":"{call}","name":"Agent","input":{input}}}]"#);
    at(second, &assistant(uuid, &content).replace("\"id\":\"m\"", &format!("\"id\":\"m-{uuid}\"")))
}

pub(super) fn answers(second: u32, call: &str, text: &str, details: &str) -> String {
    at(second, &result(call, &format!("\"{text}\""), &format!("}}]}},\"toolUseResult\":{details}}}")))
}

/// A copy of `line` in the file of the parent.
fn progress(second: u32, uuid: &str, agent: &str, call: &str, line: &str) -> String {
    at(
        second,
        &format!(
            r#"{{"type":"progress","uuid":"{uuid}","sessionId":"s","parentToolUseID":"{call}","data":{{"type":"agent_progress","agentId":"{agent}","prompt":"","message":{line}}}}}"#
        ),
    )
}

/// The rows of all orders of the files are the same; these are they.
fn in_any_order(files: &[(&str, Vec<String>)]) -> Vec<String> {
    let first = rows(&read(files));
    let mut turned = files.to_vec();
    for _ in 0..files.len() {
        turned.rotate_left(1);
        assert_eq!(rows(&read(&turned)), first, "{:?}", turned.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        let back: Vec<_> = turned.iter().rev().cloned().collect();
        assert_eq!(rows(&read(&back)), first, "{:?}", back.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    }
    first
}

/// A child whose lines its parent's file has copies of, but for its texts.
fn child_and_copies() -> (Vec<String>, Vec<String>) {
    let own = vec![at(2, &user("p", r#""Look around""#)), uses(3, "t", "C"), answers(4, "C", "a b", "null"), says(5, "x", "Two files")];
    let mut parent = vec![at(0, &user("u", r#""Go""#)), calls(1, "c", "P", "look", "Look around")];
    let copied = |line: &String| line.replace("\"sessionId\":\"s\",", "");
    parent.extend((0..3).map(|n| progress(n + 2, &format!("g{n}"), "a1", "P", &copied(&own[n as usize]))));
    parent.push(answers(6, "P", "Two files", r#"{"status":"completed","agentId":"a1","totalToolUseCount":1}"#));
    (own, parent)
}

#[test]
fn copies_are_the_transcript_of_an_agent_without_a_file() {
    let (_, parent) = child_and_copies();
    let memory = read(&[("", parent)]);
    assert_eq!(
        rows(&memory),
        [
            "a1 (look) under main, exact, 1, 26: user: Look around, tool: {\"command\":\"ls\"}|a b",
            "main (Main) under —, exact, 1, 26: user: Go, tool: {\"description\":\"look\",\"prompt\":\"Look around\",\"subagent_type\":\"Explore\"}|Two files",
        ]
    );
    assert_eq!((memory.titled("look").status, memory.session.agents.all), (AgentStatus::Finished, 1));
    assert_eq!(memory.titled("look").names, ["P", "a1"]);
}

#[test]
fn copies_add_nothing_to_an_agent_with_a_file_whichever_is_read_first() {
    let (own, parent) = child_and_copies();
    let found = in_any_order(&[("", parent), ("a1", own)]);
    assert_eq!(found[0], "a1 (look) under main, exact, 1, 52: user: Look around, tool: {\"command\":\"ls\"}|a b, text: Two files");
    assert_eq!(found.len(), 2);
}

#[test]
fn copies_are_not_shown_before_the_end_of_the_input() {
    let (_, parent) = child_and_copies();
    let mut memory = Memory::default();
    let lines: Vec<(u32, Line)> = file("", &parent).into_iter().map(|line| (1, line)).collect();
    let classes = memory.feed(&session(), &lines, |_| false);
    assert_eq!(memory.words(memory.titled("look").n), ["user: Look around"], "the call's words alone");
    assert!(classes.iter().filter(|class| class.name() == "bookkeeping:progress/agent_progress").count() == 3, "{classes:?}");
}

#[test]
fn a_teammates_files_are_one_agent_in_order_of_time() {
    let mate = |line: &str| line.replacen('{', r#"{"teamName":"blue","agentName":"scout","#, 1);
    let told = |second, uuid: &str, text: &str, summary: &str| {
        let content = format!(r#""<teammate-message teammate_id=\"lead\" summary=\"{summary}\">{text}</teammate-message>""#);
        mate(&at(second, &user(uuid, &content)))
    };
    let one = vec![told(2, "p1", "Find it", "find the fault"), mate(&says(3, "x1", "Found")), mate(&uses(4, "t1", "C1"))];
    let two = vec![told(12, "p2", "Mend it", "mend the fault"), mate(&says(13, "x2", "Mended"))];
    let spawned = r#"{"status":"teammate_spawned","agent_id":"scout@blue","color":"red"}"#;
    for details in [spawned, "null"] {
        let lead =
            vec![at(0, &user("u", r#""Go""#)), calls(1, "c", "P", "find the fault", "Find the fault"), answers(1, "P", "Spawned", details)];
        let found = in_any_order(&[("", lead), ("a9", one.clone()), ("a2", two.clone())]);
        let link = if details == spawned { "exact" } else { "inferred" };
        assert_eq!(
            found[0],
            format!(
                "a2 (find the fault) under main, {link}, 1, 78: user: Find it, text: Found, tool: {{\"command\":\"ls\"}}, user: Mend it, text: Mended"
            )
        );
        assert_eq!(found.len(), 2, "{found:?}");
    }
}

#[test]
fn a_workflows_agents_are_their_launchers() {
    let launch =
        r#"{"isAsync":true,"status":"async_launched","runId":"wf_1","taskId":"t1","transcriptDir":"/p/s/subagents/workflows/wf_1"}"#;
    let input = r#"[{"type":"tool_use","id":"W","name":"Workflow","input":{"name":"sweep"}}]"#;
    let starts = |second| at(second, &assistant("w", input));
    let step = |uuid: &str| vec![at(4, &user(uuid, r#""Sweep""#)), says(5, &format!("x{uuid}"), "Swept")];
    // Started by the main agent.
    let main = vec![at(0, &user("u", r#""Go""#)), starts(1), answers(2, "W", "Started", launch)];
    let found = in_any_order(&[("", main), ("wf_1/b1", step("p1")), ("wf_1/b2", step("p2"))]);
    assert_eq!(found[0], "b1 (Sweep) under main, sidecar, 0, 26: user: Sweep, text: Swept");
    assert!(found[1].starts_with("b2 (Sweep) under main, sidecar"), "{found:?}");
    // Started by a subagent.
    let main = vec![
        at(0, &user("u", r#""Go""#)),
        calls(1, "c", "P", "outer", "Do"),
        answers(9, "P", "Done", r#"{"status":"completed","agentId":"a1","totalToolUseCount":1}"#),
    ];
    let outer = vec![at(1, &user("q", r#""Do""#)), starts(2), answers(3, "W", "Started", launch)];
    let found = in_any_order(&[("", main), ("a1", outer), ("wf_1/b1", step("p1"))]);
    assert!(found.iter().any(|row| row.starts_with("b1 (Sweep) under a1, sidecar")), "{found:?}");
}

#[test]
fn a_note_in_the_background_names_the_call_of_its_task() {
    let note = r"<task-notification>\n<task-id>a1</task-id>\n<tool-use-id>P</tool-use-id>\n<status>completed</status>\n<summary>Agent finished</summary>\n</task-notification>";
    let main = vec![at(0, &user("u", r#""Go""#)), calls(1, "c", "P", "look", "Look"), at(9, &user("n", &format!("\"{note}\"")))];
    let own = vec![at(2, &user("p", r#""Other words""#)), says(3, "x", "Seen")];
    // A second agent of which nothing is known keeps anything from being inferred.
    let stray = vec![at(2, &user("p2", r#""Words of nobody""#)), says(3, "x2", "Seen too")];
    let found = in_any_order(&[("", main), ("a1", own), ("a2", stray)]);
    assert!(found[0].starts_with("a1 (look) under main, later"), "{found:?}");
    assert!(found[1].starts_with("a2 (Words of nobody) under —, unlinked"), "{found:?}");
}

#[test]
fn late_lines_behind_the_end_change_no_status_and_later_ones_begin_anew() {
    let main = vec![
        at(0, &user("u", r#""Go""#)),
        calls(1, "c", "P", "look", "Look"),
        answers(10, "P", "Seen", r#"{"status":"completed","agentId":"a1","totalToolUseCount":0}"#),
    ];
    for (second, runs) in [(11, &[AgentStatus::Finished][..]), (40, &[AgentStatus::Finished, AgentStatus::Unknown])] {
        let own = vec![at(2, &user("p", r#""Look""#)), says(3, "x", "Seen"), says(second, "y", "One more")];
        for files in [[("", main.clone()), ("a1", own.clone())], [("a1", own.clone()), ("", main.clone())]] {
            let mut memory = read(&files);
            memory.feed(&session(), &[(1, Line::control(session(), vec![Op::NoNews]))], |_| false);
            let agent = memory.titled("look");
            assert_eq!(agent.runs.iter().map(|run| run.status).collect::<Vec<_>>(), runs);
            assert_eq!(memory.words(agent.n), ["user: Look", "text: Seen", "text: One more"]);
        }
    }
}

#[test]
fn what_a_line_supersedes_is_withdrawn() {
    let better = says(3, "b", "Better").replacen('{', r#"{"supersedes":["a","t"],"#, 1);
    let memory = read(&[("", vec![says(1, "a", "Worse"), uses(2, "t", "C"), better])]);
    let states: Vec<EntryState> = memory.entries.values().map(|entry| entry.state).collect();
    assert_eq!(states, [EntryState::Withdrawn, EntryState::Withdrawn, EntryState::Done]);
}
