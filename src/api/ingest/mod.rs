//! `POST /api/v1/ingest/{dialect}/{s}`: lines that a program pushes.
//!
//! Decision: lines are committed as they come, in batches, and the one answer comes behind the last commit. A body that is cut
//! leaves its whole lines; a producer that numbers its lines sends the rest again.
//! Invariants: only the bearer of the token pushes; memory is bounded whatever the body claims.

mod body;
mod headers;

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State as Of;
use axum::http::{HeaderMap, StatusCode};
use axum::{Extension, Json};
use futures::StreamExt;
use serde::{Deserialize, Serialize};

use super::door::Holder;
use super::query::{Path, Query};
use super::{Problem, State};
use crate::dialect::{DIALECTS, Dialect, by_name};
use crate::ingest::{Batch, Close, Intake, Producer, Refusal, Taken};
use crate::model::read_segment;
use body::Lines;
pub(super) use body::{is_packed, no_gzip, one_line};

pub const PATH: &str = "/api/v1/ingest/{dialect}/{s}";

/// The longest name of a session or a producer, in bytes.
pub(super) const NAME_BYTES: usize = 256;
/// Lines of one commit, and how many bytes.
const LINES: usize = 256;
const BYTES: usize = 1 << 20;
/// How long a line waits for company.
const COMPANY: Duration = Duration::from_millis(100);
/// How long a body may be silent.
const IDLE: Duration = Duration::from_mins(10);

#[derive(Deserialize)]
pub struct Asked {
    /// `exited` or `stopped`: the process that printed the lines has ended, and these are its last.
    close: Option<String>,
    /// Lines may follow behind such an end.
    #[serde(default)]
    reopen: bool,
}

/// What became of the lines.
#[derive(Serialize)]
pub struct Answer {
    rev: u64,
    accepted: u64,
    duplicates: u64,
    opaque: u64,
    sessions: Vec<String>,
    /// `none` where the same lines again would be taken again.
    #[serde(skip_serializing_if = "Option::is_none")]
    dedup: Option<&'static str>,
}

pub async fn ingest(
    Of(state): Of<State>,
    Path((dialect, session)): Path<(String, String)>,
    Query(asked): Query<Asked>,
    Extension(holder): Extension<Holder>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Answer>, Problem> {
    if !holder.is_token() {
        return Err(no_push());
    }
    let dialect = by_name(&dialect).ok_or_else(|| no_such_dialect(&dialect))?;
    let session = read_segment(&session);
    if session.is_empty() || session.len() > NAME_BYTES {
        return Err(Problem::bad_request(format!("A session's name has 1 to {NAME_BYTES} bytes.")));
    }
    let close = match asked.close.as_deref() {
        None => None,
        Some("exited") => Some(Close::Exited),
        Some("stopped") => Some(Close::Stopped),
        Some(_) => return Err(Problem::bad_request("\"close\" is exited or stopped.")),
    };
    let producer = headers::producer(&headers)?;
    let mut lines = Lines::new(&headers)?;
    let mut push = Push {
        intake: state.intake,
        dialect,
        session: session.into_owned().into(),
        producer,
        reopen: asked.reopen,
        sent: 0,
        sum: Taken::default(),
    };

    let mut chunks = body.into_data_stream();
    let cut = loop {
        let wait = if lines.ready() { COMPANY } else { IDLE };
        match tokio::time::timeout(wait, chunks.next()).await {
            Ok(Some(Ok(chunk))) => lines.add(&chunk)?,
            Ok(Some(Err(_))) => break true,
            Ok(None) => break false,
            Err(_) if lines.ready() => push.commit(lines.take(usize::MAX, usize::MAX), None).await?,
            Err(_) => return Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "The body did not come in time.")),
        }
        while lines.said() > LINES || lines.bytes() > BYTES {
            push.commit(lines.take(LINES, BYTES), None).await?;
        }
    };
    let cut = lines.end(cut)?;
    while lines.said() > LINES || lines.bytes() > BYTES {
        push.commit(lines.take(LINES, BYTES), None).await?;
    }
    push.commit(lines.take(usize::MAX, usize::MAX), close.filter(|_| !cut)).await?;
    if cut {
        return Err(Problem::bad_request("The body ended early; its whole lines were kept."));
    }
    Ok(Json(push.sum.into()))
}

/// One request's way into the store.
struct Push {
    intake: Arc<Intake>,
    dialect: &'static Dialect,
    session: Arc<str>,
    producer: Option<Producer>,
    reopen: bool,
    /// Lines of the body that have been taken.
    sent: u64,
    sum: Taken,
}

impl Push {
    async fn commit(&mut self, lines: Vec<Vec<u8>>, close: Option<Close>) -> Result<(), Problem> {
        let count = lines.len() as u64;
        let (intake, session, producer) = (self.intake.clone(), self.session.clone(), self.producer.clone());
        let (dialect, reopen) = (self.dialect, self.reopen);
        let taken = tokio::task::spawn_blocking(move || {
            let lines: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
            intake.take(&Batch { dialect, session: &session, producer, lines: &lines, reopen, close })
        });
        let before = self.sent;
        let taken = taken.await.map_err(|error| Problem::internal(&error))?.map_err(|refusal| refused(refusal, dialect, before))?;
        self.sent += count;
        if let Some(producer) = &mut self.producer {
            producer.seq = producer.seq.saturating_add(count);
        }
        let sum = &mut self.sum;
        sum.accepted += taken.accepted;
        sum.duplicates += taken.duplicates;
        sum.opaque += taken.opaque;
        sum.rev = sum.rev.max(taken.rev);
        sum.undeduped |= taken.undeduped;
        sum.sessions.retain(|id| !taken.sessions.contains(id));
        sum.sessions.extend(taken.sessions);
        Ok(())
    }
}

impl From<Taken> for Answer {
    fn from(taken: Taken) -> Self {
        let Taken { accepted, duplicates, opaque, rev, sessions, undeduped } = taken;
        Self { rev, accepted, duplicates, opaque, sessions, dedup: undeduped.then_some("none") }
    }
}

/// For whoever came with a browser's cookie.
pub(super) fn no_push() -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "no_push", "Only a program with the token may push.")
}

fn no_such_dialect(name: &str) -> Problem {
    let known: Vec<&str> = DIALECTS.iter().map(|dialect| dialect.name).collect();
    let name: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
    Problem::new(StatusCode::NOT_FOUND, "no_such_dialect", format!("There is no dialect {name}; there are {}.", known.join(", ")))
}

pub(super) fn refused(refusal: Refusal, dialect: &Dialect, before: u64) -> Problem {
    match refusal {
        Refusal::Stale(epoch) => Problem {
            epoch: Some(epoch),
            ..Problem::new(StatusCode::FORBIDDEN, "stale_epoch", format!("The producer has begun anew: its epoch is {epoch}."))
        },
        Refusal::Gap(next) => Problem {
            expected: Some(next),
            ..Problem::new(StatusCode::CONFLICT, "gap", format!("Lines are missing: the next number is {next}."))
        },
        Refusal::Reused(number) => {
            Problem::new(StatusCode::CONFLICT, "key_reused", format!("Number {number} was taken before, with other bytes."))
        }
        Refusal::Closed => {
            Problem::new(StatusCode::CONFLICT, "closed", "The producer has told its end; say reopen=true if more is to come.")
        }
        Refusal::Nobody => Problem::new(
            StatusCode::CONFLICT,
            "nobody",
            "Nothing has come that could end: an end is told under the name, and with the Producer headers, of the lines before it.",
        ),
        Refusal::Deleted => Problem::new(StatusCode::GONE, "deleted", "The session was deleted here, and stays so."),
        Refusal::Foreign(number, head) => Problem {
            line: Some(before + number),
            ..Problem::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "foreign",
                format!("No line here is one of the dialect {}; the first is: {head}", dialect.name),
            )
        },
        Refusal::Store(error) => Problem::from(error),
    }
}
