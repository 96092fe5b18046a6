//! The card layer of a session page.

use leptos::prelude::*;

use super::mirror::Mirror;

/// The agents of a session as cards beside its conversation.
#[component]
pub fn CardLayer(mirror: Mirror) -> impl IntoView {
    let _ = mirror;
}
