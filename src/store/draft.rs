//! Writes a book's draft: gives each change its number and puts the rows.
//!
//! Invariant: a change takes the session's next `rev`, in the draft's order; the row and the change carry the same one.

use rusqlite::Connection;

use super::books::{Open, kind_number};
use super::list::ListClock;
use super::rows::{entry_key, field_number, is_open, to_json};
use super::{Sid, StoreError, blobs, pages, sqlite};
use crate::ledger::Draft;
use crate::model::{Agent, AgentNo, Change, Entry, Session};

/// What a draft has become.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Written {
    /// With their numbers.
    pub changes: Vec<Change>,
    pub rev: u64,
    /// The session's row, where its `grev` was raised.
    pub listed: Option<(Change, u64)>,
    /// Bytes of the rows.
    pub bytes: usize,
}

/// Writes a draft inside of the open transaction.
pub(super) fn write(conn: &Connection, sid: Sid, open: &mut Open, clock: &mut ListClock, draft: Draft) -> Result<Written, StoreError> {
    let mut written = Written { rev: pages::rev(conn, sid)?, ..Written::default() };
    for blob in &draft.blobs {
        written.bytes += blob.bytes.len();
        blobs::put(conn, blob)?;
    }
    let before = written.rev;
    for change in draft.changes {
        if agent_of(&change).is_some_and(|n| open.removed.contains(&n)) {
            continue;
        }
        written.rev += 1;
        let change = put(conn, sid, open, clock, change, &mut written)?;
        written.changes.push(change);
    }
    if written.rev > before {
        conn.prepare_cached("UPDATE sessions SET rev = ?2 WHERE sid = ?1")?.execute((sid, written.rev as i64))?;
    }
    memory(conn, sid, &draft.keys, &draft.lines, &draft.names)?;
    for (agent, key, usage) in &draft.usages {
        conn.prepare_cached("INSERT OR REPLACE INTO usages VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?.execute((
            sid,
            agent,
            key.to_bytes(),
            usage.input as i64,
            usage.output as i64,
            usage.cache_read as i64,
            usage.cache_write as i64,
        ))?;
    }
    for (n, facts) in &draft.facts {
        conn.prepare_cached("UPDATE agents SET facts = ?3 WHERE sid = ?1 AND n = ?2")?.execute((sid, n, facts))?;
    }
    if let Some(state) = &draft.state {
        conn.prepare_cached("INSERT OR REPLACE INTO books (sid, state) VALUES (?1, ?2)")?.execute((sid, state))?;
    }
    Ok(written)
}

fn agent_of(change: &Change) -> Option<AgentNo> {
    match change {
        Change::Agent(agent) => Some(agent.n),
        Change::Entry(entry) => Some(entry.agent),
        Change::Append { agent, .. } => Some(*agent),
        Change::Session(_) | Change::Gone(_) => None,
    }
}

fn put(
    conn: &Connection,
    sid: Sid,
    open: &mut Open,
    clock: &mut ListClock,
    change: Change,
    written: &mut Written,
) -> Result<Change, StoreError> {
    let rev = written.rev;
    let aid = |n: AgentNo| open.aids.get(&n).copied().ok_or_else(|| StoreError::Other(format!("An entry of an unknown agent {n}.")));
    Ok(match change {
        Change::Session(mut session) => {
            session.rev = rev;
            let grev = clock.raise(conn, sid)?;
            session.grev = grev.map_or_else(|| grev_of(conn, sid), Ok)?;
            written.bytes += put_session(conn, sid, &session, grev.is_none())?;
            let change = Change::Session(session);
            written.listed = grev.map(|grev| (change.clone(), grev)).or(written.listed.take());
            change
        }
        Change::Agent(mut agent) => {
            agent.rev = rev;
            let (aid, bytes) = put_agent(conn, sid, &agent)?;
            open.aids.insert(agent.n, aid);
            written.bytes += bytes;
            Change::Agent(agent)
        }
        Change::Entry(mut entry) => {
            entry.rev = rev;
            let aid = aid(entry.agent)?;
            written.bytes += put_entry(conn, sid, entry_key(aid, entry.seq)?, &entry)?;
            blobs::refer(conn, aid, &entry.body)?;
            Change::Entry(entry)
        }
        Change::Append { agent, seq, field, from, text, .. } => {
            let key = entry_key(aid(agent)?, seq)?;
            let grown = conn
                .prepare_cached(
                    "INSERT INTO pieces (key, sid, rev, field, text) SELECT key, sid, ?2, ?3, ?4 FROM entries WHERE key = ?1 AND open",
                )?
                .execute((key, rev as i64, field_number(field), &text))?;
            if grown == 0 {
                return Err(StoreError::Other(format!("The entry {seq} of agent {agent} is not open: nothing can be appended to it.")));
            }
            written.bytes += text.len();
            Change::Append { agent, seq, field, from, text, rev }
        }
        Change::Gone(_) => return Err(StoreError::Other("A book cannot remove rows.".into())),
    })
}

fn grev_of(conn: &Connection, sid: Sid) -> Result<u64, StoreError> {
    let mut query = conn.prepare_cached("SELECT grev FROM sessions WHERE sid = ?1")?;
    Ok(query.query_row([sid], |row| row.get::<_, i64>(0))? as u64)
}

/// Puts a session's row; `due` if its `grev` is still to be raised.
pub(super) fn put_session(conn: &Connection, sid: Sid, session: &Session, due: bool) -> Result<usize, StoreError> {
    let body = to_json(session)?;
    // A session whose lines know no times stands in the list where its lines arrived.
    let last_at = session.last_at.or(session.started_at).unwrap_or_else(sqlite::now);
    conn.prepare_cached("UPDATE sessions SET id = ?2, row_rev = ?3, grev = ?4, due = ?5, last_at = ?6, body = ?7 WHERE sid = ?1")?
        .execute((sid, &session.id, session.rev as i64, session.grev as i64, due, last_at, &body))?;
    for name in &session.names {
        conn.prepare_cached("INSERT OR IGNORE INTO session_names (name, sid) VALUES (?1, ?2)")?.execute((name, sid))?;
    }
    Ok(body.len())
}

fn put_agent(conn: &Connection, sid: Sid, agent: &Agent) -> Result<(i64, usize), StoreError> {
    let body = to_json(agent)?;
    let aid = conn
        .prepare_cached(
            "INSERT INTO agents (sid, n, rev, removed, id, body) VALUES (?1, ?2, ?3, 0, ?4, ?5)
             ON CONFLICT (sid, n) DO UPDATE SET rev = excluded.rev, id = excluded.id, body = excluded.body RETURNING aid",
        )?
        .query_row((sid, agent.n, agent.rev as i64, &agent.id, &body), |row| row.get(0))?;
    Ok((aid, body.len()))
}

fn put_entry(conn: &Connection, sid: Sid, key: i64, entry: &Entry) -> Result<usize, StoreError> {
    let body = to_json(entry)?;
    conn.prepare_cached(
        "INSERT INTO entries (key, sid, rev, open, body) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (key) DO UPDATE SET rev = excluded.rev, open = excluded.open, body = excluded.body",
    )?
    .execute((key, sid, entry.rev as i64, is_open(entry), &body))?;
    conn.prepare_cached("DELETE FROM pieces WHERE key = ?1")?.execute([key])?;
    Ok(body.len())
}

fn memory(
    conn: &Connection,
    sid: Sid,
    keys: &[(crate::model::Key, crate::model::EntryRef)],
    lines: &[(crate::model::Key, crate::ledger::LineRecord)],
    names: &[(crate::model::Name, AgentNo)],
) -> Result<(), StoreError> {
    let mut insert = conn.prepare_cached("INSERT OR REPLACE INTO entry_keys (sid, key, agent, seq) VALUES (?1, ?2, ?3, ?4)")?;
    for (key, at) in keys {
        insert.execute((sid, key.to_bytes(), at.agent, at.seq))?;
    }
    let mut insert = conn.prepare_cached("INSERT OR REPLACE INTO line_ids VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
    for (key, line) in lines {
        let parent = line.parent.map(crate::model::Key::to_bytes);
        insert.execute((sid, key.to_bytes(), line.hash.0 as i64, parent, line.turn, line.agent, line.first, line.count))?;
    }
    let mut insert = conn.prepare_cached("INSERT OR REPLACE INTO agent_names (sid, id, kind, n) VALUES (?1, ?2, ?3, ?4)")?;
    for (name, n) in names {
        insert.execute((sid, &name.id, kind_number(name.kind), n))?;
    }
    Ok(())
}
