//! The accept loop.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use super::stall::Stalling;
use crate::api::door::Peer;

/// What a connection may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// From the first moment to the end of the headers, of each request.
    pub head: Duration,
    /// Without taking a byte that is due.
    pub stall: Duration,
    /// Bytes that wait for a reader, and the longest head of a request.
    pub buffer: usize,
    pub connections: usize,
    /// For open requests to end after the signal.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(10),
            stall: Duration::from_secs(30),
            buffer: 128 << 10,
            connections: 13_000,
            grace: Duration::from_secs(3),
        }
    }
}

/// Serves until `stop`, then lets open requests end for as long as `limits.grace`.
pub async fn run(listener: TcpListener, router: Router, limits: Limits, stop: CancellationToken) {
    serve(listener, None, router, limits, stop).await;
}

/// As [`run`], encrypted.
pub async fn run_encrypted(listener: TcpListener, acceptor: TlsAcceptor, router: Router, limits: Limits, stop: CancellationToken) {
    serve(listener, Some(acceptor), router, limits, stop).await;
}

async fn serve(listener: TcpListener, acceptor: Option<TlsAcceptor>, router: Router, limits: Limits, stop: CancellationToken) {
    let seats = Arc::new(Semaphore::new(limits.connections));
    let open = TaskTracker::new();
    loop {
        let next = async {
            let seat = Arc::clone(&seats).acquire_owned().await;
            (seat, listener.accept().await)
        };
        let (seat, accepted) = tokio::select! {
            next = next => next,
            () = stop.cancelled() => break,
        };
        match accepted {
            Ok((socket, peer)) => {
                let (acceptor, router, stop) = (acceptor.clone(), router.clone(), stop.clone());
                open.spawn(async move {
                    let _ = socket.set_nodelay(true);
                    let socket = Stalling::new(socket, limits.stall);
                    match acceptor {
                        None => connection(socket, Peer(peer), router, limits, stop).await,
                        Some(acceptor) => match tokio::time::timeout(limits.head, acceptor.accept(socket)).await {
                            Ok(Ok(socket)) => connection(socket, Peer(peer), router, limits, stop).await,
                            Ok(Err(error)) => tracing::debug!(%error, "a connection was not encrypted"),
                            Err(_) => {}
                        },
                    }
                    drop(seat);
                });
            }
            Err(error) => {
                // Out of file descriptors, or a peer that was gone at once: others may end meanwhile.
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    drop(listener);
    open.close();
    if tokio::time::timeout(limits.grace, open.wait()).await.is_err() {
        tracing::info!("some connections were cut");
    }
}

async fn connection<S>(socket: S, peer: Peer, router: Router, limits: Limits, stop: CancellationToken)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let io = TokioIo::new(socket);
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(peer);
        router.clone().oneshot(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(limits.buffer)
        .serve_connection(io, service);
    tokio::pin!(connection);
    let served = tokio::select! {
        served = connection.as_mut() => served,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = served {
        tracing::debug!(%error, "a connection ended early");
    }
}
