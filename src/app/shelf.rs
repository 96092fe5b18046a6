//! The server's side of the page's calls: what they read from the store.

use axum::http::StatusCode;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;

use super::{LONGEST, Listing, Opened, SESSIONS, WINDOW};
use crate::app::Failure;
use crate::app::mirror::shorten;
use crate::model::{AgentNo, EntriesPage, Entry, EntryRef, MAIN, Ms};
use crate::store::{Shared, Sid, Store, StoreError, Window};

impl From<StoreError> for Failure {
    fn from(_: StoreError) -> Self {
        Self::Server
    }
}

/// Runs `job` beside the async workers, with the store of this request, and sets the answer's status where it fails.
pub async fn read<T: Send + 'static>(job: impl FnOnce(&dyn Store) -> Result<T, Failure> + Send + 'static) -> Result<T, Failure> {
    let answer = use_context::<ResponseOptions>();
    let store = use_context::<Shared>();
    let result = match store {
        Some(store) => tokio::task::spawn_blocking(move || job(store.as_ref())).await.unwrap_or(Err(Failure::Server)),
        None => Err(Failure::Server),
    };
    if let (Err(failure), Some(answer)) = (&result, answer) {
        answer.set_status(match failure {
            Failure::NotFound => StatusCode::NOT_FOUND,
            Failure::Server | Failure::Unreachable => StatusCode::INTERNAL_SERVER_ERROR,
        });
    }
    result
}

pub fn window(before: Option<u32>, around: Option<u32>) -> Window {
    match (before, around) {
        (Some(seq), _) => Window::Before(seq),
        (None, Some(seq)) => Window::Around(seq),
        (None, None) => Window::Newest,
    }
}

pub fn listing(store: &dyn Store, after: Option<&str>) -> Result<Listing, Failure> {
    let page = store.sessions(after, SESSIONS)?;
    Ok(Listing { sessions: page.sessions, cursor: page.cursor.to_string(), next: page.next, now: now() })
}

pub fn opened(store: &dyn Store, session: &str, agent: Option<&str>, window: Window) -> Result<Opened, Failure> {
    let sid = find(store, session)?;
    let agent = match agent {
        Some(name) => store.find_agent(sid, name)?.ok_or(Failure::NotFound)?,
        None => MAIN,
    };
    let mut page = store.session_page(sid, agent, window, WINDOW)?.ok_or(Failure::NotFound)?;
    page.entries.entries.iter_mut().for_each(shorten);
    let sessions = store.sessions(None, SESSIONS)?.sessions;
    Ok(Opened { page, sessions })
}

pub fn entries(store: &dyn Store, session: &str, agent: AgentNo, window: Window) -> Result<EntriesPage, Failure> {
    let mut page = store.entries(find(store, session)?, agent, window, WINDOW)?;
    page.entries.iter_mut().for_each(shorten);
    Ok(page)
}

pub fn entry(store: &dyn Store, session: &str, agent: AgentNo, seq: u32) -> Result<Entry, Failure> {
    store.entry(find(store, session)?, EntryRef { agent, seq })?.ok_or(Failure::NotFound)
}

pub fn long(store: &dyn Store, session: &str, hash: &str) -> Result<String, Failure> {
    let bytes = store.blob(find(store, session)?, hash, 0, LONGEST)?.ok_or(Failure::NotFound)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn find(store: &dyn Store, session: &str) -> Result<Sid, Failure> {
    store.find(session)?.ok_or(Failure::NotFound)
}

fn now() -> Ms {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Ms::try_from(since.as_millis()).unwrap_or(Ms::MAX)
}
