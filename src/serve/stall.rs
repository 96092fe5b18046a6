//! A socket that gives up on a peer who does not read, and does not cut off one who is still sending.
//!
//! Decision: the limits stand at the one place through which every answer goes, files, pages, exports and event streams alike.
//! Closing a socket with unread bytes resets it, and a reset takes the answer away from the peer: so what a refused request still
//! sends is read and thrown away for a moment.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep, sleep_until};

/// How long a peer may still send to a closed connection.
const LINGER: Duration = Duration::from_secs(1);
/// How much of that is taken, in bytes.
const LEFTOVER: usize = 64 << 20;

/// A socket whose writes fail when the peer has taken nothing for a while.
pub struct Stalling {
    socket: TcpStream,
    patience: Duration,
    /// Runs while a write waits.
    alarm: Option<Pin<Box<Sleep>>>,
    /// Runs once the writing side is closed.
    linger: Option<Pin<Box<Sleep>>>,
    leftover: usize,
}

impl Stalling {
    /// Fails a write that has waited for `patience`.
    pub fn new(socket: TcpStream, patience: Duration) -> Self {
        Self { socket, patience, alarm: None, linger: None, leftover: LEFTOVER }
    }

    fn watch(&mut self, written: Poll<io::Result<usize>>, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.alarm = None;
            return written;
        }
        let patience = self.patience;
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + patience)));
        match alarm.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the peer does not read"))),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncWrite for Stalling {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write(cx, bytes);
        self.watch(written, cx)
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, cx: &mut Context<'_>, slices: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write_vectored(cx, slices);
        self.watch(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.linger.is_none() {
            ready!(Pin::new(&mut this.socket).poll_shutdown(cx))?;
        }
        let until = this.linger.get_or_insert_with(|| Box::pin(sleep(LINGER)));
        let mut bytes = [0; 16 << 10];
        while this.leftover > 0 && until.as_mut().poll(cx).is_pending() {
            let mut buffer = ReadBuf::new(&mut bytes);
            match ready!(Pin::new(&mut this.socket).poll_read(cx, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => this.leftover = this.leftover.saturating_sub(buffer.filled().len()),
                Ok(()) | Err(_) => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for Stalling {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_read(cx, buffer)
    }
}
