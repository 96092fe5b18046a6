//! One event stream: the list, and where asked for one session, from a cursor on.
//!
//! Decision: the stream is pulled by the connection. What a reader does not take is not read from the ring, so nothing queues for
//! it, and a connection that stalls is closed by its socket (see `serve`).

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::{Bytes, BytesMut};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::lane::{Lane, Step, Stop};
use super::{Hub, Seat, wire};
use crate::model::{AgentNo, Cursor, Frame, GapReason, Ms, Reading, beyond};
use crate::store::{Shared, Sid};

/// About how much is handed to the connection at once, in bytes.
const CHUNK: usize = 64 << 10;

/// How often a stream speaks, and how long it lives.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Between two tails, ± a tenth.
    pub tail: Duration,
    /// Of one connection, less up to a tenth.
    pub life: Duration,
    /// What a browser waits before it connects again; each stream is told up to twice that, so that not all come at once.
    pub retry: Duration,
}

/// Where a stream begins and what it carries.
#[derive(Debug)]
pub struct Start {
    /// `Err` for a text that is no cursor of ours; `None` to begin with everything.
    pub after: Option<Result<Cursor, ()>>,
    pub session: Option<Sid>,
    /// Entry frames of these agents only.
    pub agents: Option<Vec<AgentNo>>,
}

/// A stream of bytes in the event-stream format.
pub struct Stream {
    store: Shared,
    start: Start,
    epoch: u64,
    list: Lane,
    session: Option<Lane>,
    read: Option<watch::Receiver<Reading>>,
    /// What of it has been told.
    told: Reading,
    pace: Pace,
    ends: Instant,
    stop: CancellationToken,
    phase: Phase,
    seat: Seat,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Hello,
    CatchingUp,
    Live,
    Over,
}

impl Default for Pace {
    fn default() -> Self {
        Self { tail: Duration::from_secs(5), life: Duration::from_secs(30 * 60), retry: Duration::from_secs(1) }
    }
}

impl Stream {
    /// A stream over `hub`, with `store` behind it, until `stop`.
    pub fn new(hub: &Hub, store: Shared, start: Start, pace: Pace, stop: CancellationToken, seat: Seat) -> Self {
        let cursor = start.after.and_then(Result::ok).unwrap_or_default();
        let list = Lane::new(hub, None, cursor.grev);
        let session = start.session.map(|sid| Lane::new(hub, Some(sid), cursor.rev.unwrap_or(0)));
        let read = session.as_ref().map(Lane::reading);
        let ends = Instant::now() + pace.life - pace.life.mul_f64(chance() / 10.0);
        Self { store, start, epoch: cursor.epoch, list, session, read, told: Reading::new(), pace, ends, stop, phase: Phase::Hello, seat }
    }

    /// The next bytes, `None` at the end. May be dropped and called again without a loss.
    pub async fn next(&mut self) -> Option<Bytes> {
        match self.phase {
            Phase::Over => None,
            Phase::Hello => Some(self.hello().await),
            Phase::CatchingUp | Phase::Live => Some(self.advance().await),
        }
    }

    async fn hello(&mut self) -> Bytes {
        let mut out = BytesMut::new();
        let retry = self.pace.retry.mul_f64(1.0 + chance());
        out.extend_from_slice(format!("retry: {}\n\n", retry.as_millis()).as_bytes());
        let session = self.start.session;
        let asked = self.ask(move |store| Ok((store.head()?, session.map(|sid| store.seen(sid)).transpose()?)));
        let (head, seen) = match asked.await {
            Ok(answer) => answer,
            Err(stop) => return self.end(stop),
        };
        let hello = Frame::Hello { epoch: format!("{:016x}", head.epoch), build: crate::BUILD.into() };
        wire::frame(&mut out, &hello, None);
        let gap = match self.start.after {
            Some(Err(())) => Some(GapReason::UnknownId),
            Some(Ok(cursor)) if cursor.epoch != head.epoch => Some(GapReason::Epoch),
            Some(Ok(_)) | None => None,
        };
        if let Some(seen) = seen {
            self.told = seen.clone();
            wire::frame(&mut out, &Frame::Seen { seen }, None);
        }
        self.epoch = head.epoch;
        self.phase = Phase::CatchingUp;
        if let Some(reason) = gap {
            self.phase = Phase::Over;
            wire::frame(&mut out, &Frame::Gap { reason }, None);
        }
        out.freeze()
    }

    async fn advance(&mut self) -> Bytes {
        let beat = Instant::now() + self.pace.tail.mul_f64(0.9 + chance() / 5.0);
        loop {
            if self.stop.is_cancelled() || self.seat.is_dismissed() || Instant::now() >= self.ends {
                return self.last(&Frame::Bye);
            }
            if let Some(seen) = self.read_on() {
                let mut out = BytesMut::new();
                wire::frame(&mut out, &Frame::Seen { seen }, None);
                return out.freeze();
            }
            match self.collect().await {
                Ok(Some(chunk)) => return chunk,
                Ok(None) if self.phase == Phase::CatchingUp => {
                    self.phase = Phase::Live;
                    let mut out = BytesMut::new();
                    wire::frame(&mut out, &Frame::Uptodate { at: now() }, None);
                    return out.freeze();
                }
                Ok(None) => {}
                Err(stop) => return self.end(stop),
            }
            let session = async {
                match &mut self.session {
                    Some(lane) => drop(lane.watch.changed().await),
                    None => std::future::pending().await,
                }
            };
            let read = async {
                match &mut self.read {
                    Some(read) => drop(read.wait_for(|read| !beyond(&self.told, read).is_empty()).await),
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = read => {}
                _ = self.list.watch.changed() => {}
                () = session => {}
                () = sleep_until(self.ends) => {}
                () = self.stop.cancelled() => {}
                () = self.seat.dismissed() => {}
                () = sleep_until(beat) => {
                    let mut out = BytesMut::new();
                    wire::frame(&mut out, &Frame::Tail, Some(self.cursor()));
                    return out.freeze();
                }
            }
        }
    }

    /// What somebody has read that has not been told yet.
    fn read_on(&mut self) -> Option<Reading> {
        let news = self.read.as_ref().map(|read| beyond(&self.told, &read.borrow())).filter(|news| !news.is_empty())?;
        self.told.extend(&news);
        Some(news)
    }

    /// Frames that are due, `None` if all has been sent.
    async fn collect(&mut self) -> Result<Option<Bytes>, Stop> {
        loop {
            match self.list.step(None, CHUNK) {
                Step::Send(frames) => {
                    let mut out = BytesMut::with_capacity(CHUNK / 16);
                    for frame in frames {
                        self.list.at = frame.at;
                        frame.write(&mut out, self.cursor());
                    }
                    return Ok(Some(out.freeze()));
                }
                Step::Ask => {
                    let at = self.list.at;
                    let backlog = self.ask(move |store| store.list_backlog(at)).await?;
                    self.list.answer(backlog, |_, grev| grev).map_err(Stop::Gap)?;
                    continue;
                }
                Step::Wait => {}
            }
            let Some(lane) = &mut self.session else { return Ok(None) };
            match lane.step(self.start.agents.as_deref(), CHUNK) {
                Step::Send(frames) => {
                    let mut out = BytesMut::with_capacity(CHUNK / 16);
                    for frame in frames {
                        self.reached(frame.at);
                        frame.write(&mut out, self.cursor());
                    }
                    return Ok(Some(out.freeze()));
                }
                Step::Ask => {
                    let (at, sid, agents) = (lane.at, self.start.session.unwrap_or_default(), self.start.agents.clone());
                    let backlog = self.ask(move |store| store.backlog(sid, at, agents.as_deref())).await?;
                    if let Some(lane) = &mut self.session {
                        lane.answer(backlog, |rev, _| rev).map_err(Stop::Gap)?;
                    }
                }
                Step::Wait => return Ok(None),
            }
        }
    }

    fn reached(&mut self, rev: u64) {
        if let Some(lane) = &mut self.session {
            lane.at = rev;
        }
    }

    fn cursor(&self) -> Cursor {
        Cursor { epoch: self.epoch, grev: self.list.at, rev: self.session.as_ref().map(|lane| lane.at) }
    }

    /// Asks the store on a thread that may block.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Shared) -> Result<T, crate::store::StoreError> + Send + 'static,
    ) -> Result<T, Stop> {
        let store = Arc::clone(&self.store);
        match tokio::task::spawn_blocking(move || question(&store)).await {
            Ok(answer) => answer.map_err(Stop::Store),
            Err(error) => Err(Stop::Store(crate::store::StoreError::Other(error.to_string()))),
        }
    }

    fn end(&mut self, stop: Stop) -> Bytes {
        match stop {
            Stop::Gap(reason) => self.last(&Frame::Gap { reason }),
            Stop::Store(error) => {
                tracing::error!(?error, "an event stream ended: the store could not be read");
                self.last(&Frame::Bye)
            }
        }
    }

    fn last(&mut self, frame: &Frame) -> Bytes {
        self.phase = Phase::Over;
        let mut out = BytesMut::new();
        wire::frame(&mut out, frame, None);
        out.freeze()
    }
}

/// A number in 0..1, for jitter alone.
fn chance() -> f64 {
    f64::from(getrandom::u32().unwrap_or(0)) / (f64::from(u32::MAX) + 1.0)
}

fn now() -> Ms {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
