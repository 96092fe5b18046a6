//! Sessions of which no more news can come: nobody follows their files, and whoever pushed them has to connect anew.
//!
//! Decision: said once when a server starts, before anything is followed. Whatever comes later restores what evidence says.

use std::path::{Path, PathBuf};

use super::walk;
use crate::model::{Line, Op, SessionId};
use crate::store::{Parcel, SourceState, StoreError, Writer};

/// The source in whose name it is said.
const NAME: &str = "start";

/// Tells each session that counts as running, and of which no file lies under `roots`, that there is no news of it.
pub fn settle_orphans(writer: &Writer, roots: &[PathBuf]) -> Result<(), StoreError> {
    let roots: Vec<PathBuf> = roots.iter().filter_map(|root| walk::folder(root)).collect();
    let followed = |source: &String| roots.iter().any(|root| Path::new(source).starts_with(root));
    let orphans = writer.live()?.into_iter().filter(|(_, sources)| !sources.iter().any(followed)).map(|(session, _)| session);
    let lines: Vec<Line> = orphans.map(|session: SessionId| Line::control(session, vec![Op::NoNews])).collect();
    if lines.is_empty() {
        return Ok(());
    }
    let source = SourceState { name: NAME.into(), ..SourceState::default() };
    writer.send_blocking(Parcel { source, from: 0, lines, other: Default::default(), bulk: false, done: None })
}
