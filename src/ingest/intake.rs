//! Lines that a program pushes: numbered by their producer, or taken as they come.
//!
//! Decision: a producer is a source; its standing, its translator's memory and its lines' rows are one commit.
//! Invariants: acknowledged means committed; batches of one producer are taken one after the other. A producer that is silent has
//! not ended: of its sessions it is said that there is no news.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::producer::{Producer, Standing};
use super::{Looker, Sink, sse};
use crate::dialect::{Dialect, Facts, Place};
use crate::model::{Class, Classes, Hash64, Line, Op, SessionId};
use crate::store::{Parcel, SourceState, StoreError};

/// Producers are kept apart by so many locks.
const LOCKS: usize = 64;
/// How much of a line is shown to whoever sent it, in bytes.
const HEAD: usize = 80;
/// How long a batch waits for a writer that is behind before it is refused.
const PATIENCE: Duration = Duration::from_secs(5);
/// Sessions of one producer that end with its process.
const SESSIONS: usize = 8;

/// Takes batches of pushed lines. Blocks: not for an async thread.
pub struct Intake {
    sink: Arc<dyn Sink>,
    locks: [Mutex<()>; LOCKS],
    looker: Option<Looker>,
    /// When something was last heard of a session whose producer has not told its end.
    heard: Mutex<HashMap<SessionId, Instant>>,
}

/// Lines of one producer, or of nobody in particular.
pub struct Batch<'a> {
    pub dialect: &'static Dialect,
    /// What the caller calls the session; used alone where the lines name none.
    pub session: &'a str,
    pub producer: Option<Producer>,
    pub lines: &'a [&'a [u8]],
    /// Lines may follow behind an end that was told.
    pub reopen: bool,
    pub close: Option<Close>,
}

/// How the process that printed the lines has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    Exited,
    Stopped,
}

/// What became of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    pub accepted: u64,
    pub duplicates: u64,
    pub opaque: u64,
    /// The highest `rev` that a session of it reached.
    pub rev: u64,
    /// The ids of the sessions.
    pub sessions: Vec<String>,
    /// True if the same lines again would be taken again.
    pub undeduped: bool,
}

/// Why a batch was not taken. Nothing of it was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A newer epoch of the producer, this one, has begun.
    Stale(u64),
    /// Lines are missing before these: this number comes next.
    Gap(u64),
    /// This number was taken with other bytes.
    Reused(u64),
    /// The producer has told its end.
    Closed,
    /// An end was told, and this producer has sent nothing.
    Nobody,
    /// The session was deleted.
    Deleted,
    /// No line is one of the dialect. The number of the first that says anything, from 1, and its beginning.
    Foreign(u64, String),
    Store(StoreError),
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Intake {
    pub fn new(sink: Arc<dyn Sink>) -> Self {
        Self { sink, locks: std::array::from_fn(|_| Mutex::new(())), looker: None, heard: Mutex::default() }
    }

    /// Hands hints at files on to whoever follows them.
    #[must_use]
    pub fn hinting(self, looker: Option<Looker>) -> Self {
        Self { looker, ..self }
    }

    /// Takes a batch and returns when it is committed.
    pub fn take(&self, batch: &Batch<'_>) -> Result<Taken, Refusal> {
        let name = match &batch.producer {
            Some(producer) => format!("push:{}:{}:{}", batch.dialect.name, batch.session, producer.id),
            None => format!("push:{}:{}", batch.dialect.name, batch.session),
        };
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        let place = usize::try_from(hasher.finish() % LOCKS as u64).unwrap_or(0);
        let _turn = self.locks.get(place).map(|lock| lock.lock().unwrap_or_else(PoisonError::into_inner));

        let saved = self.sink.source(&name)?;
        let known = saved.is_some();
        let fresh = SourceState { name: name.clone(), dialect: batch.dialect.name.into(), ..SourceState::default() };
        let mut source = saved.unwrap_or(fresh);
        let mut standing: Standing = serde_json::from_str(&source.identity).unwrap_or_default();
        let before = match &batch.producer {
            Some(producer) => standing.admit(known, producer, batch.lines, batch.reopen)?,
            None => 0,
        };
        let news = batch.lines.get(before..).unwrap_or_default();
        let closes = batch.close.filter(|_| !standing.closed || !news.is_empty());
        let mut taken = Taken { duplicates: before as u64, ..Taken::default() };
        if news.is_empty() && closes.is_none() {
            // It is there, and has nothing to say.
            self.hear(batch.dialect, standing.sessions.iter().filter(|_| !standing.closed));
            return Ok(taken);
        }

        let facts = Facts { session: batch.session.to_owned(), place: Place::default() };
        let memory = Some(source.state.as_str()).filter(|memory| !memory.is_empty());
        let mut translator = (batch.dialect.open)(facts, memory).map_err(StoreError::Other)?;
        let from = source.offset;
        let (mut lines, mut other, mut blank) = (Vec::new(), Classes::default(), 0);
        for bytes in news {
            match bytes.trim_ascii() {
                [] => blank += 1,
                bytes => {
                    let event = sse::read_block(bytes);
                    lines.extend(translator.record(sse::record(source.offset, bytes, event.as_ref())));
                }
            }
            source.offset += 1;
        }
        if blank > 0 {
            other.0.insert(Class::Blank.name(), blank);
        }
        if closes.is_some() {
            lines.extend(translator.end());
        }
        let strange = !lines.is_empty() && lines.iter().all(|line| matches!(line.class, Class::Opaque | Class::Part));
        // Amid a producer's lines there may be any.
        let alone = !known || batch.producer.is_none();
        if alone && strange && batch.dialect.sure(&news.join(&b'\n')) == 0 {
            return Err(foreign(news));
        }
        let told = !lines.is_empty() && lines.iter().all(|line| !line.is_control());
        if standing.exited && lines.iter().any(|line| line.class == Class::Entry) {
            // The process had ended, and works: its sessions run again.
            (standing.exited, standing.closed) = (false, false);
            let works = |id: &String| {
                let session = SessionId { family: batch.dialect.family.into(), id: id.clone() };
                Line::control(session, vec![Op::Turn { ended: false }])
            };
            lines.splice(0..0, standing.sessions.iter().map(works));
        }
        taken.undeduped = batch.producer.is_none() && lines.iter().any(|line| line.id.is_none() && !line.is_control());
        standing.took(news);
        for line in lines.iter().filter(|line| !line.is_control()) {
            standing.sessions.retain(|id| *id != line.session.id);
            standing.sessions.push(line.session.id.clone());
        }
        standing.sessions.drain(..standing.sessions.len().saturating_sub(SESSIONS));
        if let Some(close) = closes {
            if standing.sessions.is_empty() {
                return Err(Refusal::Nobody);
            }
            lines.extend(standing.sessions.iter().map(|session| exit(batch.dialect.family, session, &source, close)));
            (standing.exited, standing.closed) = (true, true);
        }
        source.state = translator.memory();
        source.identity = serde_json::to_string(&standing).unwrap_or_default();
        let (done, receipt) = oneshot::channel();
        self.sink.send_within(Parcel { source, from, lines, other, bulk: false, done: Some(done) }, PATIENCE)?;
        let receipt = receipt.blocking_recv().map_err(|_| StoreError::Closed)??;
        if told && receipt.sessions.is_empty() {
            return Err(Refusal::Deleted);
        }
        self.hear(batch.dialect, standing.sessions.iter().filter(|_| !standing.closed));
        if standing.closed {
            let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
            heard.retain(|session, _| session.family != batch.dialect.family || !standing.sessions.contains(&session.id));
        }
        if let Some(looker) = &self.looker {
            news.iter().flat_map(|line| (batch.dialect.hints)(line)).for_each(|path| looker.look(path));
        }
        let count = |class: Class| receipt.classes.0.get(&class.name()).copied().unwrap_or(0);
        let again = count(Class::Duplicate);
        taken.duplicates += again;
        taken.accepted = (news.len() as u64).saturating_sub(again);
        taken.opaque = count(Class::Opaque);
        taken.rev = receipt.sessions.iter().map(|(_, rev)| *rev).max().unwrap_or(0);
        taken.sessions = receipt.sessions.into_iter().map(|(id, _)| id).collect();
        Ok(taken)
    }

    fn hear<'a>(&self, dialect: &Dialect, sessions: impl Iterator<Item = &'a String>) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let named = sessions.map(|id| SessionId { family: dialect.family.into(), id: id.clone() });
        heard.extend(named.map(|session| (session, Instant::now())));
    }

    /// The sessions of which nothing was heard for so long, each once.
    pub(super) fn silent(&self, patience: Duration) -> Vec<SessionId> {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.extract_if(|_, at| at.elapsed() >= patience).map(|(session, _)| session).collect()
    }
}

fn foreign(lines: &[&[u8]]) -> Refusal {
    let (number, first) = (1..).zip(lines.iter().copied()).find(|(_, line)| !line.trim_ascii().is_empty()).unwrap_or((1, &[]));
    let head = String::from_utf8_lossy(first.get(..HEAD).unwrap_or(first)).into_owned();
    Refusal::Foreign(number, head.chars().filter(|c| !c.is_control()).collect())
}

/// The end of the process, behind its last line.
fn exit(family: &str, session: &str, source: &SourceState, close: Close) -> Line {
    let id = format!("exit:{}:{}", source.name, source.offset);
    let (stopped, cause) = match close {
        Close::Exited => (false, "process exit"),
        Close::Stopped => (true, "stop"),
    };
    Line {
        session: SessionId { family: family.into(), id: session.into() },
        offset: source.offset,
        hash: Hash64::of(id.as_bytes()),
        id: Some(id),
        parent: None,
        turn: false,
        copy: false,
        at: None,
        class: Class::Part,
        ops: vec![Op::Exit { stopped, cause: Some(cause.into()) }],
    }
}
