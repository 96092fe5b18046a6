//! Reasoning that stands in a text, between `<think>` and `</think>` or tags of their kind.
//!
//! Decision: one machine reads a text that comes in pieces and a text that is whole, so both give the same stretches under the
//! same keys. What a piece leaves open (half a tag, a quotation that may end) is held back, within bounds, until more is there.
//! Invariants: a text without such a tag comes out byte for byte, as one stretch; a tag that is quoted or stands in code is text.

mod line;
mod piece;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::model::{EntryState, Op, Who};
use line::Line;
pub use piece::{Piece, body, key, more, whole};

/// The tags, each opening with its end.
const TAGS: [(&str, &str); 5] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
];
/// How far the end of a tag in the middle of a sentence is looked for, in bytes: without one the tag is only talked about.
const TALKED: usize = 16 << 10;
/// Blanks that are held back in case a tag follows, in bytes.
const BLANKS: usize = 4 << 10;

/// Takes a text apart as it comes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Splitter {
    /// What cannot be decided before more is there.
    held: String,
    /// Blanks behind the last word: dropped where a tag follows.
    blanks: String,
    /// The tag inside of which the text stands.
    inside: Option<usize>,
    /// True once there was a tag.
    tagged: bool,
    /// True once the stretch at hand has a character.
    begun: bool,
    /// Stretches so far.
    count: u32,
    line: Line,
}

impl Splitter {
    /// Takes more of the text, and gives what is certain.
    pub fn push(&mut self, more: &str) -> Vec<Piece> {
        self.run(more, false)
    }

    /// The end of the text: gives what was held back, and forgets all.
    pub fn finish(&mut self) -> Vec<Piece> {
        let mut out = self.run("", true);
        if self.begun || !self.tagged {
            self.flush(&mut out);
        }
        *self = Self::default();
        out
    }

    /// The operations by which more of a text that `who` says reaches its entries, `base` and a number each.
    pub fn append(&mut self, who: &Who, base: &str, more: &str) -> Vec<Op> {
        self.push(more).into_iter().flat_map(|piece| piece.ops(who, base, false)).collect()
    }

    /// The operations at the end of a text that came by [`Splitter::append`]: its last stretch is closed. `anew` as in [`more`].
    pub fn close(&mut self, who: &Who, base: &str, state: EntryState, anew: bool) -> Vec<Op> {
        let mut count = self.count;
        let mut ops = Vec::new();
        for piece in self.finish() {
            count = count.max(piece.part + 1);
            ops.extend(piece.ops(who, base, anew));
        }
        ops.extend(count.checked_sub(1).map(|last| Op::Close { key: key(base, last), state }));
        ops
    }

    fn run(&mut self, more: &str, last: bool) -> Vec<Piece> {
        let mut text = std::mem::take(&mut self.held);
        text.push_str(more);
        let (mut out, mut at) = (Vec::new(), 0);
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            match self.step(rest, last, &mut out) {
                Some(len) => at += len,
                None => break,
            }
        }
        self.held = text.split_off(at);
        out
    }

    /// Takes a tag, a fence or a character; `None` if what it is hangs on what follows.
    fn step(&mut self, rest: &str, last: bool, out: &mut Vec<Piece>) -> Option<usize> {
        let first = rest.chars().next()?;
        if first == '<' && self.line.fence.is_none() && !(self.inside.is_none() && self.line.is_plain()) {
            match self.tag(rest, last) {
                Found::Open => return None,
                Found::Tag(len, to) => {
                    (self.inside, self.tagged, self.begun) = (to, true, false);
                    self.blanks.clear();
                    self.line = Line { before: Some('>'), ..Line::default() };
                    return Some(len);
                }
                Found::Nothing => {}
            }
        }
        if matches!(first, '`' | '~') && !self.line.words {
            let run = rest.chars().take(3).take_while(|c| *c == first).count();
            if run == rest.len() && run < 3 && !last {
                return None;
            }
            if run == 3 {
                self.line.fence = match self.line.fence {
                    None => Some(first),
                    Some(open) => Some(open).filter(|open| *open != first),
                };
                rest.chars().take(3).for_each(|c| self.put(c, out));
                return Some(run);
            }
        }
        self.line.note(first);
        self.put(first, out);
        Some(first.len_utf8())
    }

    /// What the `<` at the start of `rest` is.
    fn tag(&self, rest: &str, last: bool) -> Found {
        let tags = TAGS.iter().enumerate().filter_map(|(index, (open, close))| match self.inside {
            None => Some((*open, Some(index), *close)),
            Some(inside) => (inside == index).then_some((*close, None, "")),
        });
        for (tag, to, close) in tags {
            let (head, whole) = (tag.get(..rest.len()).unwrap_or(tag), rest.len() >= tag.len());
            if !begins(rest, head) {
                continue;
            }
            if !whole {
                return if last { Found::Nothing } else { Found::Open };
            }
            let behind = rest.get(tag.len()..).unwrap_or_default();
            return match self.line.encloses(behind, last).or_else(|| self.talks(behind, to.is_some(), close, last)) {
                Some(found) => found,
                None => Found::Tag(tag.len(), to),
            };
        }
        Found::Nothing
    }

    /// Whether an opening tag in the middle of a sentence is only talked about: it then has no end.
    fn talks(&self, behind: &str, opens: bool, close: &str, last: bool) -> Option<Found> {
        let amid = self.line.words && self.line.before.is_some_and(|c| c.is_alphanumeric() || c == ',');
        if !opens || !amid || contains(behind, close) {
            return None;
        }
        Some(if last || behind.len() > TALKED { Found::Nothing } else { Found::Open })
    }

    fn put(&mut self, c: char, out: &mut Vec<Piece>) {
        if c.is_whitespace() {
            if self.begun || !self.tagged {
                self.blanks.push(c);
            }
            if self.blanks.len() > BLANKS {
                self.flush(out);
            }
            return;
        }
        self.flush(out);
        self.give(c, out);
    }

    fn flush(&mut self, out: &mut Vec<Piece>) {
        let blanks = std::mem::take(&mut self.blanks);
        blanks.chars().for_each(|c| self.give(c, out));
    }

    fn give(&mut self, c: char, out: &mut Vec<Piece>) {
        let fresh = !std::mem::replace(&mut self.begun, true);
        self.count += u32::from(fresh);
        let part = self.count.saturating_sub(1);
        match out.last_mut().filter(|piece| piece.part == part) {
            Some(piece) => piece.text.push(c),
            None => out.push(Piece { part, fresh, reasoning: self.inside.is_some(), text: c.into() }),
        }
    }
}

/// What a `<` has turned out to be.
pub enum Found {
    Nothing,
    /// It hangs on what follows.
    Open,
    /// A tag of this length, behind which the text stands inside of a tag or not.
    Tag(usize, Option<usize>),
}

/// The stretches of a whole text.
pub fn split(text: &str) -> Vec<Piece> {
    // Most texts hold no tag.
    if !text.is_empty() && !text.contains('<') {
        return vec![Piece { part: 0, fresh: true, reasoning: false, text: text.into() }];
    }
    let mut splitter = Splitter::default();
    let mut pieces = splitter.push(text);
    for piece in splitter.finish() {
        match pieces.last_mut().filter(|last| last.part == piece.part) {
            Some(last) => last.text.push_str(&piece.text),
            None => pieces.push(piece),
        }
    }
    pieces
}

fn begins(text: &str, head: &str) -> bool {
    text.get(..head.len()).is_some_and(|start| start.eq_ignore_ascii_case(head))
}

fn contains(text: &str, tag: &str) -> bool {
    text.match_indices('<').any(|(at, _)| text.get(at..).is_some_and(|rest| begins(rest, tag)))
}
