//! The session list as signals, newest activity first.

use leptos::prelude::*;

use crate::app::status::asks;
use crate::model::{Change, Gone, Ms, Session};

/// A session that has been active this much later than its neighbour moves above it: rows that run side by side keep their places.
const SETTLED: Ms = 60_000;

/// A page of the session list. Clones share their signals.
#[derive(Clone)]
pub struct List {
    /// Notifies when a session comes or moves.
    pub rows: ArcRwSignal<Vec<ListRow>>,
    /// False on a page that is not the first: sessions that are new then stay outside.
    grows: bool,
}

/// A session's row as a signal, under its id.
#[derive(Clone)]
pub struct ListRow {
    pub id: String,
    pub row: ArcRwSignal<Session>,
}

impl List {
    /// The list of `sessions`, as they come.
    pub fn new(sessions: Vec<Session>, grows: bool) -> Self {
        Self { rows: ArcRwSignal::new(sessions.into_iter().map(ListRow::new).collect()), grows }
    }

    /// Takes a list loaded later.
    pub fn replace(&self, sessions: Vec<Session>) {
        self.rows.set(sessions.into_iter().map(ListRow::new).collect());
    }

    /// Applies a change of a session's row, or its removal; other changes do not concern the list.
    pub fn apply(&self, change: &Change) {
        match change {
            Change::Session(session) => self.put(session),
            Change::Gone(Gone { agent: None, session: Some(id), .. }) => self.rows.update(|rows| rows.retain(|row| row.id != *id)),
            _ => {}
        }
    }

    /// Puts a row: over an older one, or as a new one.
    fn put(&self, session: &Session) {
        let at = self.rows.with_untracked(|rows| rows.iter().position(|row| row.id == session.id));
        match at {
            Some(at) => self.renew(at, session),
            None if self.grows => self.rows.update(|rows| {
                let place = rows.iter().position(|row| row.active() <= active(session)).unwrap_or(rows.len());
                rows.insert(place, ListRow::new(session.clone()));
            }),
            None => {}
        }
    }

    fn renew(&self, at: usize, session: &Session) {
        let Some(row) = self.rows.with_untracked(|rows| rows.get(at).cloned()) else { return };
        if row.row.with_untracked(|held| held.rev >= session.rev) {
            return;
        }
        row.row.set(session.clone());
        let place = self
            .rows
            .with_untracked(|rows| rows.iter().take(at).position(|above| above.active().saturating_add(SETTLED) < active(session)));
        if let Some(place) = place {
            self.rows.update(|rows| {
                let row = rows.remove(at);
                rows.insert(place, row);
            });
        }
    }
}

/// Shows on the app's icon how many sessions need the person, until the owner ends.
pub fn badge(list: &List) {
    let rows = list.rows.clone();
    let asking = Memo::new(move |_| rows.with(|rows| rows.iter().filter(|row| row.row.with(asks)).count()));
    Effect::new(move |_| crate::app::kept::badge(asking.get()));
}

impl ListRow {
    fn new(session: Session) -> Self {
        Self { id: session.id.clone(), row: ArcRwSignal::new(session) }
    }

    fn active(&self) -> Ms {
        self.row.with_untracked(active)
    }
}

/// Of a session whose lines know no times it is known that they have just come.
fn active(session: &Session) -> Ms {
    session.last_at.or(session.started_at).unwrap_or(Ms::MAX)
}
