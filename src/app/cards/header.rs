//! The header of a card: by it a card is moved, and it says what its agent is doing.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::Element;

use super::acts;
use super::menu::{self, MenuKind};
use super::state::Cards;
use super::todos;
use crate::app::clean;
use crate::app::clock::elapsed;
use crate::app::numbers::clip;
use crate::app::status::{Dot, agent_word};
use crate::app::transcript::{KIND, link_word};
use crate::deck::CardId;
use crate::model::{Agent, AgentNo, AgentStatus, Link};

const RESTORE: &str = "M5.5 5.5V3.5h7v7h-2M3.5 5.5h7v7h-7z";

/// The header of a card. In the rail it grips nothing.
#[component]
pub fn CardHeader(cards: Cards, id: CardId, maximised: Memo<bool>, #[prop(optional)] rail: bool) -> impl IntoView {
    let title = Memo::new(move |_| cards.title(id));
    let double = move |event: MouseEvent| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        if target.is_some_and(|target| target.closest("[data-no-grip]").is_ok_and(|found| found.is_none())) {
            if rail { acts::float(cards, id) } else { cards.toggle_maximised(id) }
        }
    };
    let by_key = move |event: MouseEvent| {
        if event.detail() == 0 {
            menu::open(cards, MenuKind::Card(id), &event);
        }
    };
    view! {
        <header class="card-head" data-grip=(!rail).then_some("header") on:dblclick=double>
            <State cards id />
            <h3 id=format!("title-{id}")>
                <button type="button" class="card-title" aria-haspopup="menu" title=move || title.get() on:click=by_key>
                    {move || title.get()}
                </button>
            </h3>
            <Facts cards id />
            <span class="card-buttons" data-no-grip="">
                <HeadButton name="Card menu" path="M3.5 8h.01M8 8h.01M12.5 8h.01" popup=true on_press=Box::new(move |event| menu::open(cards, MenuKind::Card(id), event)) />
                {(!rail).then(|| view! { <HeadButton name="Put beside the conversation" path="M3 3.5h10v9H3zM9.5 3.5v9" wide=true on_press=Box::new(move |_| acts::to_rail(cards, id)) /> })}
                <HeadButton name="Minimise" path="M4 11.5h8" on_press=Box::new(move |_| acts::minimise(cards, id)) />
                {move || {
                    let (name, path) = match (rail, maximised.get()) {
                        (true, _) => ("Float", RESTORE),
                        (false, true) => ("Restore size", RESTORE),
                        (false, false) => ("Maximise", "M3.5 3.5h9v9h-9z"),
                    };
                    let press = move |_: &MouseEvent| if rail { acts::float(cards, id) } else { cards.toggle_maximised(id) };
                    view! { <HeadButton name path on_press=Box::new(press) /> }
                }}
                <HeadButton name="Close" path="M4.5 4.5l7 7M11.5 4.5l-7 7" on_press=Box::new(move |_| super::focus::close(cards, id)) />
            </span>
        </header>
    }
}

#[component]
fn HeadButton(
    name: &'static str,
    path: &'static str,
    #[prop(optional)] popup: bool,
    #[prop(optional)] wide: bool,
    on_press: Box<dyn Fn(&MouseEvent)>,
) -> impl IntoView {
    view! {
        <button type="button" class="head-button" class:wide=wide aria-label=name title=name aria-haspopup=popup.then_some("menu") on:click=move |event| on_press(&event)>
            <svg class="ic" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width=if popup { "2.2" } else { "1.5" } stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
                <path d=path />
            </svg>
        </button>
    }
}

/// The agent's state, as a shape and a word.
#[component]
fn State(cards: Cards, id: CardId) -> impl IntoView {
    let row = id.agent().and_then(|n| untrack(|| cards.agent(n)));
    row.map(|row| {
        let (shape, word) = (row.row.clone(), row.row);
        view! {
            <Dot shape=Signal::derive(move || shape.with(|agent| agent.status.into())) />
            <span class="seen-not">{move || word.with(agent_word)}</span>
        }
    })
}

/// Kind while it plainly runs, else the state; and the time.
#[component]
fn Facts(cards: Cards, id: CardId) -> impl IntoView {
    let facts = Memo::new(move |_| match id {
        CardId::Agent(n) => cards.agent(n).map(|row| row.row.with(|agent| facts(cards, agent))).unwrap_or_default(),
        CardId::Todos => (None, todos::newest(cards).map(|(items, _)| todos::progress(&items))),
        CardId::Tray => Default::default(),
    });
    let evidence = Memo::new(move |_| id.agent().and_then(|n| evidence(cards, n)));
    view! {
        {move || facts.with(|(word, _)| word.clone()).map(|word| view! { <small class="word">{word}</small> })}
        {move || facts.with(|(_, time)| time.clone()).map(|time| view! { <small class="num">{time}</small> })}
        {move || evidence.get().map(|(word, whole)| view! { <small class="card-link" title=format!("Link to its step: {whole}")>{word}</small> })}
        <span class="grow"></span>
    }
}

fn facts(cards: Cards, agent: &Agent) -> (Option<String>, Option<String>) {
    let clock = cards.mirror().clock.of(agent.n);
    let time = match agent.status {
        AgentStatus::Running | AgentStatus::Queued | AgentStatus::Waiting => elapsed(&clock, agent.started_at, None),
        _ => elapsed(&clock, agent.started_at, agent.ended_at.or(agent.last_at)),
    };
    let kind = || agent.kind.as_deref().map(|kind| clip(&clean(kind), KIND));
    let word = if agent.status == AgentStatus::Running { kind() } else { Some(agent_word(agent).to_owned()) };
    (word, time)
}

/// How the parent is known, where that is not certain, with the whole of it as a title.
fn evidence(cards: Cards, n: AgentNo) -> Option<(&'static str, &'static str)> {
    let link = cards.agent(n)?.row.with(|agent| agent.link);
    let word = if link == Link::Unlinked { "without a parent" } else { link.word() };
    Some((word, link_word(link)?))
}
