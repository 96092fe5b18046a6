//! A session as one JSON document, version 1: the contract of docs/export.md.

use std::io::Write;

use crate::store::{Sid, Store, StoreError};

/// Writes the export of a session to `out`, reading all of it in one transaction, in constant memory.
///
/// # Errors
/// `Missing` if there is no such session; `Other` where `out` cannot be written.
pub fn json(store: &dyn Store, sid: Sid, out: &mut dyn Write) -> Result<(), StoreError> {
    let _ = (store, sid, out);
    Err(StoreError::Closed)
}
