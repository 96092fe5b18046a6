//! Files, followed as they grow.
//!
//! Decision: the system's events say which file to look at, a rescan behind them finds what they lost. A file is looked at by
//! its position, never by the event, so nothing depends on an event's kind. Invariants: no file holds up another for more than
//! its budget; where nothing grows, nothing is done but a rescan every ten minutes.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use super::Sink;
use super::follower::Follower;
use super::receipts::Receipts;
use super::roots::Roots;

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
    /// A line that has begun and not grown for so long is shown as incomplete.
    pub partial: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        let secs = Duration::from_secs;
        Self { poll: secs(2), active: secs(300), rescan: secs(600), quiet: secs(300), partial: secs(5) }
    }
}

/// Follows folders on a thread of its own until it is dropped.
pub struct Tail {
    words: Sender<Word>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread is told.
pub(super) enum Word {
    Event(notify::Result<notify::Event>),
    Look(PathBuf),
    Stop,
}

/// Tells a [`Tail`] that a file is worth a look.
#[derive(Clone)]
pub struct Looker(Sender<Word>);

impl Looker {
    /// A hint alone: a path outside of the followed folders is not looked at.
    pub fn look(&self, path: impl Into<PathBuf>) {
        // One that has ended follows nothing.
        let _ = self.0.send(Word::Look(path.into()));
    }
}

impl Tail {
    /// Starts to follow `roots`: config roots, projects roots or project folders, which need not exist yet. `report` is told, in
    /// one sentence each, what cannot be read; each once.
    pub fn start(roots: Vec<PathBuf>, sink: Arc<dyn Sink>, pace: Pace, report: Box<dyn FnMut(&str) + Send>) -> Self {
        let (words, heard) = channel();
        let roots = Roots::new(roots, words.clone());
        let follower = Follower::new(roots, Receipts::new(sink), pace, report);
        let thread = std::thread::Builder::new().name("tail".into()).spawn(move || follower.run(&heard));
        Self { words, thread: thread.ok() }
    }

    /// As if the system had said so.
    #[cfg(test)]
    pub(super) fn told(&self, event: notify::Result<notify::Event>) {
        let _ = self.words.send(Word::Event(event));
    }

    /// A handle for hints.
    pub fn looker(&self) -> Looker {
        Looker(self.words.clone())
    }
}

impl Drop for Tail {
    fn drop(&mut self) {
        let _ = self.words.send(Word::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
