//! Claude Code's files, one record after the other.
//!
//! A file is one session, decided before it is read; whose transcript it is says its path, else each line. Keys: text and
//! reasoning by line id and by message id + kind + ordinal, tools by call id, everything else by line id.

use super::FAMILY;
use super::memory::Memory;
use super::scribe::{Head, Scribe};
use crate::dialect::json::Object;
use crate::dialect::{Facts, Record, Role, Translator, opaque, salvage};
use crate::model::{AgentPatch, Class, Line, Name, NameKind, Op, Origin, SessionId, SessionPatch, Who};

/// Types of lines that tell nothing about entries.
const BOOKKEEPING: [&str; 12] = [
    "bridge-session",
    "file-history-snapshot",
    "frame-link",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
    "queue-operation",
    "relocated",
    "saved_hook_context",
    "tag",
    "worktree-state",
];

/// Why a line of another dialect is only kept.
pub(super) const FOREIGN: &str = "A line of another kind of transcript, which does not belong here.";

pub fn open(facts: Facts, memory: Option<&str>) -> Result<Box<dyn Translator>, String> {
    let memory = memory.map_or(Ok(Memory::default()), serde_json::from_str).map_err(|fault| fault.to_string())?;
    Ok(Box::new(Disk { facts, memory }))
}

/// The translator of one file.
pub struct Disk {
    pub(super) facts: Facts,
    pub(super) memory: Memory,
}

impl Translator for Disk {
    fn record(&mut self, record: Record<'_>) -> Vec<Line> {
        if let Some(cut) = record.cut {
            return vec![self.unreadable(record, format!("This line is too long to be read: {} bytes.", cut.len))];
        }
        let text = String::from_utf8_lossy(record.bytes);
        let torn = matches!(text, std::borrow::Cow::Owned(_));
        if !torn && let Some(object) = Object::parse(&text) {
            return vec![self.line(record, &text, &object)];
        }
        let (found, clean) = salvage::records(&text);
        let clean = clean && !torn && !found.is_empty();
        let mut lines = Vec::with_capacity(found.len() + 1);
        if !clean {
            lines.push(self.unreadable(record, "This line cannot be read as a whole.".into()));
        }
        for part in found {
            let Some(object) = Object::parse(part).filter(|object| clean || is_record(object)) else { continue };
            let start = if torn { 0 } else { (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize) };
            let piece = Record::whole(record.offset.saturating_add(start as u64), part.as_bytes());
            let line = self.line(piece, part, &object);
            lines.push(if lines.is_empty() { line } else { Line { class: Class::Part, ..line } });
        }
        lines
    }

    fn memory(&self) -> String {
        serde_json::to_string(&self.memory).unwrap_or_default()
    }
}

/// A line of the stream names its session as no file does. In whose transcript it belongs, a file does not say.
fn is_foreign(object: &Object<'_>) -> bool {
    (object.raw("session_id").is_some() || object.has("parent_tool_use_id")) && object.raw("sessionId").is_none()
}

/// What is whole inside of a broken line may be a part of the record that broke: a record has an id or a session.
fn is_record(object: &Object<'_>) -> bool {
    ["uuid", "sessionId", "leafUuid"].iter().any(|name| object.raw(name).is_some())
}

impl Disk {
    /// The agent whose transcript the file is.
    fn owner(&self) -> Who {
        self.facts.place.agent.as_ref().map_or(Who::Main, Who::runtime)
    }

    fn session(&self) -> SessionId {
        SessionId { family: FAMILY.into(), id: self.facts.session.clone() }
    }

    fn unreadable(&mut self, record: Record<'_>, why: String) -> Line {
        let mut scribe = Scribe::new(self.owner(), String::new(), None);
        self.begin(&mut scribe);
        scribe.say(opaque::entry(self.owner(), record, why));
        scribe.opaque();
        self.finish(record, None, scribe)
    }

    fn line(&mut self, record: Record<'_>, text: &str, object: &Object<'_>) -> Line {
        let head = Head::of(text, object);
        let who = self.speaker(object, &head);
        let base = head.uuid.as_deref().map_or_else(|| format!("{:016x}@{}", head.hash.0, record.offset), |uuid| format!("uuid:{uuid}"));
        let mut scribe = Scribe::new(who, base, head.at);
        self.begin(&mut scribe);
        match self.facts.place.role {
            Role::Transcript if is_foreign(object) => scribe.opaque(),
            Role::Transcript => self.transcript(&mut scribe, object, &head),
            Role::Sidecar => self.sidecar(&mut scribe, object),
            Role::Journal => self.journal(&mut scribe, object, &head.kind),
        }
        if scribe.class() == Class::Opaque {
            let why = if is_foreign(object) { FOREIGN.into() } else { unknown(&head.kind) };
            scribe.say(opaque::entry(scribe.who.clone(), record, why));
        }
        self.teammate(&mut scribe, object);
        self.about_session(&mut scribe, &head);
        if let Some(uuid) = &head.uuid {
            self.memory.read(uuid);
        }
        self.finish(record, Some(&head), scribe)
    }

    fn finish(&self, record: Record<'_>, head: Option<&Head<'_>>, scribe: Scribe) -> Line {
        let id = |of: fn(&Head<'_>) -> Option<String>| head.and_then(of);
        Line {
            session: self.session(),
            offset: record.offset,
            id: id(|head| head.uuid.as_deref().map(String::from)),
            hash: head.map_or_else(|| opaque::hash(record), |head| head.hash),
            parent: id(|head| head.parent.as_deref().map(String::from)),
            turn: scribe.turn,
            copy: false,
            at: scribe.at,
            class: scribe.class(),
            ops: scribe.ops,
        }
    }

    fn transcript(&mut self, scribe: &mut Scribe, object: &Object<'_>, head: &Head<'_>) {
        let role = || object.object("message").and_then(|message| message.word("role"));
        let kind = if head.kind.is_empty() { role().unwrap_or_default() } else { head.kind.clone() };
        match &*kind {
            "user" => {
                let opens = self.opens(scribe, head);
                self.user(scribe, object, opens);
            }
            "assistant" => {
                self.memory.opened = true;
                self.assistant(scribe, object);
            }
            "tool_use" => self.tool_use(scribe, object),
            "tool_result" if object.raw("tool_use_id").is_some() => self.tool_result(scribe, object, None),
            "system" => self.system(scribe, object),
            "progress" => self.progress(scribe, object),
            "attachment" => self.attachment(scribe, object),
            "queue-operation" => self.queue(scribe, object),
            kind @ ("summary" | "custom-title" | "ai-title" | "agent-name") => self.title(scribe, object, kind),
            kind if BOOKKEEPING.contains(&kind) => scribe.bookkeeping(kind, None),
            _ => scribe.opaque(),
        }
    }

    /// True for the user line that opens the transcript of a subagent.
    fn opens(&mut self, scribe: &Scribe, head: &Head<'_>) -> bool {
        let first = if self.facts.place.agent.is_some() { !self.memory.opened } else { head.parent.is_none() };
        self.memory.opened = true;
        first && scribe.who != Who::Main
    }

    /// The agent in whose transcript a line stands: the file's, or in a session's file that of its sidechain.
    fn speaker(&mut self, object: &Object<'_>, head: &Head<'_>) -> Who {
        if self.facts.place.agent.is_some() || !object.flag("isSidechain") {
            return self.owner();
        }
        match (object.word("agentId"), &head.uuid) {
            (Some(agent), _) => Who::runtime(agent),
            (None, Some(uuid)) => {
                let id = self.memory.chain(uuid, head.parent.as_deref());
                Who::Named(Name { kind: NameKind::File, id })
            }
            (None, None) => Who::Main,
        }
    }

    /// What the source itself says of its agent, before its first line.
    fn begin(&mut self, scribe: &mut Scribe) {
        if let Some(agent) = self.facts.place.agent.as_ref().filter(|_| !self.memory.began) {
            let hidden = agent.starts_with("acompact-").then_some(true);
            // A workflow's agents have no call; their folder says whose they are.
            let workflow = self.facts.place.workflow.clone();
            let patch = AgentPatch { hidden, workflow, ..AgentPatch::default() };
            scribe.say(Op::Agent { who: self.owner(), patch });
        }
    }

    /// A teammate has a file for each message that it was sent, and one name in all of them. It is told behind an entry: what has
    /// said nothing yet would be taken for what another file tells of.
    fn teammate(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        let told = object.word("teamName").zip(object.word("agentName"));
        let Some((team, name)) = told.filter(|_| self.facts.place.agent.is_some() && scribe.has_entry() && !self.memory.named) else {
            return;
        };
        self.memory.named = true;
        let names = vec![Name { kind: NameKind::Runtime, id: format!("{name}@{team}") }];
        scribe.say(Op::Agent { who: self.owner(), patch: AgentPatch { names, ..AgentPatch::default() } });
    }

    /// What a line says of the session, behind its entries: by them the ledger knows whose word it is.
    fn about_session(&mut self, scribe: &mut Scribe, head: &Head<'_>) {
        let mut patch = SessionPatch { dialect: (!self.memory.began).then(|| "claude-disk".into()), ..SessionPatch::default() };
        self.memory.began = true;
        let owned = scribe.has_entry() || self.facts.place.agent.is_none();
        if let Some(cwd) = head.cwd.as_deref().filter(|cwd| owned && self.memory.cwd.as_deref() != Some(*cwd)) {
            // Only the first folder is the session's, but titles are told from where the agent stands.
            patch.cwd = self.memory.cwd.is_none().then(|| cwd.to_owned());
            self.memory.cwd = Some(cwd.to_owned());
        }
        let foreign = head.session.as_deref().filter(|id| *id != self.facts.session && self.memory.foreign.as_deref() != Some(*id));
        if let Some(foreign) = foreign {
            self.memory.foreign = Some(foreign.to_owned());
            if self.facts.place.inside {
                patch.names.push(foreign.to_owned());
            } else if self.facts.place.agent.is_none() {
                let message = head.uuid.as_deref().map(String::from);
                patch.origin = Some(Origin { session: foreign.to_owned(), message });
            }
        }
        if patch != SessionPatch::default() {
            scribe.say(Op::Session(patch));
        }
    }
}

fn unknown(kind: &str) -> String {
    let word: String = kind.chars().filter(|c| !c.is_control()).take(40).collect();
    if word.is_empty() { "A line without a type.".into() } else { format!("A line of the type {word}, which no rule knows.") }
}
