//! What an edit changes, drawn once its step is open.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::scene::Scene;
use crate::app::diff::{DiffLine, Stand};
use crate::app::live::live;
use crate::app::numbers::count;
use crate::app::{calls, clean};
use crate::model::EntryRef;

#[component]
pub fn Changes(scene: Scene, at: EntryRef, opened: RwSignal<bool>) -> impl IntoView {
    let lines = RwSignal::new(None::<Vec<DiffLine>>);
    Effect::new(move |_| {
        if opened.get() && lines.with_untracked(Option::is_none) {
            let session = scene.mirror.id().to_owned();
            // Without an answer the arguments below say the same.
            spawn_local(async move { lines.set(calls::diff(session, at.agent, at.seq).await.ok()) });
        }
    });
    live(move || lines.with(|lines| lines.as_deref().filter(|lines| !lines.is_empty()).map(drawn)))
}

fn drawn(lines: &[DiffLine]) -> AnyView {
    let number = |stand: Stand| lines.iter().filter(|line| line.stand == stand).count() as u64;
    let title = format!("Changes: {} added, {} removed", count(number(Stand::New), "line"), number(Stand::Gone));
    let rows: Vec<_> = lines
        .iter()
        .map(|line| {
            let (mark, said) = line.stand.mark();
            let text = clean(&line.text).into_owned();
            view! {
                <span class=line.stand.class()>
                    <i aria-hidden="true">{mark}</i><span class="seen-not">{said}</span>{text}"\n"
                </span>
            }
        })
        .collect();
    view! { <section class="part"><h4>{title}</h4><pre class="diff" tabindex="0">{rows}</pre></section> }.into_any()
}
