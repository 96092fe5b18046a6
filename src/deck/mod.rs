//! The cards of one session: which are open, where they stand, in which order, what waits in the dock and what
//! stands in the rail.
//!
//! Decision: a card remembers the rectangle that a person wished for; what is drawn is that wish fitted into the
//! space there is *now* by one function, [`fit`], and never written back. So a window that shrinks and grows again
//! gives every card back its place. Order is a list, never a growing number.
//! Invariants: every drawn rectangle lies inside the area and is finite; a card stands in exactly one of `order`,
//! `dock` and the rail; nothing here knows the DOM, a signal or a clock.

mod arrange;
mod card;
mod gesture;
mod keys;
mod link;
mod opening;
mod place;
mod rail;
mod rect;
mod saved;
mod seen;
mod snap;
mod table;
mod viewport;
#[cfg(test)]
mod walk;
mod wish;

pub use card::{Card, CardId, Mode, OpenedBy, Preset, Spot};
pub use gesture::{Gesture, Grip, Handle, Pointer};
pub use keys::{Edge, Nudge, Stride, along, nudge};
pub use link::link;
pub use opening::{AutoOpen, MAX_AUTO_FLOATS, Opened, current_run, wants_card};
pub use place::{BODY_WEIGHT, Obstacle, Scene, default_size};
pub use rail::{MIN_CONVERSATION, MIN_RAIL};
pub use rect::{Point, Rect, Size};
pub use saved::{Recent, STORED_SESSIONS, restore, save};
pub use seen::unread;
pub use table::{Deck, Z_BASE};
pub use viewport::{area, floats};
pub use wish::{MIN_SIZE, Wish, fit};

/// The distance that cards keep from the edges of their area and from each other, px.
pub const GAP: f64 = 8.0;
