//! Contents too long for their rows, in chunks under their hash.
//!
//! Decision: a content is kept once, however many rows show it; each transcript that shows it holds a reference.
//! Invariant: a session reads only what one of its transcripts refers to; with the last reference the content goes.

use rusqlite::{Connection, OptionalExtension};

use super::rows::Aid;
use super::{Sid, StoreError};
use crate::ledger::NewBlob;
use crate::model::{Blob, Body, Long};

const CHUNK: usize = 1 << 20;
const CHUNK_BITS: u32 = 20;

/// Keeps a content, unless it is there.
pub(super) fn put(conn: &Connection, blob: &NewBlob) -> Result<(), StoreError> {
    let len = i64::try_from(blob.bytes.len()).unwrap_or(i64::MAX);
    let new = conn.prepare_cached("INSERT OR IGNORE INTO blobs (hash, len) VALUES (?1, ?2)")?.execute((&blob.hash, len))?;
    if new == 0 {
        return Ok(());
    }
    let bid = conn.last_insert_rowid();
    let mut insert = conn.prepare_cached("INSERT INTO blob_chunks (key, bytes) VALUES (?1, ?2)")?;
    for (n, chunk) in (0..).zip(blob.bytes.chunks(CHUNK)) {
        insert.execute((bid << CHUNK_BITS | n, chunk))?;
    }
    Ok(())
}

/// Notes that a transcript shows the contents of a body.
pub(super) fn refer(conn: &Connection, aid: Aid, body: &Body) -> Result<(), StoreError> {
    for blob in blobs(body) {
        conn.prepare_cached("INSERT OR IGNORE INTO blob_refs (aid, bid) SELECT ?1, bid FROM blobs WHERE hash = ?2")?
            .execute((aid, &blob.hash))?;
    }
    Ok(())
}

/// Lets go of what a transcript refers to, and of the contents that nothing refers to any more.
pub(super) fn release(conn: &Connection, aid: Aid) -> Result<(), StoreError> {
    let mut query = conn.prepare_cached("SELECT bid FROM blob_refs WHERE aid = ?1")?;
    let held: Vec<i64> = query.query_map([aid], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    conn.prepare_cached("DELETE FROM blob_refs WHERE aid = ?1")?.execute([aid])?;
    for bid in held {
        let gone = conn
            .prepare_cached("DELETE FROM blobs WHERE bid = ?1 AND NOT EXISTS (SELECT 1 FROM blob_refs WHERE bid = ?1)")?
            .execute([bid])?;
        if gone > 0 {
            conn.prepare_cached("DELETE FROM blob_chunks WHERE key BETWEEN ?1 AND ?2")?
                .execute([bid << CHUNK_BITS, ((bid + 1) << CHUNK_BITS) - 1])?;
        }
    }
    Ok(())
}

/// The key and the length of a content that a row of this session shows.
pub(super) fn find(conn: &Connection, sid: Sid, hash: &str) -> Result<Option<(i64, u64)>, StoreError> {
    let mut query = conn.prepare_cached(
        "SELECT bid, len FROM blobs WHERE hash = ?2
         AND EXISTS (SELECT 1 FROM blob_refs JOIN agents USING (aid) WHERE blob_refs.bid = blobs.bid AND sid = ?1)",
    )?;
    Ok(query.query_row((sid, hash), |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64))).optional()?)
}

/// Bytes of such a content from `start`, at most `limit`.
pub(super) fn read(conn: &Connection, sid: Sid, hash: &str, start: u64, limit: usize) -> Result<Option<Vec<u8>>, StoreError> {
    let Some((bid, len)) = find(conn, sid, hash)? else { return Ok(None) };
    let end = start.saturating_add(limit as u64).min(len);
    let mut bytes = Vec::new();
    let mut query = conn.prepare_cached("SELECT bytes FROM blob_chunks WHERE key = ?1")?;
    let mut at = start;
    while at < end {
        let (n, skip) = (at / CHUNK as u64, (at % CHUNK as u64) as usize);
        let wanted = (end - at) as usize;
        let before = bytes.len();
        query.query_row([bid << CHUNK_BITS | n as i64], |row| {
            bytes.extend(row.get_ref(0)?.as_blob()?.iter().skip(skip).take(wanted));
            Ok(())
        })?;
        if bytes.len() == before {
            return Err(StoreError::Other("A content is shorter than its row says: the database is damaged.".into()));
        }
        at += (bytes.len() - before) as u64;
    }
    Ok(Some(bytes))
}

fn blobs(body: &Body) -> impl Iterator<Item = &Blob> {
    let texts: [Option<&Long>; 4] = match body {
        Body::User { text, .. } | Body::Text { text } | Body::Reasoning { text } => [Some(text), None, None, None],
        Body::Tool(tool) => [Some(&tool.args), tool.result.as_ref(), tool.spilled.as_ref(), tool.error.as_ref()],
        Body::Ask(ask) => [Some(&ask.text), ask.answer.as_ref(), None, None],
        Body::Notice(notice) => [Some(&notice.text), notice.detail.as_ref(), None, None],
        Body::Todos { .. } => [None, None, None, None],
    };
    texts.into_iter().flatten().filter_map(|text| text.blob.as_ref()).chain(body.images().iter().map(|image| &image.blob))
}
