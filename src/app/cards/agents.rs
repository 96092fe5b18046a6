//! Agents in lists: one line each, which opens the agent's card.

use leptos::prelude::*;

use super::state::Cards;
use crate::app::clean;
use crate::app::mirror::AgentRow;
use crate::app::status::{Dot, agent_word, hue};
use crate::deck::CardId;
use crate::model::Link;

/// Agents whose parent nobody knows; tracks. Evidence moves them out by itself.
pub fn unlinked(cards: Cards) -> Vec<AgentRow> {
    let agents = cards.subagents();
    agents.into_iter().filter(|row| row.row.with(|agent| agent.link == Link::Unlinked)).collect()
}

/// The card of the agents without a parent.
#[component]
pub fn Tray(cards: Cards) -> impl IntoView {
    view! {
        <div class="tray" tabindex="0">
            <p>"Nothing in the source says who started these agents."</p>
            <ul>
                <For each=move || unlinked(cards) key=|row| row.n let:row>
                    <li><AgentLine cards row /></li>
                </For>
            </ul>
        </div>
    }
}

/// One agent, as a button that opens its card.
#[component]
pub fn AgentLine(cards: Cards, row: AgentRow, #[prop(optional)] role: Option<&'static str>) -> impl IntoView {
    let AgentRow { n, row } = row;
    let id = CardId::Agent(n);
    let (shape, title, word) = (row.clone(), row.clone(), row);
    let open = move |_| {
        super::menu::hide(cards);
        cards.open(id);
        super::focus::card(id);
    };
    view! {
        <button type="button" class=format!("agent-line {}", hue(n)) role=role on:click=open>
            <Dot shape=Signal::derive(move || shape.with(|agent| agent.status.into())) />
            <span class="n">{move || title.with(|agent| clean(&agent.title).into_owned())}</span>
            <small>{move || word.with(agent_word)}</small>
        </button>
    }
}
