//! What a reader has missed: every row whose number is above the reader's, as it stands now.
//!
//! Decision: no history is kept. A row that changed ten times comes once, an open text comes whole.
//! Invariant: the rows of a backlog, put upon the rows at the reader's number, give the rows as they are.

use std::collections::{BTreeSet, HashSet};

use rusqlite::{Connection, OptionalExtension};

use super::pages::{head, rev};
use super::rows::{self, Aid, Json, aid_of};
use super::{Backlog, Sid, StoreError};
use crate::model::{Agent, AgentNo, Change, Gone};

const MAX_ROWS: usize = 5_000;
const MAX_BYTES: i64 = 4 << 20;

/// Gathers rows up to the limits.
struct Gathered {
    rows: Vec<(u64, Change)>,
    bytes: i64,
}

impl Gathered {
    /// False if that was too much.
    fn add(&mut self, rev: u64, bytes: i64, change: Change) -> bool {
        self.bytes += bytes;
        self.rows.push((rev, change));
        self.rows.len() <= MAX_ROWS && self.bytes <= MAX_BYTES
    }
}

/// Rows of a session above `after`; entries only of `agents` where that is given.
pub(super) fn session(conn: &Connection, sid: Sid, after: u64, agents: Option<&[AgentNo]>) -> Result<Backlog, StoreError> {
    let mut found = Gathered { rows: Vec::new(), bytes: 0 };
    let mut query =
        conn.prepare_cached("SELECT body, grev, removed, id, row_rev, body IS NOT NULL FROM sessions WHERE sid = ?1 AND row_rev > ?2")?;
    let mut session = query.query((sid, after as i64))?;
    while let Some(row) = session.next()? {
        let rev = row.get::<_, i64>(4)? as u64;
        if row.get(2)? {
            found.add(rev, 0, Change::Gone(Gone { agent: None, session: Some(row.get(3)?), rev }));
        } else if row.get(5)? {
            found.add(rev, 0, Change::Session(Box::new(rows::session_row(row)?)));
        }
    }
    let mut query =
        conn.prepare_cached("SELECT n, rev, removed, body, octet_length(body) FROM agents WHERE sid = ?1 AND rev > ?2 ORDER BY rev")?;
    let mut changed = query.query((sid, after as i64))?;
    while let Some(row) = changed.next()? {
        let rev = row.get::<_, i64>(1)? as u64;
        let change = if row.get(2)? {
            Change::Gone(Gone { agent: Some(row.get(0)?), session: None, rev })
        } else {
            Change::Agent(Box::new(row.get::<_, Json<Agent>>(3)?.0))
        };
        if !found.add(rev, row.get(4)?, change) {
            return Ok(Backlog::Far);
        }
    }
    let keys = entry_keys(conn, sid, after, agents)?;
    if keys.len() + found.rows.len() > MAX_ROWS {
        return Ok(Backlog::Far);
    }
    for key in keys {
        let mut query = conn.prepare_cached(
            "SELECT octet_length(body) + (SELECT ifnull(sum(octet_length(text)), 0) FROM pieces WHERE key = ?1)
             FROM entries WHERE key = ?1",
        )?;
        let bytes: i64 = query.query_row([key], |row| row.get(0))?;
        if found.bytes + bytes > MAX_BYTES {
            return Ok(Backlog::Far);
        }
        if let Some(entry) = rows::entry_at(conn, key)? {
            found.add(entry.rev, bytes, Change::Entry(Box::new(entry)));
        }
    }
    found.rows.sort_by_key(|(rev, _)| *rev);
    Ok(Backlog::Rows { rows: found.rows, rev: rev(conn, sid)?, grev: head(conn)?.grev })
}

/// Session rows and tombstones above `after`.
pub(super) fn list(conn: &Connection, after: u64) -> Result<Backlog, StoreError> {
    let mut found = Gathered { rows: Vec::new(), bytes: 0 };
    let mut query =
        conn.prepare_cached("SELECT body, grev, removed, id, rev, octet_length(body) FROM sessions WHERE grev > ?1 ORDER BY grev")?;
    let mut changed = query.query([after as i64])?;
    while let Some(row) = changed.next()? {
        let grev = row.get::<_, i64>(1)? as u64;
        let bytes: Option<i64> = row.get(5)?;
        let change = if row.get(2)? {
            Change::Gone(Gone { agent: None, session: Some(row.get(3)?), rev: row.get::<_, i64>(4)? as u64 })
        } else if bytes.is_some() {
            Change::Session(Box::new(rows::session_row(row)?))
        } else {
            continue;
        };
        if !found.add(grev, bytes.unwrap_or_default(), change) {
            return Ok(Backlog::Far);
        }
    }
    Ok(Backlog::Rows { rows: found.rows, rev: 0, grev: head(conn)?.grev })
}

/// The keys of entries that changed, or grew, above `after`. Ends early where there are too many.
fn entry_keys(conn: &Connection, sid: Sid, after: u64, agents: Option<&[AgentNo]>) -> Result<BTreeSet<i64>, StoreError> {
    let wanted: Option<HashSet<Aid>> = agents.map(|agents| aids(conn, sid, agents)).transpose()?;
    let mut keys = BTreeSet::new();
    for sql in
        ["SELECT key FROM entries WHERE sid = ?1 AND rev > ?2 ORDER BY rev", "SELECT DISTINCT key FROM pieces WHERE sid = ?1 AND rev > ?2"]
    {
        let mut query = conn.prepare_cached(sql)?;
        let mut found = query.query((sid, after as i64))?;
        while let Some(row) = found.next()? {
            let key: i64 = row.get(0)?;
            if wanted.as_ref().is_none_or(|wanted| wanted.contains(&aid_of(key))) {
                keys.insert(key);
            }
            if keys.len() > MAX_ROWS {
                break;
            }
        }
    }
    Ok(keys)
}

fn aids(conn: &Connection, sid: Sid, agents: &[AgentNo]) -> Result<HashSet<Aid>, StoreError> {
    let mut query = conn.prepare_cached("SELECT aid FROM agents WHERE sid = ?1 AND n = ?2")?;
    let mut aids = HashSet::new();
    for n in agents {
        aids.extend(query.query_row((sid, n), |row| row.get::<_, Aid>(0)).optional()?);
    }
    Ok(aids)
}
