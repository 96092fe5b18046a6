//! A Markdown text as its words alone, for one line.

use super::node::Block;
use super::parse::{parse, said};

/// The words of a text without its marks: blocks and lines are parted by a blank.
pub fn plain(text: &str) -> String {
    let mut out = String::new();
    parse(text).iter().for_each(|parsed| block(&parsed.block, &mut out));
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn block(of: &Block, out: &mut String) {
    match of {
        Block::Paragraph(text) | Block::Heading(_, text) => out.push_str(&said(text)),
        Block::Code { text, .. } => out.push_str(text),
        Block::Quote(inner) | Block::Footnote { blocks: inner, .. } => inner.iter().for_each(|one| block(one, out)),
        Block::List { items, .. } => items.iter().flat_map(|item| &item.blocks).for_each(|one| block(one, out)),
        Block::Table { head, rows } => head.iter().chain(rows.iter().flatten()).for_each(|cell| {
            out.push_str(&said(&cell.text));
            out.push(' ');
        }),
        Block::Rule => {}
    }
    out.push(' ');
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_text_loses_its_marks_and_no_word() {
        for (text, words) in [
            ("There are **12 callers**; the `lease` column is _read_.", "There are 12 callers; the lease column is read."),
            ("# Plan\n\n- one\n- [two](https://example.org)\n\n1. three", "Plan one two three"),
            ("| a | b |\n|---|---|\n| c | d |", "a b c d"),
            ("```rust\nfn main() {}\n```\n> said", "fn main() {} said"),
            ("", ""),
        ] {
            assert_eq!(plain(text), words, "{text:?}");
        }
    }
}
