//! A sink in front of the sink, which remembers what has not been committed yet.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::Sink;
use crate::model::SessionId;
use crate::store::{Parcel, Receipt, SourceState, StoreError};

/// A receipt that is waited for, and the source whose parcel it is for.
type Waiting = (String, oneshot::Receiver<Result<Receipt, StoreError>>);

/// A sink that keeps the receipts of what is committed at once.
pub struct Receipts {
    sink: Arc<dyn Sink>,
    waiting: Mutex<Vec<Waiting>>,
}

impl Receipts {
    pub fn new(sink: Arc<dyn Sink>) -> Self {
        Self { sink, waiting: Mutex::default() }
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if anything has been sent of which is not known what became of it.
    pub fn is_waiting(&self) -> bool {
        !self.waiting().is_empty()
    }

    /// The sources of which a parcel was not committed, each with the first reason.
    pub fn take_failed(&self) -> Vec<(String, StoreError)> {
        let mut failed: Vec<(String, StoreError)> = Vec::new();
        self.waiting().retain_mut(|(name, receipt)| match receipt.try_recv() {
            Err(oneshot::error::TryRecvError::Empty) => true,
            Ok(Ok(_)) => false,
            Ok(Err(fault)) => {
                failed.push((name.clone(), fault));
                false
            }
            Err(oneshot::error::TryRecvError::Closed) => {
                failed.push((name.clone(), StoreError::Closed));
                false
            }
        });
        failed.sort_by(|a, b| a.0.cmp(&b.0));
        failed.dedup_by(|a, b| a.0 == b.0);
        failed
    }
}

impl Sink for Receipts {
    fn send(&self, mut parcel: Parcel) -> Result<(), StoreError> {
        if !parcel.bulk {
            let (done, receipt) = oneshot::channel();
            parcel.done = Some(done);
            self.waiting().push((parcel.source.name.clone(), receipt));
        }
        self.sink.send(parcel)
    }

    fn source(&self, name: &str) -> Result<Option<SourceState>, StoreError> {
        self.sink.source(name)
    }

    fn allow(&self, session: &SessionId) -> Result<(), StoreError> {
        self.sink.allow(session)
    }
}
