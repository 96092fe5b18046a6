//! Rectangles in CSS pixels of the viewport.

use serde::{Deserialize, Serialize};

/// A point, px.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// Width and height, px.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Size {
    pub w: f64,
    pub h: f64,
}

/// A rectangle, px: left, top, width, height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

impl Rect {
    pub fn new(x: f64, y: f64, w: f64, h: f64) -> Self {
        Self { x, y, w, h }
    }

    pub fn right(&self) -> f64 {
        self.x + self.w
    }

    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }

    pub fn size(&self) -> Size {
        Size { w: self.w, h: self.h }
    }

    /// px².
    pub fn surface(&self) -> f64 {
        self.w.max(0.0) * self.h.max(0.0)
    }

    /// True for a rectangle that something can be drawn into: finite and not empty.
    pub fn is_real(&self) -> bool {
        [self.x, self.y, self.w, self.h].iter().all(|v| v.is_finite()) && self.w > 0.0 && self.h > 0.0
    }

    /// True if `other` lies in here, edges included.
    pub fn holds(&self, other: &Rect) -> bool {
        other.x >= self.x && other.y >= self.y && other.right() <= self.right() && other.bottom() <= self.bottom()
    }

    /// True if the point lies in here.
    pub fn has(&self, p: Point) -> bool {
        p.x >= self.x && p.y >= self.y && p.x < self.right() && p.y < self.bottom()
    }

    /// What both share, px²; 0 for rectangles that only touch.
    pub fn overlap(&self, other: &Rect) -> f64 {
        let w = self.right().min(other.right()) - self.x.max(other.x);
        let h = self.bottom().min(other.bottom()) - self.y.max(other.y);
        w.max(0.0) * h.max(0.0)
    }

    /// The largest rectangle of whole pixels inside; so text in a card stands on the pixel grid.
    #[must_use]
    pub fn whole(&self) -> Rect {
        let (x, y) = (self.x.ceil(), self.y.ceil());
        Rect { x, y, w: (self.right().floor() - x).max(0.0), h: (self.bottom().floor() - y).max(0.0) }
    }

    /// Left, top and size to the nearest pixel.
    #[must_use]
    pub fn rounded(&self) -> Rect {
        Rect { x: self.x.round(), y: self.y.round(), w: self.w.round(), h: self.h.round() }
    }
}
