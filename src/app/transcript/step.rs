//! A tool step: one line, with its arguments and its result behind it.

use leptos::prelude::*;

use super::changes::Changes;
use super::part::{Cap, LongText, Pick, complete};
use super::said::pictures;
use super::scene::{Scene, of_tool};
use super::words::{step_title, tool_icon};
use crate::app::clean;
use crate::app::diff::is_edit;
use crate::app::icon::{Icon, icon};
use crate::app::live::{live, words};
use crate::app::mirror::Item;
use crate::app::numbers::clip;
use crate::app::status::Dot;
use crate::model::{Body, Entry, EntryState, Long};

const ARGS: Pick = |entry| tool(entry, |tool| Some(&tool.args)).filter(|long| !long.is_empty());
const RESULT: Pick = |entry| tool(entry, |tool| tool.result.as_ref()).filter(|long| !long.is_empty());
const SPILLED: Pick = |entry| tool(entry, |tool| tool.spilled.as_ref());
const ERROR: Pick = |entry| tool(entry, |tool| tool.error.as_ref()).filter(|long| !long.is_empty());

/// How much of an error stands under its step.
const ERROR_SHOWN: usize = 600;

fn tool(entry: &Entry, pick: impl FnOnce(&crate::model::Tool) -> Option<&Long>) -> Option<&Long> {
    match &entry.body {
        Body::Tool(tool) => pick(tool),
        _ => None,
    }
}

#[component]
pub fn Step(scene: Scene, item: Item) -> impl IntoView {
    let seq = item.seq;
    let entry = item.entry;
    let opened = RwSignal::new(false);
    let (title, symbol, state, took, error) = (entry.clone(), entry.clone(), entry.clone(), entry.clone(), entry.clone());
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
    let (toggled, row) = (scene.clone(), entry.clone());
    let toggle = move |_| {
        if !opened.get_untracked() {
            opened.set(true);
            complete(&toggled, &row, &[ARGS, RESULT, SPILLED, ERROR]);
        }
    };
    view! {
        <div class="step" class:fail=failed data-seq=seq data-kind="tool" data-state=word>
            <details on:toggle=toggle>
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
                <Inside scene=scene entry=entry opened=opened />
            </details>
            {live(move || error.get().map(|error| view! { <pre class="error" tabindex="0">{error}</pre> }))}
        </div>
    }
    .into_any()
}

/// What stands behind the line.
#[component]
fn Inside(scene: Scene, entry: ArcRwSignal<Entry>, opened: RwSignal<bool>) -> impl IntoView {
    let session = scene.mirror.id().to_owned();
    let images = entry.clone();
    let images = Memo::new(move |_| of_tool(&images, |_, tool| tool.images.clone()));
    let name = of_tool(&entry.clone(), |_, tool| tool.name.clone());
    let terminal = tool_icon(&name) == Icon::Shell;
    let (changes, at) = (scene.clone(), entry.with_untracked(Entry::at_ref));
    let part = move |label: &'static str, pick: Pick, least: u64, json: bool| {
        let (scene, entry, has) = (scene.clone(), entry.clone(), entry.clone());
        let has = Memo::new(move |_| has.with(|entry| pick(entry).is_some_and(|long| long.len() > least)));
        move || {
            has.get().then(|| {
                view! {
                    <section class="part">
                        <h4>{label}</h4>
                        <LongText scene=scene.clone() entry=entry.clone() pick=pick cap=Cap::Step opened=opened json=json terminal=terminal && !json />
                    </section>
                }
            })
        }
    };
    view! {
        <div class="inside">
            {is_edit(&name).then(|| view! { <Changes scene=changes at=at opened=opened /> })}
            {part("Arguments", ARGS, 0, true)}
            {part("Result", RESULT, 0, false)}
            {part("Whole output", SPILLED, 0, false)}
            {part("Error", ERROR, ERROR_SHOWN as u64, false)}
            {live(move || pictures(&session, &images.get()))}
        </div>
    }
    .into_any()
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
