//! A Markdown text that grows: blocks that are finished stay, only the open tail is parsed again.
//!
//! Invariant: once the text is closed, the blocks are those of the whole text.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::heal::heal;
use super::node::Block;
use super::parse::parse;

/// A parsed text. Clones share the blocks.
#[derive(Clone, Debug, Default)]
pub struct Doc {
    /// Blocks that more text cannot change, while it only grows.
    pub done: Vec<Keyed>,
    /// The blocks behind them.
    pub tail: Vec<Arc<Block>>,
    /// Where the tail begins in the source, and the hash of the source before it.
    at: usize,
    hash: u64,
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
            return Self { done: keyed(0, parse(text).into_iter().map(|(block, _)| block)), at: text.len(), ..Self::default() };
        }
        let mut doc = before.filter(|doc| doc.begins(text)).cloned().unwrap_or_default();
        doc.grow(text);
        doc
    }

    fn begins(&self, text: &str) -> bool {
        text.get(..self.at).is_some_and(|head| self.at == 0 || hash(head) == self.hash)
    }

    fn grow(&mut self, text: &str) {
        let tail = text.get(self.at..).unwrap_or_default();
        let healed = heal(tail);
        let blocks = parse(&healed);
        let last = blocks.last().map_or(0, |(_, range)| line_start(tail, range.start));
        let (finished, open) = blocks.split_at(blocks.len().saturating_sub(1));
        self.done.extend(keyed(self.done.len(), finished.iter().map(|(block, _)| block.clone())));
        self.tail = open.iter().map(|(block, _)| Arc::new(block.clone())).collect();
        if last > 0 {
            self.at += last;
            self.hash = hash(text.get(..self.at).unwrap_or_default());
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

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|head| head.rfind('\n')).map_or(0, |end| end + 1)
}
