//! The dock: minimised cards in their order, and the open ones, so that a buried card is one click away.

use leptos::ev::{FocusEvent, KeyboardEvent, MouseEvent};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, EventTarget, HtmlElement};

use super::menu::{self, MenuKind};
use super::state::Cards;
use super::{agents, focus, menus, reason, sort, todos};
use crate::app::clock::elapsed;
use crate::app::numbers::count;
use crate::app::status::{Dot, agent_word, hue};
use crate::deck::{CardId, Mode, along};
use crate::model::AgentStatus;

/// The least room of a chip with its gap, px.
const CHIP: f64 = 136.0;
/// What the dock's edges, "All cards" and "+N" need, px; what each further control does.
const REST: f64 = 196.0;
const CONTROL: f64 = 150.0;
/// So many agents are linked before the browser has taken over.
const LINKS: usize = 6;

/// The strip below the conversation. Until the browser has taken over it holds plain links.
#[component]
pub fn Dock(cards: Cards) -> impl IntoView {
    let needed = Memo::new(move |_| {
        !cards.subagents().is_empty() || todos::newest(cards).is_some() || cards.deck.with(|deck| !deck.cards().is_empty())
    });
    move || {
        needed.get().then(|| {
            view! { <div class="dock-place">{move || if cards.active.get() { view! { <Chips cards /> }.into_any() } else { view! { <Links cards /> }.into_any() }}</div> }
        })
    }
}

#[component]
fn Links(cards: Cards) -> impl IntoView {
    let rows = untrack(|| cards.subagents());
    let links = rows.iter().take(LINKS).map(|row| {
        let n = row.n;
        let (title, href) = (untrack(|| cards.title(CardId::Agent(n))), untrack(|| cards.page(n)));
        let shape = row.row.with_untracked(|agent| agent.status.into());
        view! { <a class=format!("chip {}", hue(n)) href=href><Dot shape=Signal::derive(move || shape) /><span class="n">{title}</span></a> }
    });
    view! { <nav class="dock" aria-label="Agents">{links.collect_view()}</nav> }
}

/// All chips: minimised ones, then those on the table, then the rail's.
fn chips(cards: Cards) -> Vec<CardId> {
    let open = cards.on_table();
    cards.deck.with(|deck| deck.dock().iter().copied().chain(open).chain(deck.rail().iter().copied()).collect())
}

/// How many chips the dock has room for; tracks.
fn room(cards: Cards) -> usize {
    let has = |id| cards.deck.with(|deck| deck.contains(id));
    let todos = todos::newest(cards).is_some() && !has(CardId::Todos);
    let tray = !agents::loose(cards).is_empty() && !has(CardId::Tray);
    let rest = REST + CONTROL * (f64::from(u8::from(todos)) + f64::from(u8::from(tray)));
    ((cards.room.get() - rest) / CHIP).floor().max(1.0) as usize
}

/// The chips that find no room; tracks.
pub fn overflow(cards: Cards) -> Vec<CardId> {
    chips(cards).into_iter().skip(room(cards)).collect()
}

#[component]
fn Chips(cards: Cards) -> impl IntoView {
    let shown = Memo::new(move |_| {
        let mut chips = chips(cards);
        chips.truncate(room(cards));
        chips
    });
    let more = Memo::new(move |_| overflow(cards).len());
    let docked = move || shown.get().into_iter().filter(|id| cards.deck.with(|deck| deck.is_docked(*id))).collect::<Vec<_>>();
    let open = move || shown.get().into_iter().filter(|id| cards.deck.with(|deck| !deck.is_docked(*id))).collect::<Vec<_>>();
    let unlinked = Memo::new(move |_| agents::loose(cards).len());
    let list = Memo::new(move |_| todos::newest(cards).map(|(items, _)| todos::progress(&items)));
    let all_is_stop = Memo::new(move |_| cards.stop.get().is_none_or(|stop| shown.with(|shown| !shown.contains(&stop))));
    let has = move |id| cards.deck.with(|deck| deck.contains(id));
    let open_card = move |id| {
        cards.open(id);
        focus::card(id);
    };
    view! {
        <div class="dock" role="toolbar" aria-label="Cards" on:keydown=move |event| keys(cards, &event) on:focusin=move |event| rove(cards, &event)>
            <For each=docked key=|id| *id let:id><Chip cards id /></For>
            <span class="grow"></span>
            <For each=open key=|id| *id let:id><Chip cards id /></For>
            <Show when=move || { more.get() > 0 }>
                <button type="button" class="btn ghost num" tabindex="-1" aria-haspopup="menu" aria-label=move || format!("{} more", count(more.get() as u64, "card")) on:click=move |event| menu::open(cards, MenuKind::More, &event)>
                    {move || format!("+{}", more.get())}
                </button>
            </Show>
            {move || list.get().filter(|_| !has(CardId::Todos)).map(|progress| view! {
                <button type="button" class="btn ghost num" tabindex="-1" on:click=move |_| open_card(CardId::Todos)>{format!("To do {progress}")}</button>
            })}
            {move || Some(unlinked.get()).filter(|n| *n > 0 && !has(CardId::Tray)).map(|n| view! {
                <button type="button" class="btn ghost num" tabindex="-1" on:click=move |_| open_card(CardId::Tray)>{format!("{n} without a parent")}</button>
            })}
            <button type="button" class="btn ghost" tabindex=move || if all_is_stop.get() { "0" } else { "-1" } aria-haspopup="menu" on:click=move |event| menu::open(cards, MenuKind::All, &event)>"All cards"</button>
        </div>
    }
}

/// A card's chip: restores, raises or minimises it.
#[component]
pub fn Chip(cards: Cards, id: CardId, #[prop(optional)] role: Option<&'static str>) -> impl IntoView {
    let row = id.agent().and_then(|n| untrack(|| cards.agent(n)));
    let open = Memo::new(move |_| cards.deck.with(|deck| !deck.is_docked(id)));
    let unread = Memo::new(move |_| cards.unread(id));
    let title = Memo::new(move |_| cards.title(id));
    let desk = cards.desk();
    let marked = desk.touched.clone();
    let touched = Memo::new(move |_| id.agent().is_some() && marked.get() == id.agent());
    let parent = Memo::new(move |_| cards.parent(id));
    let kin = Memo::new(move |_| {
        let Some((n, touched)) = id.agent().zip(desk.touched.get()) else { return false };
        parent.get() == Some(touched) || cards.parent(CardId::Agent(touched)) == Some(n)
    });
    let under = Memo::new(move |_| parent.get().map(|parent| format!(", started by {}", cards.title(CardId::Agent(parent)))));
    let failed = row.clone();
    let why = Memo::new(move |_| failed.as_ref().and_then(|row| row.row.with(|agent| reason::why(cards, agent))));
    let press = move |event: MouseEvent| {
        if event.detail() != 0 && sort::swallows_click(cards) {
            return;
        }
        menu::hide(cards);
        let at_hand = cards.deck.with_untracked(|deck| match deck.mode(id) {
            Some(Mode::Rail) => deck.shown_in_rail() == Some(id),
            _ => deck.front() == Some(id) && !cards.peeking.get_untracked(),
        });
        if at_hand {
            cards.minimise(id);
            return;
        }
        cards.restore(id);
        if event.detail() == 0 {
            focus::card(id);
        }
    };
    let state = row.map(|row| {
        let (shape, facts, clock) = (row.row.clone(), row.row, cards.mirror().clock.of(row.n));
        let facts = Memo::new(move |_| {
            facts.with(|agent| {
                let running = agent.status == AgentStatus::Running;
                (agent_word(agent), running.then(|| elapsed(&clock, agent.started_at, None)).flatten())
            })
        });
        view! {
            <Dot shape=Signal::derive(move || shape.with(|agent| agent.status.into())) />
            <span class="n">{move || title.get()}</span>
            {move || match facts.get() {
                (word, Some(time)) => view! { <span class="state num" aria-hidden="true">{time}</span><span class="seen-not">{word}</span> }.into_any(),
                (word, None) => {
                    let word = view! { <span class="state" aria-hidden=why.with(Option::is_some).then_some("true")>{word}</span> };
                    view! { {word}{move || why.get().map(|why| view! { <span class="seen-not">{why}</span> })} }.into_any()
                }
            }}
        }
        .into_any()
    });
    let whole =
        move || [title.get(), under.get().unwrap_or_default(), why.get().map(|why| format!(", {why}")).unwrap_or_default()].concat();
    let class = format!("chip {}", id.agent().map_or("hue0", hue));
    view! {
        <button
            type="button"
            id=role.is_none().then(|| format!("chip-{id}"))
            class=class
            class:open=move || open.get()
            class:touched=move || touched.get()
            class:kin=move || kin.get()
            role=role
            tabindex=move || if role.is_none() && cards.stop.get() == Some(id) { "0" } else { "-1" }
            aria-pressed=move || role.is_none().then(|| if open.get() { "true" } else { "false" })
            title=whole
            on:click=press
            on:pointerdown=move |event| sort::press(cards, id, &event)
            on:pointermove=move |event| sort::follow(cards, &event)
            on:pointercancel=move |_| {
                sort::revert(cards);
            }
            on:contextmenu=move |event| menus::open_chip(cards, id, &event)
            on:pointerenter=move |_| cards.touch(id)
            on:pointerleave=move |_| cards.release(id)
        >
            {move || under.get().map(|under| view! { <span class="under" aria-hidden="true">"↳"</span><span class="seen-not">{under}</span> })}
            {state.unwrap_or_else(|| view! { <span class="n">{move || title.get()}</span> }.into_any())}
            {move || Some(unread.get()).filter(|n| *n > 0).map(|n| view! {
                <span class="badge num">{if n > 99 { "99+".to_owned() } else { n.to_string() }}<span class="seen-not">" new"</span></span>
            })}
        </button>
    }
}

/// Arrow keys, Home and End walk the dock; with Alt the arrows move a minimised card's chip.
fn keys(cards: Cards, event: &KeyboardEvent) {
    let Some(here) = document().active_element() else { return };
    let Some(by) = along(&event.key()) else { return };
    event.prevent_default();
    if let (true, Some(id)) = (event.alt_key(), chip_id(&here)) {
        cards.deck.update(|deck| {
            deck.move_in_dock(id, by);
        });
        focus::chip(id);
        return;
    }
    let buttons = buttons(event.current_target());
    let Some(at) = buttons.iter().position(|button| button.is_same_node(Some(&here))) else { return };
    let to = at.saturating_add_signed(by).min(buttons.len().saturating_sub(1));
    if let Some(button) = buttons.get(to) {
        let _ = button.focus();
    }
}

/// The control that has the focus is the one that Tab comes back to.
fn rove(cards: Cards, event: &FocusEvent) {
    let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    cards.stop.set(target.and_then(|target| chip_id(&target)));
}

/// The card whose chip this is.
fn chip_id(element: &Element) -> Option<CardId> {
    element.id().strip_prefix("chip-")?.parse().ok()
}

fn buttons(dock: Option<EventTarget>) -> Vec<HtmlElement> {
    let list = dock.and_then(|dock| dock.dyn_into::<HtmlElement>().ok()).and_then(|dock| dock.query_selector_all("button").ok());
    list.map(|list| (0..list.length()).filter_map(|i| list.item(i)?.dyn_into().ok()).collect()).unwrap_or_default()
}
