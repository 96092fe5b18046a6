//! The ledger: the only place where operations become changes.
//!
//! Decision: one [`Book`] a session, held in memory by its one writing owner, rebuilt from the store at need.
//! Invariants: the eleven rules of ARCHITECTURE.md; the same line twice changes nothing; the order in which the
//! files of a session are read changes no row but for `n` and `rev`. No I/O.

mod draft;

pub use draft::{Bare, Draft, LineRecord, NewBlob, Saved, Shelf};

use crate::model::{Class, Line, SessionId};

/// A session's book.
pub struct Book {
    id: SessionId,
}

impl Book {
    /// The book of a session that nobody has heard of.
    pub fn new(id: SessionId) -> Self {
        Self { id }
    }

    /// The book as it was after its last draft. A memory that cannot be read is an error: the session is then refused, not guessed.
    pub fn restore(saved: Saved) -> Result<Self, String> {
        Ok(Self { id: saved.id })
    }

    /// The session's identity.
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// Applies one line of the source `source` and tells what became of it: the line's own class, or `Duplicate`.
    pub fn line(&mut self, shelf: &dyn Shelf, source: u32, line: Line) -> Class {
        let _ = (shelf, source);
        line.class
    }

    /// Takes what has changed since the last draft; empty if nothing has.
    pub fn take(&mut self, shelf: &dyn Shelf) -> Draft {
        let _ = shelf;
        Draft::default()
    }
}
