//! The part of an open block that what follows cannot change: all items of a list and rows of a table but the last, and the words of a paragraph up to where no
//! mark is open. Only what stands behind it is parsed again.
//!
//! Invariant: a block put together again by [`Held::join`] is what all of its source, parsed, would be.

use std::borrow::Cow;
use std::sync::Arc;

use super::append::is_inert;
use super::node::{Block, Inline};
use super::parse::Parsed;

/// Stands before the rest of a paragraph while that is parsed, so that it cannot begin a block.
const WORD: &str = "x";

/// How far an open block is settled.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// Where the rest begins in the source of the block.
    pub from: usize,
    /// So many items, rows or inlines stand before it, of the last of which so many bytes.
    count: usize,
    bytes: usize,
    /// What to parse the rest behind.
    pub prefix: Cow<'static, str>,
}

impl Held {
    /// What can be held of an open block with this source; `sound` if it needed no healing.
    pub fn of(parsed: &[Parsed], before: Self, source: &str, sound: bool) -> Self {
        let line = |item: &usize| {
            let item = (before.from + item).saturating_sub(before.prefix.len());
            source.get(..item).and_then(|head| head.rfind('\n')).map_or(0, |end| end + 1)
        };
        match parsed {
            [Parsed { block: Block::List { items, .. }, item: Some(item), .. }] => {
                Self { from: line(item), count: items.len() - 1, ..Self::default() }
            }
            [Parsed { block: Block::Table { rows, .. }, item: Some(item), range }] if rows.len() > 1 => {
                let head = || {
                    let source = source.get(range.start..).unwrap_or_default();
                    source.match_indices('\n').nth(1).and_then(|(end, _)| source.get(..=end)).unwrap_or_default().to_owned()
                };
                let from = line(item);
                Self {
                    from,
                    count: rows.len() - 1,
                    prefix: if before.from == 0 { head().into() } else { before.prefix },
                    ..Self::default()
                }
            }
            // Behind a paragraph may stand what is no block: what a reference means.
            [Parsed { block: Block::Paragraph(inlines), range, .. }] if sound && before.settles(inlines) => {
                let end = (before.from + range.end).saturating_sub(before.prefix.len());
                let whole = source.get(end..).is_some_and(|rest| rest.trim().is_empty());
                Some(()).filter(|()| whole).and_then(|()| Self::words(inlines, source)).unwrap_or_else(|| before.still())
            }
            // Where a mark is open now, what was settled before it still is.
            [Parsed { block: Block::Paragraph(_), .. }] => before.still(),
            _ => Self::default(),
        }
    }

    /// A settled paragraph, up to its last letter; `None` where nothing tells that its line goes on as one of words.
    fn words(inlines: &[Inline], source: &str) -> Option<Self> {
        let head = source.trim_end_matches(|c: char| !c.is_alphabetic());
        let rest = source.get(head.len()..)?;
        match inlines.last() {
            Some(Inline::Text(text)) if text.len() > rest.len() && rest.chars().all(is_inert) && !is_indented(head) => {
                let bytes = text.len() - rest.trim_end_matches(' ').len();
                Some(Self { from: head.len(), count: inlines.len(), bytes, prefix: WORD.into() })
            }
            _ => None,
        }
    }

    /// True if a paragraph is settled, of which this was before.
    fn settles(&self, inlines: &[Inline]) -> bool {
        match inlines.get(self.count.saturating_sub(1)..) {
            Some([Inline::Text(text), rest @ ..]) if self.is_words() => text.get(self.bytes..).is_some_and(is_plain) && is_settled(rest),
            _ => is_settled(inlines),
        }
    }

    /// The same, where it is words of a paragraph.
    fn still(self) -> Self {
        if self.is_words() { self } else { Self::default() }
    }

    /// True if words of a paragraph are held.
    fn is_words(&self) -> bool {
        self.prefix == WORD
    }

    /// True if nothing but words stands behind what is held.
    pub fn ends_in_words(&self, source: &str) -> bool {
        self.is_words() && source.get(self.from..).is_some_and(|rest| rest.chars().all(is_inert))
    }

    /// Holds what words have come since.
    pub fn go_on(&mut self, block: &Block, source: &str) {
        if let Block::Paragraph(inlines) = block
            && (self.is_words() || is_settled(inlines))
        {
            *self = Self::words(inlines, source).unwrap_or_else(|| std::mem::take(self));
        }
    }

    /// True if nothing is held.
    pub fn is_none(&self) -> bool {
        self.count == 0
    }

    /// Puts what is held of `tail` before the rest, which was parsed; false if the rest cannot belong to it.
    pub fn join(&self, tail: &mut [Arc<Block>], parsed: &mut [Parsed]) -> bool {
        let Some(held) = tail.first_mut().map(Arc::make_mut) else { return false };
        match (held, parsed.first_mut().map(|first| &mut first.block)) {
            (Block::List { start: first, items: before }, Some(Block::List { start, items })) if start.is_some() == first.is_some() => {
                before.truncate(self.count);
                before.append(items);
                (*start, *items) = (*first, std::mem::take(before));
                true
            }
            (Block::Table { head: first, rows: before }, Some(Block::Table { head, rows })) if head == first => {
                before.truncate(self.count);
                before.append(rows);
                *rows = std::mem::take(before);
                true
            }
            (Block::Paragraph(before), Some(Block::Paragraph(rest))) => {
                let Some(Inline::Text(first)) = rest.first() else { return false };
                let Some(goes_on) = first.strip_prefix(WORD) else { return false };
                before.truncate(self.count);
                let Some(Inline::Text(last)) = before.last_mut() else { return false };
                last.truncate(self.bytes);
                last.push_str(goes_on);
                before.extend(rest.drain(1..));
                *rest = std::mem::take(before);
                true
            }
            _ => false,
        }
    }
}

/// True if in the words stands no mark that could still find its other half.
fn is_settled(inlines: &[Inline]) -> bool {
    inlines.iter().all(|inline| match inline {
        Inline::Text(text) => is_plain(text),
        Inline::Strong(inner) | Inline::Emphasis(inner) | Inline::Strike(inner) => is_settled(inner),
        Inline::Link { text, .. } | Inline::Address { text, .. } => is_settled(text),
        Inline::Code(_) | Inline::Break => true,
        Inline::Image { .. } | Inline::Note(_) | Inline::Turn(_) => false,
    })
}

/// True if a text's last line is indented as code is: [`heal`](super::heal::heal) must see so.
fn is_indented(text: &str) -> bool {
    text.rsplit('\n').next().is_some_and(|line| line.starts_with("    "))
}

/// True if a text holds no mark.
fn is_plain(text: &str) -> bool {
    !text.bytes().any(|byte| matches!(byte, b'*' | b'_' | b'`' | b'[' | b']' | b'<' | b'>' | b'&' | b'~' | b'\\' | b'|'))
}
