//! What the tests of the store share, and the properties of its reads.

mod backlog;
pub(crate) mod lines;
mod pages;
mod reading;
mod removal;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use rusqlite::Connection;

use super::books::{self, Books};
use super::draft::{self, Written};
use super::list::ListClock;
use super::sqlite::Sqlite;
use super::{Backlog, Published, Receipt, Shared, Sid, StoreError, Writer, folder, schema};
use crate::ledger::Draft;
use crate::model::{Agent, AgentNo, Body, Change, Entry, EntryState, Session, SessionId};

/// A database with one session, written draft by draft without a book.
pub(crate) struct Bench {
    pub dir: tempfile::TempDir,
    pub conn: Connection,
    pub store: Shared,
    pub sid: Sid,
    books: Books,
    clock: ListClock,
    id: SessionId,
}

impl Bench {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let file = folder::database(dir.path());
        let conn = schema::open_writing(&file).unwrap();
        let id = SessionId { family: "test".into(), id: "s1".into() };
        let sid = books::sid_of(&conn, &id).unwrap().unwrap();
        let mut bench = Self { dir, conn, store: Arc::new(Sqlite::new(file)), sid, books: Books::default(), clock: ListClock::new(), id };
        bench.write(vec![agent(0), Change::Session(Box::new(Session { id: "s1".into(), title: "One".into(), ..Session::default() }))]);
        bench
    }

    /// Writes changes; gives the number that they reach.
    pub fn write(&mut self, changes: Vec<Change>) -> u64 {
        self.try_write(Draft { changes, ..Draft::default() }).unwrap().rev
    }

    pub(super) fn try_write(&mut self, draft: Draft) -> Result<Written, StoreError> {
        self.conn.execute_batch("BEGIN IMMEDIATE").unwrap();
        let open = self.books.get(&self.conn, self.sid, &self.id).unwrap();
        let written = draft::write(&self.conn, self.sid, open, &mut self.clock, draft);
        self.conn.execute_batch(if written.is_ok() { "COMMIT" } else { "ROLLBACK" }).unwrap();
        written
    }
}

pub(crate) fn agent(n: AgentNo) -> Change {
    let id = if n == 0 { "main".into() } else { format!("a{n}") };
    Change::Agent(Box::new(Agent { n, id, title: format!("Agent {n}"), ..Agent::default() }))
}

pub(crate) fn entry(agent: AgentNo, seq: u32, state: EntryState, text: &str) -> Change {
    let body = Body::Text { text: text.into() };
    Change::Entry(Box::new(Entry {
        agent,
        seq,
        rev: 0,
        run: 1,
        at: None,
        ended_at: None,
        state,
        source: None,
        usage: None,
        context: None,
        body,
    }))
}

/// The rows of a session by what they are a row of, as a mirror holds them.
pub(crate) type Mirror = BTreeMap<(u8, u32, u32), Change>;

/// Puts a backlog upon a mirror, checking that it rises.
pub(crate) fn put(mirror: &mut Mirror, backlog: Backlog) -> u64 {
    let Backlog::Rows { rows, rev, .. } = backlog else { panic!("too far") };
    assert!(rows.is_sorted_by(|a, b| a.0 < b.0), "every row has a number of its own");
    for (of, change) in rows {
        assert!(of <= rev);
        let key = match &change {
            Change::Session(_) => (0, 0, 0),
            Change::Agent(agent) => (1, agent.n, 0),
            Change::Entry(entry) => (2, entry.agent, entry.seq),
            Change::Append { .. } => panic!("a backlog holds rows"),
            Change::Gone(gone) => {
                mirror.retain(|(_, n, _), _| gone.agent.is_some_and(|gone| gone != *n));
                continue;
            }
        };
        mirror.insert(key, change);
    }
    rev
}

/// Remembers what it is told.
#[derive(Default)]
pub(crate) struct Told {
    pub changes: Mutex<Vec<(Sid, Change)>>,
    pub listed: Mutex<Vec<(Change, u64)>>,
}

impl Published for Told {
    fn session(&self, sid: Sid, changes: &[Change], _: u64) {
        self.changes.lock().unwrap().extend(changes.iter().map(|change| (sid, change.clone())));
    }

    fn list(&self, change: &Change, grev: u64) {
        self.listed.lock().unwrap().push((change.clone(), grev));
    }
}

/// A writer with everything that it tells.
pub(crate) struct Desk {
    pub writer: Writer,
    pub store: Shared,
    pub told: Arc<Told>,
}

impl Desk {
    pub fn open(dir: &Path) -> Self {
        let told = Arc::new(Told::default());
        let (writer, store) = Writer::open(dir, told.clone()).unwrap();
        Self { writer, store, told }
    }

    /// Sends a parcel and waits for its commit.
    pub fn send(&self, mut parcel: super::Parcel) -> Result<Receipt, StoreError> {
        let (done, answer) = tokio::sync::oneshot::channel();
        parcel.done = Some(done);
        self.writer.send_blocking(parcel).unwrap();
        answer.blocking_recv().unwrap()
    }

    pub fn close(self) {
        futures::executor::block_on(self.writer.close()).unwrap();
    }

    pub fn sid(&self, name: &str) -> Sid {
        self.store.find(name).unwrap().unwrap()
    }
}
