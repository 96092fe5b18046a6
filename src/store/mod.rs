//! Where everything is kept. The only place that knows SQL.
//!
//! Decision: one writer thread owns the books and the writing connection; readers have connections of their own.
//! Invariants: what is acknowledged is committed; a browser sees a change after its commit; a source's position, its
//! translator's state and the rows made of its lines are written in one transaction.

mod backlog;
mod blobs;
mod books;
mod draft;
mod error;
mod folder;
mod list;
mod pages;
mod pool;
mod reading;
mod removal;
mod rows;
mod schema;
mod sources;
mod sqlite;
mod work;
mod writer;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use crate::model::{AgentNo, Change, Classes, Cursor, EntriesPage, Entry, EntryRef, Line, Reading, Session, SessionPage};

pub use error::StoreError;
pub use folder::is_written;
pub use pages::place;
pub use sqlite::open_to_read;
pub use writer::Writer;

/// A session's key in the store.
pub type Sid = i64;

/// Which part of a transcript is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    Newest,
    /// Entries before this `seq`.
    Before(u32),
    /// Entries behind this `seq`.
    After(u32),
    /// Entries around this `seq`.
    Around(u32),
}

/// A page of the session list, newest activity first.
#[derive(Clone, Debug)]
pub struct SessionsPage {
    pub sessions: Vec<Session>,
    pub cursor: Cursor,
    /// Pass it as `after` to get the next page; `None` on the last.
    pub next: Option<String>,
}

/// What a reader of a session has missed.
#[derive(Clone, Debug)]
pub enum Backlog {
    /// All rows with a `rev` above the asked one, by rising `rev`, and the `rev` and `grev` that this reaches.
    Rows { rows: Vec<(u64, Change)>, rev: u64, grev: u64 },
    /// More than 5,000 rows or 4 MiB.
    Far,
}

/// A page of what has changed in a session.
#[derive(Clone, Debug)]
pub struct Changes {
    /// By rising `rev`.
    pub rows: Vec<(u64, Change)>,
    /// What the page reaches: no row with a `rev` up to this one is missing.
    pub rev: u64,
    pub grev: u64,
    /// True if there are rows above `rev`.
    pub more: bool,
}

/// Reading. Every call is one read transaction.
pub trait Store: Send + Sync + 'static {
    /// The database's epoch, and its highest `grev`.
    fn head(&self) -> Result<Cursor, StoreError>;
    /// Finds a session by its id or one of its names.
    fn find(&self, name: &str) -> Result<Option<Sid>, StoreError>;
    /// Finds an agent by its id, `n` or one of its names; a merged one gives its target.
    fn find_agent(&self, sid: Sid, name: &str) -> Result<Option<AgentNo>, StoreError>;
    fn sessions(&self, after: Option<&str>, limit: usize) -> Result<SessionsPage, StoreError>;
    fn session_page(&self, sid: Sid, agent: AgentNo, window: Window, limit: usize) -> Result<Option<SessionPage>, StoreError>;
    fn entries(&self, sid: Sid, agent: AgentNo, window: Window, limit: usize) -> Result<EntriesPage, StoreError>;
    fn entry(&self, sid: Sid, at: EntryRef) -> Result<Option<Entry>, StoreError>;
    /// Rows of a session above `rev`; entry rows only of `agents` where that is given.
    fn backlog(&self, sid: Sid, rev: u64, agents: Option<&[AgentNo]>) -> Result<Backlog, StoreError>;
    /// The first rows of a session above `rev`: at most `limit`, and about 4 MiB.
    fn changes(&self, sid: Sid, rev: u64, limit: usize) -> Result<Changes, StoreError>;
    /// Session rows and tombstones above `grev`, by rising `grev`.
    fn list_backlog(&self, grev: u64) -> Result<Backlog, StoreError>;
    /// Bytes of a blob that a row of this session refers to, from `start`, at most `limit`; `None` if there is no such blob.
    fn blob(&self, sid: Sid, hash: &str, start: u64, limit: usize) -> Result<Option<Vec<u8>>, StoreError>;
    /// The length of such a blob.
    fn blob_len(&self, sid: Sid, hash: &str) -> Result<Option<u64>, StoreError>;
    /// How far each agent of a session has been read by anybody.
    fn seen(&self, sid: Sid) -> Result<Reading, StoreError>;
    /// The saved layout of a session's cards, as it was given.
    fn layout(&self, sid: Sid) -> Result<Option<String>, StoreError>;
    /// The source of that number, to show where an entry came from.
    fn source(&self, id: u32) -> Result<Option<SourceState>, StoreError>;
    /// The same store, standing still: all calls to it read in one transaction, which ends when it is dropped.
    fn snapshot(&self) -> Result<Shared, StoreError>;
}

/// Where a source of lines stands, as the ingest side knows and the store keeps it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SourceState {
    /// The absolute path of a file, or `push:<producer>`.
    pub name: String,
    pub dialect: String,
    /// Device, inode, and hashes of the first ≤1 KiB and of the last ≤4 KiB before `offset`: opaque to the store.
    pub identity: String,
    /// Raised when the file turned out to be another one.
    pub generation: u32,
    /// The first byte that has not been consumed.
    pub offset: u64,
    pub lines: Classes,
    /// The file's modification time when it was last read to its end, in ms.
    pub mtime: Option<i64>,
    /// The translator's state between two lines: opaque to the store. Emptied when what it may hold a part of is removed.
    pub state: String,
}

/// A batch of one source's lines, on its way to the writer.
pub struct Parcel {
    /// The source as it stands behind these lines. Its `lines` is not looked at: the writer keeps the account, which starts
    /// anew with a generation, and in which a line that was incomplete counts only as long as nothing more has been read.
    pub source: SourceState,
    /// The first byte of this batch. If that is behind what is committed of this generation, bytes are missing (an earlier
    /// parcel failed) and the parcel is refused: read the position again with [`Writer::source`].
    pub from: u64,
    pub lines: Vec<Line>,
    /// Lines that need no ledger (blank, incomplete, …), already classed.
    pub other: Classes,
    /// True for an import: committed by size, not at once.
    pub bulk: bool,
    /// Told after the commit.
    pub done: Option<oneshot::Sender<Result<Receipt, StoreError>>>,
}

/// What became of a parcel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Receipt {
    pub classes: Classes,
    /// The ids of the sessions that it touched, with the `rev` reached.
    pub sessions: Vec<(String, u64)>,
}

/// Told after each commit, by the writer thread: must not block.
pub trait Published: Send + Sync {
    /// Changes of one session with their numbers set, in order.
    fn session(&self, sid: Sid, changes: &[Change], rev: u64);
    /// A session row whose `grev` was raised, or the tombstone of one.
    fn list(&self, change: &Change, grev: u64);
    /// Somebody has read so far.
    fn seen(&self, _: Sid, _: &Reading) {}
}

/// The shared handle of a store.
pub type Shared = Arc<dyn Store>;

#[cfg(test)]
pub(crate) mod tests;
