//! What the menus offer: with clicks alone everything that a drag can do.

use leptos::prelude::*;

use super::agents::AgentLine;
use super::dock::{Chip, overflow};
use super::measure;
use super::menu::hide;
use super::state::Cards;
use super::{focus, menu};
use crate::deck::{CardId, Deck, Mode, Preset, Spot};

#[component]
fn Item(cards: Cards, name: &'static str, on_press: impl Fn() + 'static) -> impl IntoView {
    let press = move |_| {
        hide(cards);
        on_press();
    };
    view! { <button type="button" role="menuitem" class="item" tabindex="-1" on:click=press>{name}</button> }
}

/// The menu of a card.
#[component]
pub fn CardMenu(cards: Cards, id: CardId) -> impl IntoView {
    let to_title = move || focus::card(id);
    let spots = Spot::ALL.map(|spot| {
        let press = move |_| {
            hide(cards);
            cards.deck.update(|deck| deck.move_to(id, spot));
            to_title();
        };
        let name = format!("Move to {}", spot.word());
        view! { <button type="button" role="menuitem" class="spot" tabindex="-1" aria-label=name.clone() title=name on:click=press></button> }
    });
    let sizes = Preset::ALL.map(|preset| {
        let press = move |_| {
            hide(cards);
            cards.deck.update(|deck| deck.set_preset(id, preset));
            to_title();
        };
        let name = format!("Size {}", preset.word().to_lowercase());
        view! { <button type="button" role="menuitem" class="size" tabindex="-1" aria-label=name.clone() title=name on:click=press>{preset.word().get(..1)}</button> }
    });
    let maximised = cards.deck.with_untracked(|deck| deck.mode(id) == Some(Mode::Max));
    let page = id.agent().map(|n| {
        let href = untrack(|| cards.page(n));
        view! {
            <Item cards name="Show its step" on_press=move || focus::show_step(n) />
            <a role="menuitem" class="item" tabindex="-1" href=href on:click=move |_| hide(cards)>"Open full page"</a>
        }
    });
    view! {
        <div class="places">
            <div class="spots">{spots}</div>
            <div class="sizes">
                {sizes}
                <button
                    type="button"
                    role="menuitem"
                    class="size"
                    tabindex="-1"
                    on:click=move |_| {
                        hide(cards);
                        cards.toggle_maximised(id);
                        to_title();
                    }
                >
                    {if maximised { "Restore size" } else { "Maximise" }}
                </button>
            </div>
        </div>
        <hr />
        <Item cards name="Move with arrow keys" on_press=move || keys(cards, id, false) />
        <Item cards name="Resize with arrow keys" on_press=move || keys(cards, id, true) />
        <Item
            cards
            name="Send to back"
            on_press=move || {
                cards.deck.update(|deck| deck.send_to_back(id));
                focus::chip(id);
            }
        />
        <Item
            cards
            name="Minimise"
            on_press=move || {
                cards.minimise(id);
                focus::chip(id);
            }
        />
        {page}
        <hr />
        <Item cards name="Close" on_press=move || focus::close(cards, id) />
    }
}

fn keys(cards: Cards, id: CardId, sizing: bool) {
    focus::card(id);
    request_animation_frame(move || cards.start_keys(id, sizing));
}

/// The menu of a chip.
#[component]
pub fn ChipMenu(cards: Cards, id: CardId) -> impl IntoView {
    let docked = cards.deck.with_untracked(|deck| deck.is_docked(id));
    let shift = move |by: isize| {
        cards.deck.update(|deck| {
            deck.move_in_dock(id, by);
        });
        focus::chip(id);
    };
    let page = id.agent().map(|n| {
        view! { <a role="menuitem" class="item" tabindex="-1" href=untrack(|| cards.page(n)) on:click=move |_| hide(cards)>"Open full page"</a> }
    });
    let own = if docked {
        view! {
            <Item
                cards
                name="Restore"
                on_press=move || {
                    cards.restore(id);
                    focus::card(id);
                }
            />
            <Item cards name="Move left" on_press=move || shift(-1) />
            <Item cards name="Move right" on_press=move || shift(1) />
        }
        .into_any()
    } else {
        view! {
            <Item
                cards
                name="Bring to front"
                on_press=move || {
                    cards.restore(id);
                    focus::card(id);
                }
            />
            <Item
                cards
                name="Minimise"
                on_press=move || {
                    cards.minimise(id);
                    focus::chip(id);
                }
            />
        }
        .into_any()
    };
    view! {
        {own}
        {page}
        <Item cards name="Close" on_press=move || focus::close(cards, id) />
    }
}

/// What is done to all cards at once, and all agents.
#[component]
pub fn AllMenu(cards: Cards) -> impl IntoView {
    type Act = fn(&mut Deck);
    const ACTS: [(&str, Act); 5] = [
        ("Tile", Deck::tile),
        ("Cascade", Deck::cascade),
        ("Pile", Deck::pile),
        ("Minimise all", Deck::minimise_all),
        ("Restore all", Deck::restore_all),
    ];
    let acts = ACTS.map(|(name, act)| view! { <Item cards name on_press=move || cards.deck.update(act) /> });
    let reset = move || {
        let scene = measure::scene();
        cards.deck.update(|deck| deck.reset(&scene));
    };
    let agents = untrack(|| cards.subagents());
    let any = !agents.is_empty();
    view! {
        {acts}
        <Item cards name="Close finished" on_press=move || cards.close_finished() />
        <Item cards name="Reset layout" on_press=reset />
        {any.then(|| view! { <hr /> <p class="menu-head" role="presentation">"Agents"</p> })}
        <div class="menu-agents" role="presentation">
            {agents.into_iter().map(|row| view! { <AgentLine cards row role="menuitem" /> }).collect_view()}
        </div>
    }
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
}

/// Opens the menu of a chip at its place.
pub fn open_chip(cards: Cards, id: CardId, event: &leptos::ev::MouseEvent) {
    event.prevent_default();
    menu::open(cards, menu::MenuKind::Chip(id), event);
}
