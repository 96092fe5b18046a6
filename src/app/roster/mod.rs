//! The list of sessions, each a card that unfolds into its agents.
//!
//! Decision: one list for all widths; a narrow screen only sets it differently. What is unfolded, where the list was scrolled to and
//! which agents it knew belong to the app and not to the page, so whoever comes back finds it as it was.
//! Invariant: while a finger is down or something is being selected, nothing changes its place.

mod card;
mod kids;
mod order;
mod picking;
mod press;
mod sub;

use std::collections::BTreeMap;

use leptos::prelude::*;

pub use card::SessionCard;
pub use order::{asks, settled};
pub use picking::{Picking, SelectButton};

use super::{dom, trail};
use crate::model::Agent;

/// The selection's name for the way back.
const NAME: &str = "selection";
/// Where the browser keeps which sessions are unfolded.
const KEPT: &str = "list:open";
/// How many unfolded sessions are kept.
const MOST: usize = 50;

/// What the list of sessions remembers.
#[derive(Clone, Copy)]
pub struct Roster {
    /// Ids of the unfolded sessions, the newest last.
    open: RwSignal<Vec<String>>,
    pub picking: RwSignal<Option<Picking>>,
    /// What was done, for those who hear it.
    pub said: RwSignal<String>,
    held: RwSignal<bool>,
    known: StoredValue<BTreeMap<String, Vec<Agent>>>,
    scroll: StoredValue<Option<f64>>,
}

impl Roster {
    /// What is kept is read in the browser, after the first view.
    pub fn provide() {
        let roster = Self {
            open: RwSignal::new(Vec::new()),
            picking: RwSignal::new(None),
            said: RwSignal::new(String::new()),
            held: RwSignal::new(false),
            known: StoredValue::new(BTreeMap::new()),
            scroll: StoredValue::new(None),
        };
        Effect::new(move |_| {
            let kept = dom::kept(KEPT).and_then(|kept| serde_json::from_str::<Vec<String>>(&kept).ok()).unwrap_or_default();
            if !kept.is_empty() {
                roster.open.set(kept);
            }
        });
        let selecting = Memo::new(move |_| roster.picking.with(Option::is_some));
        Effect::new(move |_| {
            if selecting.get() {
                trail::cover(NAME, move || roster.picking.set(None));
            } else {
                trail::uncover(NAME);
            }
        });
        provide_context(roster);
    }

    /// True if a session is unfolded; tracks.
    fn is_open(self, id: &str) -> bool {
        self.open.with(|open| open.iter().any(|one| one == id))
    }

    /// Unfolds or folds a session.
    fn toggle(self, id: &str) {
        self.open.update(|open| match open.iter().position(|one| one == id) {
            Some(at) => drop(open.remove(at)),
            None => open.push(id.to_owned()),
        });
        let newest = self.open.with_untracked(|open| open.iter().rev().take(MOST).cloned().collect::<Vec<_>>());
        dom::keep(KEPT, serde_json::to_string(&newest).ok().as_deref());
        if !untrack(|| self.is_open(id)) && self.picks_in(id) {
            self.picking.set(None);
        }
    }

    fn picks_in(self, id: &str) -> bool {
        self.picking.with_untracked(|picking| picking.as_ref().is_some_and(|picking| picking.session.as_deref() == Some(id)))
    }

    /// True while nothing may change its place; tracks.
    pub fn is_frozen(self) -> bool {
        self.held.get() || self.picking.with(Option::is_some)
    }

    /// A finger is down, or up again.
    pub fn hold(self, held: bool) {
        if self.held.get_untracked() != held {
            self.held.set(held);
        }
    }

    /// The list is left: nothing is held or selected any more.
    pub fn rest(self) {
        let _ = (self.held.try_set(false), self.picking.try_set(None));
    }

    /// Somebody may leave by a link of the list.
    pub fn keep_place(self) {
        self.scroll.set_value(Some(dom::scrolled()));
    }

    /// Goes to where the list was left, once.
    pub fn return_to(self) {
        if let Some(Some(y)) = self.scroll.try_update_value(Option::take) {
            dom::scroll_page_to(y);
        }
    }
}
