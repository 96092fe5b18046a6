//! The scrolled part of a transcript.

use leptos::html::Div;
use leptos::prelude::*;

use super::breaks;
use super::latch::Latch;
use super::parts::{Incomplete, Parts};
use super::pieces::ChunkView;
use super::scene::Scene;
use crate::app::icon::{Icon, icon};
use crate::app::live::live;
use crate::app::mirror::{Chunk, Window};
use crate::app::{clean, dom};
use crate::model::MAIN;

#[component]
pub fn Log(scene: Scene, window: Window) -> impl IntoView {
    let scroller = NodeRef::<Div>::new();
    let content = NodeRef::<Div>::new();
    let latch = Latch::new(!window.more_after);
    latch.attach(scroller, content, &scene, &window);
    let mirror = scene.mirror.clone();
    let n = scene.agent;
    let label = Memo::new(move |_| match mirror.agent(n) {
        Some(agent) if n != MAIN => format!("Transcript of {}", agent.row.with(|row| clean(&row.title).into_owned())),
        _ => "Conversation".to_owned(),
    });
    let (earlier, first) = (window.more_before.clone(), window.clone());
    let (empty, chunks, tail) = (window.clone(), window.chunks.clone(), window.clone());
    let fresh = Memo::new(move |_| latch.since().map(|since| tail.last().unwrap_or(since).saturating_sub(since)));
    let (more_after, compact, near) = (window.more_after, scene.compact, scene.near);
    let (parts, last) = (scene.clone(), scene.clone());
    let runs = breaks::runs(&scene);
    let end = breaks::last(&window, runs);
    let is_empty = Memo::new(move |_| empty.last().is_none());
    let chunk = move |chunk: Chunk| {
        let breaks = breaks::breaks(scene.clock(), &window, &chunk, runs);
        view! { <ChunkView scene=scene.clone() chunk=chunk breaks=breaks /> }
    };
    view! {
        <div
            class="log" role="log" aria-live="off" aria-label=label tabindex="0" node_ref=scroller
            on:pointerenter=move |_| near.set(true) on:focusin=move |_| near.set(true)
            on:pointerleave=move |_| left(scroller, near, compact) on:focusout=move |_| left(scroller, near, compact)
        >
            <div class="entries" node_ref=content>
                {live(move || earlier.get().then(|| view! {
                    <a class="edge" href=format!("?before={}", first.first().unwrap_or(1)) rel="external">"Earlier entries"</a>
                }))}
                <For each=move || chunks.get() key=|chunk| chunk.id children=chunk />
                {live(move || is_empty.get().then(|| view! { <p class="none">"Nothing has come yet. What the agent does appears here."</p> }))}
                {(!more_after).then(|| view! { <Parts scene=parts /><Incomplete scene=last /> })}
                {live(move || end.get().map(|end| view! { <p class="run-end">{end}</p> }))}
                {more_after.then(|| view! { <a class="edge" href="?" rel="external">"Newest entries"</a> })}
            </div>
        </div>
        {live(move || fresh.get().map(|fresh| {
            let label = if fresh == 0 { "Jump to latest".to_owned() } else { format!("Jump to latest, {fresh} new") };
            let words = if compact && fresh > 0 { format!("{fresh} new") } else { label.clone() };
            view! { <button type="button" class="jump" aria-label=label on:click=move |_| latch.jump()>{icon(Icon::Down)} <span class="num">{words}</span></button> }
        }))}
    }
    .into_any()
}

/// A person has left a card's transcript, unless the focus or the pointer is still in it, or something stands open that goes with them.
fn left(scroller: NodeRef<Div>, near: RwSignal<bool>, compact: bool) {
    if !compact || !dom::hovers() {
        return;
    }
    // Not at once: the focus is told of before it has come anywhere, and a page that goes is told of it while it is being taken down.
    request_animation_frame(move || {
        let Some(Some(log)) = scroller.try_get_untracked() else { return };
        let held = log.matches(":hover, :focus-within, :has(.about[open])").unwrap_or(true);
        if !held {
            near.try_set(false);
        }
    });
}
