//! Agents in lists: one line each, which opens the agent's card; and the tray of those without a parent.

use leptos::ev::Event;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::web_sys::HtmlSelectElement;

use super::state::Cards;
use crate::app::mirror::AgentRow;
use crate::app::status::{Dot, agent_word, hue};
use crate::app::{calls, clean};
use crate::deck::CardId;
use crate::model::{AgentNo, Link, MAIN};

/// Agents whose parent nobody knows, or only a person; tracks. Evidence moves them out by itself.
pub fn loose(cards: Cards) -> Vec<AgentRow> {
    let agents = cards.subagents();
    agents.into_iter().filter(|row| row.standing(|agent| matches!(agent.link, Link::Unlinked | Link::Assigned))).collect()
}

/// The card of the agents without a parent: each can be given one, and that can be taken back.
#[component]
pub fn Tray(cards: Cards) -> impl IntoView {
    let failed = RwSignal::new(false);
    view! {
        <div class="tray" tabindex="0">
            <p>"Nothing in the source says who started these agents. You can say it; should evidence turn up, it wins."</p>
            {move || failed.get().then(|| view! { <p class="sorry" role="alert">"This could not be written: the server does not answer. Try again."</p> })}
            <ul>
                <For each=move || loose(cards) key=|row| row.n let:row>
                    <li>
                        <AgentLine cards row=row.clone() />
                        <Parent cards row failed />
                    </li>
                </For>
            </ul>
        </div>
    }
    .into_any()
}

/// Who started an agent, by a person's word.
#[component]
fn Parent(cards: Cards, row: AgentRow, failed: RwSignal<bool>) -> impl IntoView {
    let n = row.n;
    let assigned = Memo::new(move |_| row.row.with(|agent| agent.parent.filter(|_| agent.link == Link::Assigned)));
    let choices = Memo::new(move |_| {
        let agents = cards.subagents().into_iter().map(|row| row.n).filter(|other| !is_under(cards, *other, n));
        std::iter::once(MAIN).chain(agents).collect::<Vec<_>>()
    });
    let value = |parent: Option<AgentNo>| parent.map(|n| n.to_string()).unwrap_or_default();
    let choose = move |event: Event| {
        let select = event_target::<HtmlSelectElement>(&event);
        let parent = select.value().parse::<AgentNo>().ok();
        let session = cards.mirror().id().to_owned();
        spawn_local(async move {
            let done = calls::assign(session, n, parent).await.is_ok();
            failed.try_set(!done);
            if let (false, Some(before)) = (done, assigned.try_get_untracked()) {
                select.set_value(&value(before));
            }
        });
    };
    let option = move |n| {
        let name = move || if n == MAIN { "the main agent".to_owned() } else { cards.title(CardId::Agent(n)) };
        view! { <option value=n.to_string() prop:selected=move || assigned.get() == Some(n)>{name}</option> }.into_any()
    };
    view! {
        <label class="parent">
            "Started by"
            <select on:change=choose>
                <option value="" prop:selected=move || assigned.get().is_none()>"nobody knows"</option>
                <For each=move || choices.get() key=|n| *n children=option />
            </select>
        </label>
    }
    .into_any()
}

/// True if `n` is `root` or stands somewhere below it; tracks.
fn is_under(cards: Cards, n: AgentNo, root: AgentNo) -> bool {
    let up = |n: &AgentNo| cards.agent(*n).and_then(|row| row.standing(|agent| agent.parent));
    std::iter::successors(Some(n), up).take(64).any(|at| at == root)
}

/// One agent, as a button that opens its card.
#[component]
pub fn AgentLine(cards: Cards, row: AgentRow, #[prop(optional)] role: Option<&'static str>) -> impl IntoView {
    let AgentRow { n, row, .. } = row;
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
    .into_any()
}
