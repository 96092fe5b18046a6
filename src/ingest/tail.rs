//! Files, followed as they grow.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::Sink;

/// How patient a tail is.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// How often files that grew lately are looked at, behind the events' back.
    pub poll: Duration,
    /// For how long a file counts as grown lately.
    pub active: Duration,
    /// How often all files are looked for.
    pub rescan: Duration,
    /// A session none of whose files grew for so long has no news.
    pub quiet: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        let secs = Duration::from_secs;
        Self { poll: secs(2), active: secs(300), rescan: secs(600), quiet: secs(300) }
    }
}

/// Follows folders on a thread of its own until it is dropped.
pub struct Tail {}

impl Tail {
    /// Starts to follow `roots`: config roots, projects roots or project folders, which need not exist yet. `report` is told, in
    /// one sentence each, what cannot be read; each once.
    pub fn start(roots: Vec<PathBuf>, sink: Arc<dyn Sink>, pace: Pace, report: Box<dyn FnMut(&str) + Send>) -> Self {
        let _ = (roots, sink, pace, report);
        Self {}
    }
}
