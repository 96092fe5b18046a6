//! Edges that a dragged card sticks to.

use super::{GAP, Rect};

/// A line catches at this distance, px.
const ENGAGE: f64 = 8.0;
/// And lets go at this one, so that it does not flutter.
const RELEASE: f64 = 12.0;

/// Which edge of the dragged rectangle is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Low,
    High,
}

/// One axis: the lines there are, and the one that holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Snap {
    low: Vec<f64>,
    high: Vec<f64>,
    held: Option<(End, f64)>,
}

impl Snap {
    /// The lines of the x axis: the area's edges, other cards' edges, and one gap beside them.
    pub fn x(area: &Rect, others: &[Rect]) -> Self {
        Self::lines((area.x, area.right()), others.iter().map(|o| (o.x, o.right())))
    }

    /// The lines of the y axis.
    pub fn y(area: &Rect, others: &[Rect]) -> Self {
        Self::lines((area.y, area.bottom()), others.iter().map(|o| (o.y, o.bottom())))
    }

    fn lines(area: (f64, f64), others: impl Iterator<Item = (f64, f64)>) -> Self {
        let mut snap = Self { low: vec![area.0], high: vec![area.1], held: None };
        for (from, to) in others {
            snap.low.extend([from, to + GAP]);
            snap.high.extend([to, from - GAP]);
        }
        snap
    }

    /// How far to shift a span so that an edge lies on a line. `moves` tells which of its edges may.
    pub fn shift(&mut self, span: (f64, f64), moves: (bool, bool)) -> f64 {
        let edge = |end: End| if end == End::Low { span.0 } else { span.1 };
        if let Some((end, line)) = self.held {
            if (line - edge(end)).abs() <= RELEASE {
                return line - edge(end);
            }
            self.held = None;
        }
        let low = self.low.iter().filter(|_| moves.0).map(|line| (End::Low, *line));
        let high = self.high.iter().filter(|_| moves.1).map(|line| (End::High, *line));
        let nearest = low.chain(high).min_by(|a, b| (a.1 - edge(a.0)).abs().total_cmp(&(b.1 - edge(b.0)).abs()));
        self.held = nearest.filter(|(end, line)| (line - edge(*end)).abs() <= ENGAGE);
        self.held.map_or(0.0, |(end, line)| line - edge(end))
    }

    /// Lets go.
    pub fn release(&mut self) {
        self.held = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_engages_at_eight_and_releases_at_twelve() {
        let mut snap = Snap::x(&Rect::new(0.0, 0.0, 1000.0, 500.0), &[]);
        let both = (true, true);
        for (left, want) in [(20.0, 20.0), (9.0, 9.0), (8.0, 0.0), (11.0, 0.0), (12.0, 0.0), (13.0, 13.0), (10.0, 10.0), (7.0, 0.0)] {
            assert_eq!(left + snap.shift((left, left + 300.0), both), want, "{left}");
        }
    }

    #[test]
    fn cards_keep_a_gap_and_align() {
        let mut snap = Snap::x(&Rect::new(0.0, 0.0, 2000.0, 500.0), &[Rect::new(500.0, 0.0, 400.0, 300.0)]);
        for (left, want) in [(904.0, 908.0), (196.0, 192.0), (497.0, 500.0), (603.0, 600.0)] {
            snap.release();
            assert_eq!(left + snap.shift((left, left + 300.0), (true, true)), want, "{left}");
        }
    }
}
