//! The tables, and what every connection is told before it is used.
//!
//! Decision: a row's whole state is JSON in its last column; only what is searched or ordered by has a column of its own.
//! Entries and chunks are rowid tables under packed keys. Invariant: a database of a newer version is refused before a byte
//! of it is written.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::StoreError;

/// Raised with each change of the tables.
pub(super) const VERSION: i64 = 2;

/// Pages in the log (8 KiB each) that make a commit move them into the database: late, so that an import syncs rarely.
const CHECKPOINT_PAGES: i64 = 4_096;

const TABLES: &str = "
CREATE TABLE meta (epoch INTEGER NOT NULL, place TEXT NOT NULL);

-- `ident` is the hash of family and id. `due`: the row changed visibly and its grev has not been raised yet.
-- A removed session keeps ident, id, family, rev and grev. Without a body there is nothing to show.
CREATE TABLE sessions (
  sid INTEGER PRIMARY KEY, ident BLOB NOT NULL UNIQUE, id TEXT NOT NULL, family TEXT NOT NULL,
  rev INTEGER NOT NULL, row_rev INTEGER NOT NULL, grev INTEGER NOT NULL, due INTEGER NOT NULL, removed INTEGER NOT NULL,
  last_at INTEGER NOT NULL, body TEXT
);
CREATE INDEX sessions_id ON sessions (id);
CREATE INDEX sessions_grev ON sessions (grev);
CREATE INDEX sessions_due ON sessions (sid) WHERE due;
CREATE INDEX sessions_newest ON sessions (last_at, sid) WHERE body IS NOT NULL;
CREATE TABLE session_names (name TEXT NOT NULL, sid INTEGER NOT NULL, PRIMARY KEY (name, sid)) WITHOUT ROWID;
CREATE INDEX session_names_sid ON session_names (sid);
CREATE TABLE books (sid INTEGER PRIMARY KEY, state TEXT NOT NULL);

-- A removed agent keeps its number, id and names.
CREATE TABLE agents (
  aid INTEGER PRIMARY KEY, sid INTEGER NOT NULL, n INTEGER NOT NULL, rev INTEGER NOT NULL, removed INTEGER NOT NULL,
  id TEXT NOT NULL, facts TEXT NOT NULL DEFAULT '', body TEXT NOT NULL, UNIQUE (sid, n)
);
CREATE INDEX agents_rev ON agents (sid, rev);
CREATE INDEX agents_id ON agents (sid, id);
CREATE TABLE agent_names (
  sid INTEGER NOT NULL, id TEXT NOT NULL, kind INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (sid, id, kind)
) WITHOUT ROWID;

-- `key` is aid << 28 | seq.
CREATE TABLE entries (key INTEGER PRIMARY KEY, sid INTEGER NOT NULL, rev INTEGER NOT NULL, open INTEGER NOT NULL, body TEXT NOT NULL);
CREATE INDEX entries_rev ON entries (sid, rev);
CREATE INDEX entries_open ON entries (sid) WHERE open;
-- What has been appended to an open entry since its row was written.
CREATE TABLE pieces (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, sid INTEGER NOT NULL, rev INTEGER NOT NULL, field INTEGER NOT NULL, text TEXT NOT NULL);
CREATE INDEX pieces_key ON pieces (key, rev);
CREATE INDEX pieces_rev ON pieces (sid, rev);
CREATE TABLE entry_keys (sid INTEGER NOT NULL, key BLOB NOT NULL, agent INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (sid, key)) WITHOUT ROWID;
CREATE TABLE line_ids (
  sid INTEGER NOT NULL, key BLOB NOT NULL, hash INTEGER NOT NULL, parent BLOB, turn INTEGER NOT NULL,
  agent INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (sid, key)
) WITHOUT ROWID;
CREATE TABLE usages (
  sid INTEGER NOT NULL, agent INTEGER NOT NULL, key BLOB NOT NULL,
  input INTEGER NOT NULL, output INTEGER NOT NULL, cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL,
  PRIMARY KEY (sid, agent, key)
) WITHOUT ROWID;

-- A chunk's key is bid << 20 | its number; all but the last are 1 MiB. A blob lives as long as a transcript refers to it.
CREATE TABLE blobs (bid INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, len INTEGER NOT NULL);
CREATE TABLE blob_chunks (key INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TABLE blob_refs (aid INTEGER NOT NULL, bid INTEGER NOT NULL, PRIMARY KEY (aid, bid)) WITHOUT ROWID;
CREATE INDEX blob_refs_bid ON blob_refs (bid);

CREATE TABLE sources (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, generation INTEGER NOT NULL, offset INTEGER NOT NULL,
  state TEXT NOT NULL, body TEXT NOT NULL
);
CREATE TABLE source_sessions (source INTEGER NOT NULL, sid INTEGER NOT NULL, PRIMARY KEY (source, sid)) WITHOUT ROWID;
CREATE INDEX source_sessions_sid ON source_sessions (sid);
";

/// What version 2 added: how far people have read, and the layouts of cards that they saved.
const READING: &str = "
CREATE TABLE seen (sid INTEGER NOT NULL, n INTEGER NOT NULL, seq INTEGER NOT NULL, ended_run INTEGER NOT NULL, PRIMARY KEY (sid, n)) WITHOUT ROWID;
CREATE TABLE layouts (sid INTEGER PRIMARY KEY, body TEXT NOT NULL);
";

/// Opens the writing connection, creating in one transaction the tables that are missing.
pub(super) fn open_writing(file: &Path) -> Result<Connection, StoreError> {
    let mut conn = Connection::open(file)?;
    let version = check_version(&conn)?;
    conn.busy_timeout(Duration::from_secs(1))?;
    // Only a new database takes a page size, and only before its first page.
    conn.pragma_update(None, "page_size", 8_192)?;
    conn.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    conn.pragma_update(None, "synchronous", "full")?;
    // What is overwritten or removed must not stay readable in free pages.
    conn.pragma_update_and_check(None, "secure_delete", "on", |_| Ok(()))?;
    conn.pragma_update_and_check(None, "wal_autocheckpoint", CHECKPOINT_PAGES, |_| Ok(()))?;
    conn.pragma_update_and_check(None, "journal_size_limit", 64 << 20, |_| Ok(()))?;
    conn.set_prepared_statement_cache_capacity(64);
    if version < VERSION {
        let tx = conn.transaction()?;
        if version == 0 {
            tx.execute_batch(TABLES)?;
            tx.execute("INSERT INTO meta (epoch, place) VALUES (0, '')", [])?;
        }
        tx.execute_batch(READING)?;
        tx.pragma_update(None, "user_version", VERSION)?;
        tx.commit()?;
    }
    Ok(conn)
}

/// Gives the database an epoch: once, and anew where it lies at another place than before (a copy, a restored backup).
pub(super) fn settle(conn: &Connection, place: &str) -> Result<(), StoreError> {
    let known: String = conn.query_row("SELECT place FROM meta", [], |row| row.get(0))?;
    if known != place {
        let epoch = getrandom::u64().map_err(|error| StoreError::Other(format!("The system gives no random numbers: {error}.")))?;
        conn.execute("UPDATE meta SET epoch = ?1, place = ?2", (epoch as i64, place))?;
    }
    Ok(())
}

/// Opens a connection that can only read. `None` if the tables have not been made yet.
pub(super) fn open_reading(file: &Path) -> Result<Option<Connection>, StoreError> {
    let conn = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    conn.busy_timeout(Duration::from_secs(5))?;
    conn.set_prepared_statement_cache_capacity(32);
    Ok((check_version(&conn)? > 0).then_some(conn))
}

fn check_version(conn: &Connection) -> Result<i64, StoreError> {
    let version = conn.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version > VERSION { Err(StoreError::Newer(version)) } else { Ok(version) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_database_gets_what_it_lacks_and_keeps_what_it_has() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.db");
        let conn = Connection::open(&file).unwrap();
        conn.execute_batch(TABLES).unwrap();
        conn.execute("INSERT INTO meta (epoch, place) VALUES (7, 'here')", []).unwrap();
        conn.pragma_update(None, "user_version", 1).unwrap();
        drop(conn);
        let conn = open_writing(&file).unwrap();
        assert_eq!(conn.query_row("SELECT epoch FROM meta", [], |row| row.get::<_, i64>(0)), Ok(7));
        assert_eq!(conn.query_row("SELECT count(*) FROM seen", [], |row| row.get::<_, i64>(0)), Ok(0));
        drop(conn);
        assert!(open_writing(&file).is_ok(), "and once only");
    }

    #[test]
    fn a_newer_database_is_refused_and_left_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.db");
        let conn = Connection::open(&file).unwrap();
        conn.pragma_update(None, "user_version", VERSION + 1).unwrap();
        drop(conn);
        let before = std::fs::read(&file).unwrap();
        assert_eq!(open_writing(&file).map(drop), Err(StoreError::Newer(VERSION + 1)));
        assert_eq!(open_reading(&file).map(drop), Err(StoreError::Newer(VERSION + 1)));
        assert_eq!(std::fs::read(&file).unwrap(), before);
    }
}
