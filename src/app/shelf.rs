//! The server's side of the page's calls: what they read from the store.

use std::sync::Arc;

use axum::http::StatusCode;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;

use super::{CARD, LONGEST, Listing, Opened, Report, Roll, SESSIONS, SourceLine, WINDOW};
use crate::app::Failure;
use crate::app::detail::{self, Call, Detail, Span};
use crate::app::mirror::shorten;
use crate::app::spent::Known;
use crate::model::{AgentNo, Body, EntriesPage, Entry, EntryRef, EntryState, Long, MAIN, Ms, Prices};
use crate::store::{Shared, Sid, Store, StoreError, Window, Writer};

/// How many agents the list shows of a session.
const ROLL: usize = 300;
/// How many models are looked up at once.
const MODELS: usize = 1_000;
/// How many windows of a transcript are searched for the call that started an agent.
const REPORT_WINDOWS: usize = 25;

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Missing(_) => Self::NotFound,
            _ => Self::Server,
        }
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
    told(answer.as_ref(), result)
}

/// Does `job` with what writes for this request, and sets the answer's status where it fails.
pub async fn write<T>(job: impl AsyncFnOnce(Writer) -> Result<T, StoreError>) -> Result<T, Failure> {
    let answer = use_context::<ResponseOptions>();
    let result = match use_context::<Writer>() {
        Some(writer) => job(writer).await.map_err(Failure::from),
        None => Err(Failure::Server),
    };
    told(answer.as_ref(), result)
}

fn told<T>(answer: Option<&ResponseOptions>, result: Result<T, Failure>) -> Result<T, Failure> {
    if let (Err(failure), Some(answer)) = (&result, answer) {
        answer.set_status(match failure {
            Failure::NotFound => StatusCode::NOT_FOUND,
            Failure::Asked => StatusCode::BAD_REQUEST,
            Failure::Server | Failure::Unreachable | Failure::NotKept => StatusCode::INTERNAL_SERVER_ERROR,
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
    Ok(Listing { sessions: page.sessions, cursor: page.cursor.to_string(), next: page.next, now: now(), saved: None })
}

pub fn opened(store: &dyn Store, prices: &Prices, session: &str, agent: Option<&str>, window: Window) -> Result<Opened, Failure> {
    let sid = find(store, session)?;
    let agent = match agent {
        Some(name) => store.find_agent(sid, name)?.ok_or(Failure::NotFound)?,
        None => MAIN,
    };
    let mut page = store.session_page(sid, agent, window, WINDOW)?.ok_or(Failure::NotFound)?;
    page.entries.entries.iter_mut().for_each(shorten);
    let sessions = store.sessions(None, SESSIONS)?.sessions;
    let known = known(prices, page.agents.iter().filter_map(|agent| agent.model.clone()));
    Ok(Opened { page, sessions, known, saved: None })
}

pub fn agents(store: &dyn Store, session: &str) -> Result<Roll, Failure> {
    let page = store.session_page(find(store, session)?, MAIN, Window::Newest, 1)?.ok_or(Failure::NotFound)?;
    let mut agents = page.agents;
    agents.retain(|agent| agent.n != MAIN && !agent.is_aside());
    let more = agents.len().saturating_sub(ROLL);
    if more > 0 {
        agents.sort_by_key(|agent| (!agent.status.is_running(), std::cmp::Reverse(agent.last_at)));
        agents.truncate(ROLL);
        agents.sort_by_key(|agent| agent.n);
    }
    for agent in &mut agents {
        (agent.runs, agent.names, agent.incomplete) = (Vec::new(), Vec::new(), None);
    }
    Ok(Roll { agents, more: u32::try_from(more).unwrap_or(u32::MAX) })
}

/// The prices that this server uses.
pub fn prices() -> Arc<Prices> {
    use_context().unwrap_or_default()
}

/// What these prices say of models.
pub fn known(prices: &Prices, models: impl IntoIterator<Item = String>) -> Known {
    let prices_of = models.into_iter().take(MODELS).map(|model| (model.clone(), prices.of(&model)));
    Known { name: prices.name.clone(), prices: prices_of.collect() }
}

pub fn entries(store: &dyn Store, session: &str, agent: AgentNo, window: Window) -> Result<EntriesPage, Failure> {
    let mut page = store.entries(find(store, session)?, agent, window, WINDOW)?;
    page.entries.iter_mut().for_each(shorten);
    Ok(page)
}

/// The ends of so many transcripts at most: as many as one stream follows.
const ENDS: usize = 64;

pub fn ends(store: &dyn Store, session: &str, agents: &str) -> Result<Vec<EntriesPage>, Failure> {
    let sid = find(store, session)?;
    let agents = agents.split(',').filter_map(|n| n.parse().ok()).take(ENDS);
    agents
        .map(|n| {
            let mut page = store.entries(sid, n, Window::Newest, CARD)?;
            page.entries.iter_mut().for_each(shorten);
            Ok(page)
        })
        .collect()
}

pub fn entry(store: &dyn Store, session: &str, agent: AgentNo, seq: u32) -> Result<Entry, Failure> {
    store.entry(find(store, session)?, EntryRef { agent, seq })?.ok_or(Failure::NotFound)
}

pub fn long(store: &dyn Store, session: &str, hash: &str) -> Result<String, Failure> {
    let bytes = store.blob(find(store, session)?, hash, 0, LONGEST)?.ok_or(Failure::NotFound)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

pub fn detail(store: &dyn Store, session: &str, agent: AgentNo, seq: u32, all: bool, reveal: bool) -> Result<Detail, Failure> {
    let sid = find(store, session)?;
    let entry = store.entry(sid, EntryRef { agent, seq })?.ok_or(Failure::NotFound)?;
    let open = entry.state == EntryState::Open;
    let Body::Tool(tool) = entry.body else { return Ok(Detail::default()) };
    let whole = |long: Long| whole(store, sid, long);
    let (result, error) = (tool.result.map(whole).transpose()?, tool.error.map(whole).transpose()?);
    let spilled = tool.spilled.map(whole).transpose()?;
    let call = Call { name: tool.name, args: whole(tool.args)?, result, spilled, error, open };
    Ok(detail::detail(&if reveal { call } else { call.veiled() }, all))
}

pub fn part(store: &dyn Store, session: &str, agent: AgentNo, seq: u32, part: usize, reveal: bool) -> Result<String, Failure> {
    let detail = detail(store, session, agent, seq, true, reveal)?;
    detail.parts.get(part).map(detail::Part::text).ok_or(Failure::NotFound)
}

/// A text of a row with all that its blob holds of it, up to [`LONGEST`] bytes.
fn whole(store: &dyn Store, sid: Sid, long: Long) -> Result<String, Failure> {
    match long.blob {
        Some(blob) => Ok(String::from_utf8_lossy(&store.blob(sid, &blob.hash, 0, LONGEST)?.ok_or(Failure::NotFound)?).into_owned()),
        None => Ok(long.text),
    }
}

pub fn source(store: &dyn Store, session: &str, agent: AgentNo, seq: u32) -> Result<SourceLine, Failure> {
    let entry = store.entry(find(store, session)?, EntryRef { agent, seq })?.ok_or(Failure::NotFound)?;
    let at = entry.source.ok_or(Failure::NotFound)?;
    let name = store.source(at.id)?.ok_or(Failure::NotFound)?.name;
    let text = line_at(&name, at.offset).ok();
    Ok(SourceLine { name, offset: at.offset, text: text.flatten() })
}

/// The line that begins at `offset` of a file, up to [`LONGEST`] bytes; `None` where none begins there. Only files of which the store
/// knows that they were read are asked for, so no path comes from a page.
fn line_at(path: &str, offset: u64) -> std::io::Result<Option<String>> {
    use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
    let before = offset.saturating_sub(1);
    let mut file = std::fs::File::open(path)?;
    if !file.metadata()?.is_file() {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(before))?;
    let mut reader = BufReader::new(file.take(LONGEST as u64 + 1));
    let mut line = Vec::new();
    if offset > 0 {
        reader.read_until(b'\n', &mut line)?;
        if line != b"\n" {
            return Ok(None);
        }
        line.clear();
    }
    reader.read_until(b'\n', &mut line)?;
    let line = String::from_utf8_lossy(&line);
    let line = line.trim_end_matches(['\n', '\r']);
    Ok((!line.is_empty()).then(|| line.to_owned()))
}

/// Colours code beside the async workers.
pub async fn highlight(snippets: Vec<(String, String)>) -> Result<Vec<Vec<Vec<Span>>>, Failure> {
    let job = move || snippets.iter().map(|(language, text)| detail::highlight(language, text).as_ref().clone()).collect();
    tokio::task::spawn_blocking(job).await.map_err(|_| Failure::Server)
}

pub fn report(store: &dyn Store, session: &str, agent: AgentNo) -> Result<Report, Failure> {
    let sid = find(store, session)?;
    let page = store.session_page(sid, agent, Window::Newest, WINDOW)?.ok_or(Failure::NotFound)?;
    let Some(parent) = page.agents.iter().find(|row| row.n == agent).and_then(|row| row.parent) else { return Ok(Report::None) };
    let Some(result) = result_of(store, sid, parent, agent)? else { return Ok(Report::None) };
    let last = page.entries.entries.iter().rev().find_map(|entry| match &entry.body {
        Body::Text { text } => Some(text),
        _ => None,
    });
    Ok(if last.is_some_and(|last| same_report(last, &result)) { Report::Same } else { Report::Other(result) })
}

/// The result of the call by which `parent` started `child`, looked for from the newest entry back.
fn result_of(store: &dyn Store, sid: Sid, parent: AgentNo, child: AgentNo) -> Result<Option<Long>, Failure> {
    let mut window = Window::Newest;
    for _ in 0..REPORT_WINDOWS {
        let page = store.entries(sid, parent, window, WINDOW)?;
        let first = page.entries.first().map(|entry| entry.seq);
        let call = page.entries.into_iter().find_map(|entry| match entry.body {
            Body::Tool(tool) if tool.child == Some(child) => Some(tool.result),
            _ => None,
        });
        match (call, first) {
            (Some(result), _) => return Ok(result),
            (None, Some(first)) if page.more_before => window = Window::Before(first),
            _ => break,
        }
    }
    Ok(None)
}

/// True if a result says what a transcript ends with; behind it may stand a trailer meant for the model.
fn same_report(last: &Long, result: &Long) -> bool {
    let (last, result) = (last.text.trim(), result.text.trim());
    !last.is_empty() && result.starts_with(last)
}

pub fn find(store: &dyn Store, session: &str) -> Result<Sid, Failure> {
    store.find(session)?.ok_or(Failure::NotFound)
}

fn now() -> Ms {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Ms::try_from(since.as_millis()).unwrap_or(Ms::MAX)
}
