//! What an import tells while it runs and when it has ended.

use std::path::Path;

use serde::Serialize;

use crate::model::Classes;

/// How far an import has come. All numbers are sums over the whole import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub files: u64,
    pub files_all: u64,
    pub bytes: u64,
    pub bytes_all: u64,
}

/// What an import has done.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Sessions found, with new lines or without.
    pub sessions: u64,
    /// Those of them that were deleted here, and stay so. Filled by whoever can read the store.
    pub deleted: u64,
    /// Their subagents, as they stand now. Filled by whoever can read the store.
    pub agents: u64,
    /// Their entries, as they stand now. Filled by whoever can read the store.
    pub entries: u64,
    /// The lines read in this import, by class.
    pub lines: Classes,
    /// Bytes read in this import.
    pub bytes: u64,
    pub files: u64,
    pub seconds: f64,
    pub skipped: Vec<Skipped>,
    /// The ids of the sessions, sorted.
    #[serde(skip)]
    pub ids: Vec<String>,
}

/// What was not read, and why, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    pub path: String,
    pub why: String,
}

impl Skipped {
    pub(super) fn new(path: &Path, why: impl Into<String>) -> Self {
        Self { path: path.display().to_string(), why: why.into() }
    }
}
