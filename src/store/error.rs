//! Why the store could not, in words for a person.

use std::fmt;

use rusqlite::ErrorCode;

/// Why the store could not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// The disk is full: nothing of the batch was kept, all before it was.
    Full,
    /// The folder is another process's: its number, or nothing where that is not known.
    Busy(String),
    /// The database was made by a newer version: its schema's number.
    Newer(i64),
    /// The writer has ended.
    Closed,
    /// The writer is too far behind: nothing of this was taken.
    Behind,
    /// Nothing was removed, because these agents still run, wait or are queued.
    Running(Vec<String>),
    /// There is no such session or agent.
    Missing(String),
    Other(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.write_str(
                "The disk is full: what was committed before is kept, the rest is not. Free some space and try again; nothing comes twice.",
            ),
            Self::Busy(pid) if pid.is_empty() => {
                f.write_str("The data folder is in use by another Sidedeck. Stop that one, or choose another folder with --data.")
            }
            Self::Busy(pid) => write!(
                f,
                "The data folder is in use by another Sidedeck (process {pid}). Stop that one, or choose another folder with --data."
            ),
            Self::Newer(version) => write!(
                f,
                "The data folder was made by a newer Sidedeck (schema {version}). Use that version, or choose another folder with --data."
            ),
            Self::Behind => f.write_str("More comes in than can be written at the moment. Try again in a second."),
            Self::Closed => f.write_str("The store has been closed."),
            Self::Running(names) => write!(f, "Nothing was deleted, because this still runs: {}. Stop it first.", names.join(", ")),
            Self::Missing(what) => write!(f, "There is no {what}."),
            Self::Other(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Other(
                "The database is damaged. Restore the data folder from a copy, or import the files anew into another folder.".into(),
            ),
            _ => Self::Other(format!("The database could not be used: {error}.")),
        }
    }
}
