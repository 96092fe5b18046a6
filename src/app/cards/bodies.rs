//! What stands in a card: a transcript, the todo list, or agents without a parent.

use leptos::prelude::*;

use super::agents::Tray;
use super::reason::why;
use super::state::Cards;
use super::todos::TodoList;
use crate::app::clean;
use crate::app::numbers::short;
use crate::app::spent::Bill;
use crate::app::status::{agent_word, quiet};
use crate::app::transcript::Transcript;
use crate::deck::CardId;
use crate::model::AgentStatus;

/// The body of a card.
#[component]
pub fn Body(cards: Cards, id: CardId) -> impl IntoView {
    match id {
        CardId::Agent(agent) => view! { <Transcript mirror=cards.mirror() agent compact=true place=cards.place(id) /> }.into_any(),
        CardId::Todos => view! { <TodoList cards /> }.into_any(),
        CardId::Tray => view! { <Tray cards /> }.into_any(),
    }
}

/// The foot of a card: what the agent is at, its tokens, and, for who cannot see it, that nothing can be written here; while keys move it, how.
#[component]
pub fn Foot(cards: Cards, id: CardId, keyed: Memo<bool>) -> impl IntoView {
    let hint = move || {
        let sizing = cards.keys.with(|keys| keys.is_some_and(|keys| keys.sizing));
        format!("Arrow keys {} it · Shift far · Ctrl fine · Enter keeps · Esc reverts", if sizing { "size" } else { "move" })
    };
    view! {
        <footer class="card-foot" class:bare=move || id.agent().is_none() && !keyed.get() id=format!("foot-{id}")>
            <Show when=move || keyed.get() fallback=move || view! { <Doing cards id /> }>
                <span class="hint">{hint}</span>
            </Show>
        </footer>
    }
}

#[component]
fn Doing(cards: Cards, id: CardId) -> impl IntoView {
    let agent = Memo::new(move |_| {
        let row = cards.agent(id.agent()?)?;
        let clock = cards.mirror().clock.of(row.n);
        row.row.with(|agent| {
            let running = agent.status == AgentStatus::Running;
            let tool = || agent.current_tool.as_deref().filter(|_| running).map(|tool| clean(tool).into_owned());
            let doing = quiet(&clock, running, agent.last_at).or_else(tool).or_else(|| why(cards, agent));
            let doing = doing.unwrap_or_else(|| agent_word(agent).to_owned());
            let mut bill = Bill::default();
            cards.mirror().known.with(|known| bill.add(agent.usage, agent.model.as_deref(), known));
            // That a price is unknown, the agent's own page says: here is no room for it.
            let price = bill.price().map(|price| format!(" · {price}")).unwrap_or_default();
            let tokens = (!agent.usage.is_zero()).then(|| format!("{} tokens{price}", short(agent.usage.total())));
            Some((doing, tokens))
        })
    });
    view! {
        <span class="doing" title=move || agent.get().map(|(doing, _)| doing)>{move || agent.get().map(|(doing, _)| doing)}</span>
        <span class="num">{move || agent.get().and_then(|(_, tokens)| tokens)}</span>
        <span class="seen-not">"Read-only transcript"</span>
    }
}
