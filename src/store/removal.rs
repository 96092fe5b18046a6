//! Removing on purpose: sessions, and agents of a session. All or nothing, never what still runs.
//!
//! Decision: a tombstone is the row itself, emptied. A removed session is known by its id alone, so its lines are counted
//! and dropped; a removed agent keeps number, id and names, so that its book goes on and what comes of it is dropped.
//! Invariant: source files are never touched; no text of what was removed stays in a table.

use std::collections::{HashMap, HashSet};

use rusqlite::Connection;

use super::draft::{Written, put_session};
use super::list::ListClock;
use super::rows::{self, Aid, key_range, to_json};
use super::{Sid, StoreError, blobs, books, pages, sources};
use crate::ledger::without_content;
use crate::model::{Agent, AgentCounts, AgentNo, AgentStatus, Change, Gone, Link, MAIN, SessionId};

/// Tables whose rows of a session go with it.
const OF_SESSION: [&str; 11] =
    ["pieces", "entries", "entry_keys", "line_ids", "usages", "agent_names", "agents", "session_names", "books", "seen", "layouts"];

/// Removes a session.
pub(super) fn session(conn: &Connection, sid: Sid) -> Result<Written, StoreError> {
    let session = rows::session(conn, sid)?.ok_or_else(|| StoreError::Missing("such session".into()))?;
    let agents = rows::agents(conn, sid)?;
    let mut running = names_of_running(agents.iter());
    if running.is_empty() && session.status.is_live() {
        running.push(session.title);
    }
    refuse(running)?;
    let mut query = conn.prepare_cached("SELECT aid FROM agents WHERE sid = ?1")?;
    let aids: Vec<Aid> = query.query_map([sid], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for aid in aids {
        blobs::release(conn, aid)?;
    }
    for table in OF_SESSION {
        conn.execute(&format!("DELETE FROM {table} WHERE sid = ?1"), [sid])?;
    }
    sources::empty_states(conn, sid)?;
    let rev = pages::rev(conn, sid)? + 1;
    let grev = pages::head(conn)?.grev + 1;
    conn.execute(
        "UPDATE sessions SET removed = 1, rev = ?2, row_rev = ?2, grev = ?3, due = 0, last_at = 0, body = NULL WHERE sid = ?1",
        (sid, rev as i64, grev as i64),
    )?;
    let gone = Change::Gone(Gone { agent: None, session: Some(session.id), rev });
    Ok(Written { changes: vec![gone.clone()], rev, listed: Some((gone, grev)), bytes: 0 })
}

/// Removes agents of a session, with the stubs and parts of each; agents under them stay.
pub(super) fn agents(conn: &Connection, sid: Sid, wanted: &[AgentNo], clock: &mut ListClock) -> Result<Written, StoreError> {
    let mut session = rows::session(conn, sid)?.ok_or_else(|| StoreError::Missing("such session".into()))?;
    let all = rows::agents(conn, sid)?;
    for n in wanted {
        if *n == MAIN {
            return Err(StoreError::Other("The main agent goes only with its whole session.".into()));
        }
        if !all.iter().any(|agent| agent.n == *n) {
            return Err(StoreError::Missing(format!("agent {n} in this session")));
        }
    }
    let links: HashMap<AgentNo, AgentNo> = all.iter().filter_map(|agent| Some((agent.n, agent.merged_into.or(agent.part_of)?))).collect();
    // A chain of links longer than this is a ring.
    let whole = |n| (0..16).fold(n, |n, _| links.get(&n).copied().unwrap_or(n));
    let wanted: HashSet<AgentNo> = wanted.iter().map(|n| whole(*n)).collect();
    let (gone, kept): (Vec<_>, Vec<_>) = all.iter().partition(|agent| wanted.contains(&whole(agent.n)));
    refuse(names_of_running(gone.iter().copied()))?;
    let mut written = Written { rev: pages::rev(conn, sid)?, ..Written::default() };
    for agent in gone {
        written.rev += 1;
        empty(conn, sid, agent, written.rev)?;
        written.changes.push(Change::Gone(Gone { agent: Some(agent.n), session: None, rev: written.rev }));
    }
    let counted = || kept.iter().filter(|agent| agent.n != MAIN && !agent.is_aside());
    let running = counted().filter(|agent| agent.status.is_running()).count();
    session.agents = AgentCounts { running: running as u32, all: counted().count() as u32 };
    written.rev += 1;
    session.rev = written.rev;
    let grev = clock.raise(conn, sid)?;
    session.grev = grev.unwrap_or(session.grev);
    put_session(conn, sid, &session, grev.is_none())?;
    conn.execute("UPDATE sessions SET rev = ?2 WHERE sid = ?1", (sid, written.rev as i64))?;
    let change = Change::Session(Box::new(session));
    written.listed = grev.map(|grev| (change.clone(), grev));
    written.changes.push(change);
    Ok(written)
}

/// Takes the tombstones of a session away: its own, or those of its agents. True if there was one.
pub(super) fn forget(conn: &Connection, id: &SessionId) -> Result<bool, StoreError> {
    let Some((sid, removed)) = books::known(conn, id)? else { return Ok(false) };
    if removed {
        conn.execute("UPDATE sessions SET removed = 0 WHERE sid = ?1", [sid])?;
        return Ok(true);
    }
    // The lines and keys of a removed agent go, so that its files are news again.
    for table in ["line_ids", "entry_keys"] {
        conn.execute(&format!("DELETE FROM {table} WHERE sid = ?1 AND agent IN (SELECT n FROM agents WHERE sid = ?1 AND removed)"), [sid])?;
    }
    let mut query = conn.prepare_cached("SELECT aid, facts FROM agents WHERE sid = ?1 AND removed")?;
    let removed: Vec<(Aid, String)> = query.query_map([sid], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
    for (aid, facts) in &removed {
        conn.execute("UPDATE agents SET removed = 0, facts = ?2 WHERE aid = ?1", (aid, emptied(facts, false)?))?;
    }
    Ok(!removed.is_empty())
}

/// Leaves of an agent what its tombstone needs.
fn empty(conn: &Connection, sid: Sid, agent: &Agent, rev: u64) -> Result<(), StoreError> {
    let sql = "SELECT aid, facts FROM agents WHERE sid = ?1 AND n = ?2";
    let (aid, facts): (Aid, String) = conn.query_row(sql, (sid, agent.n), |row| Ok((row.get(0)?, row.get(1)?)))?;
    blobs::release(conn, aid)?;
    for table in ["pieces", "entries"] {
        conn.execute(&format!("DELETE FROM {table} WHERE key BETWEEN ?1 AND ?2"), key_range(aid))?;
    }
    let rest = Agent {
        n: agent.n,
        id: agent.id.clone(),
        names: agent.names.clone(),
        // Without a parent: agents under it are not to pass for its parent's.
        link: Link::Unlinked,
        status: AgentStatus::Unknown,
        merged_into: agent.merged_into,
        part_of: agent.part_of,
        hidden: true,
        rev,
        ..Agent::default()
    };
    conn.execute(
        "UPDATE agents SET removed = 1, rev = ?2, facts = ?3, body = ?4 WHERE aid = ?1",
        (aid, rev as i64, emptied(&facts, true)?, to_json(&rest)?),
    )?;
    Ok(())
}

fn emptied(facts: &str, aside: bool) -> Result<String, StoreError> {
    without_content(facts, aside).ok_or_else(|| StoreError::Other("What is remembered of an agent cannot be read.".into()))
}

fn names_of_running<'a>(agents: impl Iterator<Item = &'a Agent>) -> Vec<String> {
    agents.filter(|agent| !agent.is_aside() && agent.status.is_running()).map(|agent| agent.title.clone()).collect()
}

fn refuse(running: Vec<String>) -> Result<(), StoreError> {
    if running.is_empty() { Ok(()) } else { Err(StoreError::Running(running)) }
}
