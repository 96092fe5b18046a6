//! The part of an open block that what follows cannot change: all items of a list but the last, all cells of a table but the last, and the words of a paragraph
//! up to where no mark is open. Only what stands behind it is parsed again.
//!
//! Invariant: a block put together again by [`Held::join`] is what all of its source, parsed, would be.

use std::borrow::Cow;
use std::sync::Arc;

use super::append::is_inert;
use super::node::{Align, Block, Cell, Inline, Item};
use super::parse::Parsed;

/// Stands before the rest of a paragraph while that is parsed, so that it cannot begin a block.
const WORD: &str = "x";

/// The longest row of a table of which cells are held.
const ROW: usize = 4_096;

/// How far an open block is settled.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// Where the rest begins in the source of the block.
    pub from: usize,
    /// So many items, rows or inlines stand before it, of the last of which so many bytes.
    count: usize,
    bytes: usize,
    /// Of a table: so many cells of the row behind those.
    cells: usize,
    /// What to parse the rest behind.
    pub prefix: Cow<'static, str>,
    /// The words of the last item or cell, which alone change until its line or cell ends.
    line: Option<Box<Self>>,
}

impl Held {
    /// What can be held of an open block with this source; `sound` if it needed no healing.
    pub fn of(parsed: &[Parsed], before: Self, source: &str, sound: bool) -> Self {
        let line = |item: &usize| {
            let item = item.checked_sub(before.prefix.len()).map_or(before.from, |item| before.from + item);
            source.get(..item).and_then(|head| head.rfind('\n')).map_or(0, |end| end + 1)
        };
        match parsed {
            [Parsed { block: Block::List { items, .. }, item: Some(item), .. }] => {
                let from = line(item);
                let line = items.last().and_then(paragraph).filter(|_| sound).and_then(|words| Self::line(words, source, from));
                Self { from, count: items.len() - 1, line, ..Self::default() }
            }
            [Parsed { block: Block::Table { head, rows }, item: Some(item), .. }] => {
                let from = line(item);
                let row = source.get(from..).unwrap_or_default();
                let (cells, behind) = cells(rows.last(), row);
                let at = borders(row);
                let line = rows.last().and_then(|row| row.get(at)).filter(|_| sound).and_then(|cell| Self::line(&cell.text, source, from));
                let line = line.map(|line| Box::new(Self { cells: at, ..*line }));
                let prefix = [&columns(head), "|".repeat(usize::from(cells > 0) + cells).as_str()].concat();
                Self { from: from + behind, count: rows.len() - 1, cells, prefix: prefix.into(), line, ..Self::default() }
            }
            // A border alone is no row yet.
            [Parsed { block: Block::Table { head, rows }, .. }, Parsed { block: Block::Paragraph(inlines), range, .. }]
                if matches!(&inlines[..], [Inline::Text(text)] if text == "|")
                    && !source.get(..line(&range.start)).is_none_or(ends_blank) =>
            {
                Self { from: line(&range.start), count: rows.len(), prefix: columns(head).into(), ..Self::default() }
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
                Some(Self { from: head.len(), count: inlines.len(), bytes, prefix: WORD.into(), ..Self::default() })
            }
            _ => None,
        }
    }

    /// The words of an item or a cell that begins at `from` or behind it.
    fn line(inlines: &[Inline], source: &str, from: usize) -> Option<Box<Self>> {
        let fenced = source.get(from..).is_none_or(|source| source.contains("```") || source.contains("~~~") || source.contains('\\'));
        if fenced || !is_settled(inlines) {
            return None;
        }
        Self::words(inlines, source).map(Box::new)
    }

    /// Of a list or a table, whose last line is not over: what of it is to be parsed again, as words.
    pub fn open_line(&self, source: &str) -> Option<String> {
        let line = self.line.as_ref()?;
        let rest = source.get(line.from..).filter(|rest| !rest.contains(['\n', '|', '\\']))?;
        Some([&line.prefix, rest].concat())
    }

    /// Puts its words together again; `sound` if they needed no healing. False if they are something else now.
    pub fn join_line(&mut self, block: &mut Block, parsed: &mut [Parsed], source: &str, sound: bool) -> bool {
        let Some(line) = &mut self.line else { return false };
        let before = match block {
            Block::List { items, .. } => items.last_mut().and_then(paragraph_mut),
            Block::Table { rows, .. } => rows.last_mut().and_then(|row| row.get_mut(line.cells)).map(|cell| &mut cell.text),
            _ => None,
        };
        let (Some(before), [Parsed { block: Block::Paragraph(rest), .. }]) = (before, parsed) else { return false };
        if !line.join_words(before, rest) {
            return false;
        }
        if sound
            && line.settles(before)
            && let Some(words) = Self::words(before, source)
        {
            **line = Self { cells: line.cells, ..words };
        }
        true
    }

    /// Forgets what lies behind `at` in the source.
    pub fn cut(&mut self, at: usize) {
        if at < self.from {
            *self = Self::default();
        }
        self.line.take_if(|line| at < line.from);
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
        self.count == 0 && self.prefix.is_empty()
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
            (Block::Table { head: first, rows: before }, Some(Block::Table { head, rows })) if head.len() == first.len() => {
                before.truncate(self.count + 1);
                if self.cells > 0 {
                    let (Some(mut row), Some(goes_on)) = (before.pop(), rows.first_mut()) else { return false };
                    row.truncate(self.cells);
                    row.extend(goes_on.drain(self.cells..));
                    *goes_on = row;
                } else {
                    before.truncate(self.count);
                }
                before.append(rows);
                (*head, *rows) = (std::mem::take(first), std::mem::take(before));
                true
            }
            (Block::Paragraph(before), Some(Block::Paragraph(rest))) => {
                if !self.join_words(before, rest) {
                    return false;
                }
                *rest = std::mem::take(before);
                true
            }
            _ => false,
        }
    }

    /// Puts what is held of words before the rest of them.
    fn join_words(&self, before: &mut Vec<Inline>, rest: &mut Vec<Inline>) -> bool {
        let Some(Inline::Text(first)) = rest.first() else { return false };
        let Some(goes_on) = first.strip_prefix(WORD) else { return false };
        before.truncate(self.count);
        let Some(Inline::Text(last)) = before.last_mut() else { return false };
        last.truncate(self.bytes);
        last.push_str(goes_on);
        before.extend(rest.drain(1..));
        true
    }
}

/// How many cells of a row are whole, and where behind them its source goes on.
fn cells(row: Option<&Vec<Cell>>, source: &str) -> (usize, usize) {
    let none = (0, 0);
    // What is escaped, is no border; and what lies behind the last column is not shown.
    let end = if source.len() > ROW || source.contains(['\\', '\n']) || is_indented(source) { None } else { source.rfind('|') };
    let (Some(row), Some(end)) = (row, end) else { return none };
    let count = source.get(..end).unwrap_or_default().trim_start_matches(' ').matches('|').count();
    let first = source.trim_start_matches(' ').starts_with('|');
    let count = if first { count } else { count + 1 };
    let whole = row.get(..count).filter(|whole| whole.len() < row.len() && whole.iter().all(|cell| is_settled(&cell.text)));
    whole.filter(|whole| !whole.is_empty()).map_or(none, |whole| (whole.len(), end + 1))
}

/// True if the last line of a text is blank.
fn ends_blank(text: &str) -> bool {
    text.lines().next_back().is_none_or(|line| line.trim().is_empty())
}

/// The head of a table with the same columns.
fn columns(head: &[Cell]) -> String {
    let line = |cell: fn(&Cell) -> &'static str| head.iter().map(cell).fold("|".to_owned(), |line, cell| line + cell + "|");
    let aligned = |cell: &Cell| match cell.align {
        Align::Start => "-",
        Align::Center => ":-:",
        Align::End => "-:",
    };
    [line(|_| "x"), line(aligned), String::new()].join("\n")
}

/// The words that an item ends in.
fn paragraph(item: &Item) -> Option<&Vec<Inline>> {
    match item.blocks.last()? {
        Block::Paragraph(inlines) => Some(inlines),
        Block::List { items, .. } => paragraph(items.last()?),
        _ => None,
    }
}

fn paragraph_mut(item: &mut Item) -> Option<&mut Vec<Inline>> {
    match item.blocks.last_mut()? {
        Block::Paragraph(inlines) => Some(inlines),
        Block::List { items, .. } => paragraph_mut(items.last_mut()?),
        _ => None,
    }
}

/// How many borders stand between the first cell of a row and its end.
pub fn borders(row: &str) -> usize {
    let row = row.trim_start_matches(' ');
    row.strip_prefix('|').unwrap_or(row).matches('|').count()
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
