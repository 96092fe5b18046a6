//! One file on its way to the sink: where it stands, and how it is read from there.

mod incomplete;

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use super::file::{self, Stamp, words};
use super::position;
use super::records::{Joiner, Piece};
use super::split::{Physical, Splitter};
use super::{Sink, spill, walk, whose};
use crate::dialect::{Dialect, Facts, Place, Record, Role, Translator, by_name};
use crate::model::{Class, Classes, Line, SessionId};
use crate::store::{Parcel, Receipt, SourceState, StoreError};

/// How much is read at once.
const CHUNK: usize = 256 << 10;
/// A parcel is closed behind so many bytes of lines.
const PARCEL: usize = 512 << 10;
/// A line that has begun is read again, up to this length, rather than trusted to be what it was.
const REREAD: usize = 64 << 10;

/// Why a file is not read.
#[derive(Debug)]
pub enum Trouble {
    /// In one sentence, for a person.
    Words(String),
    Store(StoreError),
}

impl From<io::Error> for Trouble {
    fn from(fault: io::Error) -> Self {
        Self::Words(words(&fault))
    }
}

impl From<StoreError> for Trouble {
    fn from(fault: StoreError) -> Self {
        Self::Store(fault)
    }
}

/// How to read.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// Many files are coming: commit by size.
    pub bulk: bool,
    /// The end of the file is the end: a last line without its LF counts if it is whole.
    pub to_end: bool,
    /// Bytes after which others are to have their turn.
    pub budget: u64,
}

/// What reading has led to.
#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    /// Read to the end.
    Done,
    /// There is more.
    More,
    /// The file is not what it was, or not whose it seemed: it must be opened anew.
    Changed,
}

/// What the source itself remembers, around the translator's memory.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Memory {
    session: String,
    /// True if the last line was taken without its LF.
    tail_open: bool,
    /// True if nothing has been read since the session was last told that there is no news.
    settled: bool,
    /// Bytes of the line that has begun, as it is shown; 0 if none is.
    shown: usize,
    translator: String,
}

/// One file.
pub struct Source {
    /// Its name.
    pub path: PathBuf,
    /// Where its bytes are, if not at `path`.
    held: Option<PathBuf>,
    pub session: SessionId,
    /// What of the file was seen last.
    pub stamp: Stamp,
    /// Bytes read since it was opened here.
    pub read: u64,
    dialect: &'static Dialect,
    place: Place,
    translator: Box<dyn Translator>,
    state: SourceState,
    tail_open: bool,
    settled: bool,
    shown: usize,
    splitter: Splitter,
    joiner: Joiner,
}

impl Source {
    /// Opens a file where its last commit left it; from its start if `anew`, or if it is another file now. `None` if it does not
    /// hold a whole line yet.
    pub fn open(path: &Path, forced: Option<&'static Dialect>, anew: bool, sink: &dyn Sink) -> Result<Option<Self>, Trouble> {
        Self::open_held(path, None, forced, anew, sink)
    }

    /// [`Source::open`], with the bytes at `held`.
    pub fn open_held(
        path: &Path,
        held: Option<&Path>,
        forced: Option<&'static Dialect>,
        anew: bool,
        sink: &dyn Sink,
    ) -> Result<Option<Self>, Trouble> {
        let (file, stamp) = file::open(held.unwrap_or(path)).map_err(Trouble::Words)?;
        let name = path.to_str().ok_or_else(|| Trouble::Words("Its name is no UTF-8, rename it first.".into()))?.to_owned();
        let saved = sink.source(&name)?;
        let known = saved.as_ref().and_then(|state| by_name(&state.dialect));
        let Some(dialect) = forced.or(known).map_or_else(|| whose::guess(&file, path), |dialect| Ok(Some(dialect)))? else {
            return Ok(None);
        };
        let place = walk::place(dialect, path);
        let fresh = || {
            let generation = saved.as_ref().map_or(0, |state| state.generation.saturating_add(1));
            SourceState { name: name.clone(), dialect: dialect.name.into(), generation, ..SourceState::default() }
        };
        let (mut state, mut memory) = (fresh(), Memory::default());
        if let Some(saved) = saved.as_ref().filter(|saved| !anew && saved.dialect == dialect.name)
            && position::goes_on(&file, stamp, &saved.identity, saved.offset)?
        {
            // The memory is empty where what it spoke of was removed.
            memory = serde_json::from_str(&saved.state).unwrap_or_default();
            state = saved.clone();
        }
        if memory.session.is_empty() {
            let Some(session) = whose::session_of(&file, path, held.unwrap_or(path), dialect, &place)? else { return Ok(None) };
            memory.session = session;
        }
        let session = SessionId { family: dialect.family.into(), id: memory.session.clone() };
        let facts = || Facts { session: memory.session.clone(), place: place.clone() };
        let remembered = Some(memory.translator.as_str()).filter(|memory| !memory.is_empty());
        let translator = match (dialect.open)(facts(), remembered) {
            Ok(translator) => translator,
            Err(_) => {
                state = fresh();
                (dialect.open)(facts(), None).map_err(Trouble::Words)?
            }
        };
        let (tail_open, settled, shown, offset) = (memory.tail_open, memory.settled, memory.shown, state.offset);
        Ok(Some(Self {
            path: path.to_owned(),
            held: held.map(Path::to_owned),
            session,
            stamp,
            read: 0,
            dialect,
            place,
            translator,
            state,
            tail_open,
            settled,
            shown,
            splitter: Splitter::at(offset, false),
            joiner: Joiner::default(),
        }))
    }

    /// True if nothing has been read since the session was last told that there is no news.
    pub fn is_settled(&self) -> bool {
        self.settled
    }

    /// True for the transcript of the main agent.
    pub fn is_main(&self) -> bool {
        self.place.agent.is_none() && self.place.role == Role::Transcript
    }

    /// Bytes that were there, when the file was last seen, behind what has been read.
    pub fn left(&self) -> u64 {
        self.stamp.len.saturating_sub(self.splitter.next())
    }

    /// The source's name in the store.
    pub fn name(&self) -> &str {
        &self.state.name
    }

    /// Reads what has come, and sends it.
    pub fn read(&mut self, manner: Manner, sink: &dyn Sink) -> Result<Step, Trouble> {
        let (file, stamp) = file::open(self.held.as_ref().unwrap_or(&self.path)).map_err(Trouble::Words)?;
        if stamp.len < self.splitter.next()
            || !(self.state.offset == 0 || position::goes_on(&file, stamp, &self.state.identity, self.state.offset)?)
        {
            return Ok(Step::Changed);
        }
        self.stamp = stamp;
        if !self.splitter.is_over() && self.splitter.rest().len() <= REREAD {
            self.splitter = Splitter::at(self.state.offset, !self.tail_open && position::is_behind_cr(&file, self.state.offset)?);
            self.joiner = Joiner::default();
        }
        // A sidecar is written at once, and need not end in LF.
        let to_end = manner.to_end || self.place.role == Role::Sidecar;
        let (mut batch, mut chunk, mut left) = (Batch::default(), vec![0; CHUNK], manner.budget);
        loop {
            let count = file.read_at(&mut chunk, self.splitter.next())?;
            self.read += count as u64;
            let mut splitter = std::mem::take(&mut self.splitter);
            let fed = splitter.feed(chunk.get(..count).unwrap_or_default(), |line| self.physical(line, &mut batch));
            self.splitter = splitter;
            if fed.is_err() {
                return Ok(Step::Changed);
            }
            if batch.bytes >= PARCEL {
                self.send(&file, std::mem::take(&mut batch), manner, sink)?;
            }
            left = left.saturating_sub(count as u64);
            if count == 0 || left == 0 {
                if count == 0 && to_end {
                    if self.rest(&mut batch).is_err() {
                        return Ok(Step::Changed);
                    }
                    batch.lines.append(&mut self.translator.end());
                }
                if count == 0 {
                    self.state.mtime = Some(stamp.mtime);
                }
                self.send(&file, batch, manner, sink)?;
                return Ok(if count == 0 { Step::Done } else { Step::More });
            }
        }
    }

    /// Notes that the session has been told that there is no news; `told` are those words, if this is the source to carry them. Where what
    /// it sent before was not committed, `done` hears of it.
    pub fn settle(
        &mut self,
        told: Option<Line>,
        done: Option<oneshot::Sender<Result<Receipt, StoreError>>>,
        sink: &dyn Sink,
    ) -> Result<(), StoreError> {
        if self.settled && told.is_none() {
            return Ok(());
        }
        self.settled = true;
        self.state.state = self.memory();
        let source = self.state.clone();
        let from = source.offset;
        sink.send(Parcel { source, from, lines: told.into_iter().collect(), other: Classes::default(), bulk: false, done })
    }

    /// One physical line. The error says that the file belongs to another session than it seemed.
    fn physical(&mut self, line: Physical<'_>, batch: &mut Batch) -> Result<(), Moved> {
        batch.bytes += line.bytes.len() + 1;
        let counted = !std::mem::take(&mut self.tail_open);
        let mut joiner = std::mem::take(&mut self.joiner);
        let done = joiner.line(line, &mut |piece| self.piece(piece, counted, batch));
        batch.end = joiner.start().unwrap_or(line.end);
        self.joiner = joiner;
        done
    }

    fn piece(&mut self, piece: Piece<'_>, counted: bool, batch: &mut Batch) -> Result<(), Moved> {
        let (record, more) = match piece {
            Piece::Blank if counted => {
                batch.other.add(&Class::Blank);
                return Ok(());
            }
            Piece::Blank => return Ok(()),
            Piece::Record(record, more) => (record, more),
        };
        if self.belongs_elsewhere(record) {
            return Err(Moved);
        }
        if std::mem::take(&mut self.shown) > 0 {
            // The line that was shown in part is whole now, or was given up.
            batch.lines.push(self.incomplete(None));
        }
        let mut lines = self.translator.record(record);
        // What was put down has its neighbours beside it; what was packed alone has them where it lay.
        let places: Vec<&Path> = self.held.iter().chain([&self.path]).map(PathBuf::as_path).collect();
        batch.bytes += spill::fill(&places, &mut lines);
        if !counted {
            // The rest of a line that was taken without its LF and counted then.
            lines.iter_mut().for_each(|line| line.class = Class::Part);
        }
        batch.lines.append(&mut lines);
        for _ in 0..more {
            batch.other.add(&Class::Continuation);
        }
        Ok(())
    }

    /// True if a line turns up that has the id which the file's name says, after the file was taken for another session's.
    fn belongs_elsewhere(&self, record: Record<'_>) -> bool {
        let named = self.place.session.as_ref().filter(|named| !self.place.inside && **named != self.session.id);
        named.is_some_and(|named| (self.dialect.session_of)(record.bytes).as_ref() == Some(named))
    }

    /// The end of the file: takes the line that has begun if it is whole, else notes that it is not.
    fn rest(&mut self, batch: &mut Batch) -> Result<(), Moved> {
        let rest = self.splitter.rest();
        let mut ends_open = false;
        if !self.splitter.is_over() && !rest.is_empty() && self.joiner.closes(rest) {
            let mut splitter = std::mem::take(&mut self.splitter);
            let read = splitter.take_rest(|line| self.physical(line, batch));
            self.splitter = splitter;
            ends_open = true;
            self.tail_open = self.joiner.lines() == 0;
            read?;
        } else if !self.tail_open && (self.splitter.is_over() || !rest.is_empty()) {
            batch.other.add(&Class::Incomplete);
            self.show(batch);
        }
        let mut joiner = std::mem::take(&mut self.joiner);
        let held = joiner.lines() > 0;
        let done = joiner.end(&mut |piece| self.piece(piece, true, batch));
        if held && joiner.lines() == 0 {
            self.tail_open |= ends_open;
            batch.end = batch.end.max(self.splitter.next() - self.splitter.rest().len() as u64);
        }
        for _ in 0..joiner.lines() {
            batch.other.add(&Class::Incomplete);
        }
        self.joiner = joiner;
        done
    }

    fn send(&mut self, file: &File, batch: Batch, manner: Manner, sink: &dyn Sink) -> Result<(), Trouble> {
        let end = batch.end.max(self.state.offset);
        if end == self.state.offset && batch.other.total() == 0 && batch.lines.is_empty() {
            return Ok(());
        }
        let from = std::mem::replace(&mut self.state.offset, end);
        self.settled &= end == from;
        self.state.identity = position::identity(file, self.stamp, end)?;
        self.state.state = self.memory();
        let source = self.state.clone();
        Ok(sink.send(Parcel { source, from, lines: batch.lines, other: batch.other, bulk: manner.bulk, done: None })?)
    }

    fn memory(&self) -> String {
        let memory = Memory {
            session: self.session.id.clone(),
            tail_open: self.tail_open,
            settled: self.settled,
            shown: self.shown,
            translator: self.translator.memory(),
        };
        serde_json::to_string(&memory).unwrap_or_default()
    }
}

/// The file belongs to another session than it seemed.
struct Moved;

/// Lines on their way into a parcel.
#[derive(Default)]
struct Batch {
    lines: Vec<Line>,
    other: Classes,
    bytes: usize,
    /// Behind the last line that was taken.
    end: u64,
}
