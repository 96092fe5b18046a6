//! About an entry, for whoever asks: when it was, and the line of its source that it came from.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::scene::Scene;
use crate::app::calls::{self, SourceLine};
use crate::app::clean;
use crate::app::clock::ClockTime;
use crate::app::icon::{Icon, icon};
use crate::app::live::live;
use crate::app::mirror::Item;
use crate::app::numbers::short;
use crate::model::Entry;

/// Behind a mark that shows when the entry is pointed at.
#[component]
pub fn About(scene: Scene, item: Item) -> impl IntoView {
    let opened = RwSignal::new(false);
    let toggle = move |event: leptos::ev::Event| opened.set(event_target::<leptos::web_sys::HtmlDetailsElement>(&event).open());
    view! {
        <details class="about" on:toggle=toggle>
            <summary title="About this entry" aria-label="About this entry">{icon(Icon::Note)}</summary>
            {live(move || opened.get().then(|| told(&scene, &item)))}
        </details>
    }
    .into_any()
}

fn told(scene: &Scene, item: &Item) -> AnyView {
    let (entry, clock) = (item.entry.get(), scene.clock().clone());
    let found = RwSignal::new(None::<Result<SourceLine, &'static str>>);
    let (session, at) = (scene.mirror.id().to_owned(), item.entry.with_untracked(Entry::at_ref));
    let ask = move |_| {
        let session = session.clone();
        spawn_local(async move {
            let line = calls::source(session, at.agent, at.seq).await;
            let _ = found.try_set(Some(line.map_err(|failure| failure.sentence())));
        });
    };
    let facts = [
        Some(format!("Entry {}", entry.seq)),
        (entry.run > 1).then(|| format!("run {}", entry.run)),
        entry.usage.filter(|usage| !usage.is_zero()).map(|usage| {
            format!(
                "{} tokens in, {} from the cache, {} out",
                short(usage.input + usage.cache_write),
                short(usage.cache_read),
                short(usage.output)
            )
        }),
    ];
    view! {
        <p>
            {entry.at.map(|at| view! { <ClockTime clock=clock at=at full=true /> })}
            <span class="num">{facts.into_iter().flatten().collect::<Vec<_>>().join(" · ")}</span>
            {entry.source.map(|_| view! { <button type="button" class="more" on:click=ask>"Show the source line"</button> })}
        </p>
        {live(move || found.get().map(|found| match found {
            Ok(line) => {
                let place = format!("{}, byte {}", clean(&line.name), line.offset);
                let text = line.text.map(|text| clean(&text).into_owned());
                view! {
                    <h4>{place}</h4>
                    {match text {
                        Some(text) => view! { <pre tabindex="0">{text}</pre> }.into_any(),
                        None => view! { <p class="none">"It cannot be read any more: it was pushed, or its file is gone or another one."</p> }.into_any(),
                    }}
                }.into_any()
            }
            Err(sentence) => view! { <p class="sorry" role="alert">{sentence}</p> }.into_any(),
        }))}
    }
    .into_any()
}
