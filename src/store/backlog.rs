//! What a reader has missed: every row whose number is above the reader's, as it stands now.
//!
//! Decision: no history is kept. A row that changed ten times comes once, an open text comes whole.
//! Invariant: the rows of a backlog, put upon the rows at the reader's number, give the rows as they are; a page of them gives all
//! rows whose number is not above the one that it reaches.

use std::collections::{BTreeMap, HashSet};

use rusqlite::{Connection, OptionalExtension};

use super::pages::{head, rev};
use super::rows::{self, Aid, Json, aid_of};
use super::{Backlog, Changes, Sid, StoreError};
use crate::model::{Agent, AgentNo, Change, Gone};

const MAX_ROWS: usize = 5_000;
const MAX_BYTES: i64 = 4 << 20;

/// A row by its table's key.
enum At {
    Session,
    Agent(AgentNo),
    Entry(i64),
}

/// Places of rows, by rising number.
struct Places {
    found: Vec<(u64, At)>,
    /// Where not all were looked for: up to this number none is missing.
    known: Option<u64>,
}

/// All rows of a session above `after`; entries only of `agents` where that is given.
pub(super) fn session(conn: &Connection, sid: Sid, after: u64, agents: Option<&[AgentNo]>) -> Result<Backlog, StoreError> {
    let Changes { rows, rev, grev, more } = changes(conn, sid, after, agents, MAX_ROWS)?;
    Ok(if more { Backlog::Far } else { Backlog::Rows { rows, rev, grev } })
}

/// The first rows of a session above `after`: at most `limit`, and about 4 MiB.
pub(super) fn changes(conn: &Connection, sid: Sid, after: u64, agents: Option<&[AgentNo]>, limit: usize) -> Result<Changes, StoreError> {
    let Places { found, known } = places(conn, sid, after, agents, limit)?;
    let (mut changed, mut bytes, mut more) = (Vec::new(), 0, known.is_some() || found.len() > limit);
    for (at, place) in found.into_iter().take(limit) {
        let (size, change) = read(conn, sid, at, &place)?;
        bytes += size;
        if bytes > MAX_BYTES && !changed.is_empty() {
            more = true;
            break;
        }
        changed.extend(change.map(|change| (at, change)));
    }
    let rev = match (more, changed.last()) {
        (false, _) => rev(conn, sid)?,
        (true, Some((at, _))) => *at,
        (true, None) => known.unwrap_or(after),
    };
    Ok(Changes { rows: changed, rev, grev: head(conn)?.grev, more })
}

/// The bytes of a row, and what puts it.
fn read(conn: &Connection, sid: Sid, rev: u64, place: &At) -> Result<(i64, Option<Change>), StoreError> {
    Ok(match place {
        At::Session => {
            let mut query = conn.prepare_cached("SELECT body, grev, removed, id, body IS NOT NULL FROM sessions WHERE sid = ?1")?;
            query.query_row([sid], |row| {
                let change = if row.get(2)? {
                    Some(Change::Gone(Gone { agent: None, session: Some(row.get(3)?), rev }))
                } else if row.get(4)? {
                    Some(Change::Session(Box::new(rows::session_row(row)?)))
                } else {
                    None
                };
                Ok((0, change))
            })?
        }
        At::Agent(n) => {
            let mut query = conn.prepare_cached("SELECT removed, body, octet_length(body) FROM agents WHERE sid = ?1 AND n = ?2")?;
            query.query_row((sid, n), |row| {
                let change = if row.get(0)? {
                    Change::Gone(Gone { agent: Some(*n), session: None, rev })
                } else {
                    Change::Agent(Box::new(row.get::<_, Json<Agent>>(1)?.0))
                };
                Ok((row.get(2)?, Some(change)))
            })?
        }
        At::Entry(key) => {
            let mut query = conn.prepare_cached(
                "SELECT octet_length(body) + (SELECT ifnull(sum(octet_length(text)), 0) FROM pieces WHERE key = ?1)
                 FROM entries WHERE key = ?1",
            )?;
            let bytes = query.query_row([key], |row| row.get(0))?;
            (bytes, rows::entry_at(conn, *key)?.map(|entry| Change::Entry(Box::new(entry))))
        }
    })
}

/// Where the rows above `after` are, at least the first `limit` + 1 of them.
fn places(conn: &Connection, sid: Sid, after: u64, agents: Option<&[AgentNo]>, limit: usize) -> Result<Places, StoreError> {
    let mut found = Vec::new();
    let mut query = conn.prepare_cached("SELECT row_rev FROM sessions WHERE sid = ?1 AND row_rev > ?2")?;
    found.extend(query.query_row((sid, after as i64), |row| row.get::<_, i64>(0)).optional()?.map(|rev| (rev as u64, At::Session)));
    let mut query = conn.prepare_cached("SELECT rev, n FROM agents WHERE sid = ?1 AND rev > ?2 ORDER BY rev LIMIT ?3")?;
    let (mut known, limits) = (None, (sid, after as i64, limit.saturating_add(1) as i64));
    let changed = query.query_map(limits, |row| Ok((row.get::<_, i64>(0)? as u64, At::Agent(row.get(1)?))))?;
    let changed = changed.collect::<rusqlite::Result<Vec<_>>>()?;
    if changed.len() > limit {
        known = changed.last().map(|(rev, _)| *rev);
    }
    found.extend(changed);
    // A text that grew has the number of its last piece, above that of its row.
    let wanted: Option<HashSet<Aid>> = agents.map(|agents| aids(conn, sid, agents)).transpose()?;
    let wanted = |key: i64| wanted.as_ref().is_none_or(|wanted| wanted.contains(&aid_of(key)));
    let mut query = conn.prepare_cached("SELECT key, max(rev) FROM pieces WHERE sid = ?1 AND rev > ?2 GROUP BY key")?;
    let grown = query.query_map((sid, after as i64), |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)? as u64)))?;
    let mut entries = grown.collect::<rusqlite::Result<BTreeMap<_, _>>>()?;
    entries.retain(|key, _| wanted(*key));
    let mut query = conn.prepare_cached("SELECT key, rev FROM entries WHERE sid = ?1 AND rev > ?2 ORDER BY rev")?;
    let mut changed = query.query((sid, after as i64))?;
    let mut seen = 0;
    while let Some(row) = changed.next()? {
        let (key, rev) = (row.get::<_, i64>(0)?, row.get::<_, i64>(1)? as u64);
        if wanted(key) {
            entries.entry(key).and_modify(|at| *at = rev.max(*at)).or_insert(rev);
            seen += 1;
        }
        if seen > limit {
            known = Some(known.map_or(rev, |known: u64| known.min(rev)));
            break;
        }
    }
    found.extend(entries.into_iter().map(|(key, rev)| (rev, At::Entry(key))));
    found.retain(|(rev, _)| known.is_none_or(|known| *rev <= known));
    found.sort_by_key(|(rev, _)| *rev);
    Ok(Places { found, known })
}

/// Session rows and tombstones above `after`.
pub(super) fn list(conn: &Connection, after: u64) -> Result<Backlog, StoreError> {
    let (mut found, mut size) = (Vec::new(), 0);
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
        found.push((grev, change));
        size += bytes.unwrap_or_default();
        if found.len() > MAX_ROWS || size > MAX_BYTES {
            return Ok(Backlog::Far);
        }
    }
    Ok(Backlog::Rows { rows: found, rev: 0, grev: head(conn)?.grev })
}

fn aids(conn: &Connection, sid: Sid, agents: &[AgentNo]) -> Result<HashSet<Aid>, StoreError> {
    let mut query = conn.prepare_cached("SELECT aid FROM agents WHERE sid = ?1 AND n = ?2")?;
    let mut aids = HashSet::new();
    for n in agents {
        aids.extend(query.query_row((sid, n), |row| row.get::<_, Aid>(0)).optional()?);
    }
    Ok(aids)
}
