//! The rail: cards in a column beside the conversation, which cover nothing.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::Element;

use super::bodies::{Body, Foot};
use super::header::CardHeader;
use super::state::Cards;
use super::{focus, keyboard};
use crate::app::status::{Dot, agent_word, hue};
use crate::deck::{CardId, MIN_CONVERSATION, MIN_RAIL, Stride, along};

/// The column, where there are cards in it.
#[component]
pub fn Rail(cards: Cards) -> impl IntoView {
    let shown = Memo::new(move |_| cards.beside());
    let there = Memo::new(move |_| shown.get().is_some());
    let tabs = Memo::new(move |_| cards.deck.with(|deck| deck.rail().to_vec()));
    let many = Memo::new(move |_| tabs.with(|tabs| tabs.len() > 1));
    let width = Memo::new(move |_| cards.deck.with(|deck| deck.rail_width(cards.room.get())));
    let drawn = move || cards.splitting.get().unwrap_or_else(|| width.get());
    let panel = move || shown.get().map(|id| view! { <Panel cards id many /> }.into_any());
    let tab = move |id| view! { <Tab cards id shown /> }.into_any();
    let column = move || {
        there.get().then(|| {
            view! {
                <aside class="rail" aria-label="Beside the conversation" style:width=move || format!("{}px", drawn())>
                    <div
                        class="splitter"
                        role="separator"
                        aria-orientation="vertical"
                        aria-label="Width of the column"
                        aria-valuemin=MIN_RAIL.to_string()
                        aria-valuemax=move || (cards.room.get() - MIN_CONVERSATION).max(MIN_RAIL).round().to_string()
                        aria-valuenow=move || drawn().to_string()
                        tabindex="0"
                        on:keydown=move |event| keys(cards, &event)
                        on:pointerdown=move |event| press(cards, &event)
                        on:pointermove=move |event| follow(cards, &event)
                        on:pointerup=move |_| release(cards, true)
                        on:pointercancel=move |_| release(cards, false)
                        on:lostpointercapture=move |_| release(cards, false)
                    ></div>
                    {move || many.get().then(|| view! {
                        <div class="tabs" role="tablist" aria-label="Cards beside the conversation" on:keydown=move |event| walk(cards, &event)>
                            <For each=move || tabs.get() key=|id| *id children=tab />
                        </div>
                    })}
                    {panel}
                </aside>
            }
            .into_any()
        })
    };
    view! { {column} }.into_any()
}

#[component]
fn Tab(cards: Cards, id: CardId, shown: Memo<Option<CardId>>) -> impl IntoView {
    let row = id.agent().and_then(|n| untrack(|| cards.agent(n)));
    let title = Memo::new(move |_| cards.title(id));
    let unread = Memo::new(move |_| cards.unread(id));
    let on = Memo::new(move |_| shown.get() == Some(id));
    let state = row.clone().map(|row| Memo::new(move |_| row.row.with(agent_word)));
    let dot = row.map(|row| view! { <Dot shape=Signal::derive(move || row.row.with(|agent| agent.status.into())) /> });
    let whole = move || state.map_or_else(|| title.get(), |state| format!("{}, {}", title.get(), state.get()));
    view! {
        <button
            type="button"
            role="tab"
            id=format!("tab-{id}")
            class=format!("tab {}", id.agent().map_or("hue0", hue))
            aria-selected=move || if on.get() { "true" } else { "false" }
            aria-controls=format!("card-{id}")
            tabindex=move || if on.get() { "0" } else { "-1" }
            title=whole
            on:click=move |_| cards.deck.update(|deck| deck.show_in_rail(id))
        >
            {dot}
            <span class="n">{move || title.get()}</span>
            {state.map(|state| view! { <span class="seen-not">{move || format!(", {}", state.get())}</span> })}
            {move || Some(unread.get()).filter(|n| *n > 0).map(|n| view! { <span class="badge num">{n.min(99)}<span class="seen-not">" new"</span></span> })}
        </button>
    }
    .into_any()
}

#[component]
fn Panel(cards: Cards, id: CardId, many: Memo<bool>) -> impl IntoView {
    let still = Memo::new(|_| false);
    let desk = cards.desk();
    let touched = Memo::new(move |_| id.agent().is_some() && desk.touched.get() == id.agent());
    view! {
        <section
            id=format!("card-{id}")
            class=format!("card {}", id.agent().map_or("hue0", hue))
            class:touched=move || touched.get()
            role=move || many.get().then_some("tabpanel")
            aria-labelledby=format!("title-{id}")
            aria-describedby=format!("foot-{id}")
            tabindex="-1"
            on:pointerenter=move |_| cards.touch(id)
            on:pointerleave=move |_| cards.release(id)
            on:focusin=move |_| {
                cards.used.set_value(Some(id));
                cards.attend(id);
                cards.touch(id);
            }
            on:focusout=move |_| cards.release(id)
            on:keydown=move |event| keyboard::on_card(cards, id, &event)
        >
            <CardHeader cards id maximised=still rail=true />
            <div class="card-body">
                <Body cards id />
            </div>
            <Foot cards id keyed=still />
        </section>
    }
    .into_any()
}

/// Arrow keys, Home and End walk the tabs and show them; with Alt the arrows move one.
fn walk(cards: Cards, event: &KeyboardEvent) {
    let Some(by) = along(&event.key()) else { return };
    event.prevent_default();
    let Some(shown) = cards.deck.with_untracked(|deck| deck.shown_in_rail()) else { return };
    cards.deck.update(|deck| {
        if event.alt_key() {
            deck.move_in_rail(shown, by);
        } else if let Some(at) = deck.rail().iter().position(|id| *id == shown)
            && let Some(to) = deck.rail().get(at.saturating_add_signed(by).min(deck.rail().len() - 1)).copied()
        {
            deck.show_in_rail(to);
        }
    });
    focus::tab(cards);
}

/// The keys of a splitter: arrows by 16 px, with Shift by 64, with Ctrl by 1; Home and End as far as it goes; Enter the first width.
fn keys(cards: Cards, event: &KeyboardEvent) {
    let room = cards.room.get_untracked();
    let width = cards.deck.with_untracked(|deck| deck.rail_width(room));
    let stride = Stride::of_keys(event.shift_key(), event.ctrl_key());
    let width = match event.key().as_str() {
        "ArrowLeft" => width + stride.length(),
        "ArrowRight" => width - stride.length(),
        "Home" => 0.0,
        "End" => room,
        _ => return,
    };
    event.prevent_default();
    cards.deck.update(|deck| deck.set_rail_width(width, room));
}

fn press(cards: Cards, event: &PointerEvent) {
    let splitter = event.current_target().and_then(|target| target.dyn_into::<Element>().ok());
    let held = event.is_primary() && event.button() == 0 && splitter.is_some_and(|it| it.set_pointer_capture(event.pointer_id()).is_ok());
    if held {
        let width = cards.deck.with_untracked(|deck| deck.rail_width(cards.room.get_untracked()));
        cards.split_from.set_value(Some((f64::from(event.client_x()), width)));
    }
}

fn follow(cards: Cards, event: &PointerEvent) {
    let Some((x, width)) = cards.split_from.get_value() else { return };
    let room = cards.room.get_untracked();
    let wanted = width + x - f64::from(event.client_x());
    cards.splitting.set(Some(wanted.min(room - MIN_CONVERSATION).max(MIN_RAIL).round()));
}

/// Writes the width once, or leaves it as it was.
fn release(cards: Cards, keep: bool) {
    if cards.is_gone() {
        return;
    }
    cards.split_from.set_value(None);
    let Some(width) = cards.splitting.get_untracked() else { return };
    if keep {
        cards.deck.update(|deck| deck.set_rail_width(width, cards.room.get_untracked()));
    }
    cards.splitting.set(None);
}

/// Leaves a splitter that is being dragged as it was. True if there was one.
pub fn revert(cards: Cards) -> bool {
    let held = cards.split_from.get_value().is_some();
    release(cards, false);
    held
}
