//! A transcript: the one component for the conversation, a card, an agent's page and the phone.

mod follow;

use leptos::prelude::*;

use super::mirror::{Mirror, Window};
use crate::model::AgentNo;

pub use follow::{Follow, View};

/// The transcript of one agent; a merged agent shows its target. Its window must be opened by [`Mirror::open`], or come with the page.
///
/// `compact` is the form for a card: smaller type, no column of its own.
#[component]
pub fn Transcript(mirror: Mirror, agent: AgentNo, #[prop(optional)] compact: bool) -> impl IntoView {
    let rows = mirror.clone();
    let shown = Memo::new(move |_| rows.window(rows.shown(agent)));
    view! {
        <div class="transcript" class:compact=compact>
            {move || shown.get().map(|_: Window| view! { <p>"…"</p> })}
        </div>
    }
}
