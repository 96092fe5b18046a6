//! A stretch of reasoning: a panel that is open while it is the last thing and being written.
//!
//! Invariant: the first time that a person opens or closes it decides for good.

use std::time::Duration;

use leptos::prelude::*;

use super::about::About;
use super::said::text_of;
use super::scene::Scene;
use crate::app::live::{stage, words};
use crate::app::mirror::Item;
use crate::app::{clean_open, settings};
use crate::model::{Entry, EntryState};

/// How long a panel stays open behind its end.
const LINGER: Duration = Duration::from_millis(800);

#[component]
pub fn Reasoning(scene: Scene, item: Item) -> impl IntoView {
    let seq = item.seq;
    let (state, text, head) = (item.entry.clone(), item.entry.clone(), item.entry.clone());
    let about = scene.clone();
    let window = scene.mirror.window(scene.agent);
    let shown = scene.clone();
    let writing = Memo::new(move |_| {
        let last = window.as_ref().and_then(|window| window.last()).is_none_or(|last| last == seq);
        last && state.with(|entry| shown.state(entry) == EntryState::Open)
    });
    let shown = RwSignal::new(writing.get_untracked());
    let chosen = RwSignal::new(false);
    Effect::new(move |before: Option<bool>| {
        let now = writing.get();
        let wanted = settings::reasoning();
        if wanted != settings::Reasoning::WhileWritten {
            if before.is_none() && !chosen.get_untracked() {
                shown.set(wanted == settings::Reasoning::Open);
            }
        } else if now && !chosen.get_untracked() {
            shown.set(true);
        } else if before == Some(true) {
            let close = move || {
                if chosen.try_get_untracked() == Some(false) && writing.try_get_untracked() == Some(false) {
                    let _ = shown.try_set(false);
                }
            };
            set_timeout(close, LINGER);
        }
        now
    });
    let toggle = move |event: leptos::ev::MouseEvent| {
        event.prevent_default();
        chosen.set(true);
        shown.update(|shown| *shown = !*shown);
    };
    let thought = move || {
        view! {
            <summary on:click=toggle>{words(move || head.with(|entry| title(&scene, entry)))}</summary>
            <div class="thought" tabindex="0">
                <div class="plain" dir="auto">
                    {words(move || text.with(|entry| text_of(entry).map(|long| clean_open(long.text.trim_end(), entry.state == EntryState::Open).into_owned()).unwrap_or_default()))}
                </div>
            </div>
            <About scene=about item=item />
        }
    };
    view! { <details class="think" open=shown data-seq=seq data-kind="reasoning">{stage(thought)}</details> }.into_any()
}

fn title(scene: &Scene, entry: &Entry) -> String {
    if scene.state(entry) == EntryState::Open {
        return "Thinking".into();
    }
    // Files tell only when a stretch was written down: no time then beats "0.0 s".
    match scene.took(entry).filter(|time| time != "0.0 s") {
        Some(time) => format!("Thought for {time}"),
        None => "Thought".into(),
    }
}
