//! The rail: a column beside the conversation in which cards stand as tabs, so that they cover nothing.
//!
//! Invariant: one of the tabs is shown, if there is one. The width is a wish like a card's rectangle: it is fitted into the
//! room there is now, and never written back.

use super::{CardId, Deck};

/// The least width of the rail, px.
pub const MIN_RAIL: f64 = 280.0;
/// What it leaves to the conversation, px.
pub const MIN_CONVERSATION: f64 = 340.0;
const WIDTH: f64 = 420.0;

/// The cards in the rail.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rail {
    tabs: Vec<CardId>,
    shown: Option<CardId>,
    width: f64,
}

impl Default for Rail {
    fn default() -> Self {
        Self { tabs: Vec::new(), shown: None, width: WIDTH }
    }
}

impl Rail {
    /// A rail as it was kept. What is unsound is as it would be at first.
    pub fn of(tabs: Vec<CardId>, shown: Option<CardId>, width: Option<f64>) -> Self {
        let shown = shown.filter(|id| tabs.contains(id)).or(tabs.first().copied());
        Self { tabs, shown, width: width.filter(|width| (MIN_RAIL..=10_000.0).contains(width)).unwrap_or(WIDTH) }
    }

    pub fn width(&self) -> f64 {
        self.width
    }

    pub fn reset_width(&mut self) {
        self.width = WIDTH;
    }

    /// Takes a card out; where it was shown, its neighbour is.
    pub fn remove(&mut self, id: CardId) {
        let Some(at) = self.tabs.iter().position(|tab| *tab == id) else { return };
        self.tabs.remove(at);
        if self.shown == Some(id) {
            self.shown = self.tabs.get(at).or(self.tabs.last()).copied();
        }
    }

    /// Takes all cards out.
    pub fn take(&mut self) -> Vec<CardId> {
        self.shown = None;
        std::mem::take(&mut self.tabs)
    }

    pub fn ids_mut(&mut self) -> impl Iterator<Item = &mut CardId> {
        self.tabs.iter_mut().chain(self.shown.iter_mut())
    }
}

impl Deck {
    /// The cards in the rail, in the order of their tabs.
    pub fn rail(&self) -> &[CardId] {
        &self.rail.tabs
    }

    pub fn is_in_rail(&self, id: CardId) -> bool {
        self.rail.tabs.contains(&id)
    }

    /// The card whose tab is in front; `None` where the rail is empty.
    pub fn shown_in_rail(&self) -> Option<CardId> {
        self.rail.shown
    }

    /// Puts a card into the rail and shows it.
    pub fn to_rail(&mut self, id: CardId) {
        self.add_to_rail(id);
        self.show_in_rail(id);
    }

    /// Puts a card into the rail, behind the one that is shown.
    pub fn add_to_rail(&mut self, id: CardId) {
        if !self.is_in_rail(id) && self.lift(id) {
            self.rail.tabs.push(id);
            self.rail.shown.get_or_insert(id);
        }
    }

    /// Shows a card of the rail.
    pub fn show_in_rail(&mut self, id: CardId) {
        if self.is_in_rail(id) {
            self.rail.shown = Some(id);
        }
    }

    /// Moves a tab by `by` places, as far as there are tabs. True if it moved.
    pub fn move_in_rail(&mut self, id: CardId, by: isize) -> bool {
        super::table::shift(&mut self.rail.tabs, id, by)
    }

    /// The rail's width in `room`, px: what the conversation and the rail have together.
    pub fn rail_width(&self, room: f64) -> f64 {
        fit(self.rail.width, room)
    }

    /// Takes the width that a person has chosen in `room`.
    pub fn set_rail_width(&mut self, width: f64, room: f64) {
        self.rail.width = fit(width, room);
    }
}

fn fit(width: f64, room: f64) -> f64 {
    let most = (room - MIN_CONVERSATION).max(MIN_RAIL);
    if width.is_finite() { width.round().min(most).max(MIN_RAIL) } else { MIN_RAIL }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deck::{Mode, OpenedBy, Rect, Scene};

    fn deck() -> Deck {
        let mut deck = Deck::new(Rect::new(8.0, 56.0, 1424.0, 720.0));
        (1..=4).for_each(|n| _ = deck.open(CardId::Agent(n), OpenedBy::User, &Scene::default()));
        deck
    }

    #[test]
    fn a_card_goes_into_the_rail_and_back_to_its_place() {
        let mut deck = deck();
        let id = CardId::Agent(2);
        let before = deck.rect(id);
        deck.set_focused(Some(id));
        deck.to_rail(id);
        assert_eq!((deck.mode(id), deck.rect(id), deck.focused()), (Some(Mode::Rail), None, None));
        deck.float(id);
        assert_eq!((deck.mode(id), deck.rect(id), deck.front()), (Some(Mode::Float), before, Some(id)));
        assert!(deck.rail().is_empty() && deck.shown_in_rail().is_none());
    }

    #[test]
    fn a_tab_that_goes_leaves_its_neighbour_in_front() {
        let mut deck = deck();
        (1..=3).for_each(|n| deck.to_rail(CardId::Agent(n)));
        assert_eq!(deck.shown_in_rail(), Some(CardId::Agent(3)));
        deck.show_in_rail(CardId::Agent(2));
        deck.minimise(CardId::Agent(2));
        assert_eq!((deck.shown_in_rail(), deck.dock()), (Some(CardId::Agent(3)), [CardId::Agent(2)].as_slice()));
        deck.close(CardId::Agent(3), 1);
        assert_eq!(deck.shown_in_rail(), Some(CardId::Agent(1)));
        deck.restore(CardId::Agent(1));
        assert!(deck.is_in_rail(CardId::Agent(1)), "restoring a card of the rail shows it there");
    }

    #[test]
    fn tabs_are_sorted_and_a_merged_agent_keeps_its_tab() {
        let mut deck = deck();
        (1..=3).for_each(|n| deck.to_rail(CardId::Agent(n)));
        assert!(deck.move_in_rail(CardId::Agent(3), -9));
        assert_eq!(deck.rail(), [3, 1, 2].map(CardId::Agent));
        deck.reassign(CardId::Agent(3), CardId::Agent(7));
        assert_eq!((deck.rail(), deck.shown_in_rail()), ([7, 1, 2].map(CardId::Agent).as_slice(), Some(CardId::Agent(7))));
    }

    #[test]
    fn the_width_is_a_wish() {
        let mut deck = deck();
        for (wish, want) in [(500.0, 500.0), (10.0, MIN_RAIL), (5_000.0, 1_000.0 - MIN_CONVERSATION), (f64::NAN, MIN_RAIL)] {
            deck.set_rail_width(wish, 1_000.0);
            assert_eq!(deck.rail_width(1_000.0), want, "{wish}");
        }
        deck.set_rail_width(600.0, 1_200.0);
        assert_eq!(deck.rail_width(700.0), 360.0);
        assert_eq!(deck.rail_width(100.0), MIN_RAIL);
        assert_eq!(deck.rail_width(1_200.0), 600.0, "it comes back with the room");
    }

    #[test]
    fn a_maximised_card_takes_the_conversations_place_and_leaves_lists_and_rail_free() {
        let mut deck = deck();
        deck.set_room(248.0, 1_192.0);
        deck.toggle_maximised(CardId::Agent(1));
        assert_eq!(deck.rect(CardId::Agent(1)), Some(Rect::new(248.0, 48.0, 1_192.0, 736.0)));
        deck.to_rail(CardId::Agent(2));
        assert_eq!(deck.rect(CardId::Agent(1)), Some(Rect::new(248.0, 48.0, 1_192.0 - WIDTH, 736.0)));
    }

    #[test]
    fn a_card_that_stands_where_the_rail_comes_moves_beside_it_and_back() {
        let mut deck = deck();
        deck.set_room(248.0, 1_192.0);
        let id = CardId::Agent(1);
        let before = deck.rect(id).expect("it floats");
        deck.to_rail(CardId::Agent(2));
        let beside = deck.rect(id).expect("it floats");
        assert!(before.right() > 1_440.0 - WIDTH && beside.right() <= 1_440.0 - WIDTH, "{before:?} {beside:?}");
        deck.minimise(CardId::Agent(2));
        assert_eq!(deck.rect(id), Some(before));
    }
}
