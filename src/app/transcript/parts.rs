//! Further transcripts of an agent, behind its own: a teammate has one for each message that it was sent.

use leptos::prelude::*;

use super::breaks;
use super::pieces::ChunkView;
use super::scene::Scene;
use crate::app::live::live;
use crate::app::mirror::Chunk;
use crate::app::numbers::agent_path;
use crate::model::{AgentNo, Ms};

#[component]
pub fn Parts(scene: Scene) -> impl IntoView {
    let (rows, n) = (scene.mirror.clone(), scene.agent);
    let parts = Memo::new(move |_| {
        let mut parts: Vec<(Option<Ms>, AgentNo)> = rows.agents().with(|agents| {
            let part = |row: &crate::model::Agent| (row.part_of == Some(n) && !row.hidden).then_some((row.started_at, row.n));
            agents.iter().filter_map(|agent| agent.standing(part)).collect()
        });
        parts.sort_unstable();
        parts.into_iter().map(|(_, n)| n).collect::<Vec<_>>()
    });
    let part = move |n: AgentNo| view! { <Part scene=Scene { agent: n, ..scene.clone() } /> };
    view! { <For each=move || parts.get() key=|n| *n children=part /> }
}

/// One of them; its window is fetched in the browser.
#[component]
fn Part(scene: Scene) -> impl IntoView {
    let (mirror, n) = (scene.mirror.clone(), scene.agent);
    let opened = mirror.clone();
    Effect::new(move |_| opened.open(n));
    let closed = mirror.clone();
    on_cleanup(move || closed.close(n));
    let rows = mirror.clone();
    let window = Memo::new(move |_| rows.window(n));
    let path = mirror.agent(n).map(|agent| agent.row.with_untracked(|row| agent_path(mirror.id(), &row.id)));
    view! {
        {live(move || window.get().map(|window| {
            let (scene, path, more) = (scene.clone(), path.clone(), window.more_before.clone());
            let (runs, own) = (breaks::runs(&scene), window.clone());
            let chunk = move |chunk: Chunk| {
                let breaks = breaks::breaks(scene.clock(), &own, &chunk, runs);
                view! { <ChunkView scene=scene.clone() chunk=chunk breaks=breaks /> }
            };
            view! {
                {live(move || more.get().then(|| path.clone().map(|path| view! { <a class="edge" href=path>"Earlier entries"</a> })))}
                <For each=move || window.chunks.get() key=|chunk| chunk.id children=chunk />
            }
        }))}
    }
}

/// A last line that has not been written to its end, as far as it has come.
#[component]
pub fn Incomplete(scene: Scene) -> impl IntoView {
    let (mirror, n) = (scene.mirror.clone(), scene.agent);
    let text = Memo::new(move |_| mirror.agent(n).and_then(|agent| agent.row.with(|row| row.incomplete.clone())));
    live(move || {
        text.get().map(|text| {
            view! {
                <div class="notice" data-kind="incomplete">
                    <div class="words">
                        <span class="plain">"The last line is not complete yet."</span>
                        <details><summary>"Show what is there"</summary><pre dir="auto">{crate::app::clean(&text).into_owned()}</pre></details>
                    </div>
                </div>
            }
        })
    })
}
