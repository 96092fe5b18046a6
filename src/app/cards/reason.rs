//! Why an agent ended as it did, as its card and its chip say it.

use leptos::prelude::*;

use super::state::Cards;
use crate::app::clean;
use crate::app::mirror::Kin;
use crate::app::numbers::clip;
use crate::app::status::{agent_word, reason};
use crate::model::{Agent, Body};

/// How much of an error is shown, in characters.
const ERROR: usize = 160;

/// "failed: Exit 101 after 62 s"; `None` where there is nothing to say. Tracks the call that started the agent.
pub fn why(cards: Cards, agent: &Agent) -> Option<String> {
    let reason = reason(agent)?;
    Some(format!("{}: {}", agent_word(agent), error(cards, agent).unwrap_or(reason)))
}

/// The error that the agent's call came back with, where that call is at hand.
fn error(cards: Cards, agent: &Agent) -> Option<String> {
    let mirror = cards.mirror();
    let (n, parent) = (agent.n, agent.parent?);
    let call = untrack(|| {
        let chunks = mirror.window(mirror.shown(parent))?.chunks.get();
        chunks.iter().rev().find_map(|chunk| {
            chunk.items.get().into_iter().rev().find(|item| matches!(item.kin.get(), Kin::Start(child) if mirror.shown(child) == n))
        })
    })?;
    call.entry.with(|entry| match &entry.body {
        Body::Tool(tool) => {
            tool.error.as_ref().map(|error| clip(&clean(error.text.trim()).replace('\n', " "), ERROR)).filter(|text| !text.is_empty())
        }
        _ => None,
    })
}
