//! A Markdown text that grows: blocks that are finished stay, only the open tail is parsed again, and words that merely go on are appended
//! to it.
//!
//! Invariants: what a growing text shows is what its tail, parsed anew, would show; once the text is closed, the blocks are those of
//! the whole text; a step costs what the tail costs, however long the text before it is.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::append::append;
use super::heal::{heal, in_fence};
use super::held::Held;
use super::node::Block;
use super::parse::{Parsed, parse};
use crate::app::mask::{self, Veil};
use crate::app::{secrets, veiled};

/// So many finished blocks stand together: what changes behind them does not touch them.
const CHUNK: usize = 32;

/// A parsed text.
#[derive(Clone, Debug, Default)]
pub struct Doc {
    /// Blocks that more text cannot change, while it only grows, in chunks that are full but for the last.
    pub done: Vec<Arc<Vec<Keyed>>>,
    /// The blocks behind them.
    pub tail: Vec<Arc<Block>>,
    /// Where the tail begins in the source, and what tells the source before it.
    pub(super) at: usize,
    mark: u64,
    /// The tail's source.
    source: String,
    /// All of the source without its secrets.
    veil: Veil,
    /// What of the tail was parsed last, healed, and whether it needed that.
    healed: String,
    sound: bool,
    /// What of the tail's block is not parsed again.
    held: Held,
    /// Whether it may say what a reference or a footnote means: that can stand anywhere and mean anything before it, so all is parsed anew.
    refers: bool,
    /// Whether a secret was found in finished blocks after they were.
    stale: bool,
    /// Of a closed text: what tells it.
    closed: Option<u64>,
    /// Whether its secrets are shown.
    shown: bool,
}

/// A block with its place and the hash of its content: the same pair is the same node on screen.
#[derive(Clone, Debug)]
pub struct Keyed {
    pub key: (usize, u64),
    pub block: Arc<Block>,
}

impl PartialEq for Keyed {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Doc {
    /// The document of `text`, made from an earlier one where that is of its beginning, and whether it is another than that. `open` while
    /// more is to come.
    pub fn next(before: Option<Self>, text: &str, open: bool) -> (Self, bool) {
        let shown = secrets::shown();
        let before = before.filter(|doc| doc.shown == shown);
        if !open {
            let closed = Some(hash(text));
            return match before {
                Some(doc) if doc.closed == closed => (doc, false),
                before => (Self { closed, ..before.and_then(|doc| doc.end(text)).unwrap_or_else(|| Self::whole(text, shown)) }, true),
            };
        }
        let mut doc = before.filter(|doc| doc.begins(text)).unwrap_or_else(|| Self { shown, ..Self::default() });
        let drawn = doc.at + doc.source.len();
        let grows = text.len() > drawn;
        let new = text.as_bytes().get(drawn.saturating_sub(1)..).unwrap_or_default();
        if grows && (doc.refers || new.windows(2).any(|pair| pair == b"]:")) {
            doc = Self { shown, refers: true, ..Self::default() };
        }
        if grows {
            doc.grow(text);
        }
        (doc, grows)
    }

    /// How many blocks are finished.
    pub fn finished(&self) -> usize {
        self.done.last().map_or(0, |last| (self.done.len() - 1) * CHUNK + last.len())
    }

    fn whole(text: &str, shown: bool) -> Self {
        let mut doc = Self { at: text.len(), shown, ..Self::default() };
        parse(&veiled(text, false)).into_iter().for_each(|parsed| doc.push(parsed.block));
        doc
    }

    /// The end of a text that has grown, from what is parsed: only where nothing behind a block could have changed it.
    fn end(mut self, text: &str) -> Option<Self> {
        // What a reference or a footnote means can stand anywhere.
        if self.at == 0 || !self.begins(text) || text.contains("]:") || text.contains("[^") {
            return None;
        }
        let changed = self.veil.grow(text, false, self.shown);
        if self.stale || changed < self.at {
            return None;
        }
        let tail = parse(self.veil.text().get(self.at..)?);
        tail.into_iter().for_each(|parsed| self.push(parsed.block));
        Some(Self { done: self.done, at: text.len(), shown: self.shown, ..Self::default() })
    }

    /// True if `text` begins with what this is made of.
    fn begins(&self, text: &str) -> bool {
        self.closed.is_none()
            && text.get(..self.at).is_some_and(|head| self.at == 0 || sampled(head) == self.mark)
            && text.get(self.at..).is_some_and(|tail| tail.starts_with(&self.source))
    }

    fn grow(&mut self, text: &str) {
        let tail = text.get(self.at..).unwrap_or_default();
        let drawn = self.source.len();
        self.source.push_str(tail.get(drawn..).unwrap_or_default());
        let changed = self.veil.grow(text, true, self.shown);
        self.stale |= changed < self.at;
        // Hiding keeps every byte's place, so what is found in the veiled text stands there in the text itself.
        let veiled = self.veil.text().get(self.at..).unwrap_or_default();
        if changed >= self.at + drawn && self.sound && goes_on(&mut self.tail, &mut self.held, veiled, drawn) {
            return;
        }
        // Where a secret shows only now, its words are looked at once more.
        self.held.cut(changed.saturating_sub(self.at));
        if line_goes_on(&mut self.tail, &mut self.held, veiled, &mut self.sound) {
            return self.healed.clear();
        }
        if let Some((blocks, healed)) = self.parsed() {
            self.settle(blocks, &healed, text);
        }
    }

    /// The blocks of the tail, and what of it was parsed for them; `None` if they are those that are there.
    fn parsed(&mut self) -> Option<(Vec<Parsed>, String)> {
        let veiled = self.veil.text().get(self.at..)?;
        let rest = veiled.get(self.held.from..).unwrap_or_default();
        let rest = if self.held.prefix.is_empty() { Cow::Borrowed(rest) } else { Cow::Owned([&self.held.prefix, rest].concat()) };
        let healed = heal(&rest);
        let was_sound = std::mem::replace(&mut self.sound, matches!(healed, Cow::Borrowed(_)));
        if !was_sound && !self.sound && *healed == self.healed {
            return None;
        }
        let mut blocks = parse(&healed);
        if !self.held.is_none() && !self.held.join(&mut self.tail, &mut blocks) {
            // What looked like one block is something else.
            self.held = Held::default();
            blocks = parse(&heal(veiled));
        }
        let healed = healed.into_owned();
        if self.sound {
            self.healed.clear()
        } else {
            self.healed.clone_from(&healed)
        }
        Some((blocks, healed))
    }

    /// Takes the tail's blocks, which were parsed from `healed`: those that nothing can change any more are finished.
    fn settle(&mut self, mut blocks: Vec<Parsed>, healed: &str, text: &str) {
        let veiled = self.veil.text().get(self.at..).unwrap_or_default();
        let end = finished(&blocks, veiled, |at| (self.held.from + at).saturating_sub(self.held.prefix.len()));
        // A private key is one, however many blocks it makes: none of them is finished before its end.
        let end = end.filter(|(end, _)| !mask::unfinished(text.get(self.at..self.at + end).unwrap_or_default()));
        let Some((end, open)) = end else {
            self.held = Held::of(&blocks, std::mem::take(&mut self.held), veiled, self.sound);
            return self.tail = blocks.into_iter().map(|parsed| Arc::new(parsed.block)).collect();
        };
        let mut tail = blocks.split_off(blocks.len() - open);
        // Of a block that has just begun all is looked at once more; and what stands open in it, it tells alone.
        let begun = healed.get((end + self.held.prefix.len()).saturating_sub(self.held.from)..);
        self.held = Held::default();
        let rest = heal(veiled.get(end..).unwrap_or_default());
        if begun != Some(rest.as_ref()) {
            self.sound = matches!(rest, Cow::Borrowed(_));
            tail = parse(&rest);
        }
        self.tail = tail.into_iter().map(|parsed| Arc::new(parsed.block)).collect();
        blocks.into_iter().for_each(|parsed| self.push(parsed.block));
        self.source.drain(..end);
        self.at += end;
        self.mark = sampled(text.get(..self.at).unwrap_or_default());
    }

    fn push(&mut self, block: Block) {
        let keyed = Keyed { key: (self.finished(), hash(&block)), block: Arc::new(block) };
        match self.done.last_mut().filter(|last| last.len() < CHUNK) {
            Some(last) => Arc::make_mut(last).push(keyed),
            None => self.done.push(Arc::new(vec![keyed])),
        }
    }
}

/// How far the blocks of a tail are finished: up to which byte of it, and how many stand open behind that; `None` if none is. `place`
/// gives where in the tail a place in what was parsed is.
fn finished(blocks: &[Parsed], veiled: &str, place: impl Fn(usize) -> usize) -> Option<(usize, usize)> {
    let last = blocks.last()?;
    let start = place(last.range.start);
    if is_ended(&last.block, veiled, start) {
        return Some((veiled.len(), 0));
    }
    let before = blocks.len().checked_sub(2).and_then(|at| blocks.get(at))?;
    // A block has begun for certain once the lines are whole that make it one, or the block before it has ended.
    let lines = if matches!(last.block, Block::Table { .. }) { 2 } else { 1 };
    let end = line_start(veiled, start);
    let (head, rest) = veiled.split_at_checked(end)?;
    let begun = rest.matches('\n').nth(lines - 1).is_some()
        || is_ended(&before.block, head, place(before.range.start))
        || matches!(before.block, Block::List { .. }) && head.ends_with("\n\n") && !may_be_item(rest);
    begun.then_some((end, 1))
}

/// True if a line that has begun so, behind an empty one, may still belong to a list.
fn may_be_item(line: &str) -> bool {
    let behind = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let marked = if behind.len() < line.len() { ['.', ')'].as_slice() } else { &['-', '*', '+'] };
    let mut rest = behind.chars();
    rest.next().is_none_or(|c| c.is_whitespace() || (marked.contains(&c) && rest.next().is_none_or(char::is_whitespace)))
}

/// Appends what stands behind `drawn` to the open block, if it is words that merely go on.
fn goes_on(tail: &mut [Arc<Block>], held: &mut Held, veiled: &str, drawn: usize) -> bool {
    let ([last], Some((drawn, added))) = (tail, veiled.split_at_checked(drawn)) else { return false };
    let words = held.ends_in_words(drawn);
    let is = append(Arc::make_mut(last), drawn, added, words);
    if is && (words || held.is_none()) {
        held.go_on(last, veiled);
    }
    is
}

/// Parses what has come to the open line of a list or a table, if that is still it.
fn line_goes_on(tail: &mut [Arc<Block>], held: &mut Held, veiled: &str, sound: &mut bool) -> bool {
    let ([last], Some(rest)) = (tail, held.open_line(veiled)) else { return false };
    let healed = heal(&rest);
    let needed = matches!(healed, Cow::Owned(_));
    let is = held.join_line(Arc::make_mut(last), &mut parse(&healed), veiled, !needed);
    if is {
        *sound = !needed;
    }
    is
}

/// True if nothing that follows can belong to this last block any more: an empty line stands behind it, or its fence is closed.
fn is_ended(block: &Block, text: &str, start: usize) -> bool {
    let ended = || text.ends_with("\n\n");
    match block {
        Block::Paragraph(_) | Block::Heading(..) | Block::Table { .. } | Block::Quote(_) | Block::Rule => ended(),
        Block::Code { .. } => {
            let source = text.get(start..).unwrap_or_default();
            text.ends_with('\n') && ["```", "~~~"].iter().any(|fence| source.starts_with(fence)) && !in_fence(source)
        }
        Block::List { .. } | Block::Footnote { .. } => false,
    }
}

/// A number that tells one value from another.
pub fn hash(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// A number that tells some of a text, spread over all of it, and its end. An open text only grows, so this tells whether it is the same
/// one at a cost that does not grow with it; and what a closed text keeps of before, its hash has told.
fn sampled(text: &str) -> u64 {
    const SAMPLES: usize = 12;
    const SIZE: usize = 8;
    let bytes = text.as_bytes();
    let span = bytes.len().saturating_sub(SIZE);
    let sample = |n: usize| {
        bytes.get(span * n / SAMPLES..).and_then(|from| from.first_chunk::<SIZE>()).map_or(0, |eight| u64::from_le_bytes(*eight))
    };
    (0..=SAMPLES).fold(bytes.len() as u64, |sum, n| (sum.rotate_left(5) ^ sample(n)).wrapping_mul(0x517c_c1b7_2722_0a95))
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|head| head.rfind('\n')).map_or(0, |end| end + 1)
}
