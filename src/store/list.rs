//! When a session's row moves in the list: its `grev` is raised by a visible change, at most once a second.
//!
//! Decision: what has to wait is marked in its row, so that a restart forgets none of it.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::{Sid, StoreError, pages, rows};
use crate::model::Change;

/// Between two raises of one session.
const PAUSE: Duration = Duration::from_secs(1);

/// Knows when each session was raised last, and when the next raise is due.
#[derive(Default)]
pub(super) struct ListClock {
    raised: HashMap<Sid, Instant>,
    next: Option<Instant>,
}

impl ListClock {
    /// A clock that looks for marked rows at once.
    pub(super) fn new() -> Self {
        Self { raised: HashMap::new(), next: Some(Instant::now()) }
    }

    /// The number for a row that changed, or `None` if it has to wait: the row is then to be marked as due.
    pub(super) fn raise(&mut self, conn: &Connection, sid: Sid) -> Result<Option<u64>, StoreError> {
        let now = Instant::now();
        if let Some(free) = self.raised.get(&sid).map(|raised| *raised + PAUSE).filter(|free| *free > now) {
            self.next = Some(self.next.map_or(free, |next| next.min(free)));
            return Ok(None);
        }
        self.raised.insert(sid, now);
        Ok(Some(pages::head(conn)?.grev + 1))
    }

    /// When [`ListClock::flush`] is to be called.
    pub(super) fn next(&self) -> Option<Instant> {
        self.next
    }

    /// Asks for another [`ListClock::flush`], after one that could not be committed.
    pub(super) fn again(&mut self) {
        self.next = Some(Instant::now() + PAUSE);
    }

    /// Raises all marked rows whose pause is over, inside of the open transaction.
    pub(super) fn flush(&mut self, conn: &Connection) -> Result<Vec<(Change, u64)>, StoreError> {
        let now = Instant::now();
        self.next = None;
        self.raised.retain(|_, raised| *raised + PAUSE > now);
        let mut query = conn.prepare_cached("SELECT sid FROM sessions WHERE due ORDER BY sid")?;
        let due: Vec<Sid> = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        let mut listed = Vec::new();
        for sid in due {
            let Some(grev) = self.raise(conn, sid)? else { continue };
            conn.prepare_cached("UPDATE sessions SET grev = ?2, due = 0 WHERE sid = ?1")?.execute((sid, grev as i64))?;
            listed.extend(rows::session(conn, sid)?.map(|session| (Change::Session(Box::new(session)), grev)));
        }
        Ok(listed)
    }
}
