//! Rows as a page embeds them: a finished tool step shows one line, so its long texts stay behind until it is opened.

use crate::model::{Blob, Body, Entry, EntryState, Long};

/// How much of a finished step's arguments and result a page embeds, in bytes.
const KEPT: usize = 2_000;

/// Cuts the long texts of a finished tool step. What was cut is marked by a blob without a hash: it stands in the row.
pub fn shorten(entry: &mut Entry) {
    if entry.state == EntryState::Open {
        return;
    }
    if let Body::Tool(tool) = &mut entry.body {
        let tool = tool.as_mut();
        for long in [Some(&mut tool.args), tool.result.as_mut(), tool.error.as_mut()].into_iter().flatten() {
            cut(long);
        }
    }
}

/// True for a text of which the row holds more.
pub fn is_short(long: &Long) -> bool {
    long.blob.as_ref().is_some_and(|blob| blob.hash.is_empty())
}

fn cut(long: &mut Long) {
    if long.text.len() <= KEPT {
        return;
    }
    let whole = long.len();
    let end = (0..=KEPT).rev().find(|end| long.text.is_char_boundary(*end)).unwrap_or_default();
    long.text.truncate(end);
    long.text.shrink_to_fit();
    long.blob.get_or_insert(Blob { hash: String::new(), len: whole });
}
