//! Frames of the event stream, read.

use serde::Deserialize;

use crate::model::{Change, Frame, GapReason, Ms};

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
    #[derive(Deserialize)]
    struct Hello {
        epoch: String,
        build: String,
    }
    #[derive(Deserialize)]
    struct Uptodate {
        at: Ms,
    }
    #[derive(Deserialize)]
    struct Gap {
        reason: GapReason,
    }
    match event {
        "put" | "append" | "gone" => serde_json::from_str::<Change>(data).ok().map(|change| Frame::Change { change }),
        "tail" => Some(Frame::Tail),
        "hello" => serde_json::from_str(data).ok().map(|Hello { epoch, build }| Frame::Hello { epoch, build }),
        "uptodate" => serde_json::from_str(data).ok().map(|Uptodate { at }| Frame::Uptodate { at }),
        "gap" => Some(Frame::Gap { reason: serde_json::from_str(data).map_or(GapReason::UnknownId, |Gap { reason }| reason) }),
        "bye" => Some(Frame::Bye),
        _ => None,
    }
}
