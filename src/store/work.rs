//! The writer thread.
use std::path::Path;
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use super::sqlite::Sqlite;
use super::{Parcel, Published, Sid, StoreError};
use crate::model::{AgentNo, SessionId};

pub(super) enum Job {
    Parcel(Parcel),
    Remove { sid: Sid, agents: Option<Vec<AgentNo>>, done: oneshot::Sender<Result<(), StoreError>> },
    Forget { session: SessionId, done: oneshot::Sender<Result<bool, StoreError>> },
    Close { done: oneshot::Sender<Result<(), StoreError>> },
}

pub(super) fn start(_: &Path, _: Arc<dyn Published>, _: mpsc::Receiver<Job>) -> Result<Sqlite, StoreError> {
    Err(StoreError::Closed)
}
