//! The session list.

use leptos::prelude::*;

#[component]
pub fn Home() -> impl IntoView {
    view! { <p>"…"</p> }
}
