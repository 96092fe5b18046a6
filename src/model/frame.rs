//! What the server sends to a browser: pages of rows, and the frames of the one event stream.

use serde::{Deserialize, Serialize};

use super::{Agent, AgentNo, Change, Entry, Ms, Reading, Session};

/// One frame of `/api/v1/events`. The event's name is the variant's, a change's its own (`put`, `append`, `gone`); its id, where it
/// has one, the whole cursor reached. The data is the frame as JSON, of a change the bare [`Change`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "frame", rename_all = "snake_case")]
pub enum Frame {
    /// The first of each connection, without an id.
    Hello { epoch: String, build: String },
    /// A changed row, an append, or a removal.
    Change { change: Change },
    /// How far the session has been read, on whatever device: the whole at the beginning, then what is new; without an id.
    Seen { seen: Reading },
    /// Every 5 s: the cursor reached, although nothing was new.
    Tail,
    /// All that was committed before has been sent; without an id.
    Uptodate { at: Ms },
    /// The cursor cannot be served: load the windows again; without an id.
    Gap { reason: GapReason },
    /// The server ends this connection; without an id.
    Bye,
}

/// Why a cursor cannot be served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GapReason {
    /// Made by another database, or before a restore.
    Epoch,
    /// No cursor of ours, or one from the future.
    UnknownId,
    /// More than 5,000 rows or 4 MiB behind.
    Far,
    /// Older than what is kept.
    Retention,
}

/// A session with its agents, and the window of one transcript, all read in one transaction at `cursor`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionPage {
    pub session: Session,
    /// All agents, merged and hidden ones too, by `n`.
    pub agents: Vec<Agent>,
    pub entries: EntriesPage,
    pub cursor: String,
    /// The server's clock when this was read.
    pub now: Ms,
}

/// A window of one transcript.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntriesPage {
    pub agent: AgentNo,
    /// By rising `seq`.
    pub entries: Vec<Entry>,
    /// True if there are entries before the first.
    pub more_before: bool,
    /// True if there are entries behind the last.
    pub more_after: bool,
    /// The session's `rev` that it was read at.
    pub rev: u64,
}
