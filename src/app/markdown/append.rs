//! Words that go on: most of what an agent sends, and what needs no parser.
//!
//! Invariant: where [`append`] says yes, the block is what the longer text, parsed, would be.

use super::node::{Block, Inline};

/// Appends `added` to the open block that `drawn` ends in, if it can mean nothing but itself there. `settled` if it ends in words of a
/// paragraph in which no mark is open.
pub fn append(block: &mut Block, drawn: &str, added: &str, settled: bool) -> bool {
    if settled {
        return match block {
            Block::Paragraph(inlines) if is_words(drawn, added, is_inert, false) => match inlines.last_mut() {
                Some(Inline::Text(text)) => {
                    go_on(text, drawn, added);
                    true
                }
                _ => false,
            },
            _ => false,
        };
    }
    let words = drawn.trim_end_matches(' ');
    let line = words.rsplit('\n').next().unwrap_or_default();
    let spaces = drawn.get(words.len()..).unwrap_or_default();
    if added.is_empty() {
        return true;
    }
    let begun = line.trim_start();
    let fenced = ["```", "~~~"].iter().any(|fence| drawn.starts_with(fence)) && matches!(block, Block::Code { .. });
    let fits: fn(char) -> bool = if fenced { is_code } else { is_inert };
    // Behind words, on a line that has begun with one, words are words: no mark begins, ends or turns into another.
    let goes_on = if fenced {
        !begun.is_empty() && !begun.starts_with(['`', '~'])
    } else {
        words.ends_with(is_inert) && begun.contains(char::is_alphabetic) && !begun.starts_with(['<', '[']) && !begun.contains('&')
    };
    if !goes_on || line.len() > 4_096 || !is_words(drawn, added, fits, fenced) {
        return false;
    }
    let Some((text, verbatim)) = end(block, fenced) else { return false };
    // The node must be the one that this line stands in.
    let tail = line.get(line.char_indices().rev().take(8).last().map_or(0, |(at, _)| at)..).unwrap_or_default();
    let tail = tail.rsplit(|c: char| !fits(c)).next().unwrap_or_default();
    if verbatim {
        if !text.strip_suffix(spaces).is_some_and(|head| head.ends_with(tail)) {
            return false;
        }
        text.push_str(added);
    } else {
        if !text.ends_with(tail.trim_start()) {
            return false;
        }
        go_on(text, drawn, added);
    }
    true
}

/// Adds words to a text. A line of words shows no blanks at its end.
fn go_on(text: &mut String, drawn: &str, added: &str) {
    let said = added.trim_end_matches(' ');
    if !said.is_empty() {
        text.extend(drawn.bytes().rev().take_while(|byte| *byte == b' ').map(|_| ' '));
        match said.contains('\n') {
            true => text.push_str(&said.replace('\n', " ")),
            false => text.push_str(said),
        }
    }
}

/// The text at the very end of a block, and whether it keeps its blanks.
fn end(block: &mut Block, fenced: bool) -> Option<(&mut String, bool)> {
    match block {
        Block::Paragraph(inlines) => match inlines.last_mut()? {
            Inline::Text(text) => Some((text, false)),
            _ => None,
        },
        Block::List { items, .. } => end(items.last_mut()?.blocks.last_mut()?, fenced),
        Block::Code { text, .. } if fenced && !text.is_empty() => Some((text, true)),
        _ => None,
    }
}

/// True for characters that fit, and ends of lines behind which the paragraph, by a letter, or the code, by anything but a fence, goes on.
fn is_words(drawn: &str, text: &str, fits: fn(char) -> bool, fenced: bool) -> bool {
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b' ') {
        return true;
    }
    let mut before = drawn.chars().next_back().unwrap_or('a');
    text.char_indices().all(|(at, c)| {
        let goes_on = || {
            let rest = text.get(at + 1..).unwrap_or_default();
            if fenced {
                rest.trim_start_matches(' ').starts_with(|next| !matches!(next, '`' | '~' | '\n'))
            } else {
                before != ' ' && rest.starts_with(char::is_alphabetic)
            }
        };
        let is = fits(c) || (c == '\n' && goes_on());
        before = c;
        is
    })
}

/// What is no part of a mark, wherever it stands in a line that has begun.
pub fn is_inert(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(c, ' ' | ',' | '.' | ':' | '\'' | '"' | '(' | ')' | '?' | '/' | '-' | '=' | '+' | '%' | '$' | '@' | '{' | '}')
}

/// What stands in code as it is, but for the end of a line.
fn is_code(c: char) -> bool {
    c == ' ' || c.is_ascii_graphic() || c.is_alphanumeric()
}
