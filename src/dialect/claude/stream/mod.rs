//! Claude Code's stream: what the command and its SDK print with `--output-format stream-json`.
//!
//! Decision: what a person reads in a line is told by the same rules as the line in the file, so that both give the same keys;
//! here stand only the lines that no file has: parts of messages, tasks, questions, limits, the ends of turns.
//! Invariants: a line told again changes no memory; nothing that a subagent says lands in the main transcript.

mod asks;
mod deltas;
mod memory;
mod messages;
mod session;
mod tasks;
#[cfg(test)]
pub mod tests;

use super::FAMILY;
use super::disk::{Disk, FOREIGN};
use super::scribe::{Head, Scribe};
use crate::dialect::json::Object;
use crate::dialect::{Facts, Place, Record, Translator, opaque, salvage};
use crate::model::{Class, Line, Op, SessionId, SessionPatch, Who};
use memory::{Memory, Own, Voice};

/// Types of lines that tell nothing which is kept.
const BOOKKEEPING: [&str; 7] =
    ["auth_status", "conversation_reset", "keep_alive", "prompt_suggestion", "tool_progress", "tool_use_summary", "transcript_mirror"];

/// How sure the first lines make it that they are a stream: ids in the snake case of streams.
pub fn recognise(head: &crate::dialect::Head<'_>) -> u8 {
    head.objects().iter().map(sure).max().unwrap_or(0)
}

fn sure(object: &Object<'_>) -> u8 {
    let named = object.raw("session_id").is_some() || object.has("parent_tool_use_id");
    match &*object.word("type").unwrap_or_default() {
        "system" | "assistant" | "user" | "result" | "stream_event" if named => 95,
        "" => 0,
        "system" if object.raw("subtype").is_some() && object.raw("sessionId").is_none() => 40,
        "stream_event" | "rate_limit_event" | "tool_progress" => 60,
        "control_request" | "control_response" | "keep_alive" => 40,
        _ if object.raw("session_id").is_some() => 30,
        _ => 0,
    }
}

/// The session that a line says it belongs to.
pub fn session_of(record: &[u8]) -> Option<String> {
    let object = std::str::from_utf8(record).ok().and_then(Object::parse)?;
    object.word("session_id").map(Into::into)
}

/// The file's name without its ending names the session, where its lines do not.
pub fn place(path: &[&str]) -> Place {
    let stem = path.last().map(|name| name.rsplit_once('.').map_or(*name, |(stem, _)| stem).to_owned());
    Place { session: stem, ..Place::default() }
}

pub fn open(facts: Facts, memory: Option<&str>) -> Result<Box<dyn Translator>, String> {
    let memory = memory.map_or(Ok(Memory::default()), serde_json::from_str).map_err(|fault| fault.to_string())?;
    Ok(Box::new(Stream { facts, memory }))
}

/// The translator of one stream, which may hold several sessions.
struct Stream {
    facts: Facts,
    memory: Memory,
}

impl Translator for Stream {
    fn record(&mut self, record: Record<'_>) -> Vec<Line> {
        if let Some(cut) = record.cut {
            return vec![self.unreadable(record, format!("This line is too long to be read: {} bytes.", cut.len))];
        }
        let Ok(text) = std::str::from_utf8(record.bytes) else {
            return vec![self.unreadable(record, "This line is no text.".into())];
        };
        if let Some(object) = Object::parse(text) {
            return vec![self.line(record, text, &object)];
        }
        let (found, clean) = salvage::records(text);
        let clean = clean && !found.is_empty();
        let mut lines = Vec::with_capacity(found.len() + 1);
        if !clean {
            lines.push(self.unreadable(record, "This line cannot be read as a whole.".into()));
        }
        for part in found {
            let Some(object) = Object::parse(part).filter(|object| clean || sure(object) > 0) else { continue };
            let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
            let piece = Record::whole(record.offset, part.as_bytes());
            let mut line = self.line(piece, part, &object);
            if !lines.is_empty() {
                // Where a position is a line's number, only its id tells a second record of that line from the first.
                line.id = line.id.or_else(|| Some(format!("part:{}:{start}:{:016x}", record.offset, line.hash.0)));
                line.class = Class::Part;
            }
            lines.push(line);
        }
        lines
    }

    fn memory(&self) -> String {
        serde_json::to_string(&self.memory).unwrap_or_default()
    }
}

impl Stream {
    fn unreadable(&mut self, record: Record<'_>, why: String) -> Line {
        let session = self.memory.last.clone().unwrap_or_else(|| self.facts.session.clone());
        let mut scribe = Scribe::new(Who::Main, String::new(), None);
        scribe.say(opaque::entry(Who::Main, record, why));
        scribe.opaque();
        finish(session, record, None, scribe)
    }

    fn line(&mut self, record: Record<'_>, text: &str, object: &Object<'_>) -> Line {
        let head = Head::of(text, object);
        let named = object.word("session_id").map(String::from);
        let session = named.or_else(|| self.memory.last.clone()).unwrap_or_else(|| self.facts.session.clone());
        let first = self.memory.last.is_none();
        self.memory.last = Some(session.clone());
        let base = head.uuid.as_deref().map_or_else(|| format!("{:016x}@{}", head.hash.0, record.offset), |uuid| format!("uuid:{uuid}"));
        let mut scribe = Scribe::new(Who::Main, base, head.at);
        let mut voice = self.memory.voice(&session);
        let again = head.uuid.as_deref().is_some_and(|uuid| voice.own.again(uuid));
        let kept = again.then(|| voice.clone());
        let facts = Facts { session: session.clone(), ..Facts::default() };
        let mut teller = Teller { disk: Disk { facts, memory: voice.files }, own: voice.own };
        teller.begin(&mut scribe, &session, first.then_some(self.facts.session.as_str()));
        teller.tell(&mut scribe, object, &head);
        let voice = kept.unwrap_or(Voice { files: teller.disk.memory, own: teller.own });
        self.memory.keep(session.clone(), voice);
        if scribe.class() == Class::Opaque {
            let who = scribe.who.clone();
            let why = if is_foreign(object) { FOREIGN.into() } else { unknown(&head.kind, object) };
            scribe.say(opaque::entry(who, record, why));
        }
        finish(session, record, Some(&head), scribe)
    }
}

/// A line of a file: in whose transcript it belongs, the file's name says.
fn is_foreign(object: &Object<'_>) -> bool {
    object.raw("sessionId").is_some() && object.raw("session_id").is_none()
}

fn finish(session: String, record: Record<'_>, head: Option<&Head<'_>>, scribe: Scribe) -> Line {
    Line {
        session: SessionId { family: FAMILY.into(), id: session },
        offset: record.offset,
        // A line in a file may have the same id: it stands in a tree, which this one knows nothing of.
        id: head.and_then(|head| head.uuid.as_deref()).map(|uuid| format!("stream:{uuid}")),
        hash: opaque::hash(record),
        parent: None,
        turn: false,
        copy: false,
        at: scribe.at,
        class: scribe.class(),
        ops: scribe.ops,
    }
}

/// Tells the lines of one session: what files have too by their rules, the rest by its own memory.
struct Teller {
    disk: Disk,
    own: Own,
}

impl Teller {
    /// What the stream says of its session, before its first line. `name` is what the caller calls it.
    fn begin(&mut self, scribe: &mut Scribe, session: &str, name: Option<&str>) {
        if !self.own.began {
            self.own.began = true;
            let names = name.filter(|name| !name.is_empty() && *name != session).map(String::from).into_iter().collect();
            scribe.say(Op::Process);
            scribe.say(Op::Session(SessionPatch { dialect: Some("claude-stream".into()), names, ..SessionPatch::default() }));
        }
    }

    fn tell(&mut self, scribe: &mut Scribe, object: &Object<'_>, head: &Head<'_>) {
        scribe.who = self.speaker(object);
        match &*head.kind {
            _ if is_foreign(object) => scribe.opaque(),
            "assistant" if object.object("message").is_some() => self.assistant(scribe, object),
            "user" if object.raw("message").is_some() => self.user(scribe, object),
            "stream_event" => self.event(scribe, object),
            "system" => self.system(scribe, object),
            "result" => self.result(scribe, object),
            "rate_limit_event" => self.rate_limit(scribe, object),
            "control_request" => self.asked(scribe, object),
            "control_response" => self.answered(scribe, object),
            "control_cancel_request" => self.withdrawn(scribe, object),
            kind if BOOKKEEPING.contains(&kind) => scribe.bookkeeping(kind, None),
            _ => scribe.opaque(),
        }
    }

    fn system(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        let subtype = object.word("subtype").unwrap_or_default();
        scribe.bookkeeping("system", Some(&subtype));
        match &*subtype {
            "init" => self.init(scribe, object),
            "session_state_changed" => self.state(scribe, object),
            "compact_boundary" => session::compaction(scribe, object),
            "task_started" => self.task_started(scribe, object),
            "task_progress" => self.task_progress(scribe, object),
            "task_updated" => self.task_updated(scribe, object),
            "task_notification" => self.task_notification(scribe, object),
            "background_tasks_changed" => self.background(scribe, object),
            "permission_denied" => self.denied(scribe, object),
            "local_command_output"
            | "informational"
            | "notification"
            | "model_refusal_fallback"
            | "mirror_error"
            | "session_writes_lost" => {
                session::remark(scribe, object, &subtype);
            }
            "api_retry"
            | "commands_changed"
            | "elicitation_complete"
            | "files_persisted"
            | "hook_started"
            | "hook_progress"
            | "hook_response"
            | "memory_recall"
            | "plugin_install"
            | "status"
            | "thinking_tokens"
            | "worker_shutting_down" => {}
            _ => scribe.opaque(),
        }
    }
}

fn unknown(kind: &str, object: &Object<'_>) -> String {
    let subtype = object.word("subtype").unwrap_or_default();
    let both = if subtype.is_empty() { kind.to_owned() } else { format!("{kind}/{subtype}") };
    let word: String = both.chars().filter(|c| !c.is_control()).take(60).collect();
    if word.is_empty() { "A line without a type.".into() } else { format!("A line of the type {word}, which no rule knows.") }
}
