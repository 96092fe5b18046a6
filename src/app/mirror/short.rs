//! Rows as a page embeds them: a finished tool step shows one line, so its long texts stay behind until it is opened.

use crate::model::{Body, Entry, EntryState};

/// How much of a finished step's error a page embeds, in bytes; of its arguments and result it needs to know that they are there.
const KEPT: usize = 2_400;

/// Cuts the long texts of a tool step.
pub fn shorten(entry: &mut Entry) {
    if entry.state == EntryState::Open {
        return entry.cut_open();
    }
    if let Body::Tool(tool) = &mut entry.body {
        let tool = tool.as_mut();
        for long in [Some(&mut tool.args), tool.result.as_mut(), tool.spilled.as_mut()].into_iter().flatten() {
            long.cut(0);
        }
        if let Some(error) = &mut tool.error {
            error.cut(KEPT);
        }
    }
}
