//! Rows as they lie in the tables: JSON columns, packed keys, and open texts made whole from their pieces.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Sid, StoreError};
use crate::model::{Agent, AgentNo, Body, Entry, EntryState, Field, Key, Session};

/// An agent's key: one transcript of one session.
pub(super) type Aid = i64;

/// Bits of an entry's key that hold its `seq`.
const SEQ_BITS: u32 = 28;

/// The columns that [`entry`] reads.
pub(super) const ENTRY: &str = "key, rev, open, body";

/// A column that holds a value as JSON.
pub(super) struct Json<T>(pub T);

impl<T: DeserializeOwned> FromSql for Json<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str()?).map(Self).map_err(|error| FromSqlError::Other(Box::new(error)))
    }
}

/// A column that holds the hash of a foreign key.
pub(super) struct Hashed(pub Key);

impl FromSql for Hashed {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Key::from_bytes(value.as_blob()?).map(Self).ok_or(FromSqlError::InvalidType)
    }
}

/// Writes a row's JSON.
pub(super) fn to_json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Other(format!("A row could not be written: {error}.")))
}

/// The key of an entry.
pub(super) fn entry_key(aid: Aid, seq: u32) -> Result<i64, StoreError> {
    if seq >> SEQ_BITS == 0 {
        Ok(aid << SEQ_BITS | i64::from(seq))
    } else {
        Err(StoreError::Other("A transcript has more entries than can be kept.".into()))
    }
}

/// The agent of an entry's key.
pub(super) fn aid_of(key: i64) -> Aid {
    key >> SEQ_BITS
}

/// The lowest and the highest key that a transcript can have.
pub(super) fn key_range(aid: Aid) -> (i64, i64) {
    (aid << SEQ_BITS, ((aid + 1) << SEQ_BITS) - 1)
}

/// A session's row, unless it is removed or still empty.
pub(super) fn session(conn: &Connection, sid: Sid) -> Result<Option<Session>, StoreError> {
    let mut query = conn.prepare_cached("SELECT body, grev FROM sessions WHERE sid = ?1 AND body IS NOT NULL")?;
    Ok(query.query_row([sid], session_row).optional()?)
}

/// Reads the columns `body, grev`.
pub(super) fn session_row(row: &Row<'_>) -> rusqlite::Result<Session> {
    let Json(session): Json<Session> = row.get(0)?;
    Ok(Session { grev: row.get::<_, i64>(1)? as u64, ..session })
}

/// All agents of a session by `n`, but for removed ones.
pub(super) fn agents(conn: &Connection, sid: Sid) -> Result<Vec<Agent>, StoreError> {
    let mut query = conn.prepare_cached("SELECT body FROM agents WHERE sid = ?1 AND NOT removed ORDER BY n")?;
    let rows = query.query_map([sid], |row| Ok(row.get::<_, Json<Agent>>(0)?.0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The key and the row of an agent, unless it is removed.
pub(super) fn agent(conn: &Connection, sid: Sid, n: AgentNo) -> Result<Option<(Aid, Agent)>, StoreError> {
    let mut query = conn.prepare_cached("SELECT aid, body FROM agents WHERE sid = ?1 AND n = ?2 AND NOT removed")?;
    Ok(query.query_row((sid, n), |row| Ok((row.get(0)?, row.get::<_, Json<Agent>>(1)?.0))).optional()?)
}

/// The agent that a number shows: itself, or what it was merged into.
pub(super) fn shown(conn: &Connection, sid: Sid, mut n: AgentNo) -> Result<Option<(Aid, Agent)>, StoreError> {
    // A chain longer than this is a ring.
    for _ in 0..16 {
        match agent(conn, sid, n)? {
            Some((aid, agent)) if agent.shown() == n => return Ok(Some((aid, agent))),
            Some((_, agent)) => n = agent.shown(),
            None => return Ok(None),
        }
    }
    Ok(None)
}

/// Reads the columns of [`ENTRY`], its pieces folded in; the row's `rev` is the greatest of its own and theirs.
pub(super) fn entry(conn: &Connection, row: &Row<'_>) -> rusqlite::Result<Entry> {
    let Json(mut entry): Json<Entry> = row.get(3)?;
    entry.rev = row.get::<_, i64>(1)? as u64;
    if row.get(2)? {
        let mut query = conn.prepare_cached("SELECT rev, field, text FROM pieces WHERE key = ?1 ORDER BY rev")?;
        let mut pieces = query.query([row.get::<_, i64>(0)?])?;
        while let Some(piece) = pieces.next()? {
            entry.rev = entry.rev.max(piece.get::<_, i64>(0)? as u64);
            extend(&mut entry.body, field(piece.get(1)?), piece.get_ref(2)?.as_str()?);
        }
    }
    Ok(entry)
}

/// One entry by its key.
pub(super) fn entry_at(conn: &Connection, key: i64) -> Result<Option<Entry>, StoreError> {
    let mut query = conn.prepare_cached(&format!("SELECT {ENTRY} FROM entries WHERE key = ?1"))?;
    Ok(query.query_row([key], |row| entry(conn, row)).optional()?)
}

/// All entries of a session that are open.
pub(super) fn open_entries(conn: &Connection, sid: Sid) -> Result<Vec<Entry>, StoreError> {
    let mut query = conn.prepare_cached(&format!("SELECT {ENTRY} FROM entries WHERE sid = ?1 AND open ORDER BY key"))?;
    let rows = query.query_map([sid], |row| entry(conn, row))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// True for an entry that may grow by pieces.
pub(super) fn is_open(entry: &Entry) -> bool {
    entry.state == EntryState::Open
}

/// The number of a field in the table of pieces.
pub(super) fn field_number(field: Field) -> i64 {
    match field {
        Field::Text => 0,
        Field::Args => 1,
        Field::Result => 2,
    }
}

fn field(number: i64) -> Field {
    match number {
        1 => Field::Args,
        2 => Field::Result,
        _ => Field::Text,
    }
}

fn extend(body: &mut Body, field: Field, text: &str) {
    let long = match (body, field) {
        (Body::User { text, .. } | Body::Text { text } | Body::Reasoning { text }, Field::Text) => text,
        (Body::Tool(tool), Field::Args) => &mut tool.args,
        (Body::Tool(tool), Field::Result) => tool.result.get_or_insert_default(),
        _ => return,
    };
    long.text.push_str(text);
}
