//! What the conversation and the card layer of one session page share.

use leptos::prelude::*;

use super::cards::Cards;
use crate::model::AgentNo;

/// The desk of a session page, in its context. Without it (on an agent's own page) there are no cards.
#[derive(Clone)]
pub struct Desk {
    /// The agent that a person wants as a card; the card layer takes it. Notifies at each wish, the same agent's too.
    pub wish: ArcRwSignal<Option<AgentNo>>,
    /// The agent whose step, chip or card the pointer or the focus is on.
    pub touched: ArcRwSignal<Option<AgentNo>>,
    /// True while the card layer can show cards here; it sets it.
    pub has_cards: ArcRwSignal<bool>,
    /// The card layer, for the commands of the palette.
    pub layer: ArcRwSignal<Option<Cards>>,
}

impl Desk {
    /// Marks the agent whose step, chip or card the pointer or the focus has come to.
    pub fn touch(&self, n: AgentNo) {
        if self.touched.get_untracked() != Some(n) {
            self.touched.set(Some(n));
        }
    }

    /// Takes the mark off again, unless it has gone to another meanwhile.
    ///
    /// Not at once: a page that goes takes the focus from what it holds, and would be told of it while it is being taken down.
    pub fn release(&self, n: AgentNo) {
        let touched = self.touched.clone();
        request_animation_frame(move || {
            if touched.get_untracked() == Some(n) {
                touched.set(None);
            }
        });
    }
}

impl Default for Desk {
    fn default() -> Self {
        Self {
            wish: ArcRwSignal::new(None),
            touched: ArcRwSignal::new(None),
            has_cards: ArcRwSignal::new(false),
            layer: ArcRwSignal::new(None),
        }
    }
}
