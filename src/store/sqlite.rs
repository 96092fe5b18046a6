//! The reading side.
use super::*;

pub(super) struct Sqlite;

impl Sqlite {
    pub(super) fn source_named(&self, _: &str) -> Result<Option<(u32, SourceState)>, StoreError> {
        Err(StoreError::Closed)
    }
    pub(super) fn sources(&self) -> Result<Vec<(u32, SourceState)>, StoreError> {
        Err(StoreError::Closed)
    }
}

impl Store for Sqlite {
    fn head(&self) -> Result<Cursor, StoreError> {
        Err(StoreError::Closed)
    }
    fn find(&self, _: &str) -> Result<Option<Sid>, StoreError> {
        Err(StoreError::Closed)
    }
    fn find_agent(&self, _: Sid, _: &str) -> Result<Option<AgentNo>, StoreError> {
        Err(StoreError::Closed)
    }
    fn sessions(&self, _: Option<&str>, _: usize) -> Result<SessionsPage, StoreError> {
        Err(StoreError::Closed)
    }
    fn session_page(&self, _: Sid, _: AgentNo, _: Window, _: usize) -> Result<Option<SessionPage>, StoreError> {
        Err(StoreError::Closed)
    }
    fn entries(&self, _: Sid, _: AgentNo, _: Window, _: usize) -> Result<EntriesPage, StoreError> {
        Err(StoreError::Closed)
    }
    fn entry(&self, _: Sid, _: EntryRef) -> Result<Option<Entry>, StoreError> {
        Err(StoreError::Closed)
    }
    fn backlog(&self, _: Sid, _: u64, _: Option<&[AgentNo]>) -> Result<Backlog, StoreError> {
        Err(StoreError::Closed)
    }
    fn list_backlog(&self, _: u64) -> Result<Backlog, StoreError> {
        Err(StoreError::Closed)
    }
    fn blob(&self, _: Sid, _: &str, _: u64, _: usize) -> Result<Option<Vec<u8>>, StoreError> {
        Err(StoreError::Closed)
    }
    fn blob_len(&self, _: Sid, _: &str) -> Result<Option<u64>, StoreError> {
        Err(StoreError::Closed)
    }
    fn source(&self, _: u32) -> Result<Option<SourceState>, StoreError> {
        Err(StoreError::Closed)
    }
    fn snapshot(&self) -> Result<Shared, StoreError> {
        Err(StoreError::Closed)
    }
}

/// Opens a data folder for reading alone, also while a server writes to it; `None` if there is nothing yet.
///
/// # Errors
/// `Newer` if a newer version made it.
pub fn open_to_read(data_dir: &std::path::Path) -> Result<Option<Shared>, StoreError> {
    let _ = data_dir;
    Err(StoreError::Closed)
}
