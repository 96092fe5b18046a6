//! The browser's copy of what the store holds, as signals.
//!
//! Decision: rows live in signals of their own ([`Rows`], [`Window`], [`List`]), one function applies changes to them
//! ([`Rows::apply`]), and one event stream a tab brings the changes ([`feed`]).
//! Invariant: a mirror fed live equals one loaded later, row by row.

mod agent;
#[cfg(any(feature = "hydrate", test))]
mod batch;
mod feed;
#[cfg(any(feature = "hydrate", test))]
mod frames;
mod list;
mod rows;
#[cfg(any(test, feature = "ssr"))]
mod short;
#[cfg(test)]
mod tests;
mod window;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;

pub use agent::AgentRow;
pub use feed::{Feed, Note, follow};
pub use list::{List, ListRow, badge};
pub use rows::{Rows, Want};
#[cfg(any(test, feature = "ssr"))]
pub use short::shorten;
pub use window::{Chunk, Item, Kin, Window};

use super::calls::{self, Opened};
use super::clock::Clock;
use super::spent::Known;
use super::{Failure, kept};
use crate::BUILD;
use crate::model::{Agent, AgentNo, Change, Cursor, EntryRef, MAIN, Ms, Reading, Session, beyond, escaped};

/// How long to wait before a window that could not be read is asked for again.
const RETRY: Duration = Duration::from_secs(3);

/// A session's rows, the transcripts of it that are open, and where the event stream stands.
#[derive(Clone)]
pub struct Mirror {
    pub rows: Rows,
    /// The newest sessions, for the list beside the conversation.
    pub list: List,
    pub clock: Clock,
    /// How the event stream is.
    pub line: ArcRwSignal<Line>,
    /// How far the session has been read, as the server says; `None` until it has.
    pub read: ArcRwSignal<Option<Reading>>,
    /// Prices of the models of its agents.
    pub known: ArcRwSignal<Known>,
    /// True once the session has been deleted.
    pub gone: ArcRwSignal<bool>,
    id: Arc<str>,
    views: Arc<Mutex<BTreeMap<AgentNo, usize>>>,
    /// Entries that are being read anew.
    asked: Arc<Mutex<BTreeSet<EntryRef>>>,
    at: Arc<AtomicU32>,
    mark: Arc<Mutex<Mark>>,
    again: ArcTrigger,
}

/// How the event stream is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Line {
    /// Not yet asked for, or connecting for the first time.
    #[default]
    Starting,
    Live,
    /// Lost, and being tried again; the last that came was heard then, by this machine's clock.
    Lost {
        since: Ms,
    },
    /// What is shown was saved then, by this machine's clock, and the server has not been reached yet.
    Saved {
        at: Ms,
    },
    /// The server runs another build than this page.
    Outdated,
}

impl Line {
    /// Takes what the stream tells; `true` if that changed it.
    pub fn note(&mut self, note: &Note) -> bool {
        // Until all that was missed has come, the page knows no more than before.
        let next = match (note, *self) {
            (Note::Hello { build }, _) if build != BUILD => Self::Outdated,
            (Note::Hello { .. }, Self::Starting) => Self::Live,
            (Note::Lost { heard }, Self::Starting | Self::Live) => Self::Lost { since: *heard },
            (Note::Uptodate { .. }, Self::Lost { .. } | Self::Saved { .. }) => Self::Live,
            (_, now) => now,
        };
        std::mem::replace(self, next) != next
    }
}

/// Takes what the stream tells; `true` if what is shown was a saved copy until now, and the server is back.
pub fn tell(line: &ArcRwSignal<Line>, note: &Note) -> bool {
    let saved = line.with_untracked(|line| matches!(line, Line::Saved { .. }));
    line.maybe_update(|line| line.note(note));
    saved && matches!(note, Note::Uptodate { .. })
}

/// Where the stream stands, and the `rev` that it must go back to at the next connection.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    cursor: Cursor,
    floor: Option<u64>,
}

impl Mirror {
    /// A mirror of a page's rows; nothing is fetched.
    pub fn new(opened: Opened) -> Self {
        let Opened { page, sessions, known, saved } = opened;
        let cursor = page.cursor.parse().unwrap_or_default();
        let rows = Rows::new(page.session, page.agents);
        rows.show(page.entries.clone());
        let id = rows.session.with_untracked(|session| session.id.as_str().into());
        Self {
            rows,
            list: List::new(sessions, true),
            clock: Clock::new(page.now),
            line: ArcRwSignal::new(saved.map(|at| Line::Saved { at }).unwrap_or_default()),
            read: ArcRwSignal::default(),
            known: ArcRwSignal::new(known),
            gone: ArcRwSignal::new(false),
            id,
            views: Arc::new(Mutex::new(BTreeMap::from([(page.entries.agent, 1)]))),
            asked: Arc::default(),
            at: Arc::new(AtomicU32::new(page.entries.agent)),
            mark: Arc::new(Mutex::new(Mark { cursor, floor: None })),
            again: ArcTrigger::new(),
        }
    }

    /// The session's id, as in its address.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// A person is at this agent now: what comes of it is drawn in each frame, as the conversation is.
    pub fn attend(&self, n: AgentNo) {
        self.at.store(n, Ordering::Relaxed);
    }

    /// The session's row.
    pub fn session(&self) -> ArcRwSignal<Session> {
        self.rows.session.clone()
    }

    /// All agents in order of `n`, merged and hidden ones too; notifies when one comes or goes.
    pub fn agents(&self) -> ArcRwSignal<Vec<AgentRow>> {
        self.rows.agents.clone()
    }

    /// An agent's row; notifies when it appears, and, to whoever has read it, when it goes. A merged agent gives itself: see [`Mirror::shown`].
    pub fn agent(&self, n: AgentNo) -> Option<AgentRow> {
        self.rows.agent(n)
    }

    /// The number that stands for `n` on the screen: its merge's target, else itself.
    pub fn shown(&self, n: AgentNo) -> AgentNo {
        self.agent(n).map_or(n, |agent| agent.standing(Agent::shown))
    }

    /// The loaded part of a transcript; `None` until it is there.
    pub fn window(&self, n: AgentNo) -> Option<Window> {
        self.rows.windows.with(|windows| windows.get(&n).cloned())
    }

    /// Wants an agent's transcript: loads its newest window, then the stream brings its entries too. Each `open` needs its [`Mirror::close`].
    pub fn open(&self, n: AgentNo) {
        let first = {
            let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
            let count = views.entry(n).or_default();
            *count += 1;
            *count == 1
        };
        if first {
            let mirror = self.clone();
            spawn_local(async move { mirror.load(n).await });
        }
    }

    /// Wants the transcripts of cards: the ends of those that are new are loaded together, and the stream is asked for them once. Each
    /// agent needs its [`Mirror::close`].
    pub fn open_ends(&self, agents: &[AgentNo]) {
        let new: Vec<AgentNo> = {
            let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
            let first = |n: &AgentNo| {
                let count = views.entry(*n).or_default();
                *count += 1;
                *count == 1
            };
            agents.iter().copied().filter(first).collect()
        };
        if !new.is_empty() {
            let mirror = self.clone();
            spawn_local(async move { mirror.load_ends(new).await });
        }
    }

    /// No longer wants an agent's transcript; its rows go when the last view of it is closed.
    pub fn close(&self, n: AgentNo) {
        let last = {
            let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
            match views.get_mut(&n) {
                Some(count) if *count > 1 => {
                    *count -= 1;
                    false
                }
                Some(_) => views.remove(&n).is_some(),
                None => false,
            }
        };
        if last {
            self.rows.hide(n);
        }
    }

    /// Loads the part of a transcript before what is there.
    pub async fn earlier(&self, n: AgentNo) -> Result<(), Failure> {
        let Some(window) = self.rows.windows.with_untracked(|windows| windows.get(&n).cloned()) else { return Ok(()) };
        let Some(first) = window.first().filter(|_| window.more_before.get_untracked()) else { return Ok(()) };
        let page = kept::entries(self.id.to_string(), n, Some(first)).await?;
        self.rewind(page.rev);
        window.prepend(page, first);
        Ok(())
    }

    /// Reads an entry anew and puts it in the place of its row, shortened or not.
    pub async fn refresh(&self, at: EntryRef) -> Result<(), Failure> {
        let entry = calls::entry(self.id.to_string(), at.agent, at.seq).await?;
        self.rows.fill(entry);
        Ok(())
    }

    /// Loads the newest window of a transcript that is still wanted; tries again where the server does not answer.
    async fn load(&self, n: AgentNo) {
        let page = kept::entries(self.id.to_string(), n, None).await;
        if !self.views.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&n) {
            return;
        }
        match page {
            Ok(page) => {
                self.rewind(page.rev);
                self.rows.show(page);
            }
            Err(Failure::NotFound) => {}
            Err(_) => {
                let mirror = self.clone();
                set_timeout(move || spawn_local(async move { mirror.load(n).await }), RETRY);
            }
        }
    }

    /// Loads the ends of transcripts that are still wanted; tries again where the server does not answer.
    async fn load_ends(&self, agents: Vec<AgentNo>) {
        let wanted = |n: &AgentNo| self.views.lock().unwrap_or_else(PoisonError::into_inner).contains_key(n);
        let agents: Vec<AgentNo> = agents.into_iter().filter(wanted).collect();
        let list = agents.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        match calls::ends(self.id.to_string(), list).await {
            Ok(pages) => {
                let pages: Vec<_> = pages.into_iter().filter(|page| wanted(&page.agent)).collect();
                pages.iter().for_each(|page| self.rewind(page.rev));
                self.rows.show_all(pages);
            }
            Err(Failure::NotFound) => {}
            Err(_) if agents.is_empty() => {}
            Err(_) => {
                let mirror = self.clone();
                set_timeout(move || spawn_local(async move { mirror.load_ends(agents).await }), RETRY);
            }
        }
    }

    /// Reads an entry anew after an append that did not fit, once at a time.
    fn mend(&self, at: EntryRef) {
        if self.asked.lock().unwrap_or_else(PoisonError::into_inner).insert(at) {
            let mirror = self.clone();
            spawn_local(async move {
                let _ = mirror.refresh(at).await;
                mirror.asked.lock().unwrap_or_else(PoisonError::into_inner).remove(&at);
            });
        }
    }

    /// Takes what the server says of how far the session has been read.
    pub fn heard(&self, seen: &Reading) {
        let news = self.read.with_untracked(|read| read.as_ref().map(|read| beyond(read, seen)));
        match news {
            None => self.read.set(Some(seen.clone())),
            Some(news) if news.is_empty() => {}
            Some(news) => self.read.update(|read| read.get_or_insert_default().extend(news)),
        }
    }

    /// Loads everything anew, after a gap.
    async fn reload(&self) -> Result<(), Failure> {
        let opened = match calls::session(self.id.to_string(), None, None, None).await {
            Err(Failure::NotFound) => {
                self.gone.set(true);
                return Ok(());
            }
            other => other?,
        };
        let Opened { page, sessions, known, .. } = opened;
        self.known.set(known);
        self.rows.replace(page.session, page.agents);
        self.list.replace(sessions);
        if let Ok(cursor) = page.cursor.parse() {
            *self.mark.lock().unwrap_or_else(PoisonError::into_inner) = Mark { cursor, floor: None };
        }
        let open: Vec<AgentNo> = self.rows.windows.with_untracked(|windows| windows.keys().copied().filter(|n| *n != MAIN).collect());
        if self.window(MAIN).is_some() {
            self.rows.show(page.entries);
        }
        self.load_ends(open).await;
        Ok(())
    }

    /// Makes the next connection start no later than `rev`, and asks for one where the stream is further.
    fn rewind(&self, rev: u64) {
        let again = {
            let mut mark = self.mark.lock().unwrap_or_else(PoisonError::into_inner);
            let at = mark.cursor.rev.unwrap_or_default();
            let back = rev < at;
            if back {
                mark.floor = Some(mark.floor.map_or(rev, |floor| floor.min(rev)));
            }
            back
        };
        if again {
            self.again.notify();
        }
    }
}

impl Feed for Mirror {
    fn query(&self) -> String {
        let agents = self.rows.windows.with_untracked(|windows| windows.keys().map(ToString::to_string).collect::<Vec<_>>().join(","));
        format!("&session={}&agents={agents}", escaped(&self.id))
    }

    fn watch(&self) {
        self.again.track();
        self.rows.windows.track();
    }

    fn start(&self) -> Cursor {
        let mut mark = self.mark.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(floor) = mark.floor.take() {
            mark.cursor.rev = Some(floor);
        }
        mark.cursor
    }

    fn reached(&self, cursor: Cursor) {
        let mut mark = self.mark.lock().unwrap_or_else(PoisonError::into_inner);
        if mark.floor.is_none() {
            mark.cursor = cursor;
        }
    }

    fn take(&self, changes: Vec<Change>) {
        for change in changes {
            self.list.apply(&change);
            match self.rows.apply(change) {
                Want::Nothing => {}
                Want::Entry(at) => self.mend(at),
                Want::Nobody => self.gone.set(true),
            }
        }
    }

    fn at(&self) -> AgentNo {
        self.at.load(Ordering::Relaxed)
    }

    fn note(&self, note: Note) {
        let back = tell(&self.line, &note);
        match note {
            Note::Uptodate { at } => {
                self.clock.correct(at);
                if back {
                    // A saved list holds what was opened here alone; of the rows the stream has brought the difference.
                    let list = self.list.clone();
                    spawn_local(async move {
                        if let Ok(listing) = calls::sessions(None).await {
                            list.replace(listing.sessions);
                        }
                    });
                }
            }
            Note::Seen { seen } => self.heard(&seen),
            Note::Hello { .. } | Note::Lost { .. } => {}
        }
    }

    async fn resume(&self) -> Result<(), Failure> {
        self.reload().await
    }
}
