//! Whether this browser may save the transcripts that are opened in it: asked once, where the app is not installed.

use leptos::prelude::*;

use crate::app::live::live;
use crate::app::{dom, kept, settings};

/// Where the browser keeps that it was asked.
const ASKED: &str = "keep:asked";

/// The question, on a narrow screen.
#[component]
pub fn AskKeeping() -> impl IntoView {
    let open = RwSignal::new(false);
    Effect::new(move |_| open.set(!kept::installed() && settings::keeping_is_open() && dom::kept(ASKED).is_none()));
    let answer = move |save: bool| {
        dom::keep(ASKED, Some("1"));
        if save {
            settings::keep_here();
        }
        open.set(false);
    };
    live(move || {
        open.get().then(|| {
            view! {
                <section class="asks" aria-label="Offline reading">
                    <p>"Save the transcripts that you open, to read them here without a network? They stay in this browser until you log out."</p>
                    <div class="row">
                        <button type="button" class="btn" on:click=move |_| answer(false)>"No"</button>
                        <button type="button" class="btn primary" on:click=move |_| answer(true)>"Save them"</button>
                    </div>
                </section>
            }
        })
    })
    .into_any()
}
