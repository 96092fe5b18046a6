//! Where a new card goes: the place that covers least of what matters.

use super::{Deck, GAP, MIN_SIZE, OpenedBy, Point, Rect, Size};

/// Something that a card should not cover. The end of the conversation weighs 16, the focused card 8, any card 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    pub rect: Rect,
    pub weight: f64,
}

/// What is on the page beside the cards, measured when a card opens.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    pub obstacles: Vec<Obstacle>,
    /// What holds the focus: an agent's card never opens over it.
    pub focus: Option<Rect>,
    /// What lies between the lists and the rail: where cards that are all laid out at once stand. The whole area where it is not known.
    pub desk: Option<Rect>,
    /// The height that the new card's content asks for, where that is known, px: a card is not opened taller.
    pub height: Option<f64>,
}

impl Scene {
    /// A size as high as the content asks for.
    fn fitted(&self, size: Size) -> Size {
        Size { h: self.height.map_or(size.h, |height| height.round().clamp(MIN_SIZE.h, size.h.max(MIN_SIZE.h))), ..size }
    }
}

/// A place found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub rect: Rect,
    /// The part of the card that covers something, 0 to 1; a card that a person asked for may cover the conversation above its end.
    pub covers: f64,
}

/// Only the foremost cards lend their edges: enough to fill a screen, and no search among five hundred.
const NEIGHBOURS: usize = 16;
/// From one card to the next in a cascade, px.
pub(super) const STEP: f64 = 32.0;
/// So many steps of a cascade stand side by side.
const CASCADE: f64 = 4.0;
/// A card that would cover more than this waits in the dock.
pub(super) const TOO_MUCH: f64 = 0.4;
/// What the conversation above its end weighs.
pub const BODY_WEIGHT: f64 = 0.5;
const FOCUSED_WEIGHT: f64 = 8.0;
/// The side of the grid by which covered parts are measured.
const GRID: u32 = 20;

/// The size of a new card in an area.
pub fn default_size(area: &Rect) -> Size {
    Size { w: 420.0, h: 520.0_f64.min((area.h * 0.6).round()) }
}

/// The sizes to try, the best first.
///
/// A person's card may shrink to fill what the gutter has left. An agent's card is a third of the height, so that the three
/// that open by themselves stand in one column and cover nothing.
fn sizes(area: &Rect, by: OpenedBy, scene: &Scene) -> Vec<Size> {
    let Size { w, h } = default_size(area);
    let third = ((area.h - 2.0 * GAP) / 3.0).floor().clamp(MIN_SIZE.h, h.max(MIN_SIZE.h));
    let low = (h * 0.6).round().max(MIN_SIZE.h);
    let sizes = match by {
        OpenedBy::User => [(w, h), (w, low), (340.0, h), (340.0, low)],
        OpenedBy::Agent => [(w, third), (380.0, third), (340.0, third), (300.0, third)],
    };
    sizes.map(|(w, h)| scene.fitted(Size { w: w.min(area.w), h: h.min(area.h) })).to_vec()
}

impl Deck {
    /// The place that covers least, for the largest card that covers nothing: between the lists and the rail, and only where none is
    /// there, over them.
    pub(super) fn best_place(&self, scene: &Scene, by: OpenedBy) -> Option<Place> {
        [self.desk(scene), self.area()].iter().find_map(|within| self.best_within(within, scene, by))
    }

    fn best_within(&self, within: &Rect, scene: &Scene, by: OpenedBy) -> Option<Place> {
        let obstacles = self.obstacles(scene);
        let heavy = obstacles.iter().filter(|o| by == OpenedBy::Agent || o.weight > BODY_WEIGHT).map(|o| o.rect).collect::<Vec<_>>();
        let mut best: Option<(f64, Place)> = None;
        for size in sizes(within, by, scene) {
            for rect in self.candidates(size, within) {
                if scene.focus.is_some_and(|focus| focus.overlap(&rect) > 0.0) {
                    continue;
                }
                let cost: f64 = obstacles.iter().map(|o| o.weight * o.rect.overlap(&rect)).sum();
                let cost = cost / rect.surface().max(1.0);
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, Place { rect, covers: covered_share(&rect, &heavy) }));
                }
            }
            if best.as_ref().is_some_and(|(cost, _)| *cost == 0.0) {
                break;
            }
        }
        best.map(|(_, place)| place)
    }

    /// One step down and right of the foremost card, between the lists and the rail; where that ends, again from the top, and from a few
    /// steps before its right edge: the left is where the conversation is.
    pub(super) fn cascade_place(&self, scene: &Scene) -> Rect {
        let desk = self.desk(scene);
        let Size { w, h } = scene.fitted(default_size(&self.area()));
        let w = w.min(desk.w);
        let last = self.front().and_then(|id| self.rect(id)).unwrap_or(Rect { x: desk.x, y: desk.y, w: 0.0, h: 0.0 });
        let (x, y) = (last.x + STEP, last.y + STEP);
        let x = if x < desk.x || x + w > desk.right() { (desk.right() - w - CASCADE * STEP).max(desk.x) } else { x };
        let y = if y + h > desk.bottom() { desk.y } else { y };
        Rect { x, y, w, h }
    }

    fn obstacles(&self, scene: &Scene) -> Vec<Obstacle> {
        let cards = self.order.iter().filter_map(|id| {
            let weight = if self.focused == Some(*id) { FOCUSED_WEIGHT } else { 1.0 };
            Some(Obstacle { rect: self.float_rect(self.card(*id)?), weight })
        });
        scene.obstacles.iter().copied().filter(|o| o.rect.is_real() && o.weight > 0.0).chain(cards).collect()
    }

    /// Places beside the edges of `area` and of the foremost cards: the right gutter first, from its top down.
    fn candidates(&self, size: Size, area: &Rect) -> Vec<Rect> {
        let mut xs = vec![area.right() - size.w, area.x];
        let mut ys = vec![area.y, area.bottom() - size.h];
        for id in self.order.iter().rev().take(NEIGHBOURS) {
            let Some(rect) = self.card(*id).map(|card| self.float_rect(card)) else { continue };
            xs.extend([rect.right() + GAP, rect.x - GAP - size.w]);
            ys.extend([rect.bottom() + GAP, rect.y - GAP - size.h]);
        }
        xs.sort_by(|a, b| b.total_cmp(a));
        ys.sort_by(f64::total_cmp);
        let all = xs.iter().flat_map(|x| ys.iter().map(|y| Rect { x: *x, y: *y, w: size.w, h: size.h }));
        all.filter(|rect| area.holds(rect)).collect()
    }
}

/// The part of `rect` that lies under any of `above`, 0 to 1, measured on a grid of points.
pub(super) fn covered_share(rect: &Rect, above: &[Rect]) -> f64 {
    let above: Vec<&Rect> = above.iter().filter(|other| other.overlap(rect) > 0.0).collect();
    if above.is_empty() {
        return 0.0;
    }
    let at = |i: u32| (f64::from(i) + 0.5) / f64::from(GRID);
    let points = (0..GRID).flat_map(|i| (0..GRID).map(move |k| Point { x: rect.x + rect.w * at(i), y: rect.y + rect.h * at(k) }));
    let hidden = points.filter(|p| above.iter().any(|other| other.has(*p))).count();
    hidden as f64 / f64::from(GRID * GRID)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deck::CardId;

    const AREA: Rect = Rect { x: 8.0, y: 56.0, w: 1424.0, h: 720.0 };

    fn scene() -> Scene {
        let conversation = Obstacle { rect: Rect::new(0.0, 48.0, 940.0, 500.0), weight: 0.5 };
        let end = Obstacle { rect: Rect::new(0.0, 548.0, 940.0, 240.0), weight: 16.0 };
        Scene { obstacles: vec![conversation, end], ..Scene::default() }
    }

    #[test]
    fn the_right_gutter_fills_from_the_top() {
        let mut deck = Deck::new(AREA);
        for n in 1..=2 {
            deck.open(CardId::Agent(n), OpenedBy::User, &scene());
        }
        let rects: Vec<Rect> = deck.order().iter().filter_map(|id| deck.rect(*id)).collect();
        assert_eq!(rects[0], Rect::new(1012.0, 56.0, 420.0, 432.0));
        assert_eq!((rects[1].x, rects[1].y), (1012.0, 496.0));
        assert_eq!(rects[0].overlap(&rects[1]), 0.0);
    }

    #[test]
    fn three_agents_at_once_stand_in_one_column_and_cover_nothing() {
        let mut deck = Deck::new(AREA);
        for n in 1..=3 {
            deck.open(CardId::Agent(n), OpenedBy::Agent, &scene());
        }
        let rects: Vec<Rect> = deck.order().iter().filter_map(|id| deck.rect(*id)).collect();
        assert_eq!(rects.len(), 3);
        let obstacles = scene().obstacles;
        for (i, rect) in rects.iter().enumerate() {
            assert!(rects.iter().skip(i + 1).all(|other| rect.overlap(other) == 0.0), "{rects:?}");
            assert!(obstacles.iter().all(|other| rect.overlap(&other.rect) == 0.0), "{rects:?}");
        }
    }

    #[test]
    fn beside_a_rail_a_card_stands_in_the_gutter_that_is_left() {
        let rail = Rect::new(1_020.0, 48.0, 420.0, 740.0);
        let list = Rect::new(0.0, 48.0, 248.0, 740.0);
        let column = Rect::new(276.0, 48.0, 372.0, 740.0);
        let obstacles = [(rail, 4.0), (list, 2.0), (column, 0.5)].map(|(rect, weight)| Obstacle { rect, weight }).to_vec();
        let scene = Scene { obstacles, desk: Some(Rect::new(248.0, 48.0, 772.0, 740.0)), focus: None, height: None };
        let place = Deck::new(AREA).best_place(&scene, OpenedBy::User).expect("a place");
        assert_eq!((place.rect.x, place.rect.right(), place.covers), (672.0, 1_012.0, 0.0));
    }

    #[test]
    fn lists_and_rail_stay_free_where_the_desk_has_room_however_much_it_covers() {
        let desk = Rect::new(248.0, 48.0, 772.0, 740.0);
        let end = Obstacle { rect: desk, weight: 16.0 };
        let scene = Scene { obstacles: vec![end], desk: Some(desk), ..Scene::default() };
        let mut deck = Deck::new(AREA);
        for n in 1..=8 {
            deck.open(CardId::Agent(n), OpenedBy::User, &scene);
            let rect = deck.rect(CardId::Agent(n)).expect("it floats");
            assert!(rect.x >= desk.x && rect.right() <= desk.right(), "{n}: {rect:?}");
        }
    }

    #[test]
    fn a_persons_second_card_stands_beside_the_first_and_not_on_it() {
        let desk = Rect::new(248.0, 48.0, 772.0, 740.0);
        let column = Obstacle { rect: Rect::new(248.0, 48.0, 740.0, 500.0), weight: BODY_WEIGHT };
        let end = Obstacle { rect: Rect::new(248.0, 548.0, 740.0, 240.0), weight: 16.0 };
        let scene = Scene { obstacles: vec![column, end], desk: Some(desk), height: Some(230.0), ..Scene::default() };
        let mut deck = Deck::new(AREA);
        let [first, second] = [CardId::Tray, CardId::Todos].map(|id| {
            deck.open(id, OpenedBy::User, &scene);
            deck.rect(id).expect("it floats")
        });
        assert_eq!(first.overlap(&second), 0.0, "{first:?} {second:?}");
        assert_eq!(end.rect.overlap(&second), 0.0, "{second:?}");
    }

    #[test]
    fn no_place_lies_over_the_focus() {
        let deck = Deck::new(AREA);
        let focus = Rect::new(1200.0, 60.0, 100.0, 30.0);
        let place = deck.best_place(&Scene { focus: Some(focus), ..scene() }, OpenedBy::Agent).expect("a place");
        assert_eq!(place.rect.overlap(&focus), 0.0);
        assert!(deck.best_place(&Scene { focus: Some(AREA), ..scene() }, OpenedBy::Agent).is_none());
    }

    #[test]
    fn covered_parts_count_once() {
        let rect = Rect::new(0.0, 0.0, 100.0, 100.0);
        let half = Rect::new(0.0, 0.0, 50.0, 100.0);
        assert_eq!(covered_share(&rect, &[half, half]), 0.5);
        assert_eq!(covered_share(&rect, &[Rect::new(100.0, 0.0, 9.0, 9.0)]), 0.0);
        assert_eq!(covered_share(&rect, &[rect]), 1.0);
    }

    #[test]
    fn a_cascade_beside_a_rail_leaves_it_and_the_lists_free() {
        let area = Rect { x: 8.0, y: 56.0, w: 1_008.0, h: 640.0 };
        let desk = Rect::new(200.0, 48.0, 544.0, 700.0);
        let scene = Scene { desk: Some(desk), ..Scene::default() };
        let mut deck = Deck::new(area);
        for n in 1..=12 {
            deck.open(CardId::Agent(n), OpenedBy::User, &Scene { obstacles: vec![Obstacle { rect: area, weight: 16.0 }], ..scene.clone() });
            let rect = deck.rect(CardId::Agent(n)).expect("it floats");
            assert!(n == 1 || (rect.x >= desk.x && rect.right() <= desk.right()), "{n}: {rect:?}");
        }
    }

    #[test]
    fn a_card_is_not_taller_than_its_content() {
        let mut deck = Deck::new(AREA);
        deck.open(CardId::Todos, OpenedBy::User, &Scene { height: Some(230.0), ..scene() });
        assert_eq!(deck.rect(CardId::Todos).map(|rect| rect.h), Some(230.0));
        deck.open(CardId::Tray, OpenedBy::User, &Scene { height: Some(9_000.0), ..scene() });
        assert_eq!(deck.rect(CardId::Tray).map(|rect| rect.h), Some(432.0));
    }
}
