//! Moving and sizing by the keyboard.

use super::{MIN_SIZE, Rect, fit};

/// How far one press goes: plain, with Shift, with Ctrl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    Plain,
    Large,
    Fine,
}

/// An edge of the area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    Left,
    Right,
    Top,
    Bottom,
}

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nudge {
    /// One step in a direction.
    Step(Edge, Stride),
    /// All the way.
    To(Edge),
}

impl Stride {
    /// By what is held beside the key.
    pub fn of_keys(shift: bool, ctrl: bool) -> Self {
        match (shift, ctrl) {
            (_, true) => Self::Fine,
            (true, false) => Self::Large,
            (false, false) => Self::Plain,
        }
    }

    /// px.
    pub fn length(self) -> f64 {
        match self {
            Self::Plain => 16.0,
            Self::Large => 64.0,
            Self::Fine => 1.0,
        }
    }
}

/// How far a key leads along a row of chips or tabs: as far as it goes with Home and End.
pub fn along(key: &str) -> Option<isize> {
    Some(match key {
        "ArrowLeft" => -1,
        "ArrowRight" => 1,
        "Home" => isize::MIN / 2,
        "End" => isize::MAX / 2,
        _ => return None,
    })
}

impl Nudge {
    /// By the name that the browser gives a key.
    pub fn of_key(key: &str, shift: bool, ctrl: bool) -> Option<Self> {
        let stride = Stride::of_keys(shift, ctrl);
        Some(match key {
            "ArrowLeft" => Self::Step(Edge::Left, stride),
            "ArrowRight" => Self::Step(Edge::Right, stride),
            "ArrowUp" => Self::Step(Edge::Top, stride),
            "ArrowDown" => Self::Step(Edge::Bottom, stride),
            "Home" => Self::To(Edge::Left),
            "End" => Self::To(Edge::Right),
            "PageUp" => Self::To(Edge::Top),
            "PageDown" => Self::To(Edge::Bottom),
            _ => return None,
        })
    }
}

/// The rectangle after one press; sizing moves the right and the bottom edge.
pub fn nudge(rect: &Rect, area: &Rect, nudge: Nudge, sizing: bool) -> Rect {
    let (dx, dy) = match nudge {
        Nudge::Step(Edge::Left, stride) => (-stride.length(), 0.0),
        Nudge::Step(Edge::Right, stride) => (stride.length(), 0.0),
        Nudge::Step(Edge::Top, stride) => (0.0, -stride.length()),
        Nudge::Step(Edge::Bottom, stride) => (0.0, stride.length()),
        Nudge::To(Edge::Left) => (-area.w, 0.0),
        Nudge::To(Edge::Right) => (area.w, 0.0),
        Nudge::To(Edge::Top) => (0.0, -area.h),
        Nudge::To(Edge::Bottom) => (0.0, area.h),
    };
    if !sizing {
        return fit(&Rect { x: rect.x + dx, y: rect.y + dy, ..*rect }, area);
    }
    let w = (rect.w + dx).max(MIN_SIZE.w).min(area.right() - rect.x);
    let h = (rect.h + dy).max(MIN_SIZE.h).min(area.bottom() - rect.y);
    fit(&Rect { w, h, ..*rect }, area)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_move_and_size_as_the_table_says() {
        let area = Rect::new(0.0, 0.0, 1000.0, 600.0);
        let rect = Rect::new(100.0, 100.0, 400.0, 300.0);
        for (key, shift, ctrl, sizing, want) in [
            ("ArrowRight", false, false, false, Rect { x: 116.0, ..rect }),
            ("ArrowLeft", true, false, false, Rect { x: 36.0, ..rect }),
            ("ArrowDown", false, true, false, Rect { y: 101.0, ..rect }),
            ("Home", false, false, false, Rect { x: 0.0, ..rect }),
            ("End", false, false, false, Rect { x: 600.0, ..rect }),
            ("PageDown", false, false, false, Rect { y: 300.0, ..rect }),
            ("ArrowRight", false, false, true, Rect { w: 416.0, ..rect }),
            ("End", false, false, true, Rect { w: 900.0, ..rect }),
            ("Home", false, false, true, Rect { w: 280.0, ..rect }),
            ("PageUp", false, false, true, Rect { h: 160.0, ..rect }),
        ] {
            let asked = Nudge::of_key(key, shift, ctrl).expect("a key of the table");
            assert_eq!(nudge(&rect, &area, asked, sizing), want, "{key} {shift} {ctrl} {sizing}");
        }
        assert_eq!(Nudge::of_key("a", false, false), None);
    }
}
