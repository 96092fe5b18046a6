//! Which sessions have grown, and when each of them will have been quiet for long enough.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::model::SessionId;

/// The sessions that have not been told yet that there is no news.
#[derive(Default)]
pub struct Quiet {
    sessions: HashMap<SessionId, Heard>,
}

struct Heard {
    /// When one of its files grew last, in ms since 1970.
    newest: i64,
    /// The file through which the session is spoken to: the main transcript, if there is one.
    voice: PathBuf,
    main: bool,
    files: BTreeSet<PathBuf>,
    told: bool,
}

impl Quiet {
    /// A file of the session has grown.
    pub fn heard(&mut self, session: SessionId, path: &Path, main: bool, mtime: i64) {
        let known = self.sessions.entry(session).or_insert_with(|| Heard {
            newest: mtime,
            voice: path.to_owned(),
            main,
            files: BTreeSet::new(),
            told: false,
        });
        known.newest = known.newest.max(mtime);
        known.told = false;
        known.files.insert(path.to_owned());
        if main && !known.main {
            (known.voice, known.main) = (path.to_owned(), true);
        }
    }

    /// A session that has been quiet for `quiet`.
    pub fn due(&self, now: i64, quiet: Duration) -> Option<SessionId> {
        let due = |heard: &Heard| !heard.told && left(heard, now, quiet).is_zero();
        self.sessions.iter().find(|(_, heard)| due(heard)).map(|(session, _)| session.clone())
    }

    /// How long until the next one is due; `None` if none is waited for.
    pub fn wait(&self, now: i64, quiet: Duration) -> Option<Duration> {
        self.sessions.values().filter(|heard| !heard.told).map(|heard| left(heard, now, quiet)).min()
    }

    /// The session is being told. Gives its voice and its files.
    pub fn told(&mut self, session: &SessionId) -> (Option<PathBuf>, Vec<PathBuf>) {
        let Some(heard) = self.sessions.get_mut(session) else { return (None, Vec::new()) };
        heard.told = true;
        (Some(heard.voice.clone()), heard.files.iter().cloned().collect())
    }
}

/// A time in the future is a clock's fault: it counts as now.
fn left(heard: &Heard, now: i64, quiet: Duration) -> Duration {
    let since = u64::try_from(now.saturating_sub(heard.newest)).unwrap_or(0);
    quiet.saturating_sub(Duration::from_millis(since))
}
