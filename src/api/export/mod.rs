//! A session as one JSON document, version 1: the contract of docs/export.md.
//!
//! Decision: two passes over the entries of one snapshot. The first learns what the order of agents and the leaving out of
//! repeated reports need, the second writes entry by entry.
//! Invariant: memory grows with the number of agents, not with what they said.

mod content;
mod form;
mod order;

use std::io::{self, Write};

use serde::Serialize;

use crate::model::{AgentNo, EntriesPage, Entry, MAIN};
use crate::store::{Shared, Sid, Store, StoreError, Window};
use order::Cast;

/// Entries that are read at once.
const PAGE: usize = 200;

/// Writes the export of a session to `out`, reading all of it in one transaction.
///
/// # Errors
/// `Missing` if there is no such session; `Other` where `out` cannot be written.
pub fn json(store: &dyn Store, sid: Sid, out: &mut dyn Write) -> Result<(), StoreError> {
    let store = store.snapshot()?;
    let page = store.session_page(sid, MAIN, Window::Newest, 0)?.ok_or_else(|| StoreError::Missing("such session".into()))?;
    let cast = Cast::of(&store, sid, page.agents)?;
    out.write_all(b"{\"version\":1,\n\"session\":").map_err(unwritten)?;
    put(out, &form::Session::of(&page.session))?;
    out.write_all(b",\n\"agents\":[").map_err(unwritten)?;
    let mut first = true;
    for agent in cast.shown() {
        item(out, &mut first, &form::Agent::of(agent, &cast))?;
    }
    out.write_all(b"],\n\"entries\":[").map_err(unwritten)?;
    let mut first = true;
    for agent in cast.shown() {
        let transcripts = cast.transcripts(agent.n);
        let mut seq = 0;
        for n in transcripts {
            each_entry(&store, sid, *n, |mut entry| {
                // Where several transcripts are one, their numbers would meet: they are counted through.
                seq = if transcripts.len() > 1 { seq + 1 } else { entry.seq };
                entry.seq = seq;
                item(out, &mut first, &form::Entry::of(&store, sid, agent, entry, &cast)?)
            })?;
        }
    }
    out.write_all(b"]}\n").map_err(unwritten)
}

/// Reads all entries of one transcript by rising `seq`.
fn each_entry(store: &Shared, sid: Sid, n: AgentNo, mut each: impl FnMut(Entry) -> Result<(), StoreError>) -> Result<(), StoreError> {
    let mut after = 0;
    loop {
        let EntriesPage { entries, more_after, .. } = store.entries(sid, n, Window::After(after), PAGE)?;
        for entry in entries {
            after = entry.seq;
            each(entry)?;
        }
        if !more_after {
            return Ok(());
        }
    }
}

/// Writes one element of an array, on a line of its own.
fn item(out: &mut dyn Write, first: &mut bool, value: &impl Serialize) -> Result<(), StoreError> {
    out.write_all(if std::mem::take(first) { b"\n" } else { b",\n" }).map_err(unwritten)?;
    put(out, value)
}

fn put(out: &mut dyn Write, value: &impl Serialize) -> Result<(), StoreError> {
    serde_json::to_writer(out, value).map_err(|error| unwritten(error.into()))
}

fn unwritten(error: io::Error) -> StoreError {
    StoreError::Other(format!("The export could not be written: {error}."))
}

#[cfg(test)]
mod tests;
