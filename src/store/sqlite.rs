//! Reading by SQLite: each call one read transaction, or all of them the same one.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;

use super::pool::{Lent, Pool};
use super::rows::{self, entry_key};
use super::{Backlog, Changes, SessionsPage, Shared, Sid, SourceState, Store, StoreError, Window};
use super::{backlog, blobs, folder, pages, reading, schema, sources};
use crate::model::{AgentNo, Cursor, EntriesPage, Entry, EntryRef, Ms, Reading, SessionId, SessionPage};

/// A store that reads a database, as it is or as it was when the snapshot was taken.
pub(super) struct Sqlite {
    pool: Arc<Pool>,
    still: Option<Mutex<Lent>>,
}

/// Opens a data folder for reading alone, also while a server writes to it; `None` if there is nothing yet.
///
/// # Errors
/// `Newer` if a newer version made it.
pub fn open_to_read(data_dir: &Path) -> Result<Option<Shared>, StoreError> {
    let file = folder::database(data_dir);
    if !file.exists() {
        return Ok(None);
    }
    let there = schema::open_reading(&file)?.is_some();
    Ok(there.then(|| Arc::new(Sqlite::new(file)) as Shared))
}

impl Sqlite {
    pub(super) fn new(file: PathBuf) -> Self {
        Self { pool: Pool::new(file), still: None }
    }

    pub(super) fn source_named(&self, name: &str) -> Result<Option<(u32, SourceState)>, StoreError> {
        self.read(|conn| sources::named(conn, name))
    }

    pub(super) fn live(&self) -> Result<Vec<(SessionId, Vec<String>)>, StoreError> {
        self.read(sources::live)
    }

    pub(super) fn sources(&self) -> Result<Vec<(u32, SourceState)>, StoreError> {
        self.read(sources::all)
    }

    fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        match &self.still {
            Some(lent) => lent.lock().unwrap_or_else(PoisonError::into_inner).read(read),
            None => self.pool.lend()?.read(read),
        }
    }
}

impl Store for Sqlite {
    fn head(&self) -> Result<Cursor, StoreError> {
        self.read(pages::head)
    }

    fn find(&self, name: &str) -> Result<Option<Sid>, StoreError> {
        self.read(|conn| pages::find(conn, name))
    }

    fn find_agent(&self, sid: Sid, name: &str) -> Result<Option<AgentNo>, StoreError> {
        self.read(|conn| pages::find_agent(conn, sid, name))
    }

    fn sessions(&self, after: Option<&str>, limit: usize) -> Result<SessionsPage, StoreError> {
        self.read(|conn| pages::sessions(conn, after, limit))
    }

    fn session_page(&self, sid: Sid, agent: AgentNo, window: Window, limit: usize) -> Result<Option<SessionPage>, StoreError> {
        self.read(|conn| pages::session_page(conn, sid, agent, window, limit, now()))
    }

    fn entries(&self, sid: Sid, agent: AgentNo, window: Window, limit: usize) -> Result<EntriesPage, StoreError> {
        self.read(|conn| pages::entries(conn, sid, agent, window, limit))
    }

    fn entry(&self, sid: Sid, at: EntryRef) -> Result<Option<Entry>, StoreError> {
        self.read(|conn| match rows::shown(conn, sid, at.agent)? {
            Some((aid, _)) => rows::entry_at(conn, entry_key(aid, at.seq)?),
            None => Ok(None),
        })
    }

    fn backlog(&self, sid: Sid, rev: u64, agents: Option<&[AgentNo]>) -> Result<Backlog, StoreError> {
        self.read(|conn| backlog::session(conn, sid, rev, agents))
    }

    fn changes(&self, sid: Sid, rev: u64, limit: usize) -> Result<Changes, StoreError> {
        self.read(|conn| backlog::changes(conn, sid, rev, None, limit))
    }

    fn list_backlog(&self, grev: u64) -> Result<Backlog, StoreError> {
        self.read(|conn| backlog::list(conn, grev))
    }

    fn blob(&self, sid: Sid, hash: &str, start: u64, limit: usize) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(|conn| blobs::read(conn, sid, hash, start, limit))
    }

    fn blob_len(&self, sid: Sid, hash: &str) -> Result<Option<u64>, StoreError> {
        self.read(|conn| Ok(blobs::find(conn, sid, hash)?.map(|(_, len)| len)))
    }

    fn seen(&self, sid: Sid) -> Result<Reading, StoreError> {
        self.read(|conn| reading::seen(conn, sid))
    }

    fn layout(&self, sid: Sid) -> Result<Option<String>, StoreError> {
        self.read(|conn| reading::layout(conn, sid))
    }

    fn source(&self, id: u32) -> Result<Option<SourceState>, StoreError> {
        self.read(|conn| sources::numbered(conn, id))
    }

    fn snapshot(&self) -> Result<Shared, StoreError> {
        let lent = self.pool.lend()?;
        // A transaction begins with its first read.
        lent.read(pages::head)?;
        Ok(Arc::new(Self { pool: self.pool.clone(), still: Some(Mutex::new(lent)) }))
    }
}

pub(super) fn now() -> Ms {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    since.as_millis().try_into().unwrap_or(Ms::MAX)
}
