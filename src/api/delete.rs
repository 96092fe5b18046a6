//! Deleting Sidedeck's copy of a session, or of transcripts in it. Source files stay as they are.
//!
//! Invariant: all or nothing, and never what runs, waits or is queued.

use axum::Json;
use axum::extract::State as Of;
use serde::{Deserialize, Serialize};

use super::query::Path;
use super::{Problem, State};

/// Which transcripts go.
#[derive(Deserialize)]
struct Wanted {
    /// Ids or names of agents, at least one.
    ids: Vec<String>,
}

/// How much is gone.
#[derive(Serialize)]
pub struct Deleted {
    deleted: usize,
}

/// `POST /api/v1/sessions/{s}/delete`: the session with all that is in it. 409 with the names of what still runs.
pub async fn session(Of(state): Of<State>, Path(name): Path<String>) -> Result<Json<Deleted>, Problem> {
    let sid = state.session(&name).await?;
    state.writer.remove(sid, None).await?;
    Ok(Json(Deleted { deleted: 1 }))
}

/// `POST /api/v1/sessions/{s}/agents/delete {"ids":[…]}`: transcripts of subagents; agents under them stay. 409 with the names of
/// what still runs, 404 if one is unknown: then none of them goes.
pub async fn agents(Of(state): Of<State>, Path(name): Path<String>, body: axum::body::Bytes) -> Result<Json<Deleted>, Problem> {
    let wanted: Wanted = serde_json::from_slice(&body)
        .ok()
        .filter(|wanted: &Wanted| !wanted.ids.is_empty())
        .ok_or_else(|| Problem::bad_request("The body has to be JSON: {\"ids\": [\"…\"]}, with one id or more."))?;
    let sid = state.session(&name).await?;
    let mut agents = Vec::new();
    for id in &wanted.ids {
        let agent = state.agent(sid, id).await?;
        if agent == crate::model::MAIN {
            return Err(Problem::bad_request("The main agent goes only with its whole session."));
        }
        if !agents.contains(&agent) {
            agents.push(agent);
        }
    }
    let deleted = agents.len();
    state.writer.remove(sid, Some(agents)).await?;
    Ok(Json(Deleted { deleted }))
}
