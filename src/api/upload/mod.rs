//! `POST /api/v1/uploads`: files that a person chooses or drops on the page.
//!
//! Decision: one request carries them all: a line of JSON that names them, then their bytes, one behind the other. A blocking task
//! puts them down while they come; when all are there, the one import reads them.
//! Invariants: a body that is cut, or whose sender has gone, leaves nothing; memory is bounded whatever the body claims.

mod landing;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State as Of;
use axum::http::{HeaderMap, StatusCode, header};
use futures::StreamExt;
use serde::Serialize;
use tokio::sync::{Semaphore, mpsc};

use super::{Problem, State};
use crate::ingest::{MOST_BYTES, Options, Skipped, Spool, Summary, import_found};
use crate::model::{MAIN, Ms};
use crate::store::{Shared, StoreError, Window, Writer};
use landing::{Landing, too_long};

pub const PATH: &str = "/api/v1/uploads";

/// How long a body may be silent.
const IDLE: Duration = Duration::from_secs(30);
/// Chunks that wait to be put down.
const CHUNKS: usize = 8;
/// Sessions that are told by name, and files that were not read.
const SESSIONS: usize = 5;
const SKIPPED: usize = 20;
/// Uploads at one time: each may take [`MOST_BYTES`] of the disk.
static TURNS: Semaphore = Semaphore::const_new(2);

/// What has become of the files.
#[derive(Serialize)]
pub struct Answer {
    /// One sentence for the person.
    message: String,
    /// True if a file was left out.
    partly: bool,
    /// Files that were read.
    files: u64,
    /// How many sessions they belong to, without those that were deleted here.
    sessions: u64,
    /// Sessions that were deleted here, and stay so.
    deleted: u64,
    /// The sessions with the newest activity.
    newest: Vec<Named>,
    /// What was not read, and why; the first of them.
    skipped: Vec<Skipped>,
}

#[derive(Serialize)]
struct Named {
    id: String,
    title: String,
    #[serde(skip)]
    at: Option<Ms>,
}

pub async fn upload(Of(state): Of<State>, headers: HeaderMap, body: Body) -> Result<Json<Answer>, Problem> {
    check(&headers)?;
    let Ok(_turn) = TURNS.try_acquire() else {
        let busy = "Other files are being added at the moment: try again when they are in.";
        return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "busy", busy).after(5));
    };
    let (chunks, coming) = mpsc::channel(CHUNKS);
    let (incoming, writer, store) = (state.incoming.clone(), state.writer.clone(), state.store.clone());
    let taking = tokio::task::spawn_blocking(move || take(coming, &incoming, &writer, &store));
    let (mut body, mut came) = (body.into_data_stream(), 0);
    loop {
        match tokio::time::timeout(IDLE, body.next()).await {
            // What was refused is read to its end all the same: a browser that still sends does not read an answer.
            Ok(Some(Ok(chunk))) => {
                came += chunk.len() as u64;
                if came > MOST_BYTES + landing::HEAD as u64 {
                    return Err(too_long());
                }
                drop(chunks.send(Some(chunk)).await);
            }
            Ok(None) => break drop(chunks.send(None).await),
            Ok(Some(Err(_))) => break,
            Err(_) => return Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "The files did not come in time.")),
        }
    }
    drop(chunks);
    taking.await.map_err(|error| Problem::internal(&error))?.map(Json)
}

fn check(headers: &HeaderMap) -> Result<(), Problem> {
    let word = |name| headers.get(name).and_then(|value: &axum::http::HeaderValue| value.to_str().ok()).unwrap_or_default();
    if word(header::CONTENT_TYPE) != "application/octet-stream" || headers.contains_key(header::CONTENT_ENCODING) {
        let what = "A body here is of the type application/octet-stream.";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "wrong_type", what));
    }
    match word(header::CONTENT_LENGTH).parse::<u64>() {
        Ok(told) if told > MOST_BYTES + landing::HEAD as u64 => Err(too_long()),
        _ => Ok(()),
    }
}

/// Puts down what comes, and reads it when `None` has told its end.
fn take(mut coming: mpsc::Receiver<Option<Bytes>>, data: &Arc<Path>, writer: &Writer, store: &Shared) -> Result<Answer, Problem> {
    let mut landing = Landing::new(Spool::new(Some(data)).strict());
    loop {
        match coming.blocking_recv() {
            Some(Some(chunk)) => landing.add(&chunk)?,
            Some(None) => break,
            None => return Err(Problem::bad_request("The files did not come whole: nothing of them was kept.")),
        }
    }
    let (found, spool) = landing.end()?;
    let summary = import_found(found, spool, Vec::new(), &Options::default(), writer, &mut |_| {})?;
    answer(summary, store)
}

fn answer(summary: Summary, store: &Shared) -> Result<Answer, Problem> {
    let Summary { files, sessions, ids, mut skipped, .. } = summary;
    let mut newest = Vec::new();
    for id in &ids {
        newest.extend(named(store, id)?);
    }
    let deleted = (ids.len() - newest.len()) as u64;
    if files == 0 {
        let why = match skipped.as_slice() {
            [] => "There is no file in it.".into(),
            [one] => told(one),
            [first, ..] => format!("None of these {} files could be read, the first is {}", skipped.len(), told(first)),
        };
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "unreadable", why));
    }
    if newest.is_empty() {
        return Err(Problem::new(StatusCode::GONE, "deleted", stay_deleted(deleted)));
    }
    newest.sort_by_key(|named| std::cmp::Reverse(named.at));
    newest.truncate(SESSIONS);
    let sessions = sessions - deleted;
    let (mut message, partly) = (sentence(sessions, &skipped), !skipped.is_empty() || deleted > 0);
    if deleted > 0 {
        message = format!("{message} {}", stay_deleted(deleted));
    }
    skipped.truncate(SKIPPED);
    Ok(Answer { message, partly, files, sessions, deleted, newest, skipped })
}

fn stay_deleted(sessions: u64) -> String {
    match sessions {
        0 | 1 => "1 session was deleted here, and stays so: `sidedeck import --again` brings it back.".to_owned(),
        _ => format!("{sessions} sessions were deleted here, and stay so: `sidedeck import --again` brings them back."),
    }
}

fn sentence(sessions: u64, skipped: &[Skipped]) -> String {
    let are_in = if sessions == 1 { "1 session was read".to_owned() } else { format!("{sessions} sessions were read") };
    match skipped {
        [] => format!("{are_in}."),
        [one] => format!("{are_in}; 1 file was left out: {}", told(one)),
        [first, ..] => format!("{are_in}; {} files were left out, the first is {}", skipped.len(), told(first)),
    }
}

/// A file and why it was not read, in one sentence: what follows it is for the command line.
fn told(skipped: &Skipped) -> String {
    let why = skipped.why.split_once(". ").map_or(skipped.why.as_str(), |(why, _)| why);
    format!("{}: {}.", skipped.path, why.trim_end_matches('.'))
}

fn named(store: &Shared, id: &str) -> Result<Option<Named>, StoreError> {
    let Some(sid) = store.find(id)? else { return Ok(None) };
    let page = store.session_page(sid, MAIN, Window::Newest, 1)?;
    Ok(page.map(|page| Named { id: page.session.id, title: page.session.title, at: page.session.last_at }))
}
