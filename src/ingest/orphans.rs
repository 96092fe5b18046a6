//! Sessions of which no more news can come, or none has for long: nobody follows their files, and whoever pushed them has to connect
//! anew, or is silent.
//!
//! Decision: said once when a server starts, before anything is followed, and of a producer when it has been silent for long. That is no
//! end: whatever comes later restores what evidence says.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Intake, walk};
use crate::model::{Line, Op, SessionId};
use crate::store::{Parcel, SourceState, StoreError, Writer};

/// The source in whose name it is said.
const NAME: &str = "start";

/// Tells each session that counts as running, and of which no file lies under `roots`, that there is no news of it.
pub fn settle_orphans(writer: &Writer, roots: &[PathBuf]) -> Result<(), StoreError> {
    let roots: Vec<PathBuf> = roots.iter().filter_map(|root| walk::folder(root)).collect();
    let followed = |source: &String| roots.iter().any(|root| Path::new(source).starts_with(root));
    settle(writer, |_, sources| !sources.iter().any(followed))
}

/// The same for sessions that are pushed alone, and of which `intake` has heard nothing for so long.
pub fn settle_silent(writer: &Writer, intake: &Intake, patience: Duration) -> Result<(), StoreError> {
    let silent = intake.silent(patience);
    let pushed = |source: &String| source.starts_with("push:") || source == NAME;
    if silent.is_empty() { Ok(()) } else { settle(writer, |session, sources| silent.contains(session) && sources.iter().all(pushed)) }
}

fn settle(writer: &Writer, which: impl Fn(&SessionId, &[String]) -> bool) -> Result<(), StoreError> {
    let settled = writer.live()?.into_iter().filter(|(session, sources)| which(session, sources)).map(|(session, _)| session);
    let lines: Vec<Line> = settled.map(|session: SessionId| Line::control(session, vec![Op::NoNews])).collect();
    if lines.is_empty() {
        return Ok(());
    }
    let source = SourceState { name: NAME.into(), ..SourceState::default() };
    writer.send_blocking(Parcel { source, from: 0, lines, other: Default::default(), bulk: false, done: None })
}
