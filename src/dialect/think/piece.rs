//! Stretches of a text on their way to entries.

use super::split;
use crate::model::{Body, EntryState, Field, Op, Who};

/// More of one stretch of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The stretch's number in its text, from 0.
    pub part: u32,
    /// True for the first piece of its stretch.
    pub fresh: bool,
    pub reasoning: bool,
    pub text: String,
}

impl Piece {
    /// The operations by which the piece reaches its entry, `base` and the part's number. `anew` as in [`more`].
    pub fn ops(self, who: &Who, base: &str, anew: bool) -> Vec<Op> {
        let before = self.part.checked_sub(1).filter(|_| self.fresh);
        let close = before.map(|before| Op::Close { key: key(base, before), state: EntryState::Done });
        let more = more(who, key(base, self.part), self.reasoning, self.text, anew && self.fresh);
        close.into_iter().chain([more]).collect()
    }
}

/// More of the text or reasoning under `key`; `anew` if it starts a text over that may be there already.
pub fn more(who: &Who, key: String, reasoning: bool, text: String, anew: bool) -> Op {
    if anew {
        let body = body(reasoning, text);
        return Op::Entry { who: who.clone(), keys: vec![key], body, state: EntryState::Open, images: Vec::new() };
    }
    Op::Append { who: who.clone(), key, body: Some(body(reasoning, String::new())), field: Field::Text, text }
}

/// A stretch of the one kind or the other.
pub fn body(reasoning: bool, text: String) -> Body {
    let text = text.into();
    if reasoning { Body::Reasoning { text } } else { Body::Text { text } }
}

/// The operations by which a whole text that `who` said reaches its entries: the same as those of [`Splitter::append`].
pub fn whole(who: &Who, base: &str, text: &str, state: EntryState) -> Vec<Op> {
    let pieces = split(text);
    let last = pieces.len().saturating_sub(1);
    let entry = |(at, piece): (usize, Piece)| {
        let state = if at == last { state } else { EntryState::Done };
        let keys = vec![key(base, piece.part)];
        Op::Entry { who: who.clone(), keys, body: body(piece.reasoning, piece.text), state, images: Vec::new() }
    };
    pieces.into_iter().enumerate().map(entry).collect()
}

/// The key of a stretch.
pub fn key(base: &str, part: u32) -> String {
    format!("{base}/{part}")
}
