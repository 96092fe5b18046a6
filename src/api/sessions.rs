//! Rows: the list of sessions, one session with its agents, and what has changed since.

use axum::Json;
use axum::extract::State as Of;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use super::query::{Path, Query, limit};
use super::{Problem, State};
use crate::model::{Agent, AgentNo, Change, Cursor, MAIN, Session};
use crate::store::{Window, place};

#[derive(Deserialize)]
pub struct ListQuery {
    after: Option<String>,
    limit: Option<usize>,
}

/// A page of the list. `next`, where there is more, is the `after` of the next page.
#[derive(Serialize)]
pub struct List {
    sessions: Vec<Session>,
    cursor: String,
    next: Option<String>,
}

/// `GET /api/v1/sessions?after=&limit=`: newest activity first, 100 at a time, at most 500.
pub async fn list(Of(state): Of<State>, Query(query): Query<ListQuery>) -> Result<Json<List>, Problem> {
    if query.after.as_deref().is_some_and(|after| !after.is_empty() && place(after).is_none()) {
        return Err(Problem::bad_request("after= is no place in the list: begin without one."));
    }
    let rows = limit(query.limit, 100, 500);
    let page = state.ask(move |store| store.sessions(query.after.as_deref(), rows)).await?;
    Ok(Json(List { sessions: page.sessions, cursor: page.cursor.to_string(), next: page.next }))
}

#[derive(Deserialize)]
pub struct OneQuery {
    agents_after: Option<AgentNo>,
    limit: Option<usize>,
}

/// A session and a page of its agents by `n`. `next`, where there is more, is the `agents_after` of the next page.
#[derive(Serialize)]
pub struct One {
    session: Session,
    agents: Vec<Agent>,
    next: Option<AgentNo>,
    cursor: String,
}

/// `GET /api/v1/sessions/{s}?agents_after=&limit=`: 500 agents at a time, at most 5,000.
pub async fn one(Of(state): Of<State>, Path(name): Path<String>, Query(query): Query<OneQuery>) -> Result<Json<One>, Problem> {
    let sid = state.session(&name).await?;
    let page = state.ask(move |store| store.session_page(sid, MAIN, Window::Newest, 1)).await?;
    let page = page.ok_or_else(Problem::no_such_session)?;
    let rows = limit(query.limit, 500, 5_000);
    let mut agents = page.agents;
    agents.retain(|agent| query.agents_after.is_none_or(|after| agent.n > after));
    let more = agents.len() > rows;
    agents.truncate(rows);
    let next = agents.last().map(|agent| agent.n).filter(|_| more);
    Ok(Json(One { session: page.session, agents, next, cursor: page.cursor }))
}

#[derive(Deserialize)]
pub struct ChangesQuery {
    after: Option<String>,
    agents: Option<String>,
    limit: Option<usize>,
}

/// Rows and tombstones by rising `rev`, and the cursor that they reach. `more`: ask again with that cursor.
#[derive(Serialize)]
pub struct Changes {
    changes: Vec<Change>,
    cursor: String,
    more: bool,
}

/// `GET /api/v1/sessions/{s}/changes?after=CURSOR&agents=&limit=`: 1,000 at a time, at most 5,000, and about 4 MiB. With `agents=`, of
/// entries only those of these agents; the cursor passes over the others.
pub async fn changes(Of(state): Of<State>, Path(name): Path<String>, Query(query): Query<ChangesQuery>) -> Result<Json<Changes>, Problem> {
    let sid = state.session(&name).await?;
    let head = state.ask(|store| store.head()).await?;
    let after = match query.after.as_deref().filter(|after| !after.is_empty()) {
        None => 0,
        Some(text) => match text.parse::<Cursor>() {
            Ok(Cursor { epoch, rev: Some(rev), .. }) if epoch == head.epoch => rev,
            Ok(cursor) if cursor.epoch != head.epoch => {
                return Err(Problem::new(StatusCode::GONE, "epoch", "The cursor is of another database: begin without one."));
            }
            _ => return Err(Problem::bad_request("after= is no cursor of a session: begin without one.")),
        },
    };
    let rows = limit(query.limit, 1_000, 5_000);
    let page = state.ask(move |store| store.changes(sid, after, rows)).await?;
    if after > page.rev {
        return Err(Problem::new(StatusCode::GONE, "unknown_id", "The cursor is from the future: begin without one."));
    }
    let wanted = match query.agents {
        None => None,
        Some(names) => {
            let found = state.ask(move |store| names.split(',').map(|name| store.find_agent(sid, name)).collect::<Result<Vec<_>, _>>());
            Some(found.await?)
        }
    };
    let passes = |change: &Change| match (change, &wanted) {
        (Change::Entry(entry), Some(wanted)) => wanted.contains(&Some(entry.agent)),
        _ => true,
    };
    let cursor = Cursor { epoch: head.epoch, grev: page.grev, rev: Some(page.rev) }.to_string();
    let mut changes: Vec<Change> = page.rows.into_iter().map(|(_, change)| change).filter(passes).collect();
    for change in &mut changes {
        if let Change::Entry(entry) = change {
            entry.cut_open();
        }
    }
    Ok(Json(Changes { changes, cursor, more: page.more }))
}
