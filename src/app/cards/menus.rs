//! What the menus offer: with clicks alone everything that a drag can do.

use leptos::prelude::*;

use super::acts::{self, ACTS, ALL};
use super::agents::AgentLine;
use super::dock::{Chip, overflow};
use super::menu::{self, MenuKind, hide};
use super::state::Cards;
use crate::deck::{CardId, Preset, Spot};

#[component]
fn Item(cards: Cards, #[prop(into)] name: String, class: &'static str, text: &'static str, on_press: Box<dyn Fn()>) -> impl IntoView {
    let press = move |_| {
        hide(cards);
        on_press();
    };
    let title = (name != text).then_some(name);
    view! { <button type="button" role="menuitem" class=class tabindex="-1" aria-label=title.clone() title=title on:click=press>{text}</button> }.into_any()
}

/// The menu of a card, at its header or at its chip.
#[component]
pub fn CardMenu(cards: Cards, id: CardId) -> impl IntoView {
    let (docked, maximise) = cards.deck.with_untracked(|deck| (deck.is_docked(id), acts::maximise_name(deck, id)));
    let places = (!docked).then(|| {
        let spots = Spot::ALL.map(|spot| {
            let name = format!("Move to {}", spot.word());
            view! { <Item cards name class="spot" text="" on_press=Box::new(move || acts::move_to(cards, id, spot)) /> }
        });
        let sizes = Preset::ALL.map(|preset| {
            let (name, text) = (format!("Size {}", preset.word().to_lowercase()), preset.word().get(..1).unwrap_or_default());
            view! { <Item cards name class="size" text on_press=Box::new(move || acts::set_size(cards, id, preset)) /> }
        });
        view! {
            <div class="places">
                <div class="spots">{spots.into_iter().collect_view()}</div>
                <div class="sizes">
                    {sizes.into_iter().collect_view()}
                    <Item cards name=maximise class="size" text=maximise on_press=Box::new(move || acts::maximise(cards, id)) />
                </div>
            </div>
            <hr />
        }
        .into_any()
    });
    let items = ACTS.iter().filter(|act| cards.deck.with_untracked(|deck| (act.when)(deck, id)));
    let items =
        items.map(|act| view! { <Item cards name=act.name class="item" text=act.name on_press=Box::new(move || (act.run)(cards, id)) /> });
    let page = id.agent().map(|n| {
        view! { <a role="menuitem" class="item" tabindex="-1" href=untrack(|| cards.page(n)) on:click=move |_| hide(cards)>"Open full page"</a> }.into_any()
    });
    let mut items: Vec<_> = items.map(IntoAny::into_any).collect();
    // Closing stands last, by itself.
    let close = items.pop();
    view! {
        {places}
        {items}
        {page}
        <hr />
        {close}
    }
    .into_any()
}

/// What is done to all cards at once, and all agents.
#[component]
pub fn AllMenu(cards: Cards) -> impl IntoView {
    let items =
        ALL.iter().map(|act| view! { <Item cards name=act.name class="item" text=act.name on_press=Box::new(move || (act.run)(cards)) /> });
    let agents = untrack(|| cards.subagents());
    let any = !agents.is_empty();
    view! {
        {items.collect_view()}
        {any.then(|| view! { <hr /> <p class="menu-head" role="presentation">"Agents"</p> })}
        <div class="menu-agents" role="presentation">
            {agents.into_iter().map(|row| view! { <AgentLine cards row role="menuitem" /> }).collect_view()}
        </div>
    }
    .into_any()
}

/// The chips that the dock has no room for.
#[component]
pub fn MoreMenu(cards: Cards) -> impl IntoView {
    let chips = untrack(|| overflow(cards));
    view! {
        <div class="menu-agents" role="presentation">
            {chips.into_iter().map(|id| view! { <Chip cards id role="menuitem" /> }).collect_view()}
        </div>
    }
    .into_any()
}

/// Opens the menu of a chip at its place.
pub fn open_chip(cards: Cards, id: CardId, event: &leptos::ev::MouseEvent) {
    event.prevent_default();
    menu::open(cards, MenuKind::Card(id), event);
}
