//! What people leave behind when they read: how far they are, the layouts that they saved, and parents that they named.

use rusqlite::{Connection, OptionalExtension};

use super::books::kind;
use super::{Sid, StoreError};
use crate::model::{AgentNo, MAIN, Name, Op, Reading, Seen, Who};

/// How far each agent of a session has been read.
pub(super) fn seen(conn: &Connection, sid: Sid) -> Result<Reading, StoreError> {
    let mut query = conn.prepare_cached("SELECT n, seq, ended_run FROM seen WHERE sid = ?1")?;
    let rows = query.query_map([sid], |row| Ok((row.get(0)?, Seen { seq: row.get(1)?, ended_run: row.get(2)? })))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Merges what somebody has read into what is known, by the larger. Agents that the session has not are left out.
pub(super) fn merge_seen(conn: &Connection, sid: Sid, seen: &Reading) -> Result<(), StoreError> {
    let mut put = conn.prepare_cached(
        "INSERT INTO seen (sid, n, seq, ended_run) SELECT ?1, ?2, ?3, ?4 FROM agents WHERE sid = ?1 AND n = ?2
         ON CONFLICT DO UPDATE SET seq = max(seq, excluded.seq), ended_run = max(ended_run, excluded.ended_run)",
    )?;
    for (n, seen) in seen {
        put.execute((sid, n, seen.seq, seen.ended_run))?;
    }
    Ok(())
}

/// The saved layout of a session's cards.
pub(super) fn layout(conn: &Connection, sid: Sid) -> Result<Option<String>, StoreError> {
    let mut query = conn.prepare_cached("SELECT body FROM layouts WHERE sid = ?1")?;
    Ok(query.query_row([sid], |row| row.get(0)).optional()?)
}

/// Keeps a layout of a session's cards in the place of the one before.
pub(super) fn save_layout(conn: &Connection, sid: Sid, layout: &str) -> Result<(), StoreError> {
    let sql = "INSERT INTO layouts (sid, body) SELECT sid, ?2 FROM sessions WHERE sid = ?1 AND NOT removed
               ON CONFLICT DO UPDATE SET body = excluded.body";
    match conn.prepare_cached(sql)?.execute((sid, layout))? {
        0 => Err(StoreError::Missing("such session".into())),
        _ => Ok(()),
    }
}

/// The operation by which a person names an agent's parent, or takes that back.
pub(super) fn assignment(conn: &Connection, sid: Sid, agent: AgentNo, parent: Option<AgentNo>) -> Result<Op, StoreError> {
    if agent == MAIN || parent == Some(agent) {
        return Err(StoreError::Missing("such agent to be given a parent".into()));
    }
    let parent = parent.map(|parent| who(conn, sid, parent)).transpose()?;
    Ok(Op::Assign { who: who(conn, sid, agent)?, parent })
}

/// An agent by its best name.
fn who(conn: &Connection, sid: Sid, n: AgentNo) -> Result<Who, StoreError> {
    if n == MAIN {
        return Ok(Who::Main);
    }
    let mut query = conn.prepare_cached("SELECT kind, id FROM agent_names WHERE sid = ?1 AND n = ?2 ORDER BY kind DESC, id LIMIT 1")?;
    let name = query.query_row((sid, n), |row| Ok(Name { kind: kind(row.get(0)?), id: row.get(1)? })).optional()?;
    name.map(Who::Named).ok_or_else(|| StoreError::Missing(format!("agent {n} in this session")))
}
