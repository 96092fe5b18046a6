//! A Markdown text that grows: blocks that are finished stay, only the open tail is parsed again.
//!
//! Invariant: once the text is closed, the blocks are those of the whole text.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::heal::heal;
use super::node::Block;
use super::parse::parse;
use crate::app::{mask, secrets, veiled};

/// A parsed text. Clones share the blocks.
#[derive(Clone, Debug, Default)]
pub struct Doc {
    /// Blocks that more text cannot change, while it only grows.
    pub done: Vec<Keyed>,
    /// The blocks behind them.
    pub tail: Vec<Arc<Block>>,
    /// Where the tail begins in the source, and what tells the source before it.
    at: usize,
    hash: u64,
    /// Whether its secrets are shown.
    shown: bool,
}

/// A block with its place and the hash of its content: the same pair is the same node on screen.
#[derive(Clone, Debug)]
pub struct Keyed {
    pub key: (usize, u64),
    pub block: Arc<Block>,
}

impl PartialEq for Doc {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && self.done.iter().map(|k| k.key).eq(other.done.iter().map(|k| k.key)) && self.tail == other.tail
    }
}

impl Doc {
    /// The document of `text`, made from an earlier one where that is of its beginning. `open` while more is to come.
    pub fn next(before: Option<&Self>, text: &str, open: bool) -> Self {
        if !open {
            return Self {
                done: keyed(0, parse(&veiled(text, false)).into_iter().map(|(block, _)| block)),
                at: text.len(),
                ..Self::default()
            };
        }
        let shown = secrets::shown();
        let mut doc = before.filter(|doc| doc.shown == shown && doc.begins(text)).cloned().unwrap_or_default();
        doc.shown = shown;
        doc.grow(text);
        doc
    }

    fn begins(&self, text: &str) -> bool {
        text.get(..self.at).is_some_and(|head| self.at == 0 || sampled(head) == self.hash)
    }

    fn grow(&mut self, text: &str) {
        let tail = text.get(self.at..).unwrap_or_default();
        // Hiding keeps every byte's place, so what is found in the veiled text stands there in the text itself.
        let veiled = veiled(tail, true);
        let healed = heal(&veiled);
        let blocks = parse(&healed);
        let last = blocks.last().map_or(0, |(_, range)| line_start(tail, range.start));
        // A private key is one, however many blocks it makes: none of them is finished before its end.
        let whole = last > 0 && !mask::unfinished(tail.get(..last).unwrap_or_default());
        let (finished, open) = blocks.split_at(if whole { blocks.len().saturating_sub(1) } else { 0 });
        self.done.extend(keyed(self.done.len(), finished.iter().map(|(block, _)| block.clone())));
        self.tail = open.iter().map(|(block, _)| Arc::new(block.clone())).collect();
        if whole {
            self.at += last;
            self.hash = sampled(text.get(..self.at).unwrap_or_default());
        }
    }
}

fn keyed(from: usize, blocks: impl Iterator<Item = Block>) -> Vec<Keyed> {
    blocks.enumerate().map(|(n, block)| Keyed { key: (from + n, hash(&block)), block: Arc::new(block) }).collect()
}

fn hash(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// The hash of some of a text, spread over all of it, and of its end. An open text only grows, so this tells whether it is the same one
/// at a cost that does not grow with it; and once a text is closed, nothing of before is used.
fn sampled(text: &str) -> u64 {
    const SAMPLES: usize = 32;
    const SIZE: usize = 16;
    let bytes = text.as_bytes();
    let mut hasher = DefaultHasher::new();
    for n in 0..=SAMPLES {
        let from = bytes.len().saturating_sub(SIZE) * n / SAMPLES;
        hasher.write(bytes.get(from..bytes.len().min(from + SIZE)).unwrap_or_default());
    }
    hasher.finish()
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|head| head.rfind('\n')).map_or(0, |end| end + 1)
}
