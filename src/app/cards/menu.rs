//! The one menu of the card layer, in the browser's top layer, where no card can cut it off.

use leptos::ev::{self, MouseEvent};
use leptos::html::Div;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement, KeyboardEvent};

use super::measure::{self, find};
use super::menus::{AllMenu, CardMenu, MoreMenu};
use super::state::Cards;
use crate::deck::{CardId, Rect};

/// What the menu is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuKind {
    /// A card, at its header or at its chip.
    Card(CardId),
    /// All cards and agents.
    All,
    /// The chips that the dock has no room for.
    More,
}

/// The menu that is open, and what it hangs on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MenuAt {
    pub kind: MenuKind,
    anchor: Rect,
}

/// A menu keeps this distance from the edges of the window, px.
const EDGE: f64 = 8.0;
const ITEMS: &str = "[role=menuitem]:not([aria-disabled=true])";

/// Opens a menu at the control that was pressed. The same control closes it.
pub fn open(cards: Cards, kind: MenuKind, event: &MouseEvent) {
    let control = event.current_target().and_then(|target| target.dyn_into::<Element>().ok());
    if let Some(control) = control {
        let anchor = measure::rect(&control.get_bounding_client_rect());
        cards.menu.set(Some(MenuAt { kind, anchor }));
    }
}

/// Closes the menu. The browser gives the focus back, so this comes before its items go.
pub fn hide(cards: Cards) {
    if let Some(menu) = find(".card-menu:popover-open").and_then(|menu| menu.dyn_into::<HtmlElement>().ok()) {
        let _ = menu.hide_popover();
    }
    if cards.menu.get_untracked().is_some() {
        cards.menu.set(None);
    }
}

/// The menu's place in the page.
#[component]
pub fn Menu(cards: Cards) -> impl IntoView {
    let node = NodeRef::<Div>::new();
    let shown = StoredValue::new(None::<MenuAt>);
    Effect::new(move |_| {
        let Some((at, element)) = cards.menu.get().zip(node.get()) else { return };
        request_animation_frame(move || {
            if cards.menu.try_get_untracked() == Some(Some(at)) {
                show(element.unchecked_ref(), at);
                shown.set_value(Some(at));
            }
        });
    });
    // A press outside closes it in the browser, and this is told later: by then another menu may have been asked for.
    let toggled = move |_: ev::Event| {
        if cards.is_gone() {
            return;
        }
        let open = node.get_untracked().is_some_and(|div| div.matches(":popover-open").unwrap_or(false));
        if !open && shown.get_value() == cards.menu.get_untracked() {
            cards.menu.set(None);
        }
    };
    let content = move || {
        cards.menu.get().map(|at| match at.kind {
            MenuKind::Card(id) => view! { <CardMenu cards id /> }.into_any(),
            MenuKind::All => view! { <AllMenu cards /> }.into_any(),
            MenuKind::More => view! { <MoreMenu cards /> }.into_any(),
        })
    };
    view! {
        <div class="card-menu" popover="auto" role="menu" aria-label="Cards" node_ref=node on:toggle=toggled on:keydown=move |event| walk(cards, &event)>
            {content}
        </div>
    }
}

fn show(element: &HtmlElement, at: MenuAt) {
    let _ = element.show_popover();
    let own = measure::rect(&element.get_bounding_client_rect());
    let room = measure::viewport();
    let left = (at.anchor.right() - own.w).min(room.w - own.w - EDGE).max(EDGE);
    let below = at.anchor.bottom() + 4.0;
    let top = if below + own.h <= room.h - EDGE { below } else { (at.anchor.y - own.h - 4.0).max(EDGE) };
    let style = leptos::web_sys::HtmlElement::style(element);
    let _ = style.set_property("left", &format!("{}px", left.round()));
    let _ = style.set_property("top", &format!("{}px", top.round()));
    focus_item(element, |_, _| 0);
}

/// Arrow keys, Home and End go round the items; Tab leaves.
fn walk(cards: Cards, event: &KeyboardEvent) {
    let Some(menu) = event.current_target().and_then(|target| target.dyn_into::<HtmlElement>().ok()) else { return };
    match event.key().as_str() {
        "ArrowDown" | "ArrowRight" => focus_item(&menu, |at, count| at.map_or(0, |at| (at + 1) % count)),
        "ArrowUp" | "ArrowLeft" => focus_item(&menu, |at, count| at.map_or(count - 1, |at| (at + count - 1) % count)),
        "Home" => focus_item(&menu, |_, _| 0),
        "End" => focus_item(&menu, |_, count| count - 1),
        "Tab" => hide(cards),
        _ => return,
    }
    event.prevent_default();
}

fn focus_item(menu: &HtmlElement, to: impl Fn(Option<usize>, usize) -> usize) {
    let Ok(list) = menu.query_selector_all(ITEMS) else { return };
    let items: Vec<HtmlElement> = (0..list.length()).filter_map(|i| list.item(i)?.dyn_into().ok()).collect();
    if items.is_empty() {
        return;
    }
    let here = find(":focus");
    let at = items.iter().position(|item| here.as_ref().is_some_and(|here| item.is_same_node(Some(here))));
    if let Some(item) = items.get(to(at, items.len())) {
        let _ = item.focus();
    }
}
