//! What agents do to the deck: a running one opens its card, a merged one hands it over, and news are said.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use leptos::prelude::*;

use super::measure;
use super::speaker::{QUIET, Speaker, news};
use super::state::Cards;
use crate::app::dom;
use crate::deck::{CardId, OpenedBy, wants_card};
use crate::model::{Agent, AgentNo, AgentStatus, MAIN, WaitingOn};

/// So many minimised cards keep their transcript at hand.
const KEPT: usize = 12;

type Before = BTreeMap<AgentNo, (AgentStatus, Option<WaitingOn>)>;

/// Starts watching, in the browser.
pub fn follow(cards: Cards) {
    Effect::new(move |_| {
        let rows = cards.mirror().agents().get();
        if cards.active.get() {
            for row in &rows {
                row.row.with(|agent| heed(cards, agent));
            }
            drop_unknown(cards, &rows.iter().map(|row| row.n).collect());
        }
    });
    Effect::new(move |_| {
        let wish = cards.desk().wish.get();
        if let Some(n) = wish.filter(|_| cards.active.get_untracked()) {
            cards.open(CardId::Agent(untrack(|| cards.mirror().shown(n))));
        }
    });
    Effect::new(move |held: Option<BTreeSet<AgentNo>>| hold_transcripts(cards, held.unwrap_or_default()));
    speak(cards);
}

/// Opens the card of an agent that has begun, and hands on that of one that turned out to be another.
fn heed(cards: Cards, agent: &Agent) {
    let id = CardId::Agent(agent.n);
    let (wants, has) = cards.deck.with_untracked(|deck| (wants_card(deck, agent), deck.contains(id)));
    if wants {
        let scene = measure::scene();
        cards.deck.update(|deck| {
            deck.open(id, OpenedBy::Agent, &scene);
        });
    } else if let Some(target) = agent.merged_into.or(agent.part_of).filter(|_| has) {
        cards.deck.update(|deck| deck.reassign(id, CardId::Agent(target)));
    }
}

fn drop_unknown(cards: Cards, known: &BTreeSet<AgentNo>) {
    let gone: Vec<CardId> = cards.deck.with_untracked(|deck| {
        deck.cards().iter().map(|card| card.id).filter(|id| id.agent().is_some_and(|n| !known.contains(&n))).collect()
    });
    if !gone.is_empty() {
        cards.deck.update(|deck| gone.into_iter().for_each(|id| deck.forget(id)));
    }
}

/// Asks the mirror for the transcripts of the cards on the table and of some that were minimised, so that these come back at once.
fn hold_transcripts(cards: Cards, held: BTreeSet<AgentNo>) -> BTreeSet<AgentNo> {
    let mut wanted: BTreeSet<AgentNo> = BTreeSet::new();
    if cards.active.get() {
        cards.deck.with(|deck| {
            wanted.extend(deck.order().iter().filter_map(|id| id.agent()));
            let docked = deck.dock().iter().rev().filter_map(|id| id.agent()).filter(|n| held.contains(n));
            wanted.extend(docked.take(KEPT));
        });
    }
    let mirror = cards.mirror();
    wanted.difference(&held).for_each(|n| mirror.open(*n));
    held.difference(&wanted).for_each(|n| mirror.close(*n));
    wanted
}

fn speak(cards: Cards) {
    let speaker = StoredValue::new(Speaker::default());
    let say = move || {
        if let Some(words) = speaker.try_update_value(|speaker| speaker.speak(dom::now())).flatten() {
            cards.status.try_set(words);
        }
    };
    Effect::new(move |before: Option<Before>| {
        let rows = cards.mirror().agents().get();
        let mut now = Before::new();
        for row in rows.iter().filter(|row| row.n != MAIN) {
            row.row.with(|agent| {
                now.insert(agent.n, (agent.status, agent.waiting_on));
                let heard = before.as_ref().filter(|_| !agent.is_aside()).and_then(|before| news(before.get(&agent.n).copied(), agent));
                if let Some(heard) = heard {
                    speaker.update_value(|speaker| speaker.hear(heard));
                    say();
                    set_timeout(say, Duration::from_millis(QUIET.unsigned_abs()));
                }
            });
        }
        now
    });
}
