//! What is done to all cards at once.

use super::place::STEP;
use super::{CardId, Deck, GAP, MIN_SIZE, OpenedBy, Rect, Scene, Size, default_size, fit};

/// The height of a card's header, px: what a pile leaves visible of each card.
const HEADER: f64 = 40.0;

impl Deck {
    /// Lays the cards on the table side by side, in a grid of √n columns, in the order of the DOM. A last row that is not
    /// full is as wide as the others. Where there is no room for all, the rows lie over each other, each as far as the next.
    pub fn tile(&mut self, scene: &Scene) {
        let open = self.open_by_creation();
        let desk = self.desk(scene);
        let most = ((desk.w + GAP) / (MIN_SIZE.w + GAP)).floor();
        let columns = (open.len() as f64).sqrt().ceil().min(most).max(1.0) as usize;
        let rows = open.len().div_ceil(columns).max(1) as f64;
        let h = ((desk.h - GAP * (rows - 1.0)) / rows).max(MIN_SIZE.h.min(desk.h));
        let step = (h + GAP).min((desk.h - h) / (rows - 1.0).max(1.0));
        for (row, ids) in open.chunks(columns).enumerate() {
            let across = ids.len() as f64;
            let w = (desk.w - GAP * (across - 1.0)) / across;
            let y = desk.y + row as f64 * step;
            for (column, id) in ids.iter().enumerate() {
                self.set_rect(*id, Rect { x: desk.x + column as f64 * (w + GAP), y, w, h });
            }
        }
    }

    /// Lays the cards in steps from the top left, back to front, and begins anew where the area ends.
    pub fn cascade(&mut self, scene: &Scene) {
        let desk = self.desk(scene);
        let Size { w, h } = within(&desk);
        let steps = ((desk.w - w).min(desk.h - h) / STEP).floor().max(0.0) + 1.0;
        for (i, id) in self.order.clone().into_iter().enumerate() {
            let by = (i as f64 % steps) * STEP;
            self.set_rect(id, Rect { x: desk.x + by, y: desk.y + by, w, h });
        }
    }

    /// Piles the cards up at the right, back to front, so that every header stays in sight while the area lasts.
    pub fn pile(&mut self, scene: &Scene) {
        let desk = self.desk(scene);
        let Size { w, h } = within(&desk);
        let steps = ((desk.h - h) / HEADER).floor().max(0.0) + 1.0;
        for (i, id) in self.order.clone().into_iter().enumerate() {
            let y = desk.y + (i as f64 % steps) * HEADER;
            self.set_rect(id, Rect { x: desk.right() - w, y, w, h });
        }
    }

    /// Puts all cards into the dock: the table's, the rearmost first, then the rail's.
    pub fn minimise_all(&mut self) {
        self.dock.append(&mut self.order);
        self.dock.append(&mut self.rail.take());
        self.focused = None;
    }

    /// Takes all cards out of the dock; the last minimised comes to the front.
    pub fn restore_all(&mut self) {
        self.order.append(&mut self.dock);
    }

    /// Closes the cards that `done` names, each with its run (see [`Deck::close`]).
    pub fn close_where(&mut self, done: impl Fn(CardId) -> Option<u32>) {
        for id in self.cards.iter().map(|card| card.id).collect::<Vec<_>>() {
            if let Some(run) = done(id) {
                self.close(id, run);
            }
        }
    }

    /// Gives every card on the table the place that it would have been opened at, and the rail its first width.
    pub fn reset(&mut self, scene: &Scene) {
        self.rail.reset_width();
        let open = self.open_by_creation();
        self.order.clear();
        for id in open {
            let by = self.card(id).map_or(OpenedBy::User, |card| card.opened_by);
            let rect = match self.best_place(scene, by) {
                Some(place) if place.covers <= super::place::TOO_MUCH || self.order.is_empty() => place.rect,
                _ => self.cascade_place(scene),
            };
            self.set_rect(id, fit(&rect, &self.area()));
            self.order.push(id);
        }
    }

    /// The part of the area in which cards cover neither the lists nor the rail, if it holds a card.
    pub(super) fn desk(&self, scene: &Scene) -> Rect {
        let Some(desk) = scene.desk.filter(Rect::is_real) else { return self.area() };
        let area = self.area();
        let (x, right) = ((desk.x + GAP).max(area.x), (desk.right() - GAP).min(area.right()));
        if right - x < MIN_SIZE.w { area } else { Rect { x, w: right - x, ..area } }
    }

    fn open_by_creation(&self) -> Vec<CardId> {
        self.cards.iter().map(|card| card.id).filter(|id| self.is_open(*id)).collect()
    }
}

fn within(desk: &Rect) -> Size {
    let Size { w, h } = default_size(desk);
    Size { w: w.min(desk.w), h }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deck(cards: u32) -> Deck {
        let mut deck = Deck::new(Rect::new(8.0, 56.0, 1904.0, 900.0));
        for n in 1..=cards {
            deck.open(CardId::Agent(n), OpenedBy::User, &Scene::default());
        }
        deck
    }

    #[test]
    fn tiles_do_not_overlap() {
        for cards in [1, 2, 3, 5, 12] {
            let mut deck = deck(cards);
            deck.tile(&Scene::default());
            let rects: Vec<Rect> = deck.order().iter().filter_map(|id| deck.rect(*id)).collect();
            for (i, a) in rects.iter().enumerate() {
                for b in rects.iter().skip(i + 1) {
                    assert!(a.overlap(b) == 0.0, "{cards}: {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_laid_out_at_once_covers_neither_lists_nor_rail() {
        let desk = Rect::new(248.0, 0.0, 1_000.0, 1_000.0);
        let scene = Scene { desk: Some(desk), ..Scene::default() };
        type Lay = fn(&mut Deck, &Scene);
        let lay: [(&str, Lay); 3] = [("tile", Deck::tile), ("cascade", Deck::cascade), ("pile", Deck::pile)];
        for (name, lay) in lay {
            for cards in [1, 2, 5, 12, 50] {
                let mut deck = deck(cards);
                lay(&mut deck, &scene);
                let rects: Vec<Rect> = deck.order().iter().filter_map(|id| deck.rect(*id)).collect();
                assert!(rects.iter().all(|rect| rect.x >= desk.x + GAP && rect.right() <= desk.right() - GAP), "{name} {cards}: {rects:?}");
                let tops = rects.iter().map(|rect| (rect.x as i64, rect.y as i64)).collect::<std::collections::BTreeSet<_>>();
                assert!(name != "tile" || tops.len() == rects.len(), "each tile shows its header: {rects:?}");
            }
        }
        let mut deck = deck(2);
        deck.tile(&Scene { desk: Some(Rect::new(0.0, 0.0, 100.0, 500.0)), ..Scene::default() });
        assert_eq!(deck.rect(CardId::Agent(1)).map(|rect| rect.x), Some(8.0), "where no card has room there, the whole area serves");
    }

    #[test]
    fn minimise_all_and_back_keeps_order_and_places() {
        let mut deck = deck(6);
        deck.raise(CardId::Agent(2));
        let before = deck.clone();
        deck.minimise_all();
        assert_eq!(deck.dock(), before.order());
        deck.restore_all();
        assert_eq!(deck, before);
    }

    #[test]
    fn closing_the_finished_leaves_the_rest() {
        let mut deck = deck(4);
        deck.minimise(CardId::Agent(4));
        deck.close_where(|id| id.agent().filter(|n| n % 2 == 0));
        assert_eq!(deck.order(), [1, 3].map(CardId::Agent));
        assert!(deck.dock().is_empty());
    }

    #[test]
    fn a_pile_shows_every_header() {
        let mut deck = deck(5);
        deck.pile(&Scene::default());
        let tops: Vec<f64> = deck.order().iter().filter_map(|id| deck.rect(*id)).map(|rect| rect.y).collect();
        assert!(tops.windows(2).all(|pair| pair[1] - pair[0] == HEADER), "{tops:?}");
        deck.reset(&Scene::default());
        assert_eq!(deck.order().len(), 5);
    }
}
