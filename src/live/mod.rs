//! What is happening now: rings of the latest changes, and the event stream that reads them.
//!
//! Decision: no subscription and no broadcast. A reader holds a cursor and asks, first the ring, then the store, then the ring
//! again; a `watch` of the number reached tells it when to ask.
//! Invariants: a change is in the ring only after its commit; a reader that was away for however long gets every row that it missed
//! or a `gap`; no reader ever slows the writer.

mod hub;
mod lane;
mod ring;
mod seats;
mod stream;
mod wire;

pub use hub::Hub;
pub use ring::Size;
pub use seats::{Seat, Seats};
pub use stream::{Pace, Start, Stream};
