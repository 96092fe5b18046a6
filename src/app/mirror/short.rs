//! Rows as a page embeds them: a finished tool step shows one line, so its long texts stay behind until it is opened.

use crate::model::{Body, Entry, EntryState};

/// How much of a finished step's arguments and result a page embeds, in bytes.
const KEPT: usize = 2_000;

/// Cuts the long texts of a tool step.
pub fn shorten(entry: &mut Entry) {
    if entry.state == EntryState::Open {
        return entry.cut_open();
    }
    if let Body::Tool(tool) = &mut entry.body {
        let tool = tool.as_mut();
        for long in [Some(&mut tool.args), tool.result.as_mut(), tool.spilled.as_mut(), tool.error.as_mut()].into_iter().flatten() {
            long.cut(KEPT);
        }
    }
}
