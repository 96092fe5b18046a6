//! A session's conversation, or one of its agents as a page.

use leptos::prelude::*;

#[component]
pub fn SessionView() -> impl IntoView {
    view! { <p>"…"</p> }
}
