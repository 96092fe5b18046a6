//! Pages that have nothing to show, with the way home.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_meta::Title;

use super::header::Header;
use crate::BUILD;
use crate::app::palette::{Finder, Palette};
use crate::app::{Failure, dom};

/// How often a server that does not answer is asked again, in ms.
const AGAIN: i32 = 5_000;

/// The page for an address that leads nowhere; the answer is a 404.
#[component]
pub fn Missing() -> impl IntoView {
    #[cfg(feature = "ssr")]
    if let Some(answer) = use_context::<leptos_axum::ResponseOptions>() {
        answer.set_status(axum::http::StatusCode::NOT_FOUND);
    }
    view! { <Failed failure=Failure::NotFound /> }.into_any()
}

/// The page for what could not be read.
#[component]
pub fn Failed(failure: Failure) -> impl IntoView {
    let (title, sentence) = match failure {
        Failure::NotFound => ("Not found", failure.sentence()),
        Failure::Unreachable => (
            "Not saved here",
            "The server does not answer, and this browser holds no copy of this page. It opens by itself once the server can be reached.",
        ),
        _ => ("Something went wrong", failure.sentence()),
    };
    Effect::new(move |_| dom::mark_hydrated(BUILD));
    if failure == Failure::Unreachable {
        let look = || {
            spawn_local(async {
                if dom::get("/healthz").await.is_some_and(|(status, _)| status == 200) {
                    dom::load_again();
                }
            });
        };
        Effect::new(move |_| dom::every(AGAIN, look));
    }
    view! {
        <Title text=title />
        <Header><Palette finder=Finder::bare() /></Header>
        <main class="sheet blank" id="main">
            <h1>{title}</h1>
            <p>{sentence}</p>
            <p><a class="btn primary" href="/">"All sessions"</a></p>
        </main>
    }
    .into_any()
}
