//! Where each source of lines stands: its position, its line account, its translator's state.

use rusqlite::{Connection, OptionalExtension, Row};

use super::rows::{Json, to_json};
use super::{Parcel, Sid, SourceState, StoreError};
use crate::model::{Class, Classes, SessionId};

const COLUMNS: &str = "id, body, state";

/// A source whose parcel is being taken in.
pub(super) struct Reading {
    pub id: u32,
    lines: Classes,
}

/// The source of that name.
pub(super) fn named(conn: &Connection, name: &str) -> Result<Option<(u32, SourceState)>, StoreError> {
    let mut query = conn.prepare_cached(&format!("SELECT {COLUMNS} FROM sources WHERE name = ?1"))?;
    Ok(query.query_row([name], state).optional()?)
}

/// The source of that number.
pub(super) fn numbered(conn: &Connection, id: u32) -> Result<Option<SourceState>, StoreError> {
    let mut query = conn.prepare_cached(&format!("SELECT {COLUMNS} FROM sources WHERE id = ?1"))?;
    Ok(query.query_row([id], state).optional()?.map(|(_, state)| state))
}

/// All sources.
pub(super) fn all(conn: &Connection) -> Result<Vec<(u32, SourceState)>, StoreError> {
    let mut query = conn.prepare_cached(&format!("SELECT {COLUMNS} FROM sources ORDER BY id"))?;
    Ok(query.query_map([], state)?.collect::<rusqlite::Result<_>>()?)
}

/// The sessions that count as running or waiting, each with the names of the sources that fed it.
pub(super) fn live(conn: &Connection) -> Result<Vec<(SessionId, Vec<String>)>, StoreError> {
    let mut query = conn.prepare_cached(
        "SELECT family, sessions.id, sources.name FROM sessions LEFT JOIN source_sessions USING (sid) LEFT JOIN sources ON sources.id = source
         WHERE sessions.body ->> 'status' IN ('running', 'waiting') ORDER BY sid",
    )?;
    let mut rows = query.query([])?;
    let mut found: Vec<(SessionId, Vec<String>)> = Vec::new();
    while let Some(row) = rows.next()? {
        let (id, source) = (SessionId { family: row.get(0)?, id: row.get(1)? }, row.get::<_, Option<String>>(2)?);
        match found.last_mut().filter(|(last, _)| *last == id) {
            Some((_, sources)) => sources.extend(source),
            None => found.push((id, source.into_iter().collect())),
        }
    }
    Ok(found)
}

/// Finds or makes the source of a parcel. Refuses a parcel before which bytes are missing.
pub(super) fn begin(conn: &Connection, parcel: &Parcel) -> Result<Reading, StoreError> {
    let source = &parcel.source;
    let reached = match named(conn, &source.name)? {
        Some((id, known)) if known.generation == source.generation => {
            if parcel.from > known.offset {
                return Err(StoreError::Other(format!("Lines before these are missing: {} is read again.", source.name)));
            }
            let mut lines = known.lines;
            let incomplete = Class::Incomplete.name();
            // The line that had begun has been read on, or is told of again.
            if source.offset > known.offset || parcel.other.0.contains_key(&incomplete) {
                lines.0.remove(&incomplete);
            }
            return Ok(Reading { id, lines });
        }
        Some((id, _)) => id,
        None => {
            conn.prepare_cached("INSERT INTO sources (name, generation, offset, state, body) VALUES (?1, 0, 0, '', '')")?
                .execute([&source.name])?;
            conn.last_insert_rowid() as u32
        }
    };
    if parcel.from > 0 {
        return Err(StoreError::Other(format!("Lines before these are missing: {} is read again.", source.name)));
    }
    Ok(Reading { id: reached, lines: Classes::default() })
}

/// Writes where a source stands behind a parcel whose lines were classed as `classes`, and which sessions it feeds.
pub(super) fn end(conn: &Connection, reading: Reading, mut source: SourceState, classes: &Classes, fed: &[Sid]) -> Result<(), StoreError> {
    source.lines = reading.lines;
    source.lines.merge(classes);
    let state = std::mem::take(&mut source.state);
    conn.prepare_cached("UPDATE sources SET generation = ?2, offset = ?3, state = ?4, body = ?5 WHERE id = ?1")?.execute((
        reading.id,
        source.generation,
        source.offset as i64,
        state,
        to_json(&source)?,
    ))?;
    for sid in fed {
        conn.prepare_cached("INSERT OR IGNORE INTO source_sessions (source, sid) VALUES (?1, ?2)")?.execute((reading.id, sid))?;
    }
    Ok(())
}

/// Empties the translators' states of the sources that fed this session and no other one that is kept.
pub(super) fn empty_states(conn: &Connection, sid: Sid) -> Result<(), StoreError> {
    conn.execute(
        "UPDATE sources SET state = '' WHERE id IN (SELECT source FROM source_sessions WHERE sid = ?1) AND NOT EXISTS (
           SELECT 1 FROM source_sessions JOIN sessions USING (sid) WHERE source = sources.id AND sid <> ?1 AND NOT removed)",
        [sid],
    )?;
    Ok(())
}

fn state(row: &Row<'_>) -> rusqlite::Result<(u32, SourceState)> {
    let Json(state): Json<SourceState> = row.get(1)?;
    Ok((row.get(0)?, SourceState { state: row.get(2)?, ..state }))
}
