//! What was said: user turns and the agent's own text.

use leptos::prelude::*;

use super::about::About;
use super::part::{Cap, LongText};
use super::pictures::pictures;
use super::scene::Scene;
use super::words::{first_part, who};
use crate::app::clock::ClockTime;
use crate::app::live::{live, stage, words};
use crate::app::markdown::{CopyButton, Markdown};
use crate::app::mirror::Item;
use crate::app::numbers::count;
use crate::app::{clean, clean_open};
use crate::model::{Body, Entry, EntryState, Long};

/// A turn addressed to the agent: plain text, its rest folded where it is long.
#[component]
pub fn Turn(scene: Scene, item: Item) -> impl IntoView {
    let seq = item.seq;
    let entry = item.entry.clone();
    let head = Memo::new(move |_| {
        entry.with(|entry| match &entry.body {
            Body::User { origin, .. } => (who(entry.agent, entry.seq, origin.as_deref()), entry.at),
            _ => Default::default(),
        })
    });
    let entry = item.entry.clone();
    let parts = Memo::new(move |_| {
        entry.with(|entry| {
            let text = text_of(entry).map(|long| long.text.as_str()).unwrap_or_default();
            let (first, rest) = first_part(text);
            (clean(first).into_owned(), clean(rest).into_owned())
        })
    });
    let whole = item.entry.clone();
    let session = scene.mirror.id().to_owned();
    let images = item.entry.clone();
    let images = Memo::new(move |_| images.with(|entry| entry.body.images().to_vec()));
    let (clock, about) = (scene.clock().clone(), scene.clone());
    let at_hand = scene.at_hand(move || view! { <About scene=about.clone() item=item.clone() /> }.into_any());
    let turn = move || {
        view! {
            <header class="who">
                <span>{words(move || head.with(|(who, _)| who.clone()))}</span>
                {live(move || head.with(|(_, at)| *at).map(|at| view! { <ClockTime clock=clock.clone() at=at /> }))}
            </header>
            <div class="plain" dir="auto">{words(move || parts.with(|(first, _)| first.clone()))}</div>
            {live(move || {
                parts.with(|(_, rest)| (!rest.is_empty()).then(|| view! {
                    <details class="rest">
                        <summary>{format!("The rest, {}", count(rest.lines().count() as u64, "line"))}</summary>
                        <div class="plain" dir="auto">{rest.clone()}</div>
                    </details>
                }))
            })}
            {live(move || {
                let entry = whole.clone();
                entry.with(|entry| text_of(entry).is_some_and(|long| long.blob.is_some())).then(|| view! {
                    <LongText scene=scene.clone() entry=entry pick=text_of cap=Cap::None />
                })
            })}
            {live(move || pictures(&session, &images.get()))}
            {at_hand}
        }
    };
    view! { <article class="turn" data-seq=seq data-kind="user">{stage(turn)}</article> }.into_any()
}

/// What the agent said.
#[component]
pub fn Said(scene: Scene, item: Item) -> impl IntoView {
    let seq = item.seq;
    let entry = item.entry.clone();
    let (shown, about) = (scene.clone(), scene.clone());
    let open = Memo::new(move |_| entry.with(|entry| shown.state(entry) == EntryState::Open));
    let (text, copied, whole) = (item.entry.clone(), item.entry.clone(), item.entry.clone());
    let text =
        move || text.with(|entry| (text_of(entry).map(|long| long.text.clone()).unwrap_or_default(), entry.state == EntryState::Open));
    let copied = StoredValue::new(copied);
    let copied = move || {
        copied.with_value(|copied| {
            copied.with_untracked(|entry| {
                text_of(entry).map(|long| clean_open(&long.text, entry.state == EntryState::Open).into_owned()).unwrap_or_default()
            })
        })
    };
    let at_hand = scene.at_hand(move || {
        view! { <CopyButton text=copied label="Copy message" /><About scene=about.clone() item=item.clone() /> }.into_any()
    });
    let said = move || {
        view! {
            <Markdown text=text />
            {live(move || {
                let entry = whole.clone();
                entry.with(|entry| text_of(entry).is_some_and(|long| long.blob.is_some())).then(|| view! {
                    <LongText scene=scene.clone() entry=entry pick=text_of cap=Cap::None />
                })
            })}
            {at_hand}
        }
    };
    view! { <article class="said" class:open=open data-seq=seq data-kind="text">{stage(said)}</article> }.into_any()
}

/// The text of a turn, an answer, a thought or a question.
pub fn text_of(entry: &Entry) -> Option<&Long> {
    match &entry.body {
        Body::User { text, .. } | Body::Text { text } | Body::Reasoning { text } => Some(text),
        Body::Ask(ask) => Some(&ask.text),
        Body::Notice(notice) => Some(&notice.text),
        Body::Tool(_) | Body::Todos { .. } => None,
    }
}
