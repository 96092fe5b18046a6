//! Reading connections, kept for the next reader.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use super::{StoreError, schema};

/// Idle connections that are kept.
const IDLE: usize = 4;

/// Hands out reading connections, as many as are asked for.
pub(super) struct Pool {
    file: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

/// A connection in a read transaction: everything that it reads is of one moment. Goes back to the pool when dropped.
pub(super) struct Lent {
    pool: Arc<Pool>,
    conn: Option<Connection>,
}

impl Pool {
    pub(super) fn new(file: PathBuf) -> Arc<Self> {
        Arc::new(Self { file, idle: Mutex::new(Vec::new()) })
    }

    pub(super) fn lend(self: &Arc<Self>) -> Result<Lent, StoreError> {
        let idle = self.idle().pop();
        let conn = match idle {
            Some(conn) => conn,
            None => schema::open_reading(&self.file)?.ok_or_else(|| StoreError::Other("The database is empty.".into()))?,
        };
        conn.execute_batch("BEGIN")?;
        Ok(Lent { pool: self.clone(), conn: Some(conn) })
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lent {
    /// Reads; `Closed` cannot happen while it is lent.
    pub(super) fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        read(self.conn.as_ref().ok_or(StoreError::Closed)?)
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let Some(conn) = self.conn.take() else { return };
        // A connection that cannot end its transaction is not used again.
        if conn.execute_batch("COMMIT").is_ok() {
            let mut idle = self.pool.idle();
            if idle.len() < IDLE {
                idle.push(conn);
            }
        }
    }
}
