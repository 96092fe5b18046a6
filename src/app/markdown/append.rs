//! What needs no parser: words that go on, and lines of code. It is most of what an agent sends.
//!
//! Invariant: where [`append`] says yes, the block is what the longer text, parsed, would be; where it says no, the block is as it was.

use super::held::borders;
use super::node::{Block, Cell, Inline};

/// The longest line that is looked at.
const LINE: usize = 4_096;

/// Appends `added` to the open block that `drawn` ends in, if it can mean nothing but itself there. `settled` if it ends in words of a
/// paragraph in which no mark is open.
pub fn append(block: &mut Block, drawn: &str, added: &str, settled: bool) -> bool {
    if added.is_empty() {
        return true;
    }
    if let (Block::Paragraph(inlines), true) = (&mut *block, settled) {
        return match inlines.last_mut() {
            Some(Inline::Text(text)) if is_words(drawn, added) => {
                go_on(text, drawn, added);
                true
            }
            _ => false,
        };
    }
    let line = drawn.rsplit('\n').next().unwrap_or_default();
    if line.len() > LINE {
        return false;
    }
    match block {
        Block::Paragraph(_) | Block::List { .. } => words(last(block), drawn, line, added),
        Block::Table { rows, .. } => cell(rows, drawn, line, added),
        Block::Code { text, .. } => code(text, drawn, line, added),
        _ => false,
    }
}

/// Words in the last cell of the row that a line is.
fn cell(rows: &mut [Vec<Cell>], drawn: &str, line: &str, added: &str) -> bool {
    // What is escaped is no border.
    let is_row = !line.contains('\\') && !added.contains('\n');
    let cell = rows.last_mut().and_then(|row| row.get_mut(borders(line))).filter(|_| is_row);
    words(cell.and_then(|cell| text(cell.text.last_mut()?)), drawn, line.rsplit('|').next().unwrap_or_default(), added)
}

/// Words behind words, on a line that has begun with one, are words: no mark begins, ends or turns into another.
fn words(text: Option<&mut String>, drawn: &str, line: &str, added: &str) -> bool {
    let words = line.trim_end_matches(' ');
    let begun = words.trim_start();
    // An entity, a tag and an address end in what is no mark elsewhere.
    let ends = begun.contains(['&', '<']) || begun.contains("](");
    let begins = words.ends_with(is_inert) && begun.contains(char::is_alphabetic) && !begun.starts_with('[');
    if ends || !begins || !is_words(drawn, added) {
        return false;
    }
    match text {
        // The node must be the one that this line stands in.
        Some(text) if text.ends_with(end(words).trim_start()) => {
            go_on(text, drawn, added);
            true
        }
        _ => false,
    }
}

/// Code behind an open fence is as it stands, but for blanks that nothing follows.
fn code(text: &mut String, drawn: &str, line: &str, added: &str) -> bool {
    let is_fence = |line: &str| line.trim_start_matches(' ').starts_with(['`', '~']);
    let blank = line.bytes().all(|byte| byte == b' ');
    let fenced = drawn.starts_with("```") || drawn.starts_with("~~~");
    // The line of the fence itself must be over.
    if !fenced || line.len() == drawn.len() || !added.chars().all(|c| c == '\n' || is_code(c)) {
        return false;
    }
    let mut lines = added.split('\n');
    let first = lines.next().unwrap_or_default();
    if (if blank { is_fence(first) } else { is_fence(line) }) || lines.any(is_fence) {
        return false;
    }
    let unseen = if is_unseen(line) { line } else { "" };
    // Its last line with words is that of the source: not so where a fence was closed since.
    let begin = text.trim_end().rfind('\n');
    let last = begin.map_or(text.as_str(), |begin| text.get(begin..).unwrap_or_default());
    let head = drawn.strip_suffix(unseen).and_then(|shown| shown.strip_suffix(last));
    if !head.is_some_and(|head| begin.is_some() || head.find('\n').is_some_and(|end| end + 1 == head.len())) {
        return false;
    }
    text.push_str(unseen);
    text.push_str(added);
    let line = text.rsplit('\n').next().unwrap_or_default();
    if is_unseen(line) {
        text.truncate(text.len() - line.len());
    }
    true
}

/// True for an indentation that no more follows yet: the parser leaves it out.
fn is_unseen(line: &str) -> bool {
    line.len() < 4 && line.bytes().all(|byte| byte == b' ')
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

/// The text at the very end of a block of words.
fn last(block: &mut Block) -> Option<&mut String> {
    match block {
        Block::Paragraph(inlines) => text(inlines.last_mut()?),
        Block::List { items, .. } => last(items.last_mut()?.blocks.last_mut()?),
        _ => None,
    }
}

fn text(inline: &mut Inline) -> Option<&mut String> {
    match inline {
        Inline::Text(text) => Some(text),
        _ => None,
    }
}

/// The end of a line, as far back as nothing but words stands there: enough to tell a node by.
fn end(line: &str) -> &str {
    let tail = line.get(line.char_indices().rev().take(8).last().map_or(0, |(at, _)| at)..).unwrap_or_default();
    tail.rsplit(|c: char| !is_inert(c)).next().unwrap_or_default()
}

/// True for characters that are no part of a mark, and ends of lines behind which the paragraph goes on by a letter.
fn is_words(drawn: &str, text: &str) -> bool {
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b' ') {
        return true;
    }
    let mut before = drawn.chars().next_back().unwrap_or('a');
    text.char_indices().all(|(at, c)| {
        let goes_on = || before != ' ' && text.get(at + 1..).is_some_and(|rest| rest.starts_with(char::is_alphabetic));
        let is = is_inert(c) || (c == '\n' && goes_on());
        before = c;
        is
    })
}

/// What is no part of a mark, wherever it stands in a line that has begun.
pub fn is_inert(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(c, ' ' | ',' | '.' | ':' | ';' | '\'' | '"' | '(' | ')' | '?' | '!' | '/' | '-' | '=' | '+' | '%' | '$' | '@' | '#' | '{' | '}')
        // Dashes, quotes, dots, arrows.
        || matches!(c, '\u{a7}'..='\u{ac}' | '\u{ae}'..='\u{bf}' | '\u{2010}'..='\u{2027}' | '\u{20a0}'..='\u{20bf}' | '\u{2190}'..='\u{21ff}')
}

/// What stands in code as it is, but for the end of a line.
fn is_code(c: char) -> bool {
    c == ' ' || c.is_ascii_graphic() || c.is_alphanumeric()
}
