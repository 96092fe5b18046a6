//! A deck as it is kept between visits, and the list of sessions that it is kept for.
//!
//! Invariant: whatever stands in a storage, a sound deck comes out. What is broken is left out and told of.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::rail::Rail;
use super::{Card, CardId, Deck, Rect};
use crate::model::AgentNo;

/// Decks are kept for so many sessions, those used last.
pub const STORED_SESSIONS: usize = 50;

/// A stored deck never grows beyond this number of cards.
const MOST_CARDS: usize = 1_000;
const VERSION: u64 = 1;

#[derive(Serialize, Deserialize)]
struct Saved {
    version: u64,
    cards: Vec<Value>,
    #[serde(default)]
    order: Vec<Value>,
    #[serde(default)]
    dock: Vec<Value>,
    /// The rail's tabs, the one shown, and its width: each may be missing or anything.
    #[serde(default)]
    rail: Vec<Value>,
    #[serde(default)]
    shown: Value,
    #[serde(default)]
    rail_width: Value,
    #[serde(default)]
    dismissed: BTreeMap<AgentNo, u32>,
}

/// The sessions that decks are kept for, the one used last at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Recent(Vec<String>);

/// Writes a deck as JSON.
pub fn save(deck: &Deck) -> String {
    let ids = |list: &[CardId]| list.iter().map(|id| Value::String(id.to_string())).collect();
    let cards = deck.cards.iter().filter_map(|card| serde_json::to_value(card).ok()).collect();
    let saved = Saved {
        version: VERSION,
        cards,
        order: ids(&deck.order),
        dock: ids(&deck.dock),
        rail: ids(deck.rail()),
        shown: deck.shown_in_rail().map_or(Value::Null, |id| Value::String(id.to_string())),
        rail_width: deck.rail.width().into(),
        dismissed: deck.dismissed.clone(),
    };
    serde_json::to_string(&saved).unwrap_or_default()
}

/// Reads a deck back. `known` tells whether an agent still exists; the second value says, in a sentence, what was left out.
pub fn restore(json: &str, area: Rect, known: impl Fn(AgentNo) -> bool) -> (Deck, Option<String>) {
    let mut deck = Deck::new(area);
    let saved: Saved = match serde_json::from_str(json) {
        Ok(saved) => saved,
        Err(error) => return (deck, Some(format!("The stored layout of the cards cannot be read and was left out: {error}."))),
    };
    if saved.version != VERSION {
        return (deck, Some(format!("The stored layout of the cards has version {}, not {VERSION}, and was left out.", saved.version)));
    }
    let (mut ids, mut broken) = (BTreeSet::new(), 0);
    for value in saved.cards {
        match serde_json::from_value::<Card>(value) {
            Ok(card) if !card.wish.is_sound() => broken += 1,
            Ok(card) if card.id.agent().is_some_and(|n| !known(n)) => {}
            Ok(card) if ids.len() < MOST_CARDS && ids.insert(card.id) => deck.cards.push(card),
            _ => broken += 1,
        }
    }
    deck.dock = ids_of(saved.dock, &mut ids);
    deck.rail = Rail::of(ids_of(saved.rail, &mut ids), id_of(&saved.shown), saved.rail_width.as_f64());
    deck.order = ids_of(saved.order, &mut ids);
    let rest = deck.cards.iter().map(|card| card.id).filter(|id| ids.contains(id));
    deck.order.extend(rest);
    deck.dismissed = saved.dismissed;
    let told = (broken > 0).then(|| format!("{broken} cards of the stored layout cannot be read and were left out."));
    (deck, told)
}

/// The ids of a list that are still to be placed, each once.
fn ids_of(list: Vec<Value>, open: &mut BTreeSet<CardId>) -> Vec<CardId> {
    list.iter().filter_map(id_of).filter(|id| open.remove(id)).collect()
}

fn id_of(value: &Value) -> Option<CardId> {
    value.as_str()?.parse().ok()
}

impl Recent {
    /// Takes note that a session was used; gives the sessions whose decks are to be forgotten.
    pub fn touch(&mut self, session: &str) -> Vec<String> {
        self.0.retain(|other| other != session);
        self.0.push(session.to_owned());
        let over = self.0.len().saturating_sub(STORED_SESSIONS);
        self.0.drain(..over).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::deck::{OpenedBy, Scene};

    const AREA: Rect = Rect { x: 8.0, y: 56.0, w: 1424.0, h: 720.0 };

    fn deck() -> Deck {
        let mut deck = Deck::new(AREA);
        for n in 1..=5 {
            deck.open(CardId::Agent(n), OpenedBy::User, &Scene::default());
        }
        deck.open(CardId::Todos, OpenedBy::User, &Scene::default());
        deck.open(CardId::Tray, OpenedBy::User, &Scene::default());
        deck.minimise(CardId::Agent(3));
        deck.minimise(CardId::Agent(1));
        deck.toggle_maximised(CardId::Agent(2));
        deck.to_rail(CardId::Tray);
        deck.set_rail_width(510.0, 1200.0);
        deck.close(CardId::Agent(4), 2);
        deck.raise(CardId::Agent(2));
        deck
    }

    #[test]
    fn a_deck_comes_back_as_it_was() {
        let (back, told) = restore(&save(&deck()), AREA, |_| true);
        assert_eq!(back, deck());
        assert_eq!(told, None);
    }

    #[test]
    fn cards_of_agents_that_are_gone_are_left_out() {
        let (back, told) = restore(&save(&deck()), AREA, |n| n != 3 && n != 2);
        assert_eq!(back.dock(), [CardId::Agent(1)]);
        assert_eq!(back.order(), [CardId::Agent(5), CardId::Todos]);
        assert_eq!(told, None, "that is no damage");
    }

    #[test]
    fn what_is_broken_is_left_out_and_told_of() {
        let good = save(&deck());
        for (json, cards) in [
            (String::new(), 0),
            ("null".into(), 0),
            ("[]".into(), 0),
            (good.replace("\"version\":1", "\"version\":2"), 0),
            (good.replace("\"w\":420.0", "\"w\":null"), 0),
            (good.replace("agent-5", "agent--5"), 5),
            (good.replacen("\"dx\":0.0", "\"dx\":1e300", 1), 5),
        ] {
            let (deck, told) = restore(&json, AREA, |_| true);
            assert_eq!(deck.cards().len(), cards, "{json}");
            assert!(told.is_some(), "{json}");
        }
    }

    #[test]
    fn a_card_in_no_list_or_in_both_stands_in_one() {
        let json = save(&deck()).replace("\"order\":[", "\"order\":[\"agent-1\",\"agent-1\",\"agent-77\",");
        let (deck, _) = restore(&json, AREA, |_| true);
        assert_eq!(deck.order().len() + deck.dock().len() + deck.rail().len(), deck.cards().len());
    }

    #[test]
    fn a_broken_rail_costs_only_itself() {
        let good = save(&deck());
        for (from, to) in [("\"rail_width\":510.0", "\"rail_width\":\"NaN\""), ("\"shown\":\"unlinked\"", "\"shown\":7")] {
            let json = good.replace(from, to);
            assert_ne!(json, good);
            let (deck, _) = restore(&json, AREA, |_| true);
            assert_eq!((deck.rail(), deck.shown_in_rail()), ([CardId::Tray].as_slice(), Some(CardId::Tray)));
            assert!(deck.rail_width(1200.0).is_finite());
        }
        let older = good.replace(",\"rail\":[\"unlinked\"],\"shown\":\"unlinked\",\"rail_width\":510.0", "");
        assert_ne!(older, good);
        assert!(restore(&older, AREA, |_| true).0.is_open(CardId::Tray), "a layout from before the rail");
    }

    #[test]
    fn fifty_sessions_are_kept() {
        let mut recent = Recent::default();
        let gone: Vec<String> = (0..60).flat_map(|i| recent.touch(&i.to_string())).collect();
        assert_eq!(gone, (0..10).map(|i| i.to_string()).collect::<Vec<_>>());
        assert!(recent.touch("30").is_empty());
    }

    proptest! {
        #[test]
        fn no_input_breaks_it(json in ".{0,200}", cut in 0usize..900, area in prop::array::uniform4(prop::num::f64::ANY)) {
            let area = Rect::new(area[0], area[1], area[2], area[3]);
            let good = save(&deck());
            let torn = good.chars().take(cut).collect::<String>();
            for text in [json.as_str(), torn.as_str(), good.as_str()] {
                let (deck, _) = restore(text, area, |_| true);
                for id in deck.order() {
                    prop_assert!(deck.rect(*id).is_some_and(|rect| rect.is_real()));
                }
                prop_assert!(deck.rail_width(area.w).is_finite());
            }
        }
    }
}
