//! The deck itself: cards, their order and the dock.

use std::collections::BTreeMap;

use super::rail::Rail;
use super::{Card, CardId, Mode, Preset, Rect, Spot, Wish, fit};
use crate::model::AgentNo;

/// The z-index of the rearmost card; the others follow by their place in the order.
pub const Z_BASE: usize = 100;

/// All cards of one session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deck {
    /// By creation: the order in the DOM, which never changes.
    pub(super) cards: Vec<Card>,
    /// Cards on the table, back to front.
    pub(super) order: Vec<CardId>,
    /// Minimised cards, in the order in which they were minimised or sorted by hand.
    pub(super) dock: Vec<CardId>,
    /// Cards beside the conversation.
    pub(super) rail: Rail,
    /// Agents whose card a person closed, with the run that it was closed in.
    pub(super) dismissed: BTreeMap<AgentNo, u32>,
    /// What the page leaves for cards; the rail is not taken from it yet.
    pub(super) bounds: Rect,
    /// Where the conversation begins, px.
    pub(super) left: f64,
    /// What the conversation and the rail have together, px; 0 until it is known.
    pub(super) room: f64,
    pub(super) focused: Option<CardId>,
}

impl Deck {
    /// An empty deck on what a page leaves for cards.
    pub fn new(bounds: Rect) -> Self {
        Self { bounds, ..Self::default() }
    }

    /// What the page leaves for cards, the rail included.
    pub fn bounds(&self) -> Rect {
        self.bounds
    }

    /// Where cards may stand: the bounds without the rail, which covers nothing and is not covered.
    ///
    /// So a card that stood where the rail comes moves beside it, and back when the rail goes.
    pub fn area(&self) -> Rect {
        let w = self.bounds.w - self.taken();
        if w < super::MIN_SIZE.w { self.bounds } else { Rect { w, ..self.bounds } }
    }

    /// What the rail takes, px.
    fn taken(&self) -> f64 {
        if self.rail().is_empty() || self.room <= 0.0 { 0.0 } else { self.rail_width(self.room) }
    }

    /// Takes the space that there is now. A container that is hidden or not laid out yet changes nothing.
    pub fn resize(&mut self, bounds: Rect) {
        let bounds = bounds.whole();
        if bounds.is_real() {
            self.bounds = bounds;
        }
    }

    /// Takes where the conversation begins now, and the width that it and the rail have together, px.
    pub fn set_room(&mut self, left: f64, room: f64) {
        (self.left, self.room) = (left, room);
    }

    /// What [`Deck::set_room`] took.
    pub fn room(&self) -> (f64, f64) {
        (self.left, self.room)
    }

    /// What a maximised card fills: the conversation's place without a margin, from the lists to the rail and from the header to what
    /// stands fast below. The lists stay in sight, and nothing looks out from under the card.
    fn whole(&self) -> Rect {
        let w = self.room - self.taken();
        if w < super::MIN_SIZE.w || !self.bounds.is_real() {
            return self.area();
        }
        Rect { x: self.left, y: self.bounds.y - super::GAP, w, h: self.bounds.h + 2.0 * super::GAP }
    }

    /// All cards by creation, minimised ones too.
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// Cards on the table, back to front.
    pub fn order(&self) -> &[CardId] {
        &self.order
    }

    /// Minimised cards.
    pub fn dock(&self) -> &[CardId] {
        &self.dock
    }

    pub fn card(&self, id: CardId) -> Option<&Card> {
        self.cards.iter().find(|card| card.id == id)
    }

    pub fn contains(&self, id: CardId) -> bool {
        self.card(id).is_some()
    }

    pub fn is_open(&self, id: CardId) -> bool {
        self.order.contains(&id)
    }

    pub fn is_docked(&self, id: CardId) -> bool {
        self.dock.contains(&id)
    }

    /// How it is drawn; `None` if there is no such card.
    pub fn mode(&self, id: CardId) -> Option<Mode> {
        let card = self.card(id)?;
        Some(match card.maximised {
            _ if self.is_docked(id) => Mode::Min,
            _ if self.is_in_rail(id) => Mode::Rail,
            true => Mode::Max,
            false => Mode::Float,
        })
    }

    /// The z-index of a card on the table.
    pub fn z(&self, id: CardId) -> Option<usize> {
        self.order.iter().position(|at| *at == id).map(|at| Z_BASE + at)
    }

    /// The foremost card.
    pub fn front(&self) -> Option<CardId> {
        self.order.last().copied()
    }

    /// Where a card on the table is drawn now.
    pub fn rect(&self, id: CardId) -> Option<Rect> {
        if !self.is_open(id) {
            return None;
        }
        let card = self.card(id)?;
        Some(if card.maximised && self.bounds.is_real() { self.whole() } else { self.float_rect(card) })
    }

    /// Where it stands, or would stand, as a float.
    pub(super) fn float_rect(&self, card: &Card) -> Rect {
        fit(&card.wish.in_area(&self.area()), &self.area())
    }

    /// The card that holds the keyboard focus, if one does.
    pub fn focused(&self) -> Option<CardId> {
        self.focused
    }

    /// Takes note of where the focus is; by itself it raises nothing.
    pub fn set_focused(&mut self, id: Option<CardId>) {
        self.focused = id.filter(|id| self.is_open(*id));
    }

    /// Brings a card on the table to the front.
    pub fn raise(&mut self, id: CardId) {
        if let Some(at) = self.order.iter().position(|other| *other == id) {
            let id = self.order.remove(at);
            self.order.push(id);
        }
    }

    /// Puts a card behind all others.
    pub fn send_to_back(&mut self, id: CardId) {
        if let Some(at) = self.order.iter().position(|other| *other == id) {
            let id = self.order.remove(at);
            self.order.insert(0, id);
        }
    }

    /// Moves a card to the end of the dock.
    pub fn minimise(&mut self, id: CardId) {
        if !self.is_docked(id) && self.lift(id) {
            self.dock.push(id);
        }
    }

    /// Takes a card out of the dock and raises it; a card on the table is only raised, one in the rail shown there.
    pub fn restore(&mut self, id: CardId) {
        if self.is_in_rail(id) {
            self.show_in_rail(id);
        } else {
            self.float(id);
        }
    }

    /// Puts a card on the table, in front, from wherever it stands.
    pub fn float(&mut self, id: CardId) {
        if self.is_open(id) {
            self.raise(id);
        } else if self.lift(id) {
            self.order.push(id);
        }
    }

    /// Takes a card from the list that it stands in. True if there is such a card.
    pub(super) fn lift(&mut self, id: CardId) -> bool {
        self.order.retain(|other| *other != id);
        self.dock.retain(|other| *other != id);
        self.rail.remove(id);
        self.focused = self.focused.filter(|focused| *focused != id);
        self.contains(id)
    }

    /// Lets a card take the conversation's place, or gives it back its wished rectangle.
    pub fn toggle_maximised(&mut self, id: CardId) {
        if let Some(card) = self.card_mut(id) {
            card.maximised = !card.maximised;
        }
    }

    /// Removes a card. The agent itself is not touched. `run` is the agent's run: in it, its card opens no more by itself.
    pub fn close(&mut self, id: CardId, run: u32) {
        if let CardId::Agent(n) = id {
            self.dismissed.insert(n, run);
        }
        self.forget(id);
    }

    /// Removes a card of an agent that is gone.
    pub fn forget(&mut self, id: CardId) {
        self.lift(id);
        self.cards.retain(|card| card.id != id);
    }

    /// Writes the rectangle that a person has chosen. It is fitted first, so that a wish can always be met where it was made.
    pub fn set_rect(&mut self, id: CardId, rect: Rect) {
        let area = self.area();
        if let Some(card) = self.card_mut(id) {
            card.wish = Wish::of(&fit(&rect, &area), &area);
            card.maximised = false;
        }
    }

    /// Gives a card back the place that it had: the other half of [`Deck::card`].
    pub fn put_back(&mut self, was: Card) {
        if let Some(card) = self.card_mut(was.id) {
            *card = was;
        }
    }

    /// Makes the card of one agent the card of another, as when two rows turn out to be one agent. A card that is there already stays.
    pub fn reassign(&mut self, from: CardId, to: CardId) {
        if self.contains(to) {
            return self.forget(from);
        }
        let lists = self.order.iter_mut().chain(self.dock.iter_mut()).chain(self.focused.iter_mut()).chain(self.rail.ids_mut());
        lists.chain(self.cards.iter_mut().map(|card| &mut card.id)).filter(|id| **id == from).for_each(|id| *id = to);
    }

    /// Gives a card a size, keeping the corner that it is anchored to.
    pub fn set_preset(&mut self, id: CardId, preset: Preset) {
        let area = self.area();
        let size = preset.size(area.size());
        if let Some(card) = self.card_mut(id) {
            let wish = Wish { w: size.w, h: size.h, ..card.wish };
            card.wish = Wish::of(&fit(&wish.in_area(&area), &area), &area);
            card.maximised = false;
        }
    }

    /// Puts a card at one of nine places.
    pub fn move_to(&mut self, id: CardId, spot: Spot) {
        let Some(card) = self.card(id) else { return };
        let (rect, area) = (self.float_rect(card), self.area());
        let (sx, sy) = spot.share();
        let x = area.x + (area.w - rect.w) * sx;
        let y = area.y + (area.h - rect.h) * sy;
        self.set_rect(id, Rect { x, y, ..rect });
    }

    /// Moves a chip by `by` places, as far as the dock goes. True if it moved.
    pub fn move_in_dock(&mut self, id: CardId, by: isize) -> bool {
        shift(&mut self.dock, id, by)
    }

    /// How much of a card lies under cards in front of it, 0 to 1; 1 for one that is not on the table.
    pub fn covered(&self, id: CardId) -> f64 {
        let (Some(rect), Some(at)) = (self.rect(id), self.order.iter().position(|other| *other == id)) else { return 1.0 };
        self.covered_from(&rect, at + 1)
    }

    /// How much of something behind all cards lies under them, 0 to 1.
    pub fn covered_by_all(&self, rect: &Rect) -> f64 {
        self.covered_from(rect, 0)
    }

    fn covered_from(&self, rect: &Rect, at: usize) -> f64 {
        let above: Vec<Rect> = self.order.iter().skip(at).filter_map(|other| self.rect(*other)).collect();
        super::place::covered_share(rect, &above)
    }

    pub(super) fn card_mut(&mut self, id: CardId) -> Option<&mut Card> {
        self.cards.iter_mut().find(|card| card.id == id)
    }
}

/// Moves a card in a list by `by` places, as far as the list goes. True if it moved.
pub(super) fn shift(list: &mut Vec<CardId>, id: CardId, by: isize) -> bool {
    let Some(at) = list.iter().position(|other| *other == id) else { return false };
    let to = at.saturating_add_signed(by).min(list.len() - 1);
    let id = list.remove(at);
    list.insert(to, id);
    to != at
}
