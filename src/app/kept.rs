//! Reading without a server: what this browser has kept, where the server does not answer.
//!
//! Decision: the calls that a page opens with go through here. Each asks the server first; where that cannot be reached, or takes
//! too long and there is a copy, the copy's rows are taken in the same form, and the page goes on as always: its stream starts at the
//! copy's cursor, so that once the server is back only what was missed travels. The rows are kept by `keeper.js`.
//! Invariant: a copy is never passed off as news: it says when it was saved.

use leptos::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::calls::{self, Listing, Opened, Roll};
use super::detail::{Body, Detail};
use super::mirror::Mirror;
use super::{Failure, dom, settings};
use crate::model::{AgentNo, EntriesPage, MAIN, Ms};

#[cfg(feature = "hydrate")]
#[path = "keeper.rs"]
mod keeper;
#[cfg(not(feature = "hydrate"))]
#[path = "nobody.rs"]
mod keeper;

pub use keeper::{badge, installed, within};

/// How long a call may take before a copy is shown in its place, in ms.
const PATIENCE: i32 = 4_000;
/// How often a session that is open is saved again while it changes, in ms.
const AGAIN: i32 = 30_000;
/// Every agent of a session, as the keeper counts.
const ALL: i64 = -1;

/// What is kept of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
pub struct Kept {
    /// When, by this machine's clock; 0 for never.
    pub saved: Ms,
    /// All agents of it.
    pub whole: bool,
    /// Why nothing can be kept here, in words.
    pub trouble: String,
}

async fn ask<T: DeserializeOwned>(job: &str, args: &(impl Serialize + ?Sized)) -> Option<T> {
    let answer = keeper::ask(job, &serde_json::to_string(args).ok()?).await?;
    // By the reader that the calls use, so that no row is read by two.
    serde_json::from_slice(answer.as_bytes()).ok()
}

/// The server's answer, or the copy's where there is no server.
async fn or_kept<T: DeserializeOwned>(
    call: impl Future<Output = Result<T, Failure>>,
    job: &str,
    args: &(impl Serialize + ?Sized),
) -> Result<T, Failure> {
    let mut call = std::pin::pin!(call);
    match keeper::within(PATIENCE, call.as_mut()).await {
        Some(Err(Failure::Unreachable)) => ask(job, args).await.ok_or(Failure::Unreachable),
        Some(answer) => answer,
        None => match ask(job, args).await {
            Some(kept) => Ok(kept),
            None => call.await,
        },
    }
}

/// As [`calls::sessions`]; offline the kept ones.
pub async fn sessions(after: Option<String>) -> Result<Listing, Failure> {
    match after {
        None => or_kept(calls::sessions(None), "listing", &[(); 0]).await,
        after => calls::sessions(after).await,
    }
}

/// As [`calls::session`].
pub async fn session(session: String, agent: Option<String>, before: Option<u32>, around: Option<u32>) -> Result<Opened, Failure> {
    let args = (session.clone(), agent.clone(), before.or(around.map(|seq| seq.saturating_add(100))));
    or_kept(calls::session(session, agent, before, around), "session", &args).await
}

/// As [`calls::entries`].
pub async fn entries(session: String, agent: AgentNo, before: Option<u32>) -> Result<EntriesPage, Failure> {
    let args = (session.clone(), agent, before);
    or_kept(calls::entries(session, agent, before), "entries", &args).await
}

/// As [`calls::agents`].
pub async fn agents(session: String) -> Result<Roll, Failure> {
    let args = [session.clone()];
    or_kept(calls::agents(session), "agents", &args).await
}

/// As [`calls::detail`]; offline the call's texts as they came, plain.
pub async fn detail(session: String, agent: AgentNo, seq: u32, all: bool, reveal: bool) -> Result<Detail, Failure> {
    let args = (session.clone(), agent, seq, all);
    let found = calls::detail(session, agent, seq, all, reveal).await;
    if !matches!(found, Err(Failure::Unreachable)) {
        return found;
    }
    let mut detail: Detail = ask("detail", &args).await.ok_or(Failure::NotKept)?;
    if all && detail.parts.iter().any(|part| part.hidden > 0) {
        return Err(Failure::NotKept);
    }
    for part in &mut detail.parts {
        if let Body::Lines(rows) = &mut part.body {
            for span in rows.iter_mut().flat_map(|row| &mut row.spans) {
                span.text = untrack(|| super::clean(&span.text).into_owned());
            }
        }
    }
    Ok(detail)
}

/// As [`calls::long`].
pub async fn long(session: String, hash: String) -> Result<String, Failure> {
    let args = (session.clone(), hash.clone());
    or_kept(calls::long(session, hash), "long", &args).await.map_err(|failure| match failure {
        Failure::Unreachable => Failure::NotKept,
        failure => failure,
    })
}

/// Keeps all agents of a session, and tells what is kept then.
pub async fn whole(session: &str) -> Kept {
    let _: Option<()> = ask("keep", &(session, [ALL])).await;
    ask("state", &[session]).await.unwrap_or_default()
}

/// Forgets a session, or these agents of it.
pub async fn forget(session: &str, agents: Option<&[AgentNo]>) {
    let _: Option<()> = ask("forget", &(session, agents)).await;
}

/// Forgets everything: the browser is no longer paired.
pub async fn clear() {
    let _: Option<()> = ask("clear", &[(); 0]).await;
}

/// Keeps the open transcripts of a session, and what is kept of it up to date, until the owner ends.
pub fn follow(mirror: &Mirror) {
    let (gone, id) = (mirror.gone.clone(), mirror.id().to_owned());
    Effect::new(move |_| {
        if gone.get() {
            let id = id.clone();
            leptos::task::spawn_local(async move { forget(&id, None).await });
        }
    });
    let (windows, id, row) = (mirror.rows.windows.clone(), mirror.id().to_owned(), mirror.session());
    let save = move || {
        let mut open: Vec<AgentNo> = windows.with_untracked(|windows| windows.keys().copied().collect());
        if open.is_empty() {
            open.push(MAIN);
        }
        let id = id.clone();
        leptos::task::spawn_local(async move {
            let _: Option<()> = ask("keep", &(id, open)).await;
        });
    };
    let (opened, saved) = (mirror.rows.windows.clone(), StoredValue::new(0_u64));
    Effect::new(move |_| {
        opened.track();
        settings::track();
        if !settings::keeps(keeper::installed()) {
            return;
        }
        save();
        let (row, save) = (row.clone(), save.clone());
        dom::every(AGAIN, move || {
            let rev = row.with_untracked(|row| row.rev);
            if saved.try_update_value(|saved| std::mem::replace(saved, rev) != rev).unwrap_or_default() {
                save();
            }
        });
    });
}
