//! A sink in front of the sink, which remembers what has not been committed yet.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use super::Sink;
use crate::model::SessionId;
use crate::store::{Parcel, Receipt, SourceState, StoreError};

/// A receipt that is waited for, and the source whose parcel it is for.
type Waiting = (String, oneshot::Receiver<Result<Receipt, StoreError>>);

/// A sink that keeps the receipts of what goes through it.
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

    /// A place for one more receipt.
    pub fn expect(&self, name: &str) -> oneshot::Sender<Result<Receipt, StoreError>> {
        let (done, receipt) = oneshot::channel();
        self.waiting().push((name.to_owned(), receipt));
        done
    }

    /// What has come since the last call: the sources of which a parcel was not committed, each with the first reason, and
    /// whether any parcel was.
    pub fn take(&self) -> (Vec<(String, StoreError)>, bool) {
        let (mut failed, mut committed) = (Vec::new(), false);
        self.waiting().retain_mut(|(name, receipt)| {
            let fault = match receipt.try_recv() {
                Err(oneshot::error::TryRecvError::Empty) => return true,
                Err(oneshot::error::TryRecvError::Closed) => StoreError::Closed,
                Ok(Err(fault)) => fault,
                Ok(Ok(_)) => {
                    committed = true;
                    return false;
                }
            };
            if !failed.iter().any(|(known, _)| known == name) {
                failed.push((name.clone(), fault));
            }
            false
        });
        (failed, committed)
    }
}

impl Sink for Receipts {
    fn send(&self, mut parcel: Parcel) -> Result<(), StoreError> {
        if parcel.done.is_none() {
            parcel.done = Some(self.expect(&parcel.source.name));
        }
        self.sink.send(parcel)
    }

    fn send_within(&self, parcel: Parcel, patience: Duration) -> Result<(), StoreError> {
        self.sink.send_within(parcel, patience)
    }

    fn source(&self, name: &str) -> Result<Option<SourceState>, StoreError> {
        self.sink.source(name)
    }

    fn allow(&self, session: &SessionId) -> Result<(), StoreError> {
        self.sink.allow(session)
    }
}
