//! The writer thread: takes parcels off the queue, groups them into transactions, tells of them after the commit.
//!
//! Decision: what somebody waits for is committed as soon as the queue is empty, an import by size. A parcel is whole or not
//! there: each has a savepoint of its own, so that one that fails takes nothing else with it.
//! Invariant: nobody is told of a change, and nobody's parcel is acknowledged, before its commit.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, oneshot};

use super::books::{self, Books, Rows};
use super::draft::{self, Written};
use super::folder::Folder;
use super::list::ListClock;
use super::sqlite::Sqlite;
use super::{Parcel, Published, Receipt, Sid, StoreError, reading, removal, rows, schema, sources};
use crate::model::{AgentNo, Class, Line, Reading, SessionId};

/// Bytes of rows that close a group.
const GROUP_BYTES: usize = 4 << 20;

/// How long an import's group waits for its next parcel.
const GRACE: Duration = Duration::from_millis(20);

/// Between two tries to empty the log after a removal.
const RETRY: Duration = Duration::from_secs(1);

/// The number of no source: for what a person says.
const NO_SOURCE: u32 = 0;

pub(super) enum Job {
    Parcel(Parcel),
    Remove { sid: Sid, agents: Option<Vec<AgentNo>>, done: Answer<()> },
    Forget { session: SessionId, done: Answer<bool> },
    Seen { sid: Sid, seen: Reading, done: Answer<()> },
    Layout { sid: Sid, layout: String, done: Answer<()> },
    Assign { sid: Sid, agent: AgentNo, parent: Option<AgentNo>, done: Answer<()> },
    Close { done: Answer<()> },
}

type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// What became of a parcel, and whom to tell after the commit.
type Answered = (Option<Answer<Receipt>>, Result<Receipt, StoreError>);

/// Opens the data folder and starts the thread that serves `jobs`.
pub(super) fn start(data_dir: &Path, published: Arc<dyn Published>, jobs: mpsc::Receiver<Job>) -> Result<Sqlite, StoreError> {
    let (work, store) = Work::open(data_dir, published)?;
    let trouble = |error: std::io::Error| StoreError::Other(format!("The writer could not be started: {error}."));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(trouble)?;
    std::thread::Builder::new().name("store".into()).spawn(move || work.run(jobs, &runtime)).map_err(trouble)?;
    Ok(store)
}

struct Work {
    conn: Connection,
    published: Arc<dyn Published>,
    books: Books,
    clock: ListClock,
    /// When the log is to be emptied of what was removed, if a reader kept that from being done at once.
    emptying: Option<Instant>,
    // Let go of last.
    _folder: Folder,
}

/// A transaction's parcels, until it is committed.
#[derive(Default)]
struct Group {
    answers: Vec<Answered>,
    written: Vec<(Sid, Written)>,
    bytes: usize,
    /// True if somebody waits for its commit.
    live: bool,
}

impl Work {
    fn open(data_dir: &Path, published: Arc<dyn Published>) -> Result<(Self, Sqlite), StoreError> {
        let folder = Folder::open(data_dir)?;
        let conn = schema::open_writing(&folder.database())?;
        schema::settle(&conn, &folder.place()?)?;
        let store = Sqlite::new(folder.database());
        let work = Self { conn, published, books: Books::default(), clock: ListClock::new(), emptying: None, _folder: folder };
        Ok((work, store))
    }

    fn run(mut self, mut jobs: mpsc::Receiver<Job>, runtime: &Runtime) {
        let mut held = None;
        loop {
            let job = match held.take() {
                Some(job) => Some(job),
                None => match self.alarm() {
                    None => jobs.blocking_recv(),
                    Some(at) => match runtime.block_on(async { tokio::time::timeout_at(at.into(), jobs.recv()).await }) {
                        Ok(job) => job,
                        Err(_) => {
                            self.alarmed();
                            continue;
                        }
                    },
                },
            };
            match job {
                Some(Job::Parcel(parcel)) => held = self.group(parcel, &mut jobs, runtime),
                Some(Job::Remove { sid, agents, done }) => {
                    // Whoever asked may be gone.
                    let _ = done.send(self.remove(sid, agents.as_deref()));
                }
                Some(Job::Forget { session, done }) => {
                    let _ = done.send(self.forget(&session));
                }
                Some(Job::Seen { sid, seen, done }) => {
                    let written = self.write(|conn| reading::merge_seen(conn, sid, &seen));
                    if written.is_ok() {
                        self.published.seen(sid, &seen);
                    }
                    let _ = done.send(written);
                }
                Some(Job::Layout { sid, layout, done }) => {
                    let _ = done.send(self.write(|conn| reading::save_layout(conn, sid, &layout)));
                }
                Some(Job::Assign { sid, agent, parent, done }) => {
                    let _ = done.send(self.assign(sid, agent, parent));
                }
                Some(Job::Close { done }) => {
                    // From here on nothing is taken in: whoever sends hears that it is closed.
                    jobs.close();
                    drop(self);
                    let _ = done.send(Ok(()));
                    return;
                }
                None => return,
            }
            if self.alarm().is_some_and(|at| at <= Instant::now()) {
                self.alarmed();
            }
        }
    }

    /// Takes in a parcel and those that wait behind it, commits them, and gives back a job that has to wait for that.
    fn group(&mut self, first: Parcel, jobs: &mut mpsc::Receiver<Job>, runtime: &Runtime) -> Option<Job> {
        let mut group = Group::default();
        let mut held = None;
        let begun = self.conn.execute_batch("BEGIN IMMEDIATE").map_err(StoreError::from);
        let mut next = Some(first);
        while let Some(mut parcel) = next.take() {
            group.live |= !parcel.bulk;
            let done = parcel.done.take();
            let result = begun.clone().and_then(|()| self.parcel(parcel, &mut group));
            group.answers.push((done, result));
            if group.bytes >= GROUP_BYTES {
                break;
            }
            let job = if group.live {
                jobs.try_recv().ok()
            } else {
                runtime.block_on(async { tokio::time::timeout(GRACE, jobs.recv()).await }).ok().flatten()
            };
            match job {
                Some(Job::Parcel(parcel)) if !(group.live && parcel.bulk) => next = Some(parcel),
                job => held = job,
            }
        }
        let lost = group.answers.iter().find_map(|(_, result)| result.as_ref().err().cloned()).filter(|_| self.conn.is_autocommit());
        let committed = begun.and_then(|()| self.settle(lost.map_or(Ok(()), Err)));
        self.books.shrink();
        if committed.is_ok() {
            for (sid, written) in &group.written {
                self.publish(*sid, written);
            }
        }
        for (done, result) in group.answers {
            if let Some(done) = done {
                let _ = done.send(committed.clone().and(result));
            }
        }
        held
    }

    /// Takes one parcel in, or nothing of it.
    fn parcel(&mut self, parcel: Parcel, group: &mut Group) -> Result<Receipt, StoreError> {
        if self.conn.is_autocommit() {
            // An earlier parcel's failure has ended the transaction: a savepoint would begin one of its own.
            return Err(StoreError::Other("What was to be written together with this has failed.".into()));
        }
        self.conn.execute_batch("SAVEPOINT parcel")?;
        let mut fed = Vec::new();
        match self.lines(parcel, &mut fed) {
            Ok((receipt, written)) => {
                self.conn.execute_batch("RELEASE parcel")?;
                group.bytes += written.iter().map(|(_, written)| written.bytes).sum::<usize>();
                group.written.extend(written);
                Ok(receipt)
            }
            Err(error) => {
                for sid in fed {
                    self.books.close(sid);
                }
                // Where the database itself has ended the transaction, its commit fails too.
                if !self.conn.is_autocommit() {
                    self.conn.execute_batch("ROLLBACK TO parcel; RELEASE parcel")?;
                }
                Err(error)
            }
        }
    }

    fn lines(&mut self, mut parcel: Parcel, fed: &mut Vec<Sid>) -> Result<(Receipt, Vec<(Sid, Written)>), StoreError> {
        let reading = sources::begin(&self.conn, &parcel)?;
        let mut classes = std::mem::take(&mut parcel.other);
        let mut last: Option<(SessionId, Option<Sid>)> = None;
        let mut dropped = false;
        for line in parcel.lines {
            let told = line.is_control();
            let sid = match &last {
                // A word about a session that nobody has heard of makes none.
                _ if told => books::known(&self.conn, &line.session)?.filter(|(_, removed)| !removed).map(|(sid, _)| sid),
                Some((id, sid)) if *id == line.session => *sid,
                _ => last.insert((line.session.clone(), books::sid_of(&self.conn, &line.session)?)).1,
            };
            if let Some(sid) = sid.filter(|sid| !fed.contains(sid)) {
                fed.push(sid);
            }
            let class = match sid {
                Some(sid) => self.line(sid, reading.id, line)?,
                None => Class::Duplicate,
            };
            dropped |= sid.is_none() && !told;
            if !told {
                classes.add(&class);
            }
        }
        // What a translator remembers of a removed session is not kept either.
        if dropped && fed.is_empty() {
            parcel.source.state.clear();
        }
        let (mut written, mut sessions) = (Vec::new(), Vec::new());
        for sid in fed.iter().copied() {
            let (id, part) = self.draft(sid)?;
            sessions.push((id, part.rev));
            written.push((sid, part));
        }
        sources::end(&self.conn, reading, parcel.source, &classes, fed)?;
        Ok((Receipt { classes, sessions }, written))
    }

    /// Applies one line to its session's book.
    fn line(&mut self, sid: Sid, source: u32, line: Line) -> Result<Class, StoreError> {
        let open = self.books.get(&self.conn, sid, &line.session)?;
        let rows = Rows::new(&self.conn, sid);
        let offset = line.offset;
        let class = catch_unwind(AssertUnwindSafe(|| open.book.line(&rows, source, line))).map_err(|_| {
            StoreError::Other(format!("The line at {offset} could not be taken in. This is a fault of Sidedeck: please report it."))
        })?;
        rows.check()?;
        Ok(class)
    }

    /// Writes what a session's book has gathered; gives the session's id beside it.
    fn draft(&mut self, sid: Sid) -> Result<(String, Written), StoreError> {
        let Some(open) = self.books.peek(sid) else { return Err(StoreError::Closed) };
        let rows = Rows::new(&self.conn, sid);
        let draft = catch_unwind(AssertUnwindSafe(|| open.book.take(&rows)))
            .map_err(|_| StoreError::Other("A session could not be written. This is a fault of Sidedeck: please report it.".into()))?;
        rows.check()?;
        let id = open.book.id().id.clone();
        Ok((id, draft::write(&self.conn, sid, open, &mut self.clock, draft)?))
    }

    fn remove(&mut self, sid: Sid, agents: Option<&[AgentNo]>) -> Result<(), StoreError> {
        self.books.close(sid);
        self.conn.execute_batch("BEGIN IMMEDIATE")?;
        let removed = match agents {
            Some(agents) => removal::agents(&self.conn, sid, agents, &mut self.clock),
            None => removal::session(&self.conn, sid),
        };
        let written = self.settle(removed)?;
        self.publish(sid, &written);
        self.empty_log();
        Ok(())
    }

    fn forget(&mut self, session: &SessionId) -> Result<bool, StoreError> {
        if let Some((sid, _)) = books::known(&self.conn, session)? {
            self.books.close(sid);
        }
        self.conn.execute_batch("BEGIN IMMEDIATE")?;
        let forgotten = removal::forget(&self.conn, session);
        self.settle(forgotten)
    }

    /// Writes what no book knows of, in a transaction of its own.
    fn write(&mut self, write: impl FnOnce(&Connection) -> Result<(), StoreError>) -> Result<(), StoreError> {
        self.conn.execute_batch("BEGIN IMMEDIATE")?;
        let written = write(&self.conn);
        self.settle(written)
    }

    /// Tells a session's book of a parent that a person has named.
    fn assign(&mut self, sid: Sid, agent: AgentNo, parent: Option<AgentNo>) -> Result<(), StoreError> {
        self.conn.execute_batch("BEGIN IMMEDIATE")?;
        let told = self.tell(sid, agent, parent);
        let (_, written) = self.settle(told)?;
        self.publish(sid, &written);
        Ok(())
    }

    fn tell(&mut self, sid: Sid, agent: AgentNo, parent: Option<AgentNo>) -> Result<(String, Written), StoreError> {
        let session = rows::session(&self.conn, sid)?.ok_or_else(|| StoreError::Missing("such session".into()))?;
        let op = reading::assignment(&self.conn, sid, agent, parent)?;
        self.line(sid, NO_SOURCE, Line::control(SessionId { family: session.family, id: session.id }, vec![op]))?;
        self.draft(sid)
    }

    /// Commits what went well, and takes back the rest.
    fn settle<T>(&mut self, done: Result<T, StoreError>) -> Result<T, StoreError> {
        let done = done.and_then(|done| self.conn.execute_batch("COMMIT").map(|()| done).map_err(StoreError::from));
        if done.is_err() {
            self.books.close_all();
            if !self.conn.is_autocommit() {
                // What cannot be taken back now is taken back when the file is opened next.
                let _ = self.conn.execute_batch("ROLLBACK");
            }
        }
        done
    }

    fn publish(&self, sid: Sid, written: &Written) {
        if !written.changes.is_empty() {
            self.published.session(sid, &written.changes, written.rev);
        }
        if let Some((change, grev)) = &written.listed {
            self.published.list(change, *grev);
        }
    }

    fn alarm(&self) -> Option<Instant> {
        self.clock.next().into_iter().chain(self.emptying).min()
    }

    /// Does what was put off: rows that wait for their place in the list, and the log that holds removed rows.
    fn alarmed(&mut self) {
        let now = Instant::now();
        if self.clock.next().is_some_and(|at| at <= now) {
            let begun = self.conn.execute_batch("BEGIN IMMEDIATE").map_err(StoreError::from);
            let listed = begun.and_then(|()| self.clock.flush(&self.conn));
            match self.settle(listed) {
                Ok(listed) => listed.iter().for_each(|(change, grev)| self.published.list(change, *grev)),
                Err(_) => self.clock.again(),
            }
        }
        if self.emptying.is_some_and(|at| at <= now) {
            self.empty_log();
        }
    }

    /// Moves the log into the database and cuts it off, so that what was removed is in neither.
    fn empty_log(&mut self) {
        let busy = self.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
        self.emptying = if matches!(busy, Ok(false)) { None } else { Some(Instant::now() + RETRY) };
    }
}

#[cfg(test)]
mod tests;
