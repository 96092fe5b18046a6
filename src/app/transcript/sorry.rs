//! Why something could not be shown. It goes by itself when the server is back.

use leptos::prelude::*;

use crate::app::live::live;
use crate::app::mirror::Line;

/// The sentence in `failed`; `back` is called once the stream is live again after it was lost.
#[component]
pub fn Sorry(
    line: ArcRwSignal<Line>,
    failed: RwSignal<Option<&'static str>>,
    back: impl Fn() + Copy + Send + Sync + 'static,
) -> impl IntoView {
    live(move || {
        failed.get().map(|sentence| {
            let line = line.clone();
            Effect::new(move |was: Option<bool>| {
                let live = line.get() == Line::Live;
                if live && was == Some(false) {
                    back();
                }
                live
            });
            view! { <p class="sorry" role="alert">{sentence}</p> }
        })
    })
    .into_any()
}
