//! The bar at the top of every page: brand, where one is, how it is, menu.

use leptos::prelude::*;

use super::sheet;
use crate::app::clock::Clock;
use crate::app::icon::{Icon, brand, icon};
use crate::app::live::{later, live, stage, words};
use crate::app::mirror::Line;
use crate::app::numbers::ago;
use crate::app::settings::{Choice, THEME};
use crate::app::trail::{Back, Refresh};
use crate::app::{dom, palette, secrets};
use crate::model::Ms;

/// For how long a lost stream is no more than that, in ms.
const RECONNECTING: Ms = 60_000;

/// The bar; its children stand between the brand and the menu, `items` at the menu's end.
#[component]
pub fn Header(
    #[prop(optional, into)] items: Option<ViewFn>,
    /// The list itself: there is no way further up.
    #[prop(optional)]
    home: bool,
    children: Children,
) -> impl IntoView {
    let bar = move || {
        view! {
            <a class="skip" href="#main">"Skip to content"</a>
            {(!home).then(|| view! { <Back /> })}
            <a class="brand" href="/" aria-label="Sidedeck, all sessions">{brand()} <span>"Sidedeck"</span></a>
            {children()}
            <Refresh />
            <Menu items=items />
        }
    };
    view! { <header class="bar">{stage(bar)}</header> }.into_any()
}

/// How the event stream is, where that is worth a word.
#[component]
pub fn LinePill(line: ArcRwSignal<Line>, clock: Clock) -> impl IntoView {
    let said = Memo::new(move |_| match line.get() {
        Line::Starting | Line::Live => None,
        Line::Lost { since } => {
            clock.now();
            let past = dom::now() - since;
            Some(if past < RECONNECTING { "Reconnecting".to_owned() } else { format!("Last known {}", ago(past)) })
        }
        Line::Saved { at } => {
            let (time, whole) = dom::local_time(at)?;
            let today = dom::local_time(dom::now()).is_some_and(|(_, now)| now.get(..10) == whole.get(..10));
            Some(format!("Saved {}, offline", if today { &time } else { whole.get(..16).unwrap_or(&time) }))
        }
        Line::Outdated => Some(String::new()),
    });
    view! {
        <span role="status" class="line">
            {live(move || said.get().map(|said| match said.as_str() {
                // The worker that keeps the pages takes over at a press, and the page is loaded again once it has.
                "" => view! { <a class="pill warn" href="" rel="external" data-update="">"New version: reload"</a> }.into_any(),
                _ => view! { <span class="pill warn">{said}</span> }.into_any(),
            }))}
        </span>
    }
    .into_any()
}

/// The id of the menu's button.
pub const MENU: &str = "menu";

#[component]
fn Menu(items: Option<ViewFn>) -> impl IntoView {
    let menu = NodeRef::new();
    dom::close_when_left(menu);
    sheet::attend(menu);
    view! {
        <details class="menu" node_ref=menu>
            <summary id=MENU class="btn ghost" aria-label="Menu">{icon(Icon::Menu)}</summary>
            <div class="sheet-menu">
                <div class="grip" aria-hidden="true"></div>
                {later(|| palette::asked().map(|asked| view! { <button type="button" class="item search" on:click=move |_| asked.set(Some(""))>"Search"</button> }))}
                <a class="item" href="/">"All sessions"</a>
                <a class="item" href="/settings">"Settings"</a>
                {later(move || view! {
                    {palette::asked().map(|asked| view! { <button type="button" class="item keys" on:click=move |_| asked.set(Some("?"))>"Keyboard shortcuts"</button> })}
                    {use_context::<secrets::Here>().map(|_| view! {
                        <button type="button" class="item" on:click=move |_| secrets::show(!untrack(secrets::shown))>{words(move || if secrets::shown() { "Hide secrets" } else { "Show secrets" })}</button>
                    })}
                    {items.as_ref().map(ViewFn::run)}
                    <Choice setting=&THEME short=true />
                })}
            </div>
        </details>
    }
    .into_any()
}
