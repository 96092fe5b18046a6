//! One reader's place in one channel: the loop ring, store, ring.

use std::sync::Arc;

use tokio::sync::watch;

use super::hub::Channel;
use super::ring::{Since, passes};
use super::wire::Encoded;
use crate::model::{AgentNo, Change, GapReason, Reading};
use crate::store::{Backlog, Sid, StoreError};

/// A place in a channel, and the rows of the store that are still to be sent before the ring is asked again.
pub struct Lane {
    channel: Arc<Channel>,
    pub watch: watch::Receiver<u64>,
    /// The number that was reached.
    pub at: u64,
    /// True once the store has confirmed the place: from then on the ring holds all that came later.
    confirmed: bool,
    rows: std::vec::IntoIter<(u64, Change)>,
    reaches: u64,
}

/// What there is to do for a lane.
pub enum Step {
    /// Frames, each with the number that it reaches.
    Send(Vec<Arc<Encoded>>),
    /// The store has to be asked for rows above `at`.
    Ask,
    Wait,
}

impl Lane {
    /// A place at `at` of the list (`sid` absent) or of a session.
    pub fn new(hub: &super::Hub, sid: Option<Sid>, at: u64) -> Self {
        let channel = sid.map_or_else(|| hub.list(), |sid| hub.session(sid));
        let watch = channel.watch();
        Self { channel, watch, at, confirmed: false, rows: Vec::new().into_iter(), reaches: at }
    }

    /// Tells whenever somebody has read on in the session.
    pub fn reading(&self) -> watch::Receiver<Reading> {
        self.channel.reading()
    }

    /// The next frames of about `bytes`, or what to do to get some. Moves the place past frames that the filter leaves out.
    pub fn step(&mut self, agents: Option<&[AgentNo]>, bytes: usize) -> Step {
        let (mut frames, mut size) = (Vec::new(), 0);
        while size < bytes
            && let Some((at, change)) = self.rows.next()
        {
            if at > self.at && passes(change.transcript(), agents) {
                let frame = Encoded::new(at, &change);
                size += frame.len();
                frames.push(Arc::new(frame));
            }
        }
        if !frames.is_empty() {
            return Step::Send(frames);
        }
        self.at = self.at.max(self.reaches);
        self.watch.mark_unchanged();
        match self.channel.since(self.at, agents, bytes) {
            Since::Frames(frames, reached) => {
                self.confirmed = true;
                self.reaches = reached;
                if frames.is_empty() { self.step(agents, bytes) } else { Step::Send(frames) }
            }
            Since::Nothing => {
                self.confirmed = true;
                Step::Wait
            }
            Since::Older if self.confirmed && self.is_ahead() => Step::Wait,
            Since::Older => Step::Ask,
        }
    }

    /// True if the place is above the ring: the commit that it saw has not been published yet, or nothing ever was.
    fn is_ahead(&self) -> bool {
        self.at >= *self.watch.borrow()
    }

    /// Takes what the store had above the place; `number` picks the number of this lane from `rev` and `grev`.
    pub fn answer(&mut self, backlog: Backlog, number: impl Fn(u64, u64) -> u64) -> Result<(), GapReason> {
        let Backlog::Rows { rows, rev, grev } = backlog else { return Err(GapReason::Far) };
        let reached = number(rev, grev);
        if reached < self.at {
            return Err(GapReason::UnknownId);
        }
        self.rows = rows.into_iter();
        self.reaches = reached;
        self.confirmed = true;
        Ok(())
    }
}

/// The store could not, or the cursor cannot be served.
pub enum Stop {
    Gap(GapReason),
    Store(StoreError),
}
