//! Opening what is kept.

use std::path::Path;
use std::sync::Arc;

use super::Failure;
use crate::model::Change;
use crate::store::{Published, Shared, Sid, Writer, open_to_read};

/// The store, to read. A server may be writing to it.
pub fn to_read(data: &Path) -> Result<Shared, Failure> {
    open_to_read(data)?.ok_or_else(|| {
        Failure::new(format!("There is nothing in {} yet: run `sidedeck import PATH` or `sidedeck serve` first.", data.display()))
    })
}

/// The store, to write, with nobody watching.
pub fn to_write(data: &Path) -> Result<(Writer, Shared), Failure> {
    Ok(Writer::open(data, Arc::new(Nobody))?)
}

struct Nobody;

impl Published for Nobody {
    fn session(&self, _: Sid, _: &[Change], _: u64) {}
    fn list(&self, _: &Change, _: u64) {}
}
