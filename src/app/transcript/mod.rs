//! A transcript: the one component for the conversation, a card, an agent's page and the phone.
//!
//! Invariant: entries stand in order of `seq`, and none changes its place, whatever happens to it.

mod about;
mod ask;
mod breaks;
mod entry;
#[cfg(any(feature = "hydrate", test))]
mod follow;
mod inside;
mod latch;
mod log;
mod part;
mod parts;
mod pictures;
mod pieces;
mod reasoning;
mod said;
mod scene;
#[cfg(all(test, feature = "ssr"))]
mod snapshots;
mod sorry;
mod starts;
mod step;
mod words;

use leptos::prelude::*;

use super::dom;
use super::mirror::Mirror;
use crate::app::live::{live, stage};
use crate::model::AgentNo;
use log::Log;
use scene::Scene;

pub use inside::spans;
pub use starts::{KIND, link_word};

/// Where a transcript is being read, px from its top; `None` where its end is followed.
pub type Place = ArcStoredValue<Option<i32>>;

/// The transcript of one agent; a merged agent shows its target. Its window comes with the page, or by [`Mirror::open`].
///
/// `compact` is the form for a card: smaller type, no column of its own. `place` outlives the view, so that a card comes
/// back to where it was read.
#[component]
pub fn Transcript(
    mirror: Mirror,
    agent: AgentNo,
    #[prop(optional)] compact: bool,
    #[prop(optional, into)] place: Option<Place>,
) -> impl IntoView {
    let rows = mirror.clone();
    let window = Memo::new(move |_| rows.window(rows.shown(agent)));
    let log = live(move || match window.get() {
        Some(window) => {
            let near = RwSignal::new(!compact || !dom::hovers());
            let scene = Scene { mirror: mirror.clone(), agent: window.agent, compact, near, place: place.clone() };
            view! { <Log scene=scene window=window /> }.into_any()
        }
        None => view! { <Skeleton /> }.into_any(),
    });
    view! { <div class="transcript" class:compact=compact>{stage(move || log)}</div> }.into_any()
}

/// Grey lines where a transcript will be.
#[component]
pub fn Skeleton() -> impl IntoView {
    view! {
        <div class="log" aria-busy="true">
            <div class="entries bones">
                <span class="seen-not">"Loading"</span>
                <i class="tall"></i><i></i><i></i><i class="half"></i><i></i><i class="half"></i>
            </div>
        </div>
    }
    .into_any()
}
