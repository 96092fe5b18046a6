//! The server functions that the pages call, under fixed names below `/api/fn`.
//!
//! Invariants: those called by GET only read. What one of them cannot find makes the answer a 404, the page's answer too.

use leptos::prelude::*;
use leptos::server_fn::codec::{GetUrl, Json};
use serde::{Deserialize, Serialize};

use super::Failure;
use super::detail::{Detail, Span};
use super::spent::Known;
use crate::model::{Agent, AgentNo, EntriesPage, Entry, Long, Ms, Reading, Session, SessionPage};
#[cfg(feature = "ssr")]
use crate::{model::MAIN, store::StoreError};

/// How many entries one window holds.
pub const WINDOW: usize = 200;
/// How many entries of its end a card begins with: more than it shows, and the rest comes when a person goes up.
pub const CARD: usize = 40;
/// How many sessions one page of the list holds.
pub const SESSIONS: usize = 50;

/// A page of the session list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listing {
    /// Newest activity first.
    pub sessions: Vec<Session>,
    pub cursor: String,
    /// Pass it as `after` to get the next page.
    pub next: Option<String>,
    /// The server's clock.
    pub now: Ms,
    /// When this was saved, where it comes from this browser's own copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved: Option<Ms>,
}

/// A session as its page opens it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    pub page: SessionPage,
    /// The newest sessions, read after `page`, so that no change between the two is lost.
    pub sessions: Vec<Session>,
    /// Prices of the models of its agents.
    pub known: Known,
    /// When this was saved, where it comes from this browser's own copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved: Option<Ms>,
}

/// The agents of a session on the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Roll {
    pub agents: Vec<Agent>,
    /// How many there are beside these.
    pub more: u32,
}

/// What an agent reported to the one that started it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Report {
    /// Nothing, or nothing that can be found.
    None,
    /// What its transcript ends with: it is shown there.
    Same,
    /// Another text, which its transcript does not hold.
    Other(Long),
}

/// Where an entry came from, and what stands there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceLine {
    /// A file's path, or the name of who pushed it.
    pub name: String,
    /// Where the line begins, in bytes.
    pub offset: u64,
    /// The line, without its end; `None` where it cannot be read any more: it was pushed, or its file is gone or another one.
    pub text: Option<String>,
}

/// The session list, `after` the end of an earlier page.
#[server(name = ReadSessions, prefix = "/api/fn", endpoint = "sessions", input = GetUrl)]
pub async fn sessions(after: Option<String>) -> Result<Listing, Failure> {
    shelf::read(move |store| shelf::listing(store, after.as_deref())).await
}

/// A session, its agents, and a window of one of its transcripts: before or around an entry, else the newest.
#[server(name = ReadSession, prefix = "/api/fn", endpoint = "session", input = GetUrl)]
pub async fn session(session: String, agent: Option<String>, before: Option<u32>, around: Option<u32>) -> Result<Opened, Failure> {
    let prices = shelf::prices();
    shelf::read(move |store| shelf::opened(store, &prices, &session, agent.as_deref(), shelf::window(before, around))).await
}

/// The agents of a session as the list shows them: without hidden ones, what is at work first, then the last active.
#[server(name = ReadAgents, prefix = "/api/fn", endpoint = "agents", input = GetUrl)]
pub async fn agents(session: String) -> Result<Roll, Failure> {
    shelf::read(move |store| shelf::agents(store, &session)).await
}

/// A window of a transcript.
#[server(name = ReadEntries, prefix = "/api/fn", endpoint = "entries", input = GetUrl)]
pub async fn entries(session: String, agent: AgentNo, before: Option<u32>) -> Result<EntriesPage, Failure> {
    shelf::read(move |store| shelf::entries(store, &session, agent, shelf::window(before, None))).await
}

/// The ends of several transcripts at once, for cards; `agents` are numbers with commas between them.
#[server(name = ReadEnds, prefix = "/api/fn", endpoint = "ends", input = GetUrl)]
pub async fn ends(session: String, agents: String) -> Result<Vec<EntriesPage>, Failure> {
    shelf::read(move |store| shelf::ends(store, &session, &agents)).await
}

/// One entry, whole.
#[server(name = ReadEntry, prefix = "/api/fn", endpoint = "entry", input = GetUrl)]
pub async fn entry(session: String, agent: AgentNo, seq: u32) -> Result<Entry, Failure> {
    shelf::read(move |store| shelf::entry(store, &session, agent, seq)).await
}

/// A long text, whole up to [`LONGEST`] bytes.
#[server(name = ReadLong, prefix = "/api/fn", endpoint = "long", input = GetUrl)]
pub async fn long(session: String, hash: String) -> Result<String, Failure> {
    shelf::read(move |store| shelf::long(store, &session, &hash)).await
}

/// What stands behind the line of a step: capped, or `all` of it up to [`LONGEST`] bytes a text; secrets only for whoever wants to
/// `reveal` them.
#[server(name = ReadDetail, prefix = "/api/fn", endpoint = "detail", input = GetUrl)]
pub async fn detail(session: String, agent: AgentNo, seq: u32, all: bool, reveal: bool) -> Result<Detail, Failure> {
    shelf::read(move |store| shelf::detail(store, &session, agent, seq, all, reveal)).await
}

/// The whole text of one of a step's parts, to be copied.
#[server(name = ReadPart, prefix = "/api/fn", endpoint = "part", input = GetUrl)]
pub async fn part(session: String, agent: AgentNo, seq: u32, part: usize, reveal: bool) -> Result<String, Failure> {
    shelf::read(move |store| shelf::part(store, &session, agent, seq, part, reveal)).await
}

/// The line of its source that an entry came from, as it was written.
#[server(name = ReadSource, prefix = "/api/fn", endpoint = "source", input = GetUrl)]
pub async fn source(session: String, agent: AgentNo, seq: u32) -> Result<SourceLine, Failure> {
    shelf::read(move |store| shelf::source(store, &session, agent, seq)).await
}

/// The prices of these models.
#[server(name = ReadPrices, prefix = "/api/fn", endpoint = "prices", input = Json)]
pub async fn prices(models: Vec<String>) -> Result<Known, Failure> {
    Ok(shelf::known(&shelf::prices(), models))
}

/// Texts in languages by their names, coloured line by line. It only reads, but code is no part of an address.
#[server(name = Highlight, prefix = "/api/fn", endpoint = "highlight", input = Json)]
pub async fn highlight(snippets: Vec<(String, String)>) -> Result<Vec<Vec<Vec<Span>>>, Failure> {
    shelf::highlight(snippets).await
}

/// What an agent reported to the one that started it.
#[server(name = ReadReport, prefix = "/api/fn", endpoint = "report", input = GetUrl)]
pub async fn report(session: String, agent: AgentNo) -> Result<Report, Failure> {
    shelf::read(move |store| shelf::report(store, &session, agent)).await
}

/// Merges how far somebody has read into what the server knows; gives the whole of it. Nothing is ever unseen.
#[server(name = MergeSeen, prefix = "/api/fn", endpoint = "seen", input = Json)]
pub async fn seen(session: String, seen: Reading) -> Result<Reading, Failure> {
    let sid = shelf::read({
        let session = session.clone();
        move |store| shelf::find(store, &session)
    })
    .await?;
    if !seen.is_empty() {
        shelf::write(async move |writer| writer.merge_seen(sid, seen).await).await?;
    }
    shelf::read(move |store| Ok(store.seen(sid)?)).await
}

/// The saved layout of a session's cards.
#[server(name = ReadLayout, prefix = "/api/fn", endpoint = "saved-layout", input = GetUrl)]
pub async fn saved_layout(session: String) -> Result<Option<String>, Failure> {
    shelf::read(move |store| Ok(store.layout(shelf::find(store, &session)?)?)).await
}

/// Saves the layout of a session's cards for all devices.
#[server(name = SaveLayout, prefix = "/api/fn", endpoint = "layout", input = Json)]
pub async fn save_layout(session: String, layout: String) -> Result<(), Failure> {
    let sid = shelf::read(move |store| shelf::find(store, &session)).await?;
    shelf::write(async move |writer| writer.save_layout(sid, layout).await).await
}

/// Says who started an agent, or (`None`) takes that back.
#[server(name = AssignParent, prefix = "/api/fn", endpoint = "assign", input = Json)]
pub async fn assign(session: String, agent: AgentNo, parent: Option<AgentNo>) -> Result<(), Failure> {
    let sid = shelf::read(move |store| shelf::find(store, &session)).await?;
    shelf::write(async move |writer| writer.assign(sid, agent, parent).await).await
}

/// Deletes Sidedeck's copy of a session: all of it or, where something runs, nothing, and then this says what.
#[server(name = DeleteSession, prefix = "/api/fn", endpoint = "delete", input = Json)]
pub async fn delete(session: String) -> Result<Option<String>, Failure> {
    let sid = shelf::read(move |store| shelf::find(store, &session)).await?;
    shelf::write(async move |writer| match writer.remove(sid, None).await {
        Err(refused @ StoreError::Running(_)) => Ok(Some(refused.to_string())),
        removed => removed.map(|()| None),
    })
    .await
}

/// Deletes Sidedeck's copy of transcripts of subagents: all of them or, where one is at work, none, and then this says which.
#[server(name = DeleteAgents, prefix = "/api/fn", endpoint = "delete-agents", input = Json)]
pub async fn delete_agents(session: String, agents: Vec<AgentNo>) -> Result<Option<String>, Failure> {
    let sid = shelf::read(move |store| match agents.contains(&MAIN) {
        // The main agent goes only with its whole session.
        true => Err(Failure::Asked),
        false => Ok((shelf::find(store, &session)?, agents)),
    });
    let (sid, agents) = sid.await?;
    shelf::write(async move |writer| match writer.remove(sid, Some(agents)).await {
        Err(refused @ StoreError::Running(_)) => Ok(Some(refused.to_string())),
        removed => removed.map(|()| None),
    })
    .await
}

/// How much of a long text a page shows, in bytes; the blob's own address gives the rest.
pub const LONGEST: usize = 2 << 20;

#[cfg(feature = "ssr")]
#[path = "shelf.rs"]
mod shelf;
