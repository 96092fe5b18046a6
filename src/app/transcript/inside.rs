//! What stands behind a step's line: made by the server once the step is open, and made anew when the step changes.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::about::About;
use super::pictures::pictures;
use super::scene::{Scene, of_tool};
use super::sorry::Sorry;
use crate::app::detail::{Body, Detail, Part, Row, Span, Stand};
use crate::app::live::live;
use crate::app::markdown::{Markdown, copy_button};
use crate::app::mirror::Item;
use crate::app::numbers::count;
use crate::app::{calls, dom, kept, secrets};
use crate::model::{Entry, EntryRef};

/// The detail of a step.
#[component]
pub fn Inside(scene: Scene, item: Item) -> impl IntoView {
    let session = scene.mirror.id().to_owned();
    let at = item.entry.with_untracked(Entry::at_ref);
    let (detail, failed, all) = (RwSignal::new(None::<Detail>), RwSignal::new(None::<&'static str>), RwSignal::new(false));
    let (line, back) = (scene.mirror.line.clone(), RwSignal::new(()));
    let again = move || {
        failed.set(None);
        back.notify();
    };
    // One question at a time; what changes meanwhile is asked for behind it.
    let (wanted, busy) = (StoredValue::new(0_u32), StoredValue::new(false));
    let (changed, asked) = (item.entry.clone(), session.clone());
    Effect::new(move |_| {
        changed.track();
        all.track();
        secrets::shown();
        back.track();
        wanted.update_value(|n| *n += 1);
        if busy.get_value() {
            return;
        }
        busy.set_value(true);
        let session = asked.clone();
        spawn_local(async move {
            while let Some(now) = wanted.try_get_value() {
                match kept::detail(session.clone(), at.agent, at.seq, all.try_get_untracked().unwrap_or_default(), untrack(secrets::shown))
                    .await
                {
                    Ok(found) => _ = (detail.try_set(Some(found)), failed.try_set(None)),
                    Err(failure) => _ = failed.try_set(Some(failure.sentence())),
                }
                if wanted.try_get_value() == Some(now) {
                    break;
                }
            }
            _ = busy.try_update_value(|busy| *busy = false);
        });
    });
    let images = item.entry.clone();
    let images = Memo::new(move |_| of_tool(&images, |_, tool| tool.images.clone()));
    let shown = session.clone();
    view! {
        <div class="inside" aria-busy=move || detail.with(Option::is_none).then_some("true")>
            {live(move || detail.with(|detail| detail.as_ref().map(|detail| drawn(detail, &session, at, all))))}
            {live(move || pictures(&shown, &images.get()))}
            <Sorry line failed back=again />
            <About scene=scene item=item />
        </div>
    }
    .into_any()
}

fn drawn(detail: &Detail, session: &str, at: EntryRef, all: RwSignal<bool>) -> AnyView {
    let facts: Vec<_> =
        detail.facts.iter().map(|(name, value)| view! { <dt>{name.clone()}</dt><dd>{value.clone()}</dd> }.into_any()).collect();
    let parts: Vec<_> = detail.parts.iter().enumerate().map(|(n, part)| section(part, n, session.to_owned(), at, all)).collect();
    view! {
        {(!facts.is_empty()).then(|| view! { <dl class="facts">{facts}</dl> })}
        {parts}
    }
    .into_any()
}

fn section(part: &Part, n: usize, session: String, at: EntryRef, all: RwSignal<bool>) -> AnyView {
    let note = matches!(part.body, Body::Note(_));
    let copy = move |done: RwSignal<bool>| {
        let session = session.clone();
        spawn_local(async move {
            if let Ok(text) = calls::part(session, at.agent, at.seq, n, untrack(secrets::shown)).await {
                dom::copy(&text);
                let _ = done.try_set(true);
            }
        });
    };
    let more = (part.hidden > 0).then(|| {
        let words = format!("Show all ({} more)", count(part.hidden, "character"));
        view! { <button type="button" class="more" on:click=move |_| all.set(true)>{words}</button> }
    });
    view! {
        <section class="part">
            <header><h4>{part.title.clone()}</h4>{(!note).then(|| copy_button("Copy", copy))}</header>
            {match &part.body {
                Body::Lines(rows) => view! { <pre class="lines" tabindex="0">{lines(rows)}</pre> }.into_any(),
                Body::Markdown(text) => {
                    let text = text.clone();
                    view! { <Markdown text=move || (text.clone(), false) /> }.into_any()
                }
                Body::Note(text) => view! { <p class="none">{text.clone()}</p> }.into_any(),
            }}
            {more}
        </section>
    }
    .into_any()
}

fn lines(rows: &[Row]) -> Vec<AnyView> {
    // Beside lines with a mark all others stand as far in.
    let marked = rows.iter().any(|row| matches!(row.stand, Stand::Gone | Stand::New));
    rows.iter()
        .map(|row| {
            let (class, _, said) = row.stand.look();
            let spans = spans(&row.spans);
            if row.stand == Stand::Same && row.number.is_none() && !marked {
                return view! { {spans}"\n" }.into_any();
            }
            let number = row.number.map(|number| number.to_string());
            let said = (!said.is_empty()).then(|| view! { <span class="seen-not">{said}</span> });
            view! { <span class=format!("row {class}") data-no=number>{said}{spans}"\n"</span> }.into_any()
        })
        .collect()
}

/// Stretches of text as they stand in a line.
pub fn spans(spans: &[Span]) -> Vec<AnyView> {
    spans
        .iter()
        .map(|span| match (span.class.is_empty(), span.colour.is_empty()) {
            (true, true) => span.text.clone().into_any(),
            (_, true) => view! { <span class=span.class.clone()>{span.text.clone()}</span> }.into_any(),
            _ => {
                view! { <span class=format!("tint {}", span.class) style:--tint=span.colour.clone()>{span.text.clone()}</span> }.into_any()
            }
        })
        .collect()
}
