//! Frames of the event stream, read.

use crate::model::{Change, Frame, Ms};

/// The names of all events.
pub const EVENTS: [&str; 8] = ["put", "append", "gone", "tail", "hello", "uptodate", "gap", "bye"];

/// What the stream tells beside changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Connected, to a server of this build.
    Hello { build: String },
    /// All that was committed before has come; the server's clock.
    Uptodate { at: Ms },
    /// The connection is lost.
    Lost,
}

/// Reads a frame by its event's name; `None` for one that this build does not know.
pub fn read(event: &str, data: &str) -> Option<Frame> {
    match event {
        "put" | "append" | "gone" => serde_json::from_str::<Change>(data).ok().map(|change| Frame::Change { change }),
        _ => serde_json::from_str(data).ok(),
    }
}
