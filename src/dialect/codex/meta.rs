//! Heads: whose file it is, whose child that is, and which of its lines are copies.

use super::memory::{Owner, Rollout};
use super::rollout::is_uuid;
use crate::dialect::json::{Object, string};
use crate::dialect::page::Page;
use crate::dialect::scribe::time;
use crate::model::{AgentPatch, Link, Ms, Name, NameKind, Op, Origin, SessionPatch};

/// What a head says of the thread that started this one.
struct Spawn {
    parent: Option<String>,
    nickname: Option<String>,
    role: Option<String>,
    path: Option<String>,
    /// Started by Codex itself: to compact, to remember.
    hidden: bool,
}

impl Rollout {
    /// The owner that a line makes of its file, if it is a head.
    pub(super) fn owner_of(&self, object: &Object<'_>) -> Option<Owner> {
        let payload = object.object("payload").filter(|_| object.id("type").as_deref() == Some("session_meta"));
        let meta = match &payload {
            Some(meta) => meta,
            None if object.has("instructions") && !object.has("type") => object,
            None => return None,
        };
        let thread: String = meta.id("id")?.into();
        let spawn = spawn(meta);
        let root = meta.id("session_id").map(String::from).filter(|root| *root != thread);
        let session = spawn.as_ref().and_then(|spawn| root.or_else(|| spawn.parent.clone()));
        Some(Owner {
            child: session.is_some(),
            session: session.unwrap_or_else(|| thread.clone()),
            born: meta.raw("timestamp").or_else(|| object.raw("timestamp")).and_then(time),
            starts: meta.number("subagent_history_start_ordinal"),
            thread,
        })
    }

    pub(super) fn meta(&mut self, page: &mut Page, object: &Object<'_>, meta: &Object<'_>) {
        if let Some(owner) = &self.owner {
            // Another thread's head: its lines follow.
            let other = meta.id("id").is_some_and(|id| *id != *owner.thread);
            self.copied |= other && owner.child && owner.starts.is_none();
            return;
        }
        let Some(owner) = self.owner_of(object) else { return page.scribe.opaque() };
        let forked = meta.id("forked_from_id").map(String::from);
        let child = owner.child;
        self.copied = child && forked.is_some() && owner.starts.is_none();
        self.owner = Some(owner);
        page.scribe.who = self.me();
        if let Some(spawn) = spawn(meta).filter(|_| child) {
            let path = spawn.path.map(|id| Name { kind: NameKind::Namespace, id });
            let patch = AgentPatch {
                names: path.into_iter().collect(),
                link: spawn.parent.is_some().then_some(Link::Exact),
                parent: spawn.parent.as_deref().map(|parent| self.agent(parent)),
                description: spawn.nickname,
                kind: spawn.role,
                hidden: spawn.hidden.then_some(true),
                ..AgentPatch::default()
            };
            page.scribe.say(Op::Agent { who: page.scribe.who.clone(), patch });
            return;
        }
        let origin = forked.map(|session| Origin { session, message: None });
        page.scribe.say(Op::Session(SessionPatch { cwd: meta.word("cwd").map(String::from), origin, ..SessionPatch::default() }));
        self.cwd = meta.word("cwd").is_some();
    }

    pub(super) fn context(&mut self, page: &mut Page, context: &Object<'_>) {
        if let Some(model) = context.id("model").map(String::from)
            && self.model.as_ref() != Some(&model)
        {
            self.model = Some(model.clone());
            let patch = AgentPatch { model: Some(model), ..AgentPatch::default() };
            page.scribe.say(Op::Agent { who: page.scribe.who.clone(), patch });
        }
        if !std::mem::replace(&mut self.cwd, true) {
            let cwd = context.word("cwd").map(String::from);
            page.scribe.say(Op::Session(SessionPatch { cwd, ..SessionPatch::default() }));
        }
    }

    /// True for a line that repeats what another thread's file holds: by its number, by its time, or until the first turn that is
    /// younger than the thread.
    pub(super) fn is_copied(&mut self, object: &Object<'_>, kind: &str, at: Option<Ms>) -> bool {
        let Some(owner) = self.owner.as_ref().filter(|owner| owner.child) else { return false };
        if let Some(starts) = owner.starts {
            return kind != "session_meta" && object.number("ordinal").is_some_and(|ordinal| ordinal < starts);
        }
        if !self.copied || kind == "session_meta" {
            return false;
        }
        let payload = object.object("payload");
        let event = payload.as_ref().and_then(|payload| payload.id("type")).unwrap_or_default();
        let turn = payload.as_ref().and_then(|payload| payload.id("turn_id")).filter(|turn| is_uuid(turn) && is_uuid(&owner.thread));
        let begins = kind == "turn_context" || matches!(&*event, "task_started" | "turn_started");
        // Both ids begin with the time at which they were given.
        let younger = match &turn {
            Some(turn) => **turn > *owner.thread,
            None => matches!((at, owner.born), (Some(at), Some(born)) if at > born),
        };
        if begins && younger {
            self.copied = false;
        }
        self.copied
    }
}

fn spawn(meta: &Object<'_>) -> Option<Spawn> {
    let source = meta.object("source");
    let raw = source.as_ref().and_then(|source| source.raw("subagent").or_else(|| source.raw("sub_agent")));
    let spawned = raw.and_then(Object::of).and_then(|subagent| subagent.object("thread_spawn"));
    let kind = raw.and_then(string).or_else(|| raw.and_then(Object::of).and_then(|other| other.word("other")));
    let word = |name: &str| spawned.as_ref().and_then(|spawned| spawned.id(name)).or_else(|| meta.id(name)).map(String::from);
    let is_child = raw.is_some() || meta.word("source").as_deref() == Some("subagent") || meta.id("parent_thread_id").is_some();
    is_child.then(|| Spawn {
        parent: word("parent_thread_id"),
        nickname: word("agent_nickname"),
        role: word("agent_role").or_else(|| kind.as_deref().map(String::from)),
        path: word("agent_path"),
        hidden: kind.as_deref().is_some_and(|kind| kind == "compact" || kind.contains("memory")),
    })
}
