//! The books that the writer has open, and how a closed one is opened again.
//!
//! Decision: a few books are kept in memory; any other is rebuilt from its rows when a line of its session comes.
//! Invariant: a book in memory never knows more than what its transaction has written or is about to write.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, OptionalExtension};

use super::rows::{self, Aid, ENTRY, Hashed, Json, entry_key, key_range};
use super::{Sid, StoreError};
use crate::ledger::{Book, LineRecord, Saved, Shelf};
use crate::model::{Agent, AgentNo, Entry, EntryRef, Hash64, Key, Name, NameKind, Session, SessionId, Usage};

/// Books that stay in memory after a commit.
const KEPT: usize = 16;

/// An open book, with the keys of its agents.
pub(super) struct Open {
    pub book: Book,
    pub aids: HashMap<AgentNo, Aid>,
    /// Agents whose rows are tombstones: what comes of them is not written.
    pub removed: HashSet<AgentNo>,
    used: u64,
}

/// All open books.
#[derive(Default)]
pub(super) struct Books {
    open: HashMap<Sid, Open>,
    clock: u64,
}

impl Books {
    /// The book of a session, opened if need be.
    pub(super) fn get(&mut self, conn: &Connection, sid: Sid, id: &SessionId) -> Result<&mut Open, StoreError> {
        self.clock += 1;
        let used = self.clock;
        let open = match self.open.entry(sid) {
            std::collections::hash_map::Entry::Occupied(open) => open.into_mut(),
            std::collections::hash_map::Entry::Vacant(place) => place.insert(restore(conn, sid, id)?),
        };
        open.used = used;
        Ok(open)
    }

    /// The book of a session, if it is open.
    pub(super) fn peek(&mut self, sid: Sid) -> Option<&mut Open> {
        self.open.get_mut(&sid)
    }

    /// Closes a book without writing what it holds.
    pub(super) fn close(&mut self, sid: Sid) {
        self.open.remove(&sid);
    }

    /// Closes all books, after a transaction was lost.
    pub(super) fn close_all(&mut self) {
        self.open.clear();
    }

    /// Closes the books that have not been used for longest.
    pub(super) fn shrink(&mut self) {
        while self.open.len() > KEPT {
            let Some(oldest) = self.open.iter().min_by_key(|(_, open)| open.used).map(|(sid, _)| *sid) else { return };
            self.open.remove(&oldest);
        }
    }
}

/// The key of a session, made on first sight; `None` if it was removed.
pub(super) fn sid_of(conn: &Connection, id: &SessionId) -> Result<Option<Sid>, StoreError> {
    if let Some((sid, removed)) = known(conn, id)? {
        return Ok((!removed).then_some(sid));
    }
    conn.prepare_cached(
        "INSERT INTO sessions (ident, id, family, rev, row_rev, grev, due, removed, last_at) VALUES (?1, ?2, ?3, 0, 0, 0, 0, 0, 0)",
    )?
    .execute((ident(id), &id.id, &id.family))?;
    Ok(Some(conn.last_insert_rowid()))
}

/// The key of a session that was seen, and whether it was removed.
pub(super) fn known(conn: &Connection, id: &SessionId) -> Result<Option<(Sid, bool)>, StoreError> {
    let mut query = conn.prepare_cached("SELECT sid, removed FROM sessions WHERE ident = ?1")?;
    Ok(query.query_row([ident(id)], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
}

fn ident(id: &SessionId) -> [u8; 16] {
    Key::of(&[&id.family, &id.id]).to_bytes()
}

fn restore(conn: &Connection, sid: Sid, id: &SessionId) -> Result<Open, StoreError> {
    let mut query = conn.prepare_cached("SELECT state FROM books WHERE sid = ?1")?;
    let state: Option<String> = query.query_row([sid], |row| row.get(0)).optional()?;
    let mut open = Open { book: Book::new(id.clone()), aids: HashMap::new(), removed: HashSet::new(), used: 0 };
    let mut query = conn.prepare_cached("SELECT n, aid, removed, facts, body FROM agents WHERE sid = ?1 ORDER BY n")?;
    let mut rows = query.query([sid])?;
    let mut agents = Vec::new();
    while let Some(row) = rows.next()? {
        let n = row.get(0)?;
        open.aids.insert(n, row.get(1)?);
        if row.get(2)? {
            open.removed.insert(n);
        }
        agents.push((row.get::<_, Json<Agent>>(4)?.0, row.get(3)?));
    }
    let session = rows::session(conn, sid)?;
    if session.is_none() && state.is_none() {
        return Ok(open);
    }
    let saved = Saved {
        id: id.clone(),
        session: session.unwrap_or_else(|| Session { id: id.id.clone(), family: id.family.clone(), ..Session::default() }),
        state: state.unwrap_or_default(),
        agents,
        names: names(conn, sid)?,
        keys: keys(conn, sid)?,
        lines: lines(conn, sid)?,
        usages: usages(conn, sid)?,
        open: rows::open_entries(conn, sid)?,
    };
    open.book = Book::restore(saved).map_err(|error| StoreError::Other(format!("The session {} cannot be continued: {error}.", id.id)))?;
    Ok(open)
}

fn names(conn: &Connection, sid: Sid) -> Result<Vec<(Name, AgentNo)>, StoreError> {
    let mut query = conn.prepare_cached("SELECT kind, id, n FROM agent_names WHERE sid = ?1")?;
    let rows = query.query_map([sid], |row| Ok((Name { kind: kind(row.get(0)?), id: row.get(1)? }, row.get(2)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn keys(conn: &Connection, sid: Sid) -> Result<Vec<(Key, EntryRef)>, StoreError> {
    let mut query = conn.prepare_cached("SELECT key, agent, seq FROM entry_keys WHERE sid = ?1")?;
    let rows = query.query_map([sid], |row| Ok((row.get::<_, Hashed>(0)?.0, EntryRef { agent: row.get(1)?, seq: row.get(2)? })))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn lines(conn: &Connection, sid: Sid) -> Result<Vec<(Key, LineRecord)>, StoreError> {
    let mut query = conn.prepare_cached("SELECT key, hash, parent, turn, agent, first, count FROM line_ids WHERE sid = ?1")?;
    let rows = query.query_map([sid], |row| {
        let line = LineRecord {
            hash: Hash64(row.get::<_, i64>(1)? as u64),
            parent: row.get::<_, Option<Hashed>>(2)?.map(|Hashed(key)| key),
            turn: row.get(3)?,
            agent: row.get(4)?,
            first: row.get(5)?,
            count: row.get(6)?,
        };
        Ok((row.get::<_, Hashed>(0)?.0, line))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn usages(conn: &Connection, sid: Sid) -> Result<Vec<(AgentNo, Key, Usage)>, StoreError> {
    let mut query = conn.prepare_cached("SELECT agent, key, input, output, cache_read, cache_write FROM usages WHERE sid = ?1")?;
    let rows = query.query_map([sid], |row| {
        let tokens = |column: usize| row.get::<_, i64>(column).map(|tokens| tokens as u64);
        let usage = Usage { input: tokens(2)?, output: tokens(3)?, cache_read: tokens(4)?, cache_write: tokens(5)? };
        Ok((row.get(0)?, row.get::<_, Hashed>(1)?.0, usage))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The number of a kind of name in the tables, the best one the highest.
pub(super) fn kind_number(kind: NameKind) -> i64 {
    match kind {
        NameKind::Copy => -1,
        NameKind::Call => 0,
        NameKind::File => 1,
        NameKind::Namespace => 2,
        NameKind::Runtime => 3,
    }
}

/// The kind of name of a number in the tables.
pub(super) fn kind(number: i64) -> NameKind {
    match number {
        -1 => NameKind::Copy,
        0 => NameKind::Call,
        1 => NameKind::File,
        2 => NameKind::Namespace,
        _ => NameKind::Runtime,
    }
}

/// The rows of one session inside of the writing transaction. What goes wrong is kept until it is asked for.
pub(super) struct Rows<'a> {
    conn: &'a Connection,
    sid: Sid,
    fault: RefCell<Option<StoreError>>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(conn: &'a Connection, sid: Sid) -> Self {
        Self { conn, sid, fault: RefCell::new(None) }
    }

    /// The first thing that went wrong.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        self.fault.borrow_mut().take().map_or(Ok(()), Err)
    }

    fn aid(&self, n: AgentNo) -> Result<Option<Aid>, StoreError> {
        let mut query = self.conn.prepare_cached("SELECT aid FROM agents WHERE sid = ?1 AND n = ?2")?;
        Ok(query.query_row((self.sid, n), |row| row.get(0)).optional()?)
    }

    fn or_note<T: Default>(&self, found: Result<T, StoreError>) -> T {
        found.unwrap_or_else(|error| {
            self.fault.borrow_mut().get_or_insert(error);
            T::default()
        })
    }
}

impl Shelf for Rows<'_> {
    fn entry(&self, at: EntryRef) -> Option<Entry> {
        self.or_note(self.aid(at.agent).and_then(|aid| match aid {
            Some(aid) => rows::entry_at(self.conn, entry_key(aid, at.seq)?),
            None => Ok(None),
        }))
    }

    fn entries(&self, agent: AgentNo) -> Vec<Entry> {
        let read = |aid| -> Result<Vec<Entry>, StoreError> {
            let sql = format!("SELECT {ENTRY} FROM entries WHERE key BETWEEN ?1 AND ?2 ORDER BY key");
            let mut query = self.conn.prepare_cached(&sql)?;
            let rows = query.query_map(key_range(aid), |row| rows::entry(self.conn, row))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        };
        self.or_note(self.aid(agent).and_then(|aid| aid.map_or(Ok(Vec::new()), read)))
    }
}
