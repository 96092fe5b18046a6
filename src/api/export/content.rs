//! Contents, whole again.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::value::RawValue;

use crate::model::{Blob, Hash64, Long};
use crate::store::{Shared, Sid, StoreError};

/// The whole text.
pub(super) fn whole(store: &Shared, sid: Sid, long: Long) -> Result<String, StoreError> {
    match &long.blob {
        None => Ok(long.text),
        Some(blob) => {
            Ok(String::from_utf8(bytes(store, sid, blob)?).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
        }
    }
}

/// The bytes in Base64.
pub(super) fn base64(store: &Shared, sid: Sid, blob: &Blob) -> Result<String, StoreError> {
    Ok(STANDARD.encode(bytes(store, sid, blob)?))
}

/// JSON as it came; what is none, as a JSON string; nothing for nothing.
pub(super) fn raw(text: String) -> Option<Box<RawValue>> {
    if text.is_empty() {
        return None;
    }
    RawValue::from_string(text.clone()).or_else(|_| serde_json::value::to_raw_value(&text)).ok()
}

/// What two texts share that say the same.
pub(super) fn said(text: &str) -> Hash64 {
    Hash64::of(text.trim().as_bytes())
}

fn bytes(store: &Shared, sid: Sid, blob: &Blob) -> Result<Vec<u8>, StoreError> {
    let found = store.blob(sid, &blob.hash, 0, usize::MAX)?;
    found.ok_or_else(|| StoreError::Other(format!("The content {} is missing: the database is damaged.", blob.hash)))
}
