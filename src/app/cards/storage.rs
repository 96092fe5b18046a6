//! Where the deck stays between visits: per tab, and as the start of the next tab; what was read, shared by all tabs.

use std::collections::BTreeMap;
use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos::web_sys::Storage;

use super::state::Cards;
use crate::deck::{self, Recent, Seen};
use crate::model::AgentNo;

/// Changes are gathered for so long before they are written.
const PAUSE: Duration = Duration::from_millis(250);
const RECENT: &str = "cards:v1";

/// Brings the stored deck back in the browser, then keeps it stored.
pub fn keep(cards: Cards) {
    let session = StoredValue::new(cards.mirror().id().to_owned());
    let written = StoredValue::new(String::new());
    let write = move || {
        let json = cards.deck.with_untracked(deck::save);
        if written.with_value(|written| *written != json) {
            session.with_value(|session| store(session, &json));
            written.set_value(json);
        }
        session.with_value(|session| share_seen(cards, session));
    };
    Effect::new(move |_| {
        session.with_value(|session| bring_back(cards, session));
        written.set_value(cards.deck.with_untracked(deck::save));
        let pending = StoredValue::new(false);
        Effect::new(move |first: Option<()>| {
            cards.deck.track();
            cards.seen.track();
            if first.is_some() && !pending.get_value() {
                pending.set_value(true);
                set_timeout(
                    move || {
                        if pending.try_set_value(false).is_none() {
                            write();
                        }
                    },
                    PAUSE,
                );
            }
        });
        let leaving = window_event_listener(ev::pagehide, move |_| write());
        let shared = window_event_listener(ev::storage, move |event| {
            if session.with_value(|session| event.key() == Some(seen_key(session))) {
                merge_seen(cards, &event.new_value().unwrap_or_default());
            }
        });
        on_cleanup(move || {
            leaving.remove();
            shared.remove();
        });
    });
}

fn bring_back(cards: Cards, session: &str) {
    let key = deck_key(session);
    let own = tab().and_then(|tab| tab.get_item(&key).ok().flatten());
    if let Some(json) = own.or_else(|| shared().and_then(|all| all.get_item(&key).ok().flatten())) {
        let area = cards.deck.with_untracked(deck::Deck::area);
        let known = |n| untrack(|| cards.agent(n)).is_some();
        let (deck, told) = deck::restore(&json, area, known);
        if let Some(told) = told {
            leptos::logging::warn!("{told}");
        }
        cards.deck.set(deck);
    }
    if let Some(json) = shared().and_then(|all| all.get_item(&seen_key(session)).ok().flatten()) {
        merge_seen(cards, &json);
    }
}

/// A storage that is full or refused costs the memory of the layout, nothing else.
fn store(session: &str, json: &str) {
    let key = deck_key(session);
    if let Some(tab) = tab() {
        let _ = tab.set_item(&key, json);
    }
    let Some(all) = shared() else { return };
    let stored = all.get_item(RECENT).ok().flatten().and_then(|json| serde_json::from_str(&json).ok());
    let mut recent: Recent = stored.unwrap_or_default();
    for gone in recent.touch(session) {
        let _ = all.remove_item(&deck_key(&gone));
        let _ = all.remove_item(&seen_key(&gone));
    }
    let _ = all.set_item(RECENT, &serde_json::to_string(&recent).unwrap_or_default());
    let _ = all.set_item(&key, json);
}

fn share_seen(cards: Cards, session: &str) {
    let Some(all) = shared() else { return };
    let key = seen_key(session);
    let before = all.get_item(&key).ok().flatten().unwrap_or_default();
    merge_seen(cards, &before);
    let json = cards.seen.with_untracked(serde_json::to_string).unwrap_or_default();
    if json != before && json != "{}" {
        let _ = all.set_item(&key, &json);
    }
}

/// Takes over what another tab has seen; nothing is ever unseen.
fn merge_seen(cards: Cards, json: &str) {
    let Ok(other) = serde_json::from_str::<BTreeMap<AgentNo, Seen>>(json) else { return };
    let merged = cards.seen.with_untracked(|seen| {
        let mut merged = seen.clone();
        for (n, theirs) in other {
            merged.entry(n).and_modify(|ours| *ours = ours.max(theirs)).or_insert(theirs);
        }
        (merged != *seen).then_some(merged)
    });
    if let Some(merged) = merged {
        cards.seen.set(merged);
    }
}

fn deck_key(session: &str) -> String {
    format!("cards:v1:{session}")
}

fn seen_key(session: &str) -> String {
    format!("seen:v1:{session}")
}

fn tab() -> Option<Storage> {
    window().session_storage().ok().flatten()
}

fn shared() -> Option<Storage> {
    window().local_storage().ok().flatten()
}
