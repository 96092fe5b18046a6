//! Pages: the list of sessions, and windows of transcripts.

use rusqlite::{Connection, OptionalExtension};

use super::rows::{self, Aid, ENTRY, entry_key, key_range};
use super::{SessionsPage, Sid, StoreError, Window};
use crate::model::{Agent, AgentNo, Cursor, EntriesPage, MAIN, Ms, SessionPage};

/// The epoch and the highest `grev`.
pub(super) fn head(conn: &Connection) -> Result<Cursor, StoreError> {
    let mut query = conn.prepare_cached("SELECT epoch, (SELECT max(grev) FROM sessions) FROM meta")?;
    Ok(query.query_row([], |row| {
        let grev = row.get::<_, Option<i64>>(1)?.unwrap_or_default();
        Ok(Cursor { epoch: row.get::<_, i64>(0)? as u64, grev: grev as u64, rev: None })
    })?)
}

/// A session by its id, else by a name; where several have it, the one of the newest activity.
pub(super) fn find(conn: &Connection, name: &str) -> Result<Option<Sid>, StoreError> {
    for sql in [
        "SELECT sid FROM sessions WHERE id = ?1 AND body IS NOT NULL ORDER BY last_at DESC, sid DESC LIMIT 1",
        "SELECT sid FROM session_names JOIN sessions USING (sid) WHERE name = ?1 AND body IS NOT NULL ORDER BY last_at DESC, sid DESC LIMIT 1",
    ] {
        let found = conn.prepare_cached(sql)?.query_row([name], |row| row.get(0)).optional()?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// An agent by its id, a name or its number; a merged one gives its target.
pub(super) fn find_agent(conn: &Connection, sid: Sid, name: &str) -> Result<Option<AgentNo>, StoreError> {
    let mut found = (name == "main").then_some(MAIN);
    for sql in [
        "SELECT n FROM agents WHERE sid = ?1 AND id = ?2 AND NOT removed ORDER BY n LIMIT 1",
        "SELECT n FROM agent_names WHERE sid = ?1 AND id = ?2 ORDER BY kind DESC LIMIT 1",
    ] {
        if found.is_none() {
            found = conn.prepare_cached(sql)?.query_row((sid, name), |row| row.get(0)).optional()?;
        }
    }
    let Some(n) = found.or_else(|| name.parse().ok()) else { return Ok(None) };
    Ok(rows::shown(conn, sid, n)?.map(|(_, agent)| agent.n))
}

/// What a place in the session list says: behind which time, and behind which session of that time.
pub fn place(after: &str) -> Option<(Ms, Sid)> {
    let (at, sid) = after.split_once('.')?;
    Some((at.parse().ok()?, sid.parse().ok()?))
}

/// A page of the session list. `after` is a place that an earlier page gave; anything else is the beginning.
pub(super) fn sessions(conn: &Connection, after: Option<&str>, limit: usize) -> Result<SessionsPage, StoreError> {
    let (at, sid) = after.and_then(place).unwrap_or((Ms::MAX, Sid::MAX));
    let mut query = conn.prepare_cached(
        "SELECT body, grev, last_at, sid FROM sessions WHERE body IS NOT NULL AND (last_at, sid) < (?1, ?2)
         ORDER BY last_at DESC, sid DESC LIMIT ?3",
    )?;
    let mut found = query.query((at, sid, limit.saturating_add(1) as i64))?;
    let (mut sessions, mut next, mut more) = (Vec::new(), None, false);
    while let Some(row) = found.next()? {
        if sessions.len() == limit {
            more = true;
            break;
        }
        sessions.push(rows::session_row(row)?);
        next = Some(format!("{}.{}", row.get::<_, Ms>(2)?, row.get::<_, Sid>(3)?));
    }
    Ok(SessionsPage { sessions, cursor: head(conn)?, next: next.filter(|_| more) })
}

/// A session, its agents and a window of one transcript.
pub(super) fn session_page(
    conn: &Connection,
    sid: Sid,
    agent: AgentNo,
    window: Window,
    limit: usize,
    now: Ms,
) -> Result<Option<SessionPage>, StoreError> {
    let Some(session) = rows::session(conn, sid)? else { return Ok(None) };
    let agents = rows::agents(conn, sid)?;
    let entries = page(conn, sid, rows::shown(conn, sid, agent)?, agent, window, limit)?;
    let cursor = Cursor { rev: Some(entries.rev), ..head(conn)? };
    Ok(Some(SessionPage { session, agents, entries, cursor: cursor.to_string(), now }))
}

/// A window of one transcript.
pub(super) fn entries(conn: &Connection, sid: Sid, agent: AgentNo, window: Window, limit: usize) -> Result<EntriesPage, StoreError> {
    if rows::session(conn, sid)?.is_none() {
        return Err(StoreError::Missing("such session".into()));
    }
    let shown = rows::shown(conn, sid, agent)?;
    if shown.is_none() && agent != MAIN {
        return Err(StoreError::Missing("such agent in this session".into()));
    }
    page(conn, sid, shown, agent, window, limit)
}

/// The session's change counter.
pub(super) fn rev(conn: &Connection, sid: Sid) -> Result<u64, StoreError> {
    let mut query = conn.prepare_cached("SELECT rev FROM sessions WHERE sid = ?1")?;
    Ok(query.query_row([sid], |row| row.get::<_, i64>(0)).optional()?.unwrap_or_default() as u64)
}

fn page(
    conn: &Connection,
    sid: Sid,
    shown: Option<(Aid, Agent)>,
    asked: AgentNo,
    window: Window,
    limit: usize,
) -> Result<EntriesPage, StoreError> {
    let rev = rev(conn, sid)?;
    let empty = EntriesPage { agent: asked, entries: Vec::new(), more_before: false, more_after: false, rev };
    let Some((aid, agent)) = shown else { return Ok(empty) };
    let (first, last) = key_range(aid);
    let key = |seq: u32| entry_key(aid, seq).unwrap_or(last);
    let (mut keys, mut entries) = (Vec::new(), Vec::new());
    let mut take = |from: i64, to: i64, limit: usize, back: bool| -> Result<(), StoreError> {
        let order = if back { "DESC" } else { "ASC" };
        let sql = format!("SELECT {ENTRY} FROM entries WHERE key BETWEEN ?1 AND ?2 ORDER BY key {order} LIMIT ?3");
        let mut query = conn.prepare_cached(&sql)?;
        let mut found = query.query((from, to, limit as i64))?;
        let begin = entries.len();
        while let Some(row) = found.next()? {
            keys.push(row.get::<_, i64>(0)?);
            entries.push(rows::entry(conn, row)?);
        }
        if back {
            keys[begin..].reverse();
            entries[begin..].reverse();
        }
        Ok(())
    };
    // Where nothing is found, the window's edges are those that were asked for.
    let (low, high) = match window {
        Window::Newest => {
            take(first, last, limit, true)?;
            (last, last)
        }
        Window::Before(seq) => {
            take(first, key(seq) - 1, limit, true)?;
            (first, key(seq) - 1)
        }
        Window::After(seq) => {
            take(key(seq) + 1, last, limit, false)?;
            (key(seq) + 1, last)
        }
        Window::Around(seq) => {
            take(first, key(seq) - 1, limit / 2, true)?;
            take(key(seq), last, limit - limit / 2, false)?;
            (key(seq), key(seq))
        }
    };
    let (low, high) = (keys.first().copied().unwrap_or(low), keys.last().copied().unwrap_or(high));
    Ok(EntriesPage { agent: agent.n, entries, more_before: any(conn, first, low - 1)?, more_after: any(conn, high + 1, last)?, rev })
}

fn any(conn: &Connection, from: i64, to: i64) -> Result<bool, StoreError> {
    let mut query = conn.prepare_cached("SELECT EXISTS (SELECT 1 FROM entries WHERE key BETWEEN ?1 AND ?2)")?;
    Ok(query.query_row([from, to], |row| row.get(0))?)
}
