//! Frames of the event stream, read.

use crate::model::{Change, Frame};

/// Reads a frame by its event's name; `None` for one that this build does not know.
pub fn read(event: &str, data: &str) -> Option<Frame> {
    match event {
        "put" | "append" | "gone" => serde_json::from_str::<Change>(data).ok().map(|change| Frame::Change { change }),
        _ => serde_json::from_str(data).ok(),
    }
}
