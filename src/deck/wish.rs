//! What a person wished for, and the one function that fits it into the space there is.

use serde::{Deserialize, Serialize};

use super::{Rect, Size};

/// The least size of a card, px, where the area has room for it.
pub const MIN_SIZE: Size = Size { w: 280.0, h: 160.0 };

/// Beyond this a stored number is no wish but damage, px.
const LIMIT: f64 = 100_000.0;

/// A wished rectangle: its size, and its distance from the nearer edges of the area.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wish {
    pub w: f64,
    pub h: f64,
    pub dx: f64,
    pub dy: f64,
    /// Measured from the right edge.
    pub from_right: bool,
    /// Measured from the bottom edge.
    pub from_bottom: bool,
}

impl Wish {
    /// The wish that draws `rect` in `area`, to whole pixels.
    pub fn of(rect: &Rect, area: &Rect) -> Self {
        let rect = rect.rounded();
        let (left, right) = (rect.x - area.x, area.right() - rect.right());
        let (top, bottom) = (rect.y - area.y, area.bottom() - rect.bottom());
        let (from_right, from_bottom) = (right < left, bottom < top);
        Self {
            w: rect.w,
            h: rect.h,
            dx: if from_right { right } else { left },
            dy: if from_bottom { bottom } else { top },
            from_right,
            from_bottom,
        }
    }

    /// Where it stands in `area`, not yet fitted.
    pub fn in_area(&self, area: &Rect) -> Rect {
        let x = if self.from_right { area.right() - self.dx - self.w } else { area.x + self.dx };
        let y = if self.from_bottom { area.bottom() - self.dy - self.h } else { area.y + self.dy };
        Rect { x, y, w: self.w, h: self.h }
    }

    /// False for numbers that no gesture can have made.
    pub fn is_sound(&self) -> bool {
        [self.w, self.h, self.dx, self.dy].iter().all(|v| v.is_finite() && v.abs() <= LIMIT) && self.w > 0.0 && self.h > 0.0
    }
}

/// Fits a rectangle into the area: first its size, then its place. Every path to the screen ends here.
///
/// The result lies inside `area` and is at least [`MIN_SIZE`] where the area is. An area that is not real gives the
/// least card at its corner.
pub fn fit(rect: &Rect, area: &Rect) -> Rect {
    if !area.is_real() {
        return Rect { x: 0.0, y: 0.0, w: MIN_SIZE.w, h: MIN_SIZE.h };
    }
    let (x, w) = fit_axis(rect.x, rect.w, area.x, area.w, MIN_SIZE.w);
    let (y, h) = fit_axis(rect.y, rect.h, area.y, area.h, MIN_SIZE.h);
    Rect { x, y, w, h }
}

fn fit_axis(start: f64, length: f64, from: f64, room: f64, least: f64) -> (f64, f64) {
    let length = if length.is_finite() { length.max(least).min(room) } else { least.min(room) };
    let start = if start.is_finite() { start.min(from + room - length).max(from) } else { from };
    (start, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Rect = Rect { x: 8.0, y: 56.0, w: 1424.0, h: 700.0 };

    #[test]
    fn a_rectangle_is_moved_before_it_is_cut() {
        for (rect, want) in [
            (Rect::new(100.0, 100.0, 420.0, 400.0), Rect::new(100.0, 100.0, 420.0, 400.0)),
            (Rect::new(-900.0, 9_000.0, 420.0, 400.0), Rect::new(8.0, 356.0, 420.0, 400.0)),
            (Rect::new(1400.0, 0.0, 420.0, 400.0), Rect::new(1012.0, 56.0, 420.0, 400.0)),
            (Rect::new(0.0, 0.0, 9_000.0, 9_000.0), AREA),
            (Rect::new(100.0, 100.0, 1.0, 1.0), Rect::new(100.0, 100.0, 280.0, 160.0)),
            (Rect::new(f64::NAN, f64::INFINITY, f64::NAN, -1.0), Rect::new(8.0, 56.0, 280.0, 160.0)),
        ] {
            assert_eq!(fit(&rect, &AREA), want, "{rect:?}");
        }
    }

    #[test]
    fn an_area_smaller_than_a_card_holds_it_all_the_same() {
        let area = Rect::new(0.0, 0.0, 120.0, 90.0);
        assert_eq!(fit(&Rect::new(500.0, 500.0, 420.0, 400.0), &area), area);
        assert!(fit(&Rect::default(), &Rect::default()).is_real());
    }

    #[test]
    fn a_wish_is_measured_from_the_nearer_edges() {
        let wish = Wish::of(&Rect::new(1000.0, 70.0, 420.0, 400.0), &AREA);
        assert!(wish.from_right && !wish.from_bottom);
        let wider = Rect { w: 1904.0, ..AREA };
        assert_eq!(wish.in_area(&wider).right(), wider.right() - 12.0);
        assert_eq!(wish.in_area(&AREA), Rect::new(1000.0, 70.0, 420.0, 400.0));
    }
}
