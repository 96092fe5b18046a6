//! A text that may be long: its beginning, more of it when opened, all of it when asked for.
//!
//! Invariant: what is drawn before a person acts depends on the row alone, shortened or not, so server and browser agree.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::ansi::stretches;
use super::scene::Scene;
use super::words::fields;
use crate::app::live::live;
use crate::app::numbers::bytes;
use crate::app::{calls, clean};
use crate::model::{Entry, EntryRef, Long};

/// How much is drawn in a closed step, and in an opened one, in bytes.
const CLOSED: usize = 1_500;
const OPENED: usize = 12_000;

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
pub fn LongText(
    scene: Scene,
    entry: ArcRwSignal<Entry>,
    pick: Pick,
    cap: Cap,
    /// True once the step is open.
    #[prop(optional, into)]
    opened: Signal<bool>,
    /// Draws a JSON object field by field, once it is whole.
    #[prop(optional)]
    json: bool,
    /// Draws a terminal's colours.
    #[prop(optional)]
    terminal: bool,
) -> impl IntoView {
    let all = RwSignal::new(false);
    let fetched = RwSignal::new(None::<String>);
    let failed = RwSignal::new(None::<&'static str>);
    let row = entry.clone();
    let shown = Memo::new(move |_| {
        if let Some(text) = fetched.get() {
            return (text, 0);
        }
        let limit = match (cap, all.get(), opened.get()) {
            (_, true, _) => usize::MAX,
            (Cap::None, ..) => 0,
            (Cap::Step, _, true) => OPENED,
            (Cap::Step, _, false) => CLOSED,
        };
        row.with(|entry| pick(entry).map_or_else(Default::default, |long| beginning(long, limit)))
    });
    let show_all = move |_| {
        let long = entry.with_untracked(|entry| pick(entry).map(|long| (long.is_cut(), long.blob.clone())));
        let at = entry.with_untracked(Entry::at_ref);
        let scene = scene.clone();
        match long {
            Some((false, Some(blob))) => spawn_local(async move {
                match calls::long(scene.mirror.id().to_owned(), blob.hash).await {
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
    let coloured = move |text: &str| {
        let parts = stretches(text).into_iter().map(|part| view! { <span class=part.class>{part.text}</span> }).collect_view();
        view! { <pre class="terminal" tabindex="0">{parts}</pre> }
    };
    view! {
        {live(move || {
            let text = text();
            let object = (json && opened.get()).then(|| fields(&text)).flatten();
            match object {
                Some(fields) => view! {
                    <dl class="fields">
                        {fields.into_iter().map(|(key, value)| view! { <dt>{key}</dt><dd><pre tabindex="0">{value}</pre></dd> }).collect_view()}
                    </dl>
                }.into_any(),
                None if text.is_empty() => ().into_any(),
                None if terminal => coloured(&text).into_any(),
                None => view! { <pre tabindex="0">{clean(&text).into_owned()}</pre> }.into_any(),
            }
        })}
        {live(move || {
            let hidden = shown.with(|(_, hidden)| *hidden);
            (hidden > 0).then(|| view! {
                <button type="button" class="more" on:click=show_all.clone()>{format!("Show all ({} more)", bytes(hidden))}</button>
            })
        })}
        {live(move || failed.get().map(|sentence| view! { <p class="sorry" role="alert">{sentence}</p> }))}
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

/// Loads a step's texts whole if its row is shortened.
pub fn complete(scene: &Scene, entry: &ArcRwSignal<Entry>, picks: &[Pick]) {
    let short = entry.with_untracked(|entry| picks.iter().any(|pick| pick(entry).is_some_and(Long::is_cut)));
    if short {
        let at: EntryRef = entry.with_untracked(Entry::at_ref);
        let mirror = scene.mirror.clone();
        spawn_local(async move {
            let _ = mirror.refresh(at).await;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::mirror::shorten;
    use crate::model::{Body, Tool};

    #[test]
    fn a_shortened_row_draws_what_the_whole_one_draws() {
        let text = "aü漢".repeat(2_000);
        let tool = Tool { args: text.as_str().into(), result: Some(text.as_str().into()), ..Tool::default() };
        let body = Body::Tool(Box::new(tool));
        let whole = Entry::finished(0, 1, body);
        let mut short = whole.clone();
        shorten(&mut short);
        assert_ne!(short, whole);
        let args = |entry: &Entry| match &entry.body {
            Body::Tool(tool) => (beginning(&tool.args, CLOSED), tool.result.as_ref().map(|result| beginning(result, CLOSED))),
            _ => Default::default(),
        };
        assert_eq!(args(&short), args(&whole));
    }
}
