//! Where the writer publishes and readers look: a channel for the list, and one for each session that is being watched.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::ring::{Ring, Since, Size};
use super::wire::Encoded;
use crate::model::{AgentNo, Change, Reading, beyond};
use crate::store::{Published, Sid};

/// How many sessions without a reader keep their channel, so that a reader who reconnects need not ask the store.
const SPARE: usize = 8;

/// All channels. Cheap to share by `Arc`; handed to the store as its [`Published`].
pub struct Hub {
    size: Size,
    list: Arc<Channel>,
    sessions: Mutex<HashMap<Sid, Arc<Channel>>>,
}

/// A ring and the number that it has reached.
pub struct Channel {
    ring: Mutex<Ring>,
    head: watch::Sender<u64>,
    /// What has been read since the channel is there.
    read: watch::Sender<Reading>,
}

impl Hub {
    /// A hub whose rings have that size.
    pub fn new(size: Size) -> Self {
        Self { size, list: Arc::new(Channel::new(size)), sessions: Mutex::default() }
    }

    /// The channel of the session list.
    pub(super) fn list(&self) -> Arc<Channel> {
        Arc::clone(&self.list)
    }

    /// The channel of a session. It exists from its first reader on: nobody's changes are encoded for nobody.
    pub(super) fn session(&self, sid: Sid) -> Arc<Channel> {
        let mut sessions = lock(&self.sessions);
        if sessions.len() > SPARE && !sessions.contains_key(&sid) {
            sessions.retain(|_, channel| Arc::strong_count(channel) > 1);
        }
        Arc::clone(sessions.entry(sid).or_insert_with(|| Arc::new(Channel::new(self.size))))
    }
}

impl Published for Hub {
    fn session(&self, sid: Sid, changes: &[Change], _: u64) {
        let channel = lock(&self.sessions).get(&sid).map(Arc::clone);
        if let Some(channel) = channel {
            channel.publish(changes.iter().map(|change| Encoded::new(change.rev(), change)).collect());
        }
    }

    fn list(&self, change: &Change, grev: u64) {
        self.list.publish(vec![Encoded::new(grev, change)]);
    }

    fn seen(&self, sid: Sid, seen: &Reading) {
        let channel = lock(&self.sessions).get(&sid).map(Arc::clone);
        if let Some(channel) = channel {
            channel.read.send_if_modified(|read| {
                let news = beyond(read, seen);
                let any = !news.is_empty();
                read.extend(news);
                any
            });
        }
    }
}

impl Channel {
    fn new(size: Size) -> Self {
        Self { ring: Mutex::new(Ring::new(size)), head: watch::Sender::new(0), read: watch::Sender::default() }
    }

    fn publish(&self, frames: Vec<Encoded>) {
        let head = {
            let mut ring = lock(&self.ring);
            frames.into_iter().for_each(|frame| ring.push(frame));
            ring.head()
        };
        self.head.send_replace(head);
    }

    /// Tells whenever the number has risen.
    pub(super) fn watch(&self) -> watch::Receiver<u64> {
        self.head.subscribe()
    }

    /// Tells whenever somebody has read on.
    pub(super) fn reading(&self) -> watch::Receiver<Reading> {
        self.read.subscribe()
    }

    /// See [`Ring::since`].
    pub(super) fn since(&self, at: u64, agents: Option<&[AgentNo]>, bytes: usize) -> Since {
        lock(&self.ring).since(at, agents, bytes)
    }
}

/// A panic elsewhere leaves a ring whole: a frame is in it or not.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
