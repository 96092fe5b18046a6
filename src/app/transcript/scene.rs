//! What every part of a transcript needs to know.

use leptos::prelude::*;

use super::Place;
use crate::app::clock::{Clock, elapsed};
use crate::app::live::live;
use crate::app::mirror::Mirror;
use crate::model::{AgentNo, Body, Entry, EntryState, Tool};

/// Whose transcript this is, and in which form.
#[derive(Clone)]
pub struct Scene {
    pub mirror: Mirror,
    pub agent: AgentNo,
    pub compact: bool,
    /// True while a person is at this transcript: what only they need, beside each entry, is drawn then. Twelve cards that stream would
    /// draw thrice as much for nobody. Always true outside of cards, and where nothing hovers.
    pub near: RwSignal<bool>,
    /// Where it is being read, if that is to outlive the view; only the browser scrolls.
    #[cfg_attr(not(feature = "hydrate"), expect(dead_code))]
    pub place: Option<Place>,
}

impl Scene {
    /// A view that is there only for whoever is at the transcript.
    pub fn at_hand(&self, view: impl Fn() -> AnyView + Send + 'static) -> AnyView {
        if !self.compact {
            return view();
        }
        let near = self.near;
        live(move || near.get().then(&view)).into_any()
    }

    pub fn clock(&self) -> &Clock {
        &self.mirror.clock
    }

    /// The state to show: an entry that is open in a run which has ended, or of which nothing is known, is not running. Tracks the
    /// agent only while the entry is open.
    pub fn state(&self, entry: &Entry) -> EntryState {
        match (entry.state, self.mirror.agent(entry.agent)) {
            (EntryState::Open, Some(agent)) => agent.row.with(|agent| agent.entry_state(entry)),
            (state, _) => state,
        }
    }

    /// How long an entry took, or has taken by now; tracks the clock only while it runs. Nothing under a second of the latter, and
    /// nothing where its beginning or its end is not known.
    pub fn took(&self, entry: &Entry) -> Option<String> {
        let open = self.state(entry) == EntryState::Open;
        let unseen = matches!(&entry.body, Body::Tool(tool) if tool.name.is_empty());
        if unseen || (!open && entry.ended_at.is_none()) {
            return None;
        }
        elapsed(self.clock(), entry.at, entry.ended_at).filter(|text| !(open && text == "0 s"))
    }
}

/// A fact of a tool step; the default for an entry that is none.
pub fn of_tool<T: Default>(entry: &ArcRwSignal<Entry>, fact: impl FnOnce(&Entry, &Tool) -> T) -> T {
    entry.with(|entry| match &entry.body {
        Body::Tool(tool) => fact(entry, tool),
        _ => T::default(),
    })
}
