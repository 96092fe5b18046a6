//! The stream by examples, all synthetic: lines in, rows out. Expected rows are written by hand.

pub mod cases;
mod interplay;
mod life;
mod lines;

use crate::dialect::kit::runs;
use crate::dialect::{Facts, Record, Translator};
use crate::ledger::memory::Memory;
use crate::model::{Class, EntryState, Line, SessionId, SessionStatus};

/// The session that the examples speak of.
pub(super) fn session() -> SessionId {
    SessionId { family: "claude".into(), id: "s".into() }
}

/// Translates a stream whole.
pub(super) fn translate(lines: &[String]) -> Vec<Line> {
    read(&mut *super::open(Facts::default(), None).expect("a translator"), 0, lines)
}

pub(super) fn read(stream: &mut dyn Translator, from: usize, lines: &[String]) -> Vec<Line> {
    let records = lines.iter().enumerate();
    records.flat_map(|(at, line)| stream.record(Record::whole((from + at) as u64, line.as_bytes()))).collect()
}

/// What a stream comes to, with what became of its lines.
pub(super) fn told(lines: &[String]) -> (Memory, Vec<Class>) {
    let mut memory = Memory::default();
    let lines: Vec<(u32, Line)> = translate(lines).into_iter().map(|line| (1, line)).collect();
    let classes = memory.feed(&session(), &lines, |_| false);
    (memory, classes)
}

/// `{"type":kind,…fields,"session_id":"s","uuid":id}`; a field without a brace opens none.
pub(super) fn line(kind: &str, id: &str, fields: &str) -> String {
    let (kind, subtype) = kind.split_once('/').map_or((kind, String::new()), |(kind, sub)| (kind, format!(",\"subtype\":\"{sub}\"")));
    let comma = if fields.is_empty() { "" } else { "," };
    format!("{{\"type\":\"{kind}\"{subtype}{comma}{fields},\"session_id\":\"s\",\"uuid\":\"{id}\"}}")
}

/// Whose line: of the main agent for "", else of the agent that this call started.
fn parent(call: &str) -> String {
    if call.is_empty() { "\"parent_tool_use_id\":null".into() } else { format!("\"parent_tool_use_id\":\"{call}\"") }
}

pub(super) fn init(id: &str) -> String {
    line("system/init", id, r#""cwd":"/w","model":"m-big","tools":["Task"]"#)
}

pub(super) fn says(of: &str, id: &str, message: &str, text: &str) -> String {
    let block = format!(r#"{{"type":"text","text":"{text}"}}"#);
    assistant(of, id, message, &block)
}

pub(super) fn assistant(of: &str, id: &str, message: &str, block: &str) -> String {
    line("assistant", id, &format!(r#""message":{{"id":"{message}","model":"m","content":[{block}],"stop_reason":null}},{}"#, parent(of)))
}

pub(super) fn calls(of: &str, id: &str, call: &str, what: &str, prompt: &str) -> String {
    let input = format!(r#"{{"description":"{what}","subagent_type":"Explore","prompt":"{prompt}"}}"#);
    let block = format!(r#"{{"type":"tool_use","id":"{call}","name":"Agent","input":{input}}}"#);
    assistant(of, id, &format!("msg-{id}"), &block)
}

pub(super) fn uses(of: &str, id: &str, call: &str, command: &str) -> String {
    let block = format!(r#"{{"type":"tool_use","id":"{call}","name":"Bash","input":{{"command":"{command}"}}}}"#);
    assistant(of, id, &format!("msg-{id}"), &block)
}

pub(super) fn turn(of: &str, id: &str, text: &str) -> String {
    line("user", id, &format!(r#""message":{{"role":"user","content":"{text}"}},{}"#, parent(of)))
}

/// A result; `more` is what the line says beside it, or "".
pub(super) fn result(of: &str, id: &str, call: &str, text: &str, more: &str) -> String {
    let block = format!(r#"{{"type":"tool_result","tool_use_id":"{call}","content":"{text}"}}"#);
    let more = if more.is_empty() { String::new() } else { format!(",\"tool_use_result\":{more}") };
    line("user", id, &format!(r#""message":{{"content":[{block}]}},{}{more}"#, parent(of)))
}

pub(super) fn started(id: &str, task: &str, call: &str, more: &str) -> String {
    let call = if call.is_empty() { String::new() } else { format!(r#""tool_use_id":"{call}","#) };
    line("system/task_started", id, &format!(r#""task_id":"{task}",{call}"description":"d","task_type":"local_agent"{more}"#))
}

pub(super) fn updated(id: &str, task: &str, patch: &str) -> String {
    line("system/task_updated", id, &format!(r#""task_id":"{task}","patch":{patch}"#))
}

pub(super) fn notified(id: &str, task: &str, call: &str, status: &str, summary: &str) -> String {
    let call = if call.is_empty() { String::new() } else { format!(r#""tool_use_id":"{call}","#) };
    line("system/task_notification", id, &format!(r#""task_id":"{task}",{call}"status":"{status}","summary":"{summary}""#))
}

pub(super) fn ends(id: &str, text: &str) -> String {
    line("result/success", id, &format!(r#""is_error":false,"num_turns":1,"result":"{text}""#))
}

/// The launch of an agent that goes on in the background.
pub(super) const LAUNCHED: &str = r#"{"isAsync":true,"status":"async_launched","agentId":"a1"}"#;

/// "title · link · parent's title · status (cause), status (cause)…", a word for each run.
pub(super) fn agents(memory: &Memory) -> Vec<String> {
    let title = |n: u32| memory.agents.get(&n).map_or("?", |agent| agent.title.as_str());
    let shown = memory.agents.values().filter(|agent| agent.n > 0 && !agent.is_aside());
    shown.map(|agent| format!("{} · {} · {} · {}", agent.title, agent.link.word(), agent.parent.map_or("—", title), runs(agent))).collect()
}

pub(super) fn status(memory: &Memory) -> SessionStatus {
    memory.session.status
}

pub(super) fn number(memory: &Memory, title: &str) -> u32 {
    memory.titled(title).n
}

/// States of an agent's entries, by `seq`.
pub(super) fn states(memory: &Memory, n: u32) -> Vec<EntryState> {
    memory.entries.values().filter(|entry| entry.agent == n).map(|entry| entry.state).collect()
}

/// The sample files under a folder, by name.
pub(super) fn samples(folder: &std::path::Path) -> std::io::Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(samples(&path)?);
        } else if path.extension().is_some_and(|end| end == "jsonl") {
            found.push((path.display().to_string(), std::fs::read_to_string(&path)?));
        }
    }
    Ok(found)
}
