//! Where the deck stays between visits: per tab, and as the start of the next tab; what was read, shared by all tabs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::web_sys::Storage;
use leptos_router::hooks::use_query_map;

use super::measure;
use super::state::Cards;
use crate::app::calls;
use crate::deck::{self, OpenedBy, Recent};
use crate::model::{Reading, beyond};

/// Changes are gathered for so long before they are written.
const PAUSE: Duration = Duration::from_millis(250);
const RECENT: &str = "cards:v1";
/// True once it has been said that nothing can be stored.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Opens the cards of the address, once there is room for them.
pub fn open_linked(cards: Cards) {
    let linked = StoredValue::new(use_query_map().with_untracked(|query| query.get("cards")));
    Effect::new(move |_| {
        let list = if cards.active.get() { linked.try_update_value(Option::take).flatten() } else { None };
        if let Some(list) = list {
            let scene = measure::scene();
            cards.deck.update(|deck| deck.open_linked(&list, |n| untrack(|| cards.agent(n)).is_some(), &scene));
            forget_link();
        }
    });
}

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
        tell_seen(cards);
    };
    Effect::new(move |_| {
        let found = session.with_value(|session| bring_back(cards, session));
        if !found {
            use_layout(cards, false);
        }
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
        Effect::new(move |_| {
            if let Some(read) = cards.mirror().read.get() {
                take_seen(cards, &read);
                tell_seen(cards);
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

/// Brings back what this browser has stored. True if there was a deck.
fn bring_back(cards: Cards, session: &str) -> bool {
    let key = deck_key(session);
    let own = tab().and_then(|tab| tab.get_item(&key).ok().flatten());
    let stored = own.or_else(|| shared().and_then(|all| all.get_item(&key).ok().flatten()));
    if let Some(json) = &stored {
        lay_out(cards, json);
    }
    if let Some(json) = shared().and_then(|all| all.get_item(&seen_key(session)).ok().flatten()) {
        merge_seen(cards, &json);
    }
    stored.is_some()
}

/// Takes over a deck that was kept; what is broken in it is said once.
fn lay_out(cards: Cards, json: &str) {
    let area = cards.deck.with_untracked(deck::Deck::bounds);
    let (deck, told) = deck::restore(json, area, |n| untrack(|| cards.agent(n)).is_some());
    if let Some(told) = told {
        leptos::logging::warn!("{told}");
    }
    let (left, room) = cards.deck.with_untracked(deck::Deck::room);
    cards.deck.update(|held| {
        *held = deck;
        held.set_room(left, room);
    });
}

/// Takes over the layout that the server keeps for all devices.
pub fn use_saved(cards: Cards) {
    use_layout(cards, true);
}

/// `asked` for by a person: they hear what became of it, and it takes the place of what is there.
fn use_layout(cards: Cards, asked: bool) {
    let session = cards.mirror().id().to_owned();
    spawn_local(async move {
        match calls::saved_layout(session).await {
            Ok(Some(json)) => {
                let mine = |card: &deck::Card| card.opened_by == OpenedBy::User;
                if asked || cards.deck.try_with_untracked(|deck| !deck.cards().iter().any(mine)) == Some(true) {
                    lay_out(cards, &json);
                }
            }
            Ok(None) if asked => cards.tell("No layout has been saved for this session yet."),
            Err(_) if asked => cards.tell("The saved layout could not be read: the server does not answer. Try again."),
            Ok(None) | Err(_) => {}
        }
    });
}

/// Tells the server what has been seen here and it has not said yet; until it has spoken, nothing.
fn tell_seen(cards: Cards) {
    let Some(read) = cards.mirror().read.get_untracked() else { return };
    let news = cards.seen.with_untracked(|seen| beyond(&read, seen));
    if news.is_empty() {
        return;
    }
    let mirror = cards.mirror();
    spawn_local(async move {
        if let Ok(all) = calls::seen(mirror.id().to_owned(), news).await {
            mirror.heard(&all);
        }
    });
}

/// The address keeps no cards that have been opened: a reload brings back what there is then.
fn forget_link() {
    let Ok(path) = window().location().pathname() else { return };
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&history.state().unwrap_or_default(), "", Some(&path));
    }
}

/// A storage that is full or refused costs the memory of the layout, nothing else; that is said once.
fn store(session: &str, json: &str) {
    let key = deck_key(session);
    let kept = tab().is_some_and(|tab| tab.set_item(&key, json).is_ok());
    if !kept && !REFUSED.swap(true, Ordering::Relaxed) {
        leptos::logging::warn!("The layout of the cards is not kept: the browser's storage is full or refused.");
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
    if let Ok(other) = serde_json::from_str(json) {
        take_seen(cards, &other);
    }
}

fn take_seen(cards: Cards, other: &Reading) {
    if let Some(news) = cards.seen.try_with_untracked(|seen| beyond(seen, other)).filter(|news| !news.is_empty()) {
        cards.seen.update(|seen| seen.extend(news));
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
