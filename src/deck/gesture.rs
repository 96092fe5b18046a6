//! A pointer that moves or sizes a card, from press to release.
//!
//! Invariants: below the threshold it is a click and nothing has happened; until [`Gesture::finish`] the deck is not
//! written, so dropping a gesture is the whole of a revert.

use super::snap::Snap;
use super::{CardId, Deck, MIN_SIZE, Mode, Point, Rect, fit};

/// The kind of pointer, which decides how far it must travel before it drags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    Mouse,
    Pen,
    Touch,
}

/// Where the card is gripped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grip {
    /// By its header: it moves.
    Header,
    /// By an edge or a corner: it changes its size.
    Handle(Handle),
}

/// An edge or corner, by compass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    N,
    NE,
    E,
    SE,
    S,
    SW,
    W,
    NW,
}

/// A gesture under way.
#[derive(Clone, Debug)]
pub struct Gesture {
    id: CardId,
    grip: Grip,
    threshold: f64,
    start: Point,
    origin: Rect,
    /// The size to go back to where a maximised card is dragged out.
    restored: Option<Rect>,
    area: Rect,
    snap_x: Snap,
    snap_y: Snap,
    drawn: Option<Rect>,
}

impl Pointer {
    /// By the name that the browser gives.
    pub fn named(name: &str) -> Self {
        match name {
            "touch" => Self::Touch,
            "pen" => Self::Pen,
            _ => Self::Mouse,
        }
    }

    /// px of travel that still are a click.
    pub fn threshold(self) -> f64 {
        match self {
            Self::Mouse | Self::Pen => 4.0,
            Self::Touch => 8.0,
        }
    }
}

impl Handle {
    pub const ALL: [Self; 8] = [Self::N, Self::NE, Self::E, Self::SE, Self::S, Self::SW, Self::W, Self::NW];

    /// Its name in class lists.
    pub fn name(self) -> &'static str {
        match self {
            Self::N => "n",
            Self::NE => "ne",
            Self::E => "e",
            Self::SE => "se",
            Self::S => "s",
            Self::SW => "sw",
            Self::W => "w",
            Self::NW => "nw",
        }
    }

    fn west(self) -> bool {
        matches!(self, Self::NW | Self::W | Self::SW)
    }

    fn east(self) -> bool {
        matches!(self, Self::NE | Self::E | Self::SE)
    }

    fn north(self) -> bool {
        matches!(self, Self::NW | Self::N | Self::NE)
    }

    fn south(self) -> bool {
        matches!(self, Self::SW | Self::S | Self::SE)
    }
}

impl Gesture {
    /// Takes note of a press. `None` if there is nothing to grip: no such card on the table, or the edge of a maximised one.
    pub fn begin(deck: &Deck, id: CardId, grip: Grip, pointer: Pointer, at: Point) -> Option<Self> {
        let origin = deck.rect(id)?;
        let maximised = deck.mode(id)? == Mode::Max;
        if maximised && grip != Grip::Header {
            return None;
        }
        let others: Vec<Rect> = deck.order().iter().filter(|other| **other != id).filter_map(|other| deck.rect(*other)).collect();
        let area = deck.area();
        Some(Self {
            id,
            grip,
            threshold: pointer.threshold(),
            start: at,
            origin,
            restored: deck.card(id).filter(|_| maximised).map(|card| deck.float_rect(card)),
            area,
            snap_x: Snap::x(&area, &others),
            snap_y: Snap::y(&area, &others),
            drawn: None,
        })
    }

    pub fn id(&self) -> CardId {
        self.id
    }

    /// True once the pointer has travelled far enough: it is no click any more.
    pub fn has_begun(&self) -> bool {
        self.drawn.is_some()
    }

    /// Follows the pointer; gives the rectangle to draw, `None` while it may still be a click. `free` leaves snapping off.
    pub fn follow(&mut self, at: Point, free: bool) -> Option<Rect> {
        let (dx, dy) = (at.x - self.start.x, at.y - self.start.y);
        if !(dx.is_finite() && dy.is_finite()) {
            return self.drawn;
        }
        if self.drawn.is_none() {
            if dx.hypot(dy) <= self.threshold {
                return None;
            }
            if let Some(size) = self.restored.take() {
                let share = (self.start.x - self.origin.x) / self.origin.w;
                self.origin = Rect { x: self.start.x - share * size.w, y: self.origin.y, w: size.w, h: size.h };
            }
        }
        if free {
            self.snap_x.release();
            self.snap_y.release();
        }
        let rect = match self.grip {
            Grip::Header => self.moved(dx, dy, free),
            Grip::Handle(handle) => self.sized(handle, dx, dy, free),
        };
        self.drawn = Some(fit(&rect.rounded(), &self.area));
        self.drawn
    }

    fn moved(&mut self, dx: f64, dy: f64, free: bool) -> Rect {
        let mut rect = Rect { x: self.origin.x + dx, y: self.origin.y + dy, ..self.origin };
        if !free {
            rect.x += self.snap_x.shift((rect.x, rect.right()), (true, true));
            rect.y += self.snap_y.shift((rect.y, rect.bottom()), (true, true));
        }
        rect
    }

    /// The gripped edges move, the others stay: at its least size a card stands still.
    fn sized(&mut self, handle: Handle, dx: f64, dy: f64, free: bool) -> Rect {
        let (area, from) = (self.area, self.origin);
        let x = (handle.west(), handle.east());
        let y = (handle.north(), handle.south());
        let across = stretch((from.x, from.right()), x, dx, &mut self.snap_x, free, (area.x, area.right()), MIN_SIZE.w.min(area.w));
        let down = stretch((from.y, from.bottom()), y, dy, &mut self.snap_y, free, (area.y, area.bottom()), MIN_SIZE.h.min(area.h));
        Rect { x: across.0, y: down.0, w: across.1 - across.0, h: down.1 - down.0 }
    }

    /// Ends it: writes the drawn rectangle once. True if it was a drag, so that the click that follows is none.
    pub fn finish(self, deck: &mut Deck) -> bool {
        if let Some(rect) = self.drawn {
            deck.set_rect(self.id, rect);
        }
        self.drawn.is_some()
    }
}

fn stretch(span: (f64, f64), grips: (bool, bool), by: f64, snap: &mut Snap, free: bool, room: (f64, f64), least: f64) -> (f64, f64) {
    let (mut low, mut high) = span;
    let pulled = (if grips.0 { low + by } else { low }, if grips.1 { high + by } else { high });
    let shift = if free || !(grips.0 || grips.1) { 0.0 } else { snap.shift(pulled, grips) };
    if grips.0 {
        low = (pulled.0 + shift).max(room.0).min(high - least);
    }
    if grips.1 {
        high = (pulled.1 + shift).min(room.1).max(low + least);
    }
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deck::{OpenedBy, Scene};

    const AREA: Rect = Rect { x: 8.0, y: 56.0, w: 1424.0, h: 720.0 };
    const ID: CardId = CardId::Agent(1);

    fn deck() -> Deck {
        let mut deck = Deck::new(AREA);
        deck.open(ID, OpenedBy::User, &Scene::default());
        deck.set_rect(ID, Rect::new(400.0, 200.0, 420.0, 300.0));
        deck
    }

    fn p(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    #[test]
    fn below_the_threshold_it_is_a_click() {
        for (pointer, still, drags) in [(Pointer::Mouse, 4.0, 5.0), (Pointer::Pen, 4.0, 5.0), (Pointer::Touch, 8.0, 9.0)] {
            let mut deck = deck();
            let before = deck.clone();
            let mut gesture = Gesture::begin(&deck, ID, Grip::Header, pointer, p(500.0, 210.0)).expect("a grip");
            assert_eq!(gesture.follow(p(500.0 + still, 210.0), false), None);
            assert!(gesture.follow(p(500.0 + drags, 210.0), false).is_some());
            drop(gesture);
            assert_eq!(deck, before, "a dropped gesture is a revert");
            let gesture = Gesture::begin(&deck, ID, Grip::Header, pointer, p(500.0, 210.0)).expect("a grip");
            assert!(!gesture.finish(&mut deck));
            assert_eq!(deck, before, "a click writes nothing");
        }
    }

    #[test]
    fn a_drag_is_written_once_on_release() {
        let mut deck = deck();
        let mut gesture = Gesture::begin(&deck, ID, Grip::Header, Pointer::Mouse, p(500.0, 210.0)).expect("a grip");
        gesture.follow(p(600.0, 260.0), true);
        assert_eq!(deck.rect(ID), Some(Rect::new(400.0, 200.0, 420.0, 300.0)));
        assert!(gesture.finish(&mut deck));
        assert_eq!(deck.rect(ID), Some(Rect::new(500.0, 250.0, 420.0, 300.0)));
    }

    #[test]
    fn at_its_least_size_a_card_does_not_move() {
        for handle in Handle::ALL {
            let deck = deck();
            let from = deck.rect(ID).expect("a rect");
            let mut gesture = Gesture::begin(&deck, ID, Grip::Handle(handle), Pointer::Mouse, p(0.0, 0.0)).expect("a grip");
            let (dx, dy) = (if handle.west() { 900.0 } else { -900.0 }, if handle.north() { 900.0 } else { -900.0 });
            let rect = gesture.follow(p(dx, dy), true).expect("a rect");
            assert_eq!(if handle.west() { rect.right() } else { rect.x }, if handle.west() { from.right() } else { from.x }, "{handle:?}");
            assert_eq!(
                if handle.north() { rect.bottom() } else { rect.y },
                if handle.north() { from.bottom() } else { from.y },
                "{handle:?}"
            );
            assert!(rect.w >= MIN_SIZE.w && rect.h >= MIN_SIZE.h);
        }
    }

    #[test]
    fn a_maximised_card_is_dragged_out_under_the_pointer() {
        let mut deck = deck();
        deck.toggle_maximised(ID);
        assert!(Gesture::begin(&deck, ID, Grip::Handle(Handle::E), Pointer::Mouse, p(0.0, 0.0)).is_none());
        let at = p(8.0 + 1424.0 / 2.0, 70.0);
        let mut gesture = Gesture::begin(&deck, ID, Grip::Header, Pointer::Mouse, at).expect("a grip");
        let rect = gesture.follow(p(at.x, at.y + 100.0), true).expect("a rect");
        assert_eq!(rect, Rect::new(at.x - 210.0, 156.0, 420.0, 300.0));
        gesture.finish(&mut deck);
        assert_eq!(deck.mode(ID), Some(Mode::Float));
    }
}
