//! A text that may be long: its beginning, and all of it when asked for.
//!
//! Invariant: what is drawn before a person acts depends on the row alone, shortened or not, so server and browser agree.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::scene::Scene;
use super::sorry::Sorry;
use crate::app::live::live;
use crate::app::numbers::bytes;
use crate::app::{clean, kept};
use crate::model::{Entry, Long};

/// How much is drawn at first, in bytes.
const SHOWN: usize = 1_500;

/// Picks a text of an entry.
pub type Pick = fn(&Entry) -> Option<&Long>;

/// How much of a text its own component draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cap {
    /// Nothing: the beginning stands elsewhere, here is only the way to all of it.
    None,
    /// A step's worth.
    Step,
}

/// A text of an entry, capped.
#[component]
pub fn LongText(scene: Scene, entry: ArcRwSignal<Entry>, pick: Pick, cap: Cap) -> impl IntoView {
    let all = RwSignal::new(false);
    let fetched = RwSignal::new(None::<String>);
    let failed = RwSignal::new(None::<&'static str>);
    let row = entry.clone();
    let shown = Memo::new(move |_| {
        if let Some(text) = fetched.get() {
            return (text, 0);
        }
        let limit = match (cap, all.get()) {
            (_, true) => usize::MAX,
            (Cap::None, _) => 0,
            (Cap::Step, _) => SHOWN,
        };
        row.with(|entry| pick(entry).map_or_else(Default::default, |long| beginning(long, limit)))
    });
    let line = scene.mirror.line.clone();
    let show_all = move |_| {
        failed.set(None);
        let long = entry.with_untracked(|entry| pick(entry).map(|long| (long.is_cut(), long.blob.clone())));
        let at = entry.with_untracked(Entry::at_ref);
        let scene = scene.clone();
        match long {
            Some((false, Some(blob))) => spawn_local(async move {
                match kept::long(scene.mirror.id().to_owned(), blob.hash).await {
                    Ok(text) => fetched.set(Some(text)),
                    Err(failure) => failed.set(Some(failure.sentence())),
                }
            }),
            Some((true, _)) => spawn_local(async move {
                match scene.mirror.refresh(at).await {
                    Ok(()) => all.set(true),
                    Err(failure) => failed.set(Some(failure.sentence())),
                }
            }),
            _ => all.set(true),
        }
    };
    let text = move || shown.with(|(text, _)| text.clone());
    view! {
        {live(move || Some(text()).filter(|text| !text.is_empty()).map(|text| view! { <pre tabindex="0">{clean(&text).into_owned()}</pre> }))}
        {live(move || {
            let hidden = shown.with(|(_, hidden)| *hidden);
            (hidden > 0).then(|| view! {
                <button type="button" class="more" on:click=show_all.clone()>{format!("Show all ({} more)", bytes(hidden))}</button>
            })
        })}
        <Sorry line failed back=move || failed.set(None) />
    }
    .into_any()
}

/// The row's text up to `limit` bytes, and how many bytes that leaves out.
fn beginning(long: &Long, limit: usize) -> (String, u64) {
    let limit = limit.min(long.text.len());
    let end = (0..=limit).rev().find(|end| long.text.is_char_boundary(*end)).unwrap_or_default();
    let text = long.text.get(..end).unwrap_or_default();
    (text.to_owned(), long.len().saturating_sub(end as u64))
}
