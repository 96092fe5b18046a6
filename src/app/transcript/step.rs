//! A tool step: one line, and what stands behind it once it is opened.

use leptos::prelude::*;

use super::inside::Inside;
use super::scene::{Scene, of_tool};
use super::words::{step_title, tool_icon};
use crate::app::clean;
use crate::app::icon::icon;
use crate::app::live::{live, stage, words};
use crate::app::mirror::Item;
use crate::app::numbers::clip;
use crate::app::status::Dot;
use crate::model::EntryState;

/// How much of an error stands under its step.
const ERROR_SHOWN: usize = 600;

#[component]
pub fn Step(scene: Scene, item: Item) -> impl IntoView {
    let seq = item.seq;
    let opened = item.opened.clone();
    let entry = item.entry.clone();
    let (title, symbol, state, took, error) = (entry.clone(), entry.clone(), entry.clone(), entry.clone(), entry);
    let title = Memo::new(move |_| of_tool(&title, |_, tool| step_title(tool)));
    let symbol = Memo::new(move |_| of_tool(&symbol, |_, tool| Some(tool_icon(&tool.name))));
    let shown = scene.clone();
    let state = Memo::new(move |_| state.with(|entry| shown.state(entry)));
    let error = Memo::new(move |_| {
        of_tool(&error, |_, tool| tool.error.as_ref().map(|error| clip(clean(error.text.trim()).as_ref(), ERROR_SHOWN)))
    });
    let timing = scene.clone();
    let took = Memo::new(move |_| took.with(|entry| timing.took(entry)));
    let failed = Memo::new(move |_| state.get() == EntryState::Failed);
    let word = Memo::new(move |_| state.get().word());
    let toggled = opened.clone();
    let toggle = move |event: leptos::ev::Event| toggled.set(event_target::<leptos::web_sys::HtmlDetailsElement>(&event).open());
    let open = opened.clone();
    let step = move || {
        view! {
            <details open=move || open.get() on:toggle=toggle>
                <summary class="line">
                    {live(move || match (state.get(), symbol.get()) {
                        (EntryState::Open, _) | (_, None) => view! { <span class="ic"><Dot shape=Signal::derive(move || state.get().into()) /></span> }.into_any(),
                        (_, Some(symbol)) => icon(symbol).into_any(),
                    })}
                    <b>{words(move || title.with(|(verb, _)| verb.clone()))}</b>
                    <span class="mono">{words(move || title.with(|(_, object)| object.clone()))}</span>
                    <span class="state">{words(move || state_word(state.get()).unwrap_or_default())}</span>
                    <span class="t num">{took}</span>
                </summary>
                {live(move || opened.get().then(|| view! { <Inside scene=scene.clone() item=item.clone() /> }))}
            </details>
            {live(move || error.get().map(|error| view! { <pre class="error" tabindex="0">{error}</pre> }))}
        }
    };
    view! { <div class="step" class:fail=failed data-seq=seq data-kind="tool" data-state=word>{stage(step)}</div> }.into_any()
}

/// The word of a state that its shape and time do not tell. Not an empty text: the server writes a space for one.
fn state_word(state: EntryState) -> Option<&'static str> {
    match state {
        EntryState::Open | EntryState::Done | EntryState::Withdrawn => None,
        EntryState::Failed => Some("failed"),
        EntryState::Cancelled => Some("cancelled"),
        EntryState::Unknown => Some("unknown"),
    }
}
