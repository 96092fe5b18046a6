//! Markdown to nodes.
//!
//! Invariants: whatever the input, the depth is at most [`DEPTH`] and the time linear in its length; raw HTML is text;
//! every text is tidy.

use std::ops::Range;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::link::host;
use super::node::{Align, Block, Cell, Inline, Item};
use crate::app::{is_turn, tidy};

/// How deep nodes nest; what is deeper is drawn at this depth.
const DEPTH: usize = 24;

/// A block with the range of its source, and where the last item of a list or the last row of a table begins.
pub struct Parsed {
    pub block: Block,
    pub range: Range<usize>,
    pub item: Option<usize>,
}

/// The blocks of a text.
pub fn parse(text: &str) -> Vec<Parsed> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS | Options::ENABLE_OLD_FOOTNOTES;
    let mut tree = Tree::default();
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        tree.event(event, range);
    }
    tree.finish()
}

/// A node that has begun and not ended.
struct Open {
    what: What,
    range: Range<usize>,
    blocks: Vec<Block>,
    inlines: Vec<Inline>,
    items: Vec<Item>,
    rows: Vec<Vec<Cell>>,
    cells: Vec<Cell>,
    task: Option<bool>,
}

enum What {
    Root,
    Paragraph,
    Heading(u8),
    Code(String),
    Html,
    Quote,
    List(Option<u64>),
    Footnote(String),
    Item,
    Table(Vec<Align>),
    Row,
    Cell,
    Strong,
    Emphasis,
    Strike,
    Link(String),
    Image(String),
}

struct Tree {
    done: Vec<Parsed>,
    /// The same of a list or a table that stands in nothing else.
    item: Option<usize>,
    stack: Vec<Open>,
    /// Nodes that have begun below the greatest depth and are not drawn.
    skipped: usize,
}

impl Default for Tree {
    fn default() -> Self {
        Self { done: Vec::new(), item: None, stack: vec![Open::new(What::Root, 0..0)], skipped: 0 }
    }
}

impl Open {
    fn new(what: What, range: Range<usize>) -> Self {
        Self { what, range, blocks: vec![], inlines: vec![], items: vec![], rows: vec![], cells: vec![], task: None }
    }
}

impl Tree {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(_) if self.stack.len() > DEPTH => self.skipped += 1,
            Event::Start(tag) => self.stack.push(Open::new(what(tag), range)),
            Event::End(_) if self.skipped > 0 => self.skipped -= 1,
            Event::End(end) => self.end(end),
            Event::Text(text) => self.text(&text),
            Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(text) => self.inline(Inline::Code(tidy(&text).into_owned())),
            Event::SoftBreak => self.text(" "),
            Event::HardBreak => self.inline(Inline::Break),
            Event::Rule => self.block(Block::Rule, range),
            Event::TaskListMarker(done) => {
                if let Some(item) = self.stack.iter_mut().rev().find(|open| matches!(open.what, What::Item)) {
                    item.task = Some(done);
                }
            }
            // What is no label is a set of characters, as in an expression.
            Event::FootnoteReference(label) if label.chars().all(|c| c.is_alphanumeric()) => {
                self.inline(Inline::Note(tidy(&label).into_owned()))
            }
            Event::FootnoteReference(label) => self.text(&format!("[^{label}]")),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text),
        }
    }

    fn text(&mut self, text: &str) {
        if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return self.plain(text);
        }
        let code = matches!(self.stack.last(), Some(Open { what: What::Code(_) | What::Html, .. }));
        let mut rest = text;
        while let Some((at, turn)) = rest.char_indices().find(|(_, c)| !code && is_turn(*c)) {
            self.words(rest.get(..at).unwrap_or_default());
            self.inline(Inline::Turn(u32::from(turn)));
            rest = rest.get(at + turn.len_utf8()..).unwrap_or_default();
        }
        self.words(rest);
    }

    fn words(&mut self, text: &str) {
        self.plain(&tidy(text));
    }

    fn plain(&mut self, text: &str) {
        if let Some(Open { inlines, .. }) = self.stack.last_mut().filter(|_| !text.is_empty()) {
            match inlines.last_mut() {
                Some(Inline::Text(before)) => before.push_str(text),
                _ => inlines.push(Inline::Text(text.to_owned())),
            }
        }
    }

    fn inline(&mut self, inline: Inline) {
        if let Some(open) = self.stack.last_mut() {
            open.inlines.push(inline);
        }
    }

    fn block(&mut self, block: Block, range: Range<usize>) {
        match self.stack.last_mut() {
            Some(open) if !matches!(open.what, What::Root) => {
                open.flush();
                open.blocks.push(block);
            }
            _ => self.done.push(Parsed { block, range, item: self.item.take() }),
        }
    }

    fn end(&mut self, _: TagEnd) {
        if self.stack.len() < 2 {
            return;
        }
        let Some(mut open) = self.stack.pop() else { return };
        let range = open.range.clone();
        match open.what {
            What::Root => {}
            What::Paragraph => self.block(Block::Paragraph(open.inlines), range),
            What::Heading(level) => self.block(Block::Heading(level, open.inlines), range),
            What::Code(language) => self.block(Block::Code { language, text: said(&open.inlines) }, range),
            What::Html => {
                let text = said(&open.inlines).trim_end().to_owned();
                self.block(Block::Code { language: String::new(), text }, range);
            }
            What::Quote => {
                open.flush();
                self.block(Block::Quote(open.blocks), range);
            }
            What::Footnote(ref mut label) => {
                let label = std::mem::take(label);
                open.flush();
                self.block(Block::Footnote { label, blocks: open.blocks }, range);
            }
            What::List(start) => {
                self.block(Block::List { start, items: open.items }, range);
            }
            What::Item => {
                if self.stack.len() == 2 {
                    self.item = Some(range.start);
                }
                open.flush();
                let item = Item { task: open.task, blocks: open.blocks };
                match self.stack.last_mut() {
                    Some(list) if matches!(list.what, What::List(_)) => list.items.push(item),
                    _ => item.blocks.into_iter().for_each(|block| self.block(block, range.clone())),
                }
            }
            What::Cell => {
                if let Some(row) = self.stack.last_mut() {
                    row.cells.push(Cell { align: Align::Start, text: open.inlines });
                }
            }
            What::Row => {
                let alone = self.stack.len() == 2;
                if let Some(table) = self.stack.last_mut() {
                    // The first is the head.
                    if alone && !table.rows.is_empty() {
                        self.item = Some(range.start);
                    }
                    table.rows.push(open.cells);
                }
            }
            What::Table(aligns) => {
                for row in &mut open.rows {
                    row.iter_mut().zip(&aligns).for_each(|(cell, align)| cell.align = *align);
                }
                let mut rows = open.rows.into_iter();
                self.block(Block::Table { head: rows.next().unwrap_or_default(), rows: rows.collect() }, range);
            }
            What::Strong => self.inline(Inline::Strong(open.inlines)),
            What::Emphasis => self.inline(Inline::Emphasis(open.inlines)),
            What::Strike => self.inline(Inline::Strike(open.inlines)),
            What::Link(address) => self.inline(link(address, open.inlines)),
            What::Image(address) => self.inline(Inline::Image { alt: said(&open.inlines), address: tidy(&address).into_owned() }),
        }
    }

    fn finish(mut self) -> Vec<Parsed> {
        while self.stack.len() > 1 {
            self.end(TagEnd::Paragraph);
        }
        self.done
    }
}

impl Open {
    /// Text that stands in a container without a paragraph (a tight list) becomes one.
    fn flush(&mut self) {
        if !self.inlines.is_empty() {
            self.blocks.push(Block::Paragraph(std::mem::take(&mut self.inlines)));
        }
    }
}

fn what(tag: Tag<'_>) -> What {
    match tag {
        Tag::Paragraph => What::Paragraph,
        Tag::Heading { level, .. } => What::Heading(match level {
            HeadingLevel::H1 => 1,
            HeadingLevel::H2 => 2,
            HeadingLevel::H3 => 3,
            HeadingLevel::H4 => 4,
            HeadingLevel::H5 => 5,
            HeadingLevel::H6 => 6,
        }),
        Tag::CodeBlock(CodeBlockKind::Fenced(info)) => What::Code(tidy(info.split_whitespace().next().unwrap_or_default()).into_owned()),
        Tag::CodeBlock(CodeBlockKind::Indented) => What::Code(String::new()),
        Tag::HtmlBlock => What::Html,
        Tag::List(start) => What::List(start),
        Tag::FootnoteDefinition(label) => What::Footnote(tidy(&label).into_owned()),
        Tag::Item => What::Item,
        Tag::Table(aligns) => What::Table(aligns.into_iter().map(align).collect()),
        Tag::TableHead | Tag::TableRow => What::Row,
        Tag::TableCell => What::Cell,
        Tag::Strong => What::Strong,
        Tag::Emphasis => What::Emphasis,
        Tag::Strikethrough => What::Strike,
        Tag::Link { dest_url, .. } => What::Link(dest_url.into_string()),
        Tag::Image { dest_url, .. } => What::Image(dest_url.into_string()),
        // The rest belongs to extensions that are off.
        _ => What::Quote,
    }
}

fn align(align: Alignment) -> Align {
    match align {
        Alignment::None | Alignment::Left => Align::Start,
        Alignment::Center => Align::Center,
        Alignment::Right => Align::End,
    }
}

fn link(address: String, text: Vec<Inline>) -> Inline {
    match host(&address) {
        Some(host) => {
            let words = said(&text);
            let host = (!host.is_empty() && !words.contains(host)).then(|| host.to_owned());
            Inline::Link { host, href: address, text }
        }
        None => Inline::Address { text, address: tidy(&address).into_owned() },
    }
}

/// The text of inlines, without their form.
pub fn said(inlines: &[Inline]) -> String {
    let mut out = String::new();
    for inline in inlines {
        match inline {
            Inline::Text(text) | Inline::Code(text) => out.push_str(text),
            Inline::Strong(inner) | Inline::Emphasis(inner) | Inline::Strike(inner) => out.push_str(&said(inner)),
            Inline::Link { text, .. } | Inline::Address { text, .. } => out.push_str(&said(text)),
            Inline::Image { alt, .. } => out.push_str(alt),
            Inline::Note(label) => out.push_str(&format!("[{label}]")),
            Inline::Turn(_) => {}
            Inline::Break => out.push('\n'),
        }
    }
    out
}
