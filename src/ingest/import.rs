//! Files, read once to their end.
//!
//! Decision: this thread reads and translates while the sink writes. When all files are read, each session that has news is
//! told that its input has ended and that there is no news.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use tokio::sync::oneshot;

use super::source::{Manner, Source, Step, Trouble};
use super::spool::Spool;
use super::walk::{self, Found};
use super::{Progress, Sink, Skipped, Summary, given};
use crate::dialect::{DIALECTS, Dialect};
use crate::model::{Line, Op, SessionId};
use crate::store::StoreError;

/// Bytes between two words about progress.
const BUDGET: u64 = 8 << 20;

/// How to import.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// Take every file for this dialect instead of recognising it.
    pub dialect: Option<&'static Dialect>,
    /// Read from the start, and bring deleted sessions back.
    pub again: bool,
    /// The data folder, where what comes packed is unpacked; without it, where temporary files go.
    pub room: Option<&'a Path>,
}

/// Imports files, project folders, projects roots or config roots, archives of them, or standard input (`-`), and returns when all
/// of it is committed.
///
/// What cannot be read stands in [`Summary::skipped`]; an error is the store's alone. Blocks: not for an async thread.
pub fn import(
    paths: &[PathBuf],
    options: &Options<'_>,
    sink: &dyn Sink,
    progress: &mut dyn FnMut(Progress),
) -> Result<Summary, StoreError> {
    let (mut skipped, mut found, mut spool) = (Vec::new(), Vec::new(), Spool::new(options.room));
    for path in paths {
        if path.as_os_str() != given::STDIN {
            found.extend(walk::find(path, &mut skipped));
            continue;
        }
        match given::standard_input(&mut spool) {
            Ok(file) => found.push(file),
            Err(why) => skipped.push(Skipped::new(path, why)),
        }
    }
    import_found(found, spool, skipped, options, sink, progress)
}

/// Imports files that were found, or put down in `spool`, as [`import`] does.
pub fn import_found(
    found: Vec<Found>,
    mut spool: Spool,
    mut skipped: Vec<Skipped>,
    options: &Options<'_>,
    sink: &dyn Sink,
    progress: &mut dyn FnMut(Progress),
) -> Result<Summary, StoreError> {
    let begun = Instant::now();
    let mut found = given::opened(found, &mut spool, &mut skipped);
    walk::order(&mut found, options.dialect.unwrap_or(&DIALECTS[0]));
    let mut seen = BTreeSet::new();
    found.retain(|file| seen.insert(file.path.clone()));
    let bytes_all = found.iter().map(|file| file.stamp.len).sum();
    let mut run = Import { options, sink, spool, sessions: BTreeMap::new(), skipped };
    let mut done = Progress { files_all: found.len() as u64, bytes_all, ..Progress::default() };
    let (mut names, mut bytes) = (Vec::new(), 0);
    for file in &found {
        progress(done);
        let before = done.bytes;
        let read = run.found(file, &mut |read| progress(Progress { bytes: before + read.min(file.stamp.len), ..done }));
        match read {
            Ok((name, read)) => {
                names.push(name);
                bytes += read;
            }
            // In a folder there may be all kinds of files: only what is named like a transcript is missed.
            Err(Trouble::Words(_)) if !file.given && !walk::is_named_so(&file.path) => {}
            Err(Trouble::Words(why)) => run.skipped.push(Skipped::new(&file.shown, why)),
            Err(Trouble::Store(fault)) => return Err(fault),
        }
        done.files += 1;
        done.bytes += file.stamp.len;
    }
    progress(done);
    run.settle()?;
    let mut summary = Summary {
        sessions: run.sessions.len() as u64,
        bytes,
        files: names.len() as u64,
        ids: run.sessions.keys().map(|session| session.id.clone()).collect(),
        skipped: run.skipped,
        ..Summary::default()
    };
    for name in names {
        if let Some(state) = sink.source(&name)? {
            summary.lines.merge(&state.lines);
        }
    }
    summary.seconds = begun.elapsed().as_secs_f64();
    Ok(summary)
}

struct Import<'a> {
    options: &'a Options<'a>,
    sink: &'a dyn Sink,
    spool: Spool,
    /// By session, its files: read to their ends.
    sessions: BTreeMap<SessionId, Vec<Source>>,
    skipped: Vec<Skipped>,
}

impl Import<'_> {
    /// Reads one file to its end, telling how far it has come. Gives its name in the store and the bytes read.
    fn found(&mut self, found: &Found, come: &mut dyn FnMut(u64)) -> Result<(String, u64), Trouble> {
        let Some(pack) = found.pack else { return self.file(&found.path, found.held.as_deref(), come) };
        let held = given::unpack(found.place(), pack, &mut self.spool).map_err(Trouble::Words)?;
        let read = self.file(&found.path, Some(&held), come);
        // It may be one of thousands. If it stays, it goes with the others.
        let _ = std::fs::remove_file(&held);
        read
    }

    fn file(&mut self, path: &Path, held: Option<&Path>, come: &mut dyn FnMut(u64)) -> Result<(String, u64), Trouble> {
        let mut anew = self.options.again;
        // A file that changes under our hands is opened anew, but not for ever.
        for _ in 0..3 {
            let opened = Source::open_held(path, held, self.options.dialect, anew, self.sink)?;
            let Some(mut source) = opened else { return Err(Trouble::Words("There is no whole line in it yet.".into())) };
            if self.options.again && !self.sessions.contains_key(&source.session) {
                self.sink.allow(&source.session)?;
            }
            let manner = Manner { bulk: true, to_end: true, budget: BUDGET };
            let step = loop {
                match source.read(manner, self.sink)? {
                    Step::More => come(source.read),
                    step => break step,
                }
            };
            if step == Step::Done {
                let told = (source.name().to_owned(), source.read);
                self.sessions.entry(source.session.clone()).or_default().push(source);
                return Ok(told);
            }
            anew = true;
        }
        Err(Trouble::Words("It is being rewritten all the time: try again later.".into()))
    }

    /// Tells each session with news that its input has ended, and waits until all of it is committed.
    fn settle(&mut self) -> Result<(), StoreError> {
        let mut receipts = Vec::new();
        for (session, sources) in &mut self.sessions {
            if sources.iter().all(Source::is_settled) {
                continue;
            }
            sources.sort_by_key(|source| !source.is_main());
            let mut told = Some(Line::control(session.clone(), vec![Op::EndOfInput, Op::NoNews]));
            for source in sources {
                if told.is_none() && source.is_settled() {
                    continue;
                }
                let (done, receipt) = oneshot::channel();
                source.settle(told.take(), Some(done), self.sink)?;
                receipts.push(receipt);
            }
        }
        receipts.into_iter().try_for_each(|receipt| receipt.blocking_recv().map_err(|_| StoreError::Closed)?.map(|_| ()))
    }
}
