//! The bar at the top of every page: brand, where one is, how it is, menu.

use leptos::prelude::*;

use crate::app::icon::{Icon, brand, icon};
use crate::app::live::{live, words};
use crate::app::mirror::Line;
use crate::app::settings::{Choice, THEME};
use crate::app::{dom, palette, secrets};

/// The bar; its children stand between the brand and the menu, `items` at the menu's end.
#[component]
pub fn Header(#[prop(optional)] items: Option<AnyView>, children: Children) -> impl IntoView {
    view! {
        <header class="bar">
            <a class="skip" href="#main">"Skip to content"</a>
            <a class="brand" href="/" aria-label="Sidedeck, all sessions">{brand()} <span>"Sidedeck"</span></a>
            {children()}
            <Menu items=items />
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
fn Menu(items: Option<AnyView>) -> impl IntoView {
    let menu = NodeRef::new();
    dom::close_when_left(menu);
    view! {
        <details class="menu" node_ref=menu>
            <summary class="btn ghost" aria-label="Menu">{icon(Icon::Menu)}</summary>
            <div class="sheet-menu">
                <a class="item" href="/">"All sessions"</a>
                <a class="item" href="/settings">"Settings"</a>
                {palette::asked().map(|asked| view! { <button type="button" class="item" on:click=move |_| asked.set(Some("?"))>"Keyboard shortcuts"</button> })}
                {use_context::<secrets::Here>().map(|_| view! {
                    <button type="button" class="item" on:click=move |_| secrets::show(!untrack(secrets::shown))>{words(move || if secrets::shown() { "Hide secrets" } else { "Show secrets" })}</button>
                })}
                {items}
                <Choice setting=&THEME short=true />
            </div>
        </details>
    }
    .into_any()
}
