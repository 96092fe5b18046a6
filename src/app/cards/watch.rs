//! What agents do to the deck: a running one opens its card, a merged one hands it over, and news are said.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use leptos::prelude::*;

use super::measure;
use super::speaker::{News, QUIET, Speaker, is_failure, news};
use super::state::Cards;
use crate::app::numbers::clip;
use crate::app::settings::{self, Announce};
use crate::app::{clean, dom};
use crate::deck::{AutoOpen, CardId, wants_card};
use crate::model::{Agent, AgentNo, AgentStatus, Body, MAIN, WaitingOn};

/// So much of an answer is read aloud, in characters.
const ANSWER: usize = 600;
/// So many minimised cards keep their transcript at hand.
const KEPT: usize = 12;
/// So many transcripts are followed at once; the stream carries those of 64 agents, and the conversation's is one.
const MOST: usize = 60;

type Before = BTreeMap<AgentNo, (AgentStatus, Option<WaitingOn>)>;

/// Starts watching, in the browser.
pub fn follow(cards: Cards) {
    Effect::new(move |_| {
        let rows = cards.mirror().agents().get();
        if cards.active.get() {
            for row in &rows {
                row.standing(|agent| heed(cards, agent));
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
    if wants && settings::auto_open() != AutoOpen::Never {
        let scene = measure::scene();
        cards.deck.update(|deck| deck.open_by_itself(id, settings::auto_open(), &scene));
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
            let open = deck.order().iter().rev();
            wanted.extend(deck.shown_in_rail().iter().chain(open).filter_map(|id| id.agent()).take(MOST));
            let docked = deck.rail().iter().chain(deck.dock().iter().rev()).filter_map(|id| id.agent()).filter(|n| held.contains(n));
            let room = MOST.saturating_sub(wanted.len());
            wanted.extend(docked.take(KEPT.min(room)));
        });
    }
    let mirror = cards.mirror();
    mirror.open_ends(&wanted.difference(&held).copied().collect::<Vec<_>>());
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
    let hear = move |heard: News| {
        speaker.update_value(|speaker| speaker.hear(heard));
        say();
        set_timeout(say, Duration::from_millis(QUIET.unsigned_abs()));
    };
    Effect::new(move |before: Option<Before>| {
        let rows = cards.mirror().agents().get();
        let mut now = Before::new();
        for row in &rows {
            row.standing(|agent| {
                now.insert(agent.n, (agent.status, agent.waiting_on));
                let Some(before) = before.as_ref().filter(|_| !agent.is_aside()).map(|before| before.get(&agent.n).copied()) else {
                    return;
                };
                let announce = settings::announce();
                if announce == Announce::Off || before == Some((agent.status, agent.waiting_on)) {
                    return;
                }
                let answered = agent.n == MAIN && announce == Announce::Answers && !agent.status.is_running();
                let heard = if answered { answer(cards) } else { news(before, agent).filter(|_| agent.n != MAIN) };
                match heard {
                    Some(News::Ended(words)) if is_failure(before, agent) => cards.alert.set(format!("{words}.")),
                    Some(heard) => hear(heard),
                    None => {}
                }
            });
        }
        now
    });
}

/// The conversation's last answer, as far as it can be listened to.
fn answer(cards: Cards) -> Option<News> {
    let last = untrack(|| cards.mirror().window(MAIN))?.chunks.get_untracked().into_iter().rev().find_map(|chunk| {
        let items = chunk.items.get_untracked();
        items.iter().rev().find_map(|item| {
            item.entry.with_untracked(|entry| match &entry.body {
                Body::Text { text } => Some(text.text.clone()),
                _ => None,
            })
        })
    })?;
    Some(News::Answered(clip(&clean(last.trim()), ANSWER)))
}
