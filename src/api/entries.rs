//! A window of one transcript.

use axum::Json;
use axum::extract::State as Of;
use serde::Deserialize;

use super::query::{Path, Query, limit};
use super::{Problem, State};
use crate::model::{EntriesPage, Entry};
use crate::store::Window;

#[derive(Deserialize)]
pub struct EntriesQuery {
    before: Option<u32>,
    after: Option<u32>,
    around: Option<u32>,
    limit: Option<usize>,
}

/// `GET /api/v1/sessions/{s}/agents/{a}/entries?before= | after= | around=SEQ&limit=N`: 100 entries, at most 500; the newest without
/// a place.
pub async fn window(
    Of(state): Of<State>,
    Path((session, agent)): Path<(String, String)>,
    Query(query): Query<EntriesQuery>,
) -> Result<Json<EntriesPage>, Problem> {
    let window = match (query.before, query.after, query.around) {
        (None, None, None) => Window::Newest,
        (Some(seq), None, None) => Window::Before(seq),
        (None, Some(seq), None) => Window::After(seq),
        (None, None, Some(seq)) => Window::Around(seq),
        _ => return Err(Problem::bad_request("before=, after= and around= exclude each other.")),
    };
    let sid = state.session(&session).await?;
    let agent = state.agent(sid, &agent).await?;
    let rows = limit(query.limit, 100, 500);
    let mut page = state.ask(move |store| store.entries(sid, agent, window, rows)).await?;
    page.entries.iter_mut().for_each(Entry::cut_open);
    Ok(Json(page))
}
