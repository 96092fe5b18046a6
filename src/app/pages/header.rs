//! The bar at the top of every page: brand, where one is, how it is, menu.

use leptos::prelude::*;

use crate::app::dom;
use crate::app::icon::{Icon, brand, icon};
use crate::app::live::live;
use crate::app::mirror::Line;

/// The themes that a person can choose; the empty one follows the system.
const THEMES: [(&str, &str); 3] = [("", "System"), ("light", "Light"), ("dark", "Dark")];

/// The bar; its children stand between the brand and the menu.
#[component]
pub fn Header(children: Children) -> impl IntoView {
    view! {
        <header class="bar">
            <a class="skip" href="#main">"Skip to content"</a>
            <a class="brand" href="/" aria-label="Sidedeck, all sessions">{brand()} <span>"Sidedeck"</span></a>
            {children()}
            <Menu />
        </header>
    }
    .into_any()
}

/// How the event stream is, where that is worth a word.
#[component]
pub fn LinePill(line: ArcRwSignal<Line>) -> impl IntoView {
    view! {
        <span role="status" class="line">
            {live(move || match line.get() {
                Line::Starting | Line::Live => None,
                Line::Lost => Some(view! { <span class="pill warn">"Reconnecting"</span> }.into_any()),
                Line::Outdated => Some(view! { <a class="pill warn" href="" rel="external">"New version: reload"</a> }.into_any()),
            })}
        </span>
    }
    .into_any()
}

#[component]
fn Menu() -> impl IntoView {
    let menu = NodeRef::new();
    dom::close_when_left(menu);
    let theme = RwSignal::new(String::new());
    Effect::new(move |_| theme.set(dom::kept("theme").unwrap_or_default()));
    let choose = move |name: &'static str| {
        theme.set(name.to_owned());
        let kept = (!name.is_empty()).then_some(name);
        dom::keep("theme", kept);
        dom::set_root("data-theme", kept);
    };
    let items = THEMES.map(|(name, word)| {
        view! {
            <label class="item">
                <input type="radio" name="theme" value=name prop:checked=move || theme.get() == name on:change=move |_| choose(name) />
                {word}
            </label>
        }
    });
    view! {
        <details class="menu" node_ref=menu>
            <summary class="btn ghost" aria-label="Menu">{icon(Icon::Menu)}</summary>
            <div class="sheet-menu">
                <a class="item" href="/">"All sessions"</a>
                <fieldset>
                    <legend>"Theme"</legend>
                    {items}
                </fieldset>
            </div>
        </details>
    }
    .into_any()
}
