//! Stands in for the app.
use leptos::prelude::*;
use leptos_router::components::{Route, Router, Routes};
use leptos_router::path;

pub fn shell(_: LeptosOptions) -> impl IntoView {
    view! { <!DOCTYPE html> <html lang="en"><head><title>"Sidedeck"</title></head><body><App/></body></html> }
}

#[component]
pub fn App() -> impl IntoView {
    view! { <Router><Routes fallback=|| "There is no such page."><Route path=path!("/") view=|| "Sidedeck"/></Routes></Router> }
}
