//! What counts as seen: the end of a transcript that was really visible for a while.

use std::time::Duration;

use leptos::prelude::*;

use super::measure::{find, rect};
use super::state::Cards;
use crate::deck::CardId;
use crate::model::{AgentNo, Reading, Seen, beyond};

/// So long an end must have been visible.
const A_WHILE: Duration = Duration::from_millis(600);
/// A card that is covered by this much is not visible.
const COVERED: f64 = 0.8;
/// So near its end a transcript shows it, px.
const NEAR: i32 = 64;

/// Marks as seen, in the browser, what has been visible at two looks in a row.
pub fn follow(cards: Cards) {
    Effect::new(move |_| {
        let earlier = StoredValue::new(Reading::new());
        let look = move || {
            let Some(visible) = cards.active.try_get_untracked().map(|active| if active { visible(cards) } else { Reading::new() }) else {
                return;
            };
            let news = earlier.with_value(|earlier| fresh(cards, earlier, &visible));
            if !news.is_empty() {
                cards.seen.update(|seen| seen.extend(news));
            }
            earlier.set_value(visible);
        };
        if let Ok(timer) = set_interval_with_handle(look, A_WHILE) {
            on_cleanup(move || timer.clear());
        }
    });
}

/// What the visible cards show now, by agent.
fn visible(cards: Cards) -> Reading {
    if document().hidden() || cards.peeking.get_untracked() {
        return Reading::new();
    }
    let open: Vec<AgentNo> = cards.deck.with_untracked(|deck| {
        let open = deck.order().iter().filter(|id| id.agent().is_some() && deck.covered(**id) < COVERED);
        open.filter_map(|id| id.agent()).collect()
    });
    let beside = cards.deck.with_untracked(|deck| {
        let rail = find(".rail").map(|rail| rect(&rail.get_bounding_client_rect()))?;
        deck.shown_in_rail()?.agent().filter(|_| deck.covered_by_all(&rail) < COVERED)
    });
    open.into_iter()
        .chain(beside)
        .filter(|n| shows_end(*n))
        .filter_map(|n| Some((n, untrack(|| cards.agent(n))?.row.with_untracked(Seen::all))))
        .collect()
}

fn shows_end(n: AgentNo) -> bool {
    find(&format!("#card-{} [role=log]", CardId::Agent(n)))
        .is_some_and(|log| log.scroll_top() + log.client_height() + NEAR >= log.scroll_height())
}

/// What was visible before and still is, where that is more than was seen.
fn fresh(cards: Cards, earlier: &Reading, visible: &Reading) -> Reading {
    let still = earlier.iter().filter(|(n, _)| visible.contains_key(n)).map(|(n, shown)| (*n, *shown)).collect();
    cards.seen.with_untracked(|seen| beyond(seen, &still))
}
