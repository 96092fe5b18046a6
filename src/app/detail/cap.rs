//! How much of a part is shown before somebody asks for all of it.

use super::{Body, Part, Row, Span, Stand};

/// Characters and spans of a part.
const CHARS: usize = 12_000;
const NODES: usize = 12_000;
/// Of long output this share of both is its beginning; the rest is its end, where most outputs say how it went.
const HEAD: usize = 3;

/// What of a part's lines is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    Beginning,
    /// The beginning and the end, with a gap between.
    Ends,
}

/// A part of lines, cut unless `all` is asked for.
pub fn lines(title: &str, rows: Vec<Row>, keep: Keep, all: bool) -> Part {
    let (rows, hidden) = match keep {
        _ if all => (rows, 0),
        Keep::Beginning => beginning(rows, CHARS, NODES),
        Keep::Ends => ends(rows),
    };
    Part { title: title.into(), body: Body::Lines(rows), hidden }
}

/// A text with Markdown, cut unless `all` is asked for.
pub fn markdown(title: &str, text: &str, all: bool) -> Part {
    let end = text.char_indices().nth(CHARS).filter(|_| !all).map_or(text.len(), |(at, _)| at);
    let (head, rest) = text.split_at(end);
    Part { title: title.into(), body: Body::Markdown(head.to_owned()), hidden: rest.chars().count() as u64 }
}

fn beginning(rows: Vec<Row>, chars: usize, nodes: usize) -> (Vec<Row>, u64) {
    let (mut chars, mut nodes, mut out, mut hidden) = (chars, nodes, Vec::new(), 0_usize);
    for mut row in rows {
        let length = length(&row);
        if nodes == 0 || chars == 0 {
            hidden += length;
            continue;
        }
        hidden += head(&mut row.spans, &mut chars, &mut nodes);
        nodes = nodes.saturating_sub(1);
        chars = chars.saturating_sub(1);
        out.push(row);
    }
    (out, hidden as u64)
}

/// Cuts a line to the characters and spans that are left; gives how many characters that takes away.
fn head(spans: &mut Vec<Span>, chars: &mut usize, nodes: &mut usize) -> usize {
    let mut hidden = 0;
    for span in spans.iter_mut() {
        let length = span.text.chars().count();
        let kept = if *nodes == 0 { 0 } else { length.min(*chars) };
        if kept < length {
            let end = span.text.char_indices().nth(kept).map_or(span.text.len(), |(at, _)| at);
            span.text.truncate(end);
        }
        hidden += length - kept;
        *chars -= kept;
        *nodes = nodes.saturating_sub(1);
    }
    spans.retain(|span| !span.text.is_empty());
    hidden
}

fn ends(rows: Vec<Row>) -> (Vec<Row>, u64) {
    let weight = |row: &Row| (length(row) + 1, row.spans.len() + 1);
    let fits = |rows: &[Row]| {
        let (chars, nodes) = rows.iter().map(weight).fold((0, 0), |(chars, nodes), (c, n)| (chars + c, nodes + n));
        chars <= CHARS && nodes <= NODES
    };
    if fits(&rows) {
        return (rows, 0);
    }
    let (mut chars, mut nodes) = (CHARS - CHARS / HEAD, NODES - NODES / HEAD);
    let mut from = rows.len();
    for (at, row) in rows.iter().enumerate().rev() {
        let (c, n) = weight(row);
        if c > chars || n > nodes {
            break;
        }
        (chars, nodes, from) = (chars - c, nodes - n, at);
    }
    let mut rows = rows;
    let tail = rows.split_off(from.min(rows.len()));
    let (mut head, hidden) = beginning(rows, CHARS / HEAD, NODES / HEAD);
    if hidden > 0 && !tail.is_empty() {
        head.push(Row { stand: Stand::Gap, ..Row::default() });
    }
    head.extend(tail);
    (head, hidden)
}

fn length(row: &Row) -> usize {
    row.spans.iter().map(|span| span.text.chars().count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Row> {
        text.lines().map(Row::plain).collect()
    }

    fn told(part: &Part) -> String {
        match &part.body {
            Body::Lines(rows) => {
                rows.iter().map(|row| if row.stand == Stand::Gap { "…".into() } else { row.text() }).collect::<Vec<_>>().join("\n")
            }
            _ => part.text(),
        }
    }

    #[test]
    fn what_is_left_out_is_counted_and_no_character_is_cut() {
        for text in ["x".repeat(30_000), "a👩‍💻".repeat(9_000), "short".into(), "ü\n".repeat(20_000)] {
            for keep in [Keep::Beginning, Keep::Ends] {
                let part = lines("", rows(&text), keep, false);
                let shown = told(&part).chars().filter(|c| !matches!(c, '\n' | '…')).count();
                assert!(shown <= CHARS, "{shown}");
                assert_eq!(shown as u64 + part.hidden, text.chars().filter(|c| *c != '\n').count() as u64);
                assert_eq!(lines("", rows(&text), keep, true).hidden, 0);
            }
        }
    }

    #[test]
    fn of_long_output_both_ends_are_shown() {
        let text: String = (0..9_000).map(|n| format!("line {n}\n")).collect();
        let shown = told(&lines("", rows(&text), Keep::Ends, false));
        assert!(shown.starts_with("line 0\n") && shown.ends_with("line 8999") && shown.contains("\n…\n"));
    }
}
