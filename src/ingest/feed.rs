//! Lines that a program gives, one at a time: a push, the demo.

use std::sync::Arc;

use tokio::sync::oneshot;

use crate::dialect::{Dialect, Facts, Place, Translator};
use crate::model::{Class, Classes};
use crate::store::{Parcel, Receipt, SourceState, StoreError};

use super::{Sink, sse};

/// A source of pushed lines. Its position is the number of the next line, from 0.
pub struct Feed {
    sink: Arc<dyn Sink>,
    state: SourceState,
    translator: Box<dyn Translator>,
}

impl Feed {
    /// Opens the source `push:<producer>`, where its last commit left it. `session` is used where the lines name none.
    pub fn open(sink: Arc<dyn Sink>, dialect: &'static Dialect, producer: &str, session: &str) -> Result<Self, StoreError> {
        let name = format!("push:{producer}");
        let saved = sink.source(&name)?;
        let facts = Facts { session: session.to_owned(), place: Place::default() };
        let memory = saved.as_ref().map(|state| state.state.as_str()).filter(|memory| !memory.is_empty());
        let translator = (dialect.open)(facts, memory).map_err(StoreError::Other)?;
        let fresh = SourceState { name, dialect: dialect.name.into(), ..SourceState::default() };
        Ok(Self { sink, state: saved.unwrap_or(fresh), translator })
    }

    /// The number of the next line.
    pub fn next(&self) -> u64 {
        self.state.offset
    }

    /// Sends lines on. The receipt comes after their commit; blocks while the writer is too far behind.
    pub fn push<'a>(
        &mut self,
        records: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<oneshot::Receiver<Result<Receipt, StoreError>>, StoreError> {
        let (from, mut lines, mut other) = (self.state.offset, Vec::new(), Classes::default());
        for bytes in records {
            match bytes.trim_ascii() {
                [] => other.add(&Class::Blank),
                bytes => {
                    let event = sse::read_block(bytes);
                    lines.extend(self.translator.record(sse::record(self.state.offset, bytes, event.as_ref())));
                }
            }
            self.state.offset += 1;
        }
        self.state.state = self.translator.memory();
        let (done, receipt) = oneshot::channel();
        self.sink.send(Parcel { source: self.state.clone(), from, lines, other, bulk: false, done: Some(done) })?;
        Ok(receipt)
    }
}
