//! What a person can choose for this browser.

use leptos::prelude::*;
use leptos_meta::Title;

use super::devices::Devices;
use super::header::Header;
use crate::BUILD;
use crate::app::dom;
use crate::app::palette::{Finder, Palette};
use crate::app::settings::{ALL, Choice};

/// The page of settings.
#[component]
pub fn Settings() -> impl IntoView {
    Effect::new(move |_| dom::mark_hydrated(BUILD));
    view! {
        <Title text="Settings" />
        <Header><Palette finder=Finder::bare() /></Header>
        <main class="home settings" id="main">
            <div class="top"><h1>"Settings"</h1></div>
            <p>"Kept in this browser, for all its tabs."</p>
            {ALL.into_iter().map(|setting| view! { <Choice setting=setting /> }).collect_view()}
            <Devices />
        </main>
    }
    .into_any()
}
