//! The rows of one session as signals, and the one function that applies changes to them.
//!
//! Invariants: a row never goes back to a lower `rev`; an append is taken only at the length that it names; an entry
//! outside the loaded windows is dropped. No DOM, no network: what is missing is told to the caller.

use std::collections::BTreeMap;

use leptos::prelude::*;

use super::{AgentRow, Item, Window};
use crate::model::{Agent, AgentNo, Body, Change, EntriesPage, Entry, EntryRef, Field, Long, OPEN_BYTES, Session};

/// A session's rows. Clones share their signals.
#[derive(Clone)]
pub struct Rows {
    pub session: ArcRwSignal<Session>,
    /// In order of `n`; notifies when an agent comes or goes.
    pub agents: ArcRwSignal<Vec<AgentRow>>,
    /// The open transcripts; notifies when one is opened, loaded anew or closed.
    pub windows: ArcRwSignal<BTreeMap<AgentNo, Window>>,
    /// Notifies when what any agent has used changes, or where any stands.
    pub used: ArcTrigger,
}

/// What a change cannot give and the caller has to fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    Nothing,
    /// This entry: an append did not fit its length.
    Entry(EntryRef),
    /// Nothing any more: the session was deleted.
    Nobody,
}

impl Rows {
    /// Rows without a transcript.
    pub fn new(session: Session, agents: Vec<Agent>) -> Self {
        Self {
            session: ArcRwSignal::new(session),
            agents: ArcRwSignal::new(agents.into_iter().map(AgentRow::new).collect()),
            windows: ArcRwSignal::new(BTreeMap::new()),
            used: ArcTrigger::new(),
        }
    }

    /// Takes a session and agents loaded later; open transcripts stay.
    pub fn replace(&self, session: Session, agents: Vec<Agent>) {
        self.session.set(session);
        let gone: Vec<AgentNo> =
            self.agents.with_untracked(|rows| rows.iter().map(|row| row.n).filter(|n| agents.iter().all(|agent| agent.n != *n)).collect());
        for n in gone {
            self.forget(n);
        }
        for agent in agents {
            self.put_agent(agent);
        }
    }

    /// The row of an agent; tracks the list where there is none yet.
    ///
    /// Not else: a row stays under its number, and a list that everything on the page follows makes each change of a row dear.
    pub fn agent(&self, n: AgentNo) -> Option<AgentRow> {
        let find = |rows: &Vec<AgentRow>| place(rows, n).ok();
        self.agents.with_untracked(find).or_else(|| self.agents.with(find))
    }

    /// Opens a transcript with this window of it.
    pub fn show(&self, page: EntriesPage) {
        self.windows.update(|windows| {
            windows.insert(page.agent, Window::new(page));
        });
    }

    /// Opens transcripts with these windows of them, and tells of it once.
    pub fn show_all(&self, pages: Vec<EntriesPage>) {
        if !pages.is_empty() {
            self.windows.update(|windows| windows.extend(pages.into_iter().map(|page| (page.agent, Window::new(page)))));
        }
    }

    /// Closes a transcript.
    pub fn hide(&self, n: AgentNo) {
        self.windows.update(|windows| {
            windows.remove(&n);
        });
    }

    /// Puts an entry that was fetched whole in the place of its row, unless that is newer.
    pub fn fill(&self, entry: Entry) {
        if let Some(item) = self.item(entry.at_ref())
            && item.entry.with_untracked(|row| row.rev <= entry.rev)
        {
            item.set(entry);
        }
    }

    /// Applies one change.
    pub fn apply(&self, change: Change) -> Want {
        match change {
            Change::Session(session) => {
                let newer = self.session.with_untracked(|row| row.id == session.id && row.rev < session.rev);
                if newer {
                    self.session.set(*session);
                }
            }
            Change::Agent(agent) => self.put_agent(*agent),
            Change::Entry(entry) => {
                if let Some(window) = self.window(entry.agent) {
                    window.put(*entry);
                }
            }
            Change::Append { agent, seq, field, from, text, rev } => {
                let at = EntryRef { agent, seq };
                if let Some(item) = self.item(at)
                    && !append(&item, field, from, &text, rev)
                {
                    return Want::Entry(at);
                }
            }
            Change::Gone(gone) => match (gone.agent, gone.session) {
                (Some(n), _) => self.forget(n),
                (None, Some(id)) if self.session.with_untracked(|row| row.id == id) => return Want::Nobody,
                (None, _) => {}
            },
        }
        Want::Nothing
    }

    fn put_agent(&self, agent: Agent) {
        match self.agents.with_untracked(|rows| place(rows, agent.n)) {
            Ok(row) => {
                if row.row.with_untracked(|row| row.rev < agent.rev) {
                    let used = row.row.with_untracked(|row| row.usage != agent.usage);
                    if row.set(agent) || used {
                        self.used.notify();
                    }
                }
            }
            Err(at) => self.agents.update(|rows| rows.insert(at.min(rows.len()), AgentRow::new(agent))),
        }
    }

    fn forget(&self, n: AgentNo) {
        let row = self.agents.with_untracked(|rows| place(rows, n).ok());
        self.agents.update(|rows| rows.retain(|row| row.n != n));
        // Whoever read it looks for it again.
        if let Some(row) = row {
            row.row.notify();
        }
        self.hide(n);
    }

    fn window(&self, n: AgentNo) -> Option<Window> {
        self.windows.with_untracked(|windows| windows.get(&n).cloned())
    }

    fn item(&self, at: EntryRef) -> Option<Item> {
        self.window(at.agent)?.item(at.seq)
    }
}

fn place(rows: &[AgentRow], n: AgentNo) -> Result<AgentRow, usize> {
    match rows.binary_search_by_key(&n, |row| row.n) {
        Ok(at) => rows.get(at).cloned().ok_or(at),
        Err(at) => Err(at),
    }
}

/// Appends to a text of the row; `false` if the row is not at the length that the append expects.
fn append(item: &Item, field: Field, from: u64, text: &str, rev: u64) -> bool {
    if item.entry.with_untracked(|row| row.rev >= rev) {
        return true;
    }
    let fits = item.entry.with_untracked(|row| text_of(&row.body, field).map_or(0, Long::len) == from);
    if fits {
        item.entry.update(|row| {
            row.rev = rev;
            if let Some(long) = text_of_mut(&mut row.body, field) {
                let was = long.text.len();
                match &mut long.blob {
                    Some(blob) => blob.len += text.len() as u64,
                    None => long.text.push_str(text),
                }
                // As a page would have it; but what a person asked for whole stays whole.
                if field != Field::Text && was <= OPEN_BYTES {
                    long.cut(OPEN_BYTES);
                }
            }
        });
    }
    fits
}

fn text_of(body: &Body, field: Field) -> Option<&Long> {
    match (body, field) {
        (Body::User { text, .. } | Body::Text { text } | Body::Reasoning { text }, Field::Text) => Some(text),
        (Body::Tool(tool), Field::Args) => Some(&tool.args),
        (Body::Tool(tool), Field::Result) => tool.result.as_ref(),
        _ => None,
    }
}

fn text_of_mut(body: &mut Body, field: Field) -> Option<&mut Long> {
    match (body, field) {
        (Body::User { text, .. } | Body::Text { text } | Body::Reasoning { text }, Field::Text) => Some(text),
        (Body::Tool(tool), Field::Args) => Some(&mut tool.args),
        (Body::Tool(tool), Field::Result) => Some(tool.result.get_or_insert_default()),
        _ => None,
    }
}
