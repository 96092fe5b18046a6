//! A block of code: its language, buttons to wrap and to copy it, and its colours once it is whole.

use leptos::html::Pre;
use leptos::prelude::*;

use super::colours;
use super::view::CopyButton;
use crate::app::detail::Span;
use crate::app::live::live;
use crate::app::transcript::spans;

/// `settled` once nothing of it can change any more: only then it is coloured.
#[component]
pub fn Code(language: String, text: Signal<String>, settled: bool) -> impl IntoView {
    let lines = RwSignal::new(None::<Vec<Vec<Span>>>);
    let wrapped = RwSignal::new(false);
    let pre = NodeRef::<Pre>::new();
    if settled && !language.is_empty() {
        let language = language.clone();
        Effect::new(move |_| text.with(|text| colours::ask(&language, text, lines)));
    }
    let word = if language.is_empty() { "text".to_owned() } else { language };
    view! {
        <figure class="code" class:wrapped=wrapped>
            <figcaption>
                <span>{word}</span>
                <span class="acts">
                    <button type="button" class="copy" aria-pressed=move || if wrapped.get() { "true" } else { "false" } on:click=move |_| wrapped.update(|on| *on = !*on)>"Wrap"</button>
                    <CopyButton text=move || text.get_untracked() label="Copy code" />
                </span>
            </figcaption>
            <pre tabindex="0" node_ref=pre><code>{live(move || lines.with(|lines| match lines {
                Some(lines) => {
                    // The colours come while a person may have selected something.
                    #[cfg(feature = "hydrate")]
                    super::selection::keep(pre);
                    lines.iter().map(|line| view! { {spans(line)}"\n" }).collect_view().into_any()
                }
                None => Some(text.get()).filter(|text| !text.is_empty()).into_any(),
            }))}</code></pre>
        </figure>
    }
    .into_any()
}
