//! When there is room for floating cards, and where.

use super::{GAP, Rect, Size};

/// True where cards float; below, an agent opens as a page of its own.
///
/// They come at 900 × 560 px and go below 860 × 520, so that a window dragged along the border does not flicker.
pub fn floats(now: bool, viewport: Size) -> bool {
    let (w, h) = if now { (860.0, 520.0) } else { (900.0, 560.0) };
    viewport.w >= w && viewport.h >= h
}

/// The area of the cards: the viewport without the header above and whatever stands fast below (composer, timeline, dock).
///
/// `bottom` is the top edge of the highest of these, `bar` the width of the conversation's scrollbar, which stays free.
pub fn area(viewport: Size, header_bottom: f64, bottom: f64, bar: f64) -> Rect {
    let (top, bottom) = (header_bottom.max(0.0), bottom.min(viewport.h));
    Rect { x: GAP, y: top + GAP, w: viewport.w - bar.max(0.0) - 2.0 * GAP, h: bottom - top - 2.0 * GAP }.whole()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_come_and_go_with_a_margin() {
        for (now, w, h, want) in [
            (false, 900.0, 560.0, true),
            (false, 899.0, 900.0, false),
            (true, 870.0, 900.0, true),
            (true, 859.0, 900.0, false),
            (false, 1400.0, 559.0, false),
            (true, 1400.0, 530.0, true),
            (true, 320.0, 700.0, false),
        ] {
            assert_eq!(floats(now, Size { w, h }), want, "{now} {w}×{h}");
        }
    }

    #[test]
    fn the_area_ends_above_what_stands_fast() {
        assert_eq!(area(Size { w: 1440.0, h: 900.0 }, 48.0, 804.0, 0.0), Rect::new(8.0, 56.0, 1424.0, 740.0));
        assert_eq!(area(Size { w: 1440.0, h: 900.0 }, 48.0, 804.0, 15.0).right(), 1417.0, "the scrollbar stays free");
        assert!(!area(Size { w: 0.0, h: 0.0 }, 48.0, 0.0, 0.0).is_real());
    }
}
