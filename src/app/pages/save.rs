//! Saving a whole session for reading without a server, as an item of its menu.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::dom;
use crate::app::kept::{self, Kept};
use crate::app::live::words;

#[derive(Clone, PartialEq)]
enum State {
    Idle,
    Busy,
    Done(Kept),
}

/// The item; it says what has become of it.
#[component]
pub fn Save(session: String) -> impl IntoView {
    let state = RwSignal::new(State::Idle);
    let save = move |_| {
        if state.get_untracked() == State::Busy {
            return;
        }
        state.set(State::Busy);
        let session = session.clone();
        spawn_local(async move {
            let kept = kept::whole(&session).await;
            // The page may be gone by now.
            let _ = state.try_set(State::Done(kept));
        });
    };
    let said = move || {
        state.with(|state| match state {
            State::Idle => "Save for reading offline".to_owned(),
            State::Busy => "Saving".to_owned(),
            State::Done(Kept { trouble, .. }) if !trouble.is_empty() => trouble.clone(),
            State::Done(Kept { whole: true, saved, .. }) => {
                format!("Saved {}, with all agents", dom::local_time(*saved).map(|(time, _)| time).unwrap_or_default())
            }
            State::Done(_) => "It could not be saved: the server does not answer. Try again".to_owned(),
        })
    };
    view! { <button type="button" class="item" on:click=save><span aria-live="polite">{words(said)}</span></button> }.into_any()
}
