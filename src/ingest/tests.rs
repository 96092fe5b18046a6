//! Files as a whole: cut, completed, replaced, refused, followed. The sink keeps what it is given.

mod cuts;
mod events;
mod following;
mod moves;
mod orphans;
mod packed;
mod pushes;
mod refusals;
mod samples;
mod spills;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::{Options, Sink, Summary, import};
use crate::model::{Class, Classes, Line, Op, SessionId};
use crate::store::{Parcel, Receipt, SourceState, StoreError};

/// Keeps lines and positions as a store would, without a ledger: a line with an id counts once.
#[derive(Default)]
struct Kept {
    inner: Mutex<Inner>,
    grown: Condvar,
}

#[derive(Default)]
struct Inner {
    sources: BTreeMap<String, SourceState>,
    lines: Vec<Line>,
    controls: Vec<SessionId>,
    /// What was shown of lines that are not whole, in order.
    partial: Vec<Option<String>>,
    fail: bool,
    behind: bool,
    /// Cannot say where a source stands.
    mute: bool,
}

impl Kept {
    fn inner(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `is` holds, for at most ten seconds.
    fn wait_for(&self, what: &str, is: impl Fn(&Inner) -> bool) {
        let (kept, late) = self.grown.wait_timeout_while(self.inner(), Duration::from_secs(10), |inner| !is(inner)).expect("a lock");
        assert!(!late.timed_out(), "waited in vain for {what}: {:#?}", kept.sources);
    }

    fn import(&self, path: &Path) -> Summary {
        import(&[path.to_owned()], &Options::default(), self, &mut |_| {}).expect("an import")
    }

    /// The ids of the lines, in order.
    fn ids(&self) -> Vec<String> {
        self.inner().lines.iter().filter_map(|line| line.id.clone()).collect()
    }
}

impl Sink for Kept {
    fn send(&self, parcel: Parcel) -> Result<(), StoreError> {
        let mut inner = self.inner();
        let known = inner.sources.get(&parcel.source.name).filter(|known| known.generation == parcel.source.generation).cloned();
        let refused = inner.fail || parcel.from > known.as_ref().map_or(0, |known| known.offset);
        let mut classes = parcel.other;
        let told = parcel.lines.iter().filter(|line| !line.is_control());
        let sessions: std::collections::BTreeSet<String> = told.map(|line| line.session.id.clone()).collect();
        if !refused {
            for line in parcel.lines {
                if line.is_control() {
                    let partial =
                        line.ops.iter().filter_map(|op| if let Op::Incomplete { text, .. } = op { Some(text.clone()) } else { None });
                    inner.partial.extend(partial);
                    if line.ops.contains(&Op::NoNews) {
                        inner.controls.push(line.session);
                    }
                    continue;
                }
                let seen = line.id.is_some() && inner.lines.iter().any(|known| known.id == line.id && known.hash == line.hash);
                classes.add(match (&line.class, seen) {
                    (Class::Part, _) => &Class::Part,
                    (_, true) => &Class::Duplicate,
                    (class, false) => class,
                });
                if !seen {
                    inner.lines.push(line);
                }
            }
            let mut lines = known.map_or_else(Classes::default, |known| known.lines);
            lines.0.remove("incomplete");
            lines.merge(&classes);
            inner.sources.insert(parcel.source.name.clone(), SourceState { lines, ..parcel.source });
        }
        drop(inner);
        self.grown.notify_all();
        if let Some(done) = parcel.done {
            let receipt = Receipt { classes, sessions: sessions.into_iter().map(|id| (id, 1)).collect() };
            let _ = done.send(if refused { Err(StoreError::Full) } else { Ok(receipt) });
        }
        Ok(())
    }

    fn send_within(&self, parcel: Parcel, _: Duration) -> Result<(), StoreError> {
        if self.inner().behind { Err(StoreError::Behind) } else { self.send(parcel) }
    }

    fn source(&self, name: &str) -> Result<Option<SourceState>, StoreError> {
        if self.inner().mute { Err(StoreError::Full) } else { Ok(self.inner().sources.get(name).cloned()) }
    }

    fn allow(&self, _: &SessionId) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A user's line of the session `s`.
fn line(id: &str) -> String {
    format!("{{\"type\":\"user\",\"uuid\":\"{id}\",\"sessionId\":\"s\",\"message\":{{\"role\":\"user\",\"content\":\"ä {id}\"}}}}\n")
}

fn lines(ids: &[&str]) -> String {
    ids.iter().map(|id| line(id)).collect()
}
