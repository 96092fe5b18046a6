//! Where parcels go.

use std::time::Duration;

use crate::model::SessionId;
use crate::store::{Parcel, SourceState, StoreError, Writer};

/// Takes parcels, in the order in which they are sent. The store's writer is one; tests have their own.
pub trait Sink: Send + Sync {
    /// Hands a parcel over; blocks while the writer is too far behind.
    fn send(&self, parcel: Parcel) -> Result<(), StoreError>;

    /// [`Sink::send`], for `patience` at most: then it is [`StoreError::Behind`].
    fn send_within(&self, parcel: Parcel, patience: Duration) -> Result<(), StoreError>;

    /// Where a source stands: as committed, or `None` if nobody has read it.
    fn source(&self, name: &str) -> Result<Option<SourceState>, StoreError>;

    /// Lets a session that was deleted come back.
    fn allow(&self, session: &SessionId) -> Result<(), StoreError>;
}

/// For plain threads: inside of an async task it panics, as tokio's blocking calls do.
impl Sink for Writer {
    fn send(&self, parcel: Parcel) -> Result<(), StoreError> {
        self.send_blocking(parcel)
    }

    fn send_within(&self, parcel: Parcel, patience: Duration) -> Result<(), StoreError> {
        Self::send_within(self, parcel, patience)
    }

    fn source(&self, name: &str) -> Result<Option<SourceState>, StoreError> {
        Ok(Self::source(self, name)?.map(|(_, state)| state))
    }

    fn allow(&self, session: &SessionId) -> Result<(), StoreError> {
        futures::executor::block_on(self.forget(session.clone())).map(drop)
    }
}
