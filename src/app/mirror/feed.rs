//! The one event stream of a tab.
//!
//! Decision: the browser's own EventSource with one queue for all event names, because a queue per name (as in
//! gloo-net) loses their order. We reconnect ourselves, since EventSource cannot tell a 401 from a lost server.
//! Invariants: changes reach the rows in the order of the stream, once per animation frame; a hidden tab closes its
//! stream after 30 s and resumes by its cursor.

use std::future::Future;

use crate::app::Failure;
use crate::model::{AgentNo, Change, Cursor, MAIN, Ms, Reading};

/// What the stream tells beside changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Connected, to a server of this build.
    Hello { build: String },
    /// All that was committed before has come; the server's clock.
    Uptodate { at: Ms },
    /// How far the session has been read, on whatever device.
    Seen { seen: Reading },
    /// The connection is lost; the last that came was heard then, by this machine's clock.
    Lost { heard: Ms },
}

/// Whoever reads the stream: a page's rows.
pub trait Feed: Clone + 'static {
    /// What is asked for beside the cursor: "&session=…&agents=…".
    fn query(&self) -> String;
    /// Tracks what, when it changes, needs a new connection.
    fn watch(&self);
    /// Where the next connection starts.
    fn start(&self) -> Cursor;
    /// The stream has reached this cursor.
    fn reached(&self, cursor: Cursor);
    /// Takes changes, in order.
    fn take(&self, changes: Vec<Change>);
    /// The agent that a person is at: what comes of it waits for no turn.
    fn at(&self) -> AgentNo {
        MAIN
    }
    /// Takes what else the stream tells.
    fn note(&self, note: Note);
    /// Loads everything anew, after a gap.
    fn resume(&self) -> impl Future<Output = Result<(), Failure>>;
}

/// Follows the stream until the owner ends. The server follows none.
#[cfg(not(feature = "hydrate"))]
pub fn follow<F: Feed>(_: F) {}

#[cfg(feature = "hydrate")]
pub use source::follow;

#[cfg(feature = "hydrate")]
#[path = "source.rs"]
mod source;
