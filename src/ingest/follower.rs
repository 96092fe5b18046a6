//! The thread of a tail: what it has seen of each file, and what it does next.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime};

use super::Skipped;
use super::file::Stamp;
use super::quiet::Quiet;
use super::receipts::Receipts;
use super::roots::Roots;
use super::source::{Manner, Source, Step, Trouble};
use super::tail::{Pace, Word};
use super::walk::{self, Found};
use crate::dialect::DIALECTS;
use crate::model::{Line, Op, SessionId};
use crate::store::StoreError;

/// Bytes of one file after which others have their turn.
const BUDGET: u64 = 4 << 20;
/// More than this to be read is committed by size.
const BULK: u64 = 1 << 20;
/// How long to wait when the store has refused something.
const RETRY: Duration = Duration::from_secs(1);

/// What the thread of a [`super::Tail`] knows.
pub(super) struct Follower {
    roots: Roots,
    sink: Receipts,
    pace: Pace,
    report: Box<dyn FnMut(&str) + Send>,
    files: HashMap<PathBuf, Followed>,
    /// Files to be looked at, each once.
    queue: VecDeque<PathBuf>,
    queued: HashSet<PathBuf>,
    quiet: Quiet,
    /// Files that end in a line that has begun, and when it is to be shown if it does not grow.
    partial: HashMap<PathBuf, Instant>,
    /// Files that have been reported.
    troubled: HashSet<PathBuf>,
    /// Whether the store has refused something that is to be read again.
    behind: bool,
    /// What the store said when it refused something, until it takes something again.
    refused: Option<StoreError>,
}

#[derive(Default)]
struct Followed {
    stamp: Stamp,
    source: Option<Source>,
}

impl Follower {
    pub fn new(roots: Roots, sink: Receipts, pace: Pace, report: Box<dyn FnMut(&str) + Send>) -> Self {
        Self {
            roots,
            sink,
            pace,
            report,
            files: HashMap::new(),
            queue: VecDeque::new(),
            queued: HashSet::new(),
            quiet: Quiet::default(),
            partial: HashMap::new(),
            troubled: HashSet::new(),
            behind: false,
            refused: None,
        }
    }

    /// Follows until it is told to stop.
    pub fn run(mut self, heard: &Receiver<Word>) {
        let (mut scanned, mut polled) = (Instant::now(), Instant::now());
        let mut retry: Option<Instant> = None;
        self.scan();
        loop {
            let now = Instant::now();
            self.failed();
            if std::mem::take(&mut self.behind) {
                retry = Some(now + RETRY);
            }
            if retry.is_some_and(|at| at <= now) {
                retry = None;
                self.scan();
            }
            if now >= scanned + self.rescan() {
                scanned = now;
                self.scan();
            }
            if now >= polled + self.pace.poll {
                polled = now;
                self.poll();
            }
            if retry.is_none()
                && let Some(path) = self.queue.pop_front()
            {
                self.queued.remove(&path);
                self.look(&path);
            } else if let Some(session) = self.quiet.due(millis(), self.pace.quiet).filter(|_| retry.is_none()) {
                self.no_news(&session);
            }
            self.show_partial();
            let busy = retry.is_none() && (!self.queue.is_empty() || self.quiet.due(millis(), self.pace.quiet).is_some());
            let wait = if busy { Duration::ZERO } else { self.patience(scanned, polled, retry) };
            let mut word = heard.recv_timeout(wait);
            loop {
                match word {
                    Ok(Word::Event(event)) => self.event(event),
                    Ok(Word::Look(path)) => self.hint(path),
                    _ => break,
                }
                word = heard.try_recv().map_err(|_| RecvTimeoutError::Timeout);
            }
            if matches!(word, Ok(Word::Stop) | Err(RecvTimeoutError::Disconnected)) {
                return;
            }
        }
    }

    /// How long nothing needs to be done, if no event comes.
    fn patience(&self, scanned: Instant, polled: Instant, retry: Option<Instant>) -> Duration {
        let now = Instant::now();
        let newest = self.files.values().map(|file| file.stamp.mtime).max();
        let active = newest.is_some_and(|time| millis().saturating_sub(time) < to_millis(self.pace.active));
        let poll = active.then_some(polled + self.pace.poll);
        let partial = self.partial.values().min().copied();
        let next = [Some(scanned + self.rescan()), poll, retry, partial].into_iter().flatten().min().unwrap_or(now);
        let wait = next.saturating_duration_since(now);
        let waiting = self.sink.is_waiting().then_some(Duration::from_millis(50));
        [Some(wait), self.quiet.wait(millis(), self.pace.quiet), waiting].into_iter().flatten().min().unwrap_or(wait)
    }

    /// Where the system cannot watch all folders, they are looked through more often.
    fn rescan(&self) -> Duration {
        if self.roots.is_blind() { self.pace.rescan.min(self.pace.poll * 5) } else { self.pace.rescan }
    }

    fn event(&mut self, event: notify::Result<notify::Event>) {
        let lost = event.as_ref().map_or(true, notify::Event::need_rescan);
        let event = event.ok().filter(|event| !event.kind.is_access());
        let paths = event.map(|event| event.paths).unwrap_or_default();
        if lost || self.roots.touched(&paths) {
            return self.scan();
        }
        for path in paths {
            if walk::is_named_so(&path) {
                self.enqueue(path);
            } else if path.is_dir() && self.roots.holds(&path) {
                self.roots.add_folder(&path);
                let (mut found, mut skipped) = (Vec::new(), Vec::new());
                walk::walk(&path, 0, &mut found, &mut skipped);
                self.found(found, skipped);
            }
        }
    }

    /// Somebody says that a file is worth a look.
    fn hint(&mut self, path: PathBuf) {
        if walk::is_named_so(&path)
            && let Ok(path) = path.canonicalize()
            && self.roots.holds(&path)
        {
            self.enqueue(path);
        }
    }

    /// Shows lines that have begun and not grown for a while.
    fn show_partial(&mut self) {
        let now = Instant::now();
        let due: Vec<PathBuf> = self.partial.iter().filter(|(_, at)| **at <= now).map(|(path, _)| path.clone()).collect();
        for path in due {
            self.partial.remove(&path);
            let Some(source) = self.files.get_mut(&path).and_then(|file| file.source.as_mut()) else { continue };
            if let Err(trouble) = source.show_rest(&self.sink) {
                self.failed_at(&path, trouble);
            }
        }
    }

    fn scan(&mut self) {
        let (mut found, mut skipped) = (Vec::new(), Vec::new());
        for root in self.roots.watch() {
            walk::walk(&root, 0, &mut found, &mut skipped);
        }
        skipped.extend(self.roots.trouble());
        self.found(found, skipped);
    }

    fn found(&mut self, mut found: Vec<Found>, skipped: Vec<Skipped>) {
        for Skipped { path, why } in skipped {
            self.trouble(Path::new(&path), &why);
        }
        found.retain(|file| self.files.get(&file.path).is_none_or(|known| known.stamp != file.stamp));
        walk::order(&mut found, &DIALECTS[0]);
        found.into_iter().for_each(|file| self.enqueue(file.path));
    }

    fn enqueue(&mut self, path: PathBuf) {
        if self.queued.insert(path.clone()) {
            self.queue.push_back(path);
        }
    }

    /// Looks at files that grew lately, whatever the events say.
    fn poll(&mut self) {
        let since = millis().saturating_sub(to_millis(self.pace.active));
        let grown = |(path, file): (&PathBuf, &Followed)| {
            let facts = (file.stamp.mtime >= since).then(|| std::fs::symlink_metadata(path))?;
            (facts.is_ok_and(|facts| Stamp::of(&facts) != file.stamp)).then(|| path.clone())
        };
        let paths: Vec<PathBuf> = self.files.iter().filter_map(grown).collect();
        paths.into_iter().for_each(|path| self.enqueue(path));
    }

    /// Reads what has come in one file.
    fn look(&mut self, path: &Path) {
        match self.read(path, false) {
            Ok(Step::Done) => {
                self.troubled.remove(path);
            }
            Ok(Step::More | Step::Changed) => self.enqueue(path.to_owned()),
            Err(Trouble::Words(_)) if !path.exists() => {
                self.files.remove(path);
                self.partial.remove(path);
            }
            Err(trouble) => self.failed_at(path, trouble),
        }
    }

    fn read(&mut self, path: &Path, to_end: bool) -> Result<Step, Trouble> {
        let file = self.files.entry(path.to_owned()).or_default();
        let facts = std::fs::symlink_metadata(path)?;
        file.stamp = Stamp::of(&facts);
        let source = match &mut file.source {
            Some(source) => source,
            empty => match Source::open(path, None, false, &self.sink)? {
                Some(source) => empty.insert(source),
                None => return Ok(Step::Done),
            },
        };
        let bulk = source.left() > BULK;
        let before = source.read;
        let step = source.read(Manner { bulk, to_end, budget: BUDGET }, &self.sink)?;
        file.stamp = source.stamp;
        if source.read > before || !source.is_settled() {
            self.quiet.heard(source.session.clone(), path, source.is_main(), file.stamp.mtime);
        }
        if source.is_partial() {
            self.partial.insert(path.to_owned(), Instant::now() + self.pace.partial);
        } else {
            self.partial.remove(path);
        }
        if step == Step::Changed {
            let anew = Source::open(path, None, true, &self.sink)?;
            file.source = anew;
        }
        Ok(step)
    }

    /// Nothing of the session grew for a while: reads its files to their end, and says so.
    fn no_news(&mut self, session: &SessionId) {
        let (voice, mut paths) = self.quiet.told(session);
        for path in &paths {
            match self.read(path, true) {
                Ok(Step::Done) => {}
                Ok(Step::More | Step::Changed) => self.enqueue(path.clone()),
                Err(trouble) => self.failed_at(path, trouble),
            }
        }
        // Reading to the end was no news.
        self.quiet.told(session);
        paths.sort_by_key(|path| Some(path) != voice.as_ref());
        let mut line = Some(Line::control(session.clone(), vec![Op::EndOfInput, Op::NoNews]));
        for path in paths {
            let Some(source) = self.files.get_mut(&path).and_then(|file| file.source.as_mut()) else { continue };
            if let Err(fault) = source.settle(line.take(), None, &self.sink) {
                self.failed_at(&path, Trouble::Store(fault));
            }
        }
    }

    /// After a failure the file is opened where its last commit left it; what the store has refused, soon, whether or not it grows.
    fn failed_at(&mut self, path: &Path, trouble: Trouble) {
        let refused = matches!(trouble, Trouble::Store(_));
        self.behind |= refused;
        match trouble {
            Trouble::Words(why) => self.trouble(path, &why),
            // One word for all files.
            Trouble::Store(fault) if self.refused.replace(fault.clone()).is_none_or(|known| known != fault) => {
                (self.report)(&fault.to_string());
            }
            Trouble::Store(_) => {}
        }
        if let Some(file) = self.files.get_mut(path) {
            file.source = None;
            if refused {
                file.stamp = Stamp::default();
            }
        }
    }

    /// Takes the receipts that have come.
    fn failed(&mut self) {
        let (failed, committed) = self.sink.take();
        if committed && failed.is_empty() {
            self.refused = None;
        }
        for (name, fault) in failed {
            self.failed_at(Path::new(&name), Trouble::Store(fault));
        }
    }

    fn trouble(&mut self, path: &Path, why: &str) {
        if self.troubled.insert(path.to_owned()) {
            (self.report)(&format!("{}: {why}", path.display()));
        }
    }
}

fn millis() -> i64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, to_millis)
}

fn to_millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
