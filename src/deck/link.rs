//! The cards of a deck as a part of an address: which are there, and where; not their rectangles, which belong to a screen.
//!
//! The form is `agent-3,agent-4.rail,todos.dock`, the table's cards back to front.

use super::{CardId, Deck, OpenedBy, Scene};
use crate::model::AgentNo;

/// So many cards of an address are opened.
const MOST: usize = 64;

/// The deck's cards for an address.
pub fn link(deck: &Deck) -> String {
    let in_place = |ids: &[CardId], place: &str| ids.iter().map(|id| format!("{id}{place}")).collect::<Vec<_>>();
    [in_place(deck.order(), ""), in_place(deck.rail(), ".rail"), in_place(deck.dock(), ".dock")].concat().join(",")
}

impl Deck {
    /// Opens the cards of an address, each where it says, as a person asks for them. What it does not know is left out.
    pub fn open_linked(&mut self, list: &str, known: impl Fn(AgentNo) -> bool, scene: &Scene) {
        for item in list.split(',').take(MOST) {
            let (id, place) = item.split_once('.').unwrap_or((item, ""));
            let Ok(id) = id.parse::<CardId>() else { continue };
            if id.agent().is_some_and(|n| !known(n)) {
                continue;
            }
            self.open(id, OpenedBy::User, scene);
            match place {
                "rail" => self.to_rail(id),
                "dock" => self.minimise(id),
                _ => self.float(id),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deck::Rect;

    const AREA: Rect = Rect { x: 8.0, y: 56.0, w: 1424.0, h: 720.0 };

    #[test]
    fn a_link_opens_the_same_cards_in_the_same_places() {
        let mut deck = Deck::new(AREA);
        (1..=5).for_each(|n| _ = deck.open(CardId::Agent(n), OpenedBy::User, &Scene::default()));
        deck.open(CardId::Todos, OpenedBy::User, &Scene::default());
        deck.raise(CardId::Agent(1));
        deck.to_rail(CardId::Agent(2));
        deck.minimise(CardId::Agent(4));
        let list = link(&deck);
        assert_eq!(list, "agent-3,agent-5,todos,agent-1,agent-2.rail,agent-4.dock");
        let mut other = Deck::new(AREA);
        other.open_linked(&list, |_| true, &Scene::default());
        assert_eq!((other.order(), other.rail(), other.dock()), (deck.order(), deck.rail(), deck.dock()));
    }

    #[test]
    fn an_address_of_nonsense_opens_nothing() {
        let mut deck = Deck::new(AREA);
        let long = "agent-1,".repeat(5_000);
        for list in ["", ",,", "agent-", "agent-99999999999", "x.rail", "agent-7", "../agent-1", long.as_str()] {
            deck.open_linked(list, |n| n == 1, &Scene::default());
        }
        assert_eq!(deck.cards().len(), 1);
        deck.open_linked("agent-1.nowhere", |_| true, &Scene::default());
        assert!(deck.is_open(CardId::Agent(1)));
    }
}
