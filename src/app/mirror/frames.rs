//! Frames of the event stream, read.

use serde::Deserialize;

use crate::model::{Change, Frame, Reading};

/// Reads a frame by its event's name; `None` for one that this build does not know.
pub fn read(event: &str, data: &str) -> Option<Frame> {
    match event {
        "put" | "append" | "gone" => serde_json::from_str::<Change>(data).ok().map(|change| Frame::Change { change }),
        "seen" => serde_json::from_str::<SeenData>(data).ok().map(|SeenData { seen }| Frame::Seen { seen }),
        _ => serde_json::from_str(data).ok(),
    }
}

/// By itself, since inside a tagged enum serde takes no numbers as keys.
#[derive(Deserialize)]
struct SeenData {
    seen: Reading,
}
