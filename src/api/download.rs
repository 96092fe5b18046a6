//! The export as a download.

use std::io::{self, Write};

use axum::body::{Body, Bytes};
use axum::extract::State as Of;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::query::{Path, Query};
use super::{Problem, State, export};

/// How much is handed to the connection at once, in bytes; two of these wait at most.
const CHUNK: usize = 64 << 10;

#[derive(Deserialize)]
pub struct ExportQuery {
    format: Option<String>,
}

/// `GET /api/v1/sessions/{s}/export?format=json`: see docs/export.md. Written while it is read; a failure on the way cuts the
/// connection, so that half a document is never taken for a whole one.
pub async fn export(Of(state): Of<State>, Path(name): Path<String>, Query(query): Query<ExportQuery>) -> Result<Response, Problem> {
    if query.format.as_deref().is_some_and(|format| format != "json") {
        return Err(Problem::bad_request("The formats are: json."));
    }
    let sid = state.session(&name).await?;
    let (sender, receiver) = mpsc::channel(2);
    let store = state.store.clone();
    tokio::task::spawn_blocking(move || {
        let mut pipe = Pipe { sender: sender.clone(), chunk: Vec::with_capacity(CHUNK) };
        let written = export::json(store.as_ref(), sid, &mut pipe).map_err(|error| error.to_string());
        if let Err(error) = written.and_then(|()| pipe.flush().map_err(|error| error.to_string())) {
            tracing::warn!(error, "an export ended early");
            let _ = sender.blocking_send(Err(io::Error::other(error)));
        }
    });
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CONTENT_DISPOSITION, "attachment; filename=\"session.json\"")];
    Ok((headers, Body::from_stream(ReceiverStream::new(receiver))).into_response())
}

/// Writes into a channel, a chunk at a time.
struct Pipe {
    sender: mpsc::Sender<io::Result<Bytes>>,
    chunk: Vec<u8>,
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.chunk.extend_from_slice(bytes);
        if self.chunk.len() >= CHUNK {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        let chunk = Bytes::from(std::mem::replace(&mut self.chunk, Vec::with_capacity(CHUNK)));
        self.sender.blocking_send(Ok(chunk)).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
    }
}
