//! The handle of the one writer: a bounded queue in front of its thread.
//!
//! Decision: jobs are done in the order in which they were sent, whoever sent them.
//! Invariant: a sender waits when the queue is full; the writer never waits for a sender or a reader.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};

use super::sqlite::Sqlite;
use super::work::{self, Job};
use super::{Parcel, Published, Shared, Sid, SourceState, StoreError};
use crate::model::{AgentNo, Reading, SessionId};

/// Jobs that may wait in front of the writer.
const QUEUE: usize = 32;

/// Between two looks at a queue that is full.
const PAUSE: Duration = Duration::from_millis(5);

/// Sends work to the writer thread, which ends when the last handle is dropped.
#[derive(Clone)]
pub struct Writer {
    jobs: mpsc::Sender<Job>,
    store: Arc<Sqlite>,
}

impl Writer {
    /// Opens the data folder for writing, making it if need be, and starts the writer thread.
    ///
    /// # Errors
    /// `Busy` if another process writes there, `Newer` if a newer version made it, before anything is written.
    pub fn open(data_dir: &Path, published: Arc<dyn Published>) -> Result<(Self, Shared), StoreError> {
        let (sender, receiver) = mpsc::channel(QUEUE);
        let store = Arc::new(work::start(data_dir, published, receiver)?);
        Ok((Self { jobs: sender, store: store.clone() }, store))
    }

    /// Hands a parcel over; waits while the queue is full.
    pub async fn send(&self, parcel: Parcel) -> Result<(), StoreError> {
        self.jobs.send(Job::Parcel(parcel)).await.map_err(|_| StoreError::Closed)
    }

    /// [`Writer::send`] for a plain thread. Panics inside of an async task, as tokio's blocking calls do.
    pub fn send_blocking(&self, parcel: Parcel) -> Result<(), StoreError> {
        self.jobs.blocking_send(Job::Parcel(parcel)).map_err(|_| StoreError::Closed)
    }

    /// [`Writer::send_blocking`], for `patience` at most.
    ///
    /// # Errors
    /// `Behind` if the queue stays full for so long.
    pub fn send_within(&self, parcel: Parcel, patience: Duration) -> Result<(), StoreError> {
        let until = Instant::now() + patience;
        let mut job = Job::Parcel(parcel);
        loop {
            job = match self.jobs.try_send(job) {
                Ok(()) => return Ok(()),
                Err(mpsc::error::TrySendError::Closed(_)) => return Err(StoreError::Closed),
                Err(mpsc::error::TrySendError::Full(_)) if Instant::now() >= until => return Err(StoreError::Behind),
                Err(mpsc::error::TrySendError::Full(job)) => job,
            };
            std::thread::sleep(PAUSE);
        }
    }

    /// The number and the committed state of the source of that name. A removed session may have emptied its translator's state.
    pub fn source(&self, name: &str) -> Result<Option<(u32, SourceState)>, StoreError> {
        self.store.source_named(name)
    }

    /// All sources, as committed.
    pub fn sources(&self) -> Result<Vec<(u32, SourceState)>, StoreError> {
        self.store.sources()
    }

    /// The sessions that count as running or waiting, each with the names of the sources that fed it.
    pub fn live(&self) -> Result<Vec<(SessionId, Vec<String>)>, StoreError> {
        self.store.live()
    }

    /// Removes agents of a session or, with `None`, the whole of it: all or nothing. Tombstones stay, so that reading the
    /// same files again brings nothing back; what was said is gone from the files of the data folder.
    ///
    /// # Errors
    /// `Running` with the names of what still runs, waits or is queued; `Missing` for an unknown session or agent.
    pub async fn remove(&self, sid: Sid, agents: Option<Vec<AgentNo>>) -> Result<(), StoreError> {
        self.ask(|done| Job::Remove { sid, agents, done }).await
    }

    /// Takes the tombstones of a session away, so that its files can be read anew. True if there was one.
    pub async fn forget(&self, session: SessionId) -> Result<bool, StoreError> {
        self.ask(|done| Job::Forget { session, done }).await
    }

    /// Merges how far somebody has read into what is known, by the larger.
    pub async fn merge_seen(&self, sid: Sid, seen: Reading) -> Result<(), StoreError> {
        self.ask(|done| Job::Seen { sid, seen, done }).await
    }

    /// Keeps a layout of a session's cards.
    ///
    /// # Errors
    /// `Missing` for an unknown session.
    pub async fn save_layout(&self, sid: Sid, layout: String) -> Result<(), StoreError> {
        self.ask(|done| Job::Layout { sid, layout, done }).await
    }

    /// Lets a person say who started an agent, or (`None`) take that back: an operation like any other.
    ///
    /// # Errors
    /// `Missing` for an unknown session or agent, and for the main agent.
    pub async fn assign(&self, sid: Sid, agent: AgentNo, parent: Option<AgentNo>) -> Result<(), StoreError> {
        self.ask(|done| Job::Assign { sid, agent, parent, done }).await
    }

    /// Ends the writer once all that was sent before is committed, and waits for that.
    pub async fn close(&self) -> Result<(), StoreError> {
        self.ask(|done| Job::Close { done }).await
    }

    async fn ask<T>(&self, job: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Job) -> Result<T, StoreError> {
        let (done, answer) = oneshot::channel();
        self.jobs.send(job(done)).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }
}
