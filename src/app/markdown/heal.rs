//! The end of a text that is still being written, completed so that half-written marks do not flicker.

use std::borrow::Cow;

/// Closes what the last line leaves open: code, strong, strike; and hides a link's address until it is whole.
///
/// Only the text's last line is looked at, and never the inside of a fence. Nothing before it moves.
pub fn heal(text: &str) -> Cow<'_, str> {
    let line = text.rsplit('\n').next().unwrap_or_default();
    if line.len() > 4_096 || !line.contains(['*', '~', '`', '[']) || in_fence(text) || line.starts_with("    ") {
        return Cow::Borrowed(text);
    }
    let mut open: Vec<&str> = Vec::new();
    let mut rest = line;
    let mut cut = None;
    while let Some(next) = rest.find(['`', '*', '~', ']', '\\']) {
        rest = rest.get(next..).unwrap_or_default();
        let at = line.len() - rest.len();
        let c = rest.chars().next().unwrap_or_default();
        let mark =
            if c == '`' { run(rest) } else { ["**", "~~", "]("].into_iter().find(|mark| rest.starts_with(*mark)).unwrap_or_default() };
        let in_code = open.last().is_some_and(|mark| mark.starts_with('`'));
        match mark {
            "](" if !in_code && !rest.contains(')') => {
                // The text of this link holds no other's end.
                let from = line
                    .get(..at)
                    .and_then(|head| head.rfind('[').filter(|from| !head.get(*from..).is_some_and(|said| said.contains(']'))));
                cut = cut.or_else(|| from.map(|from| (from, at)))
            }
            "" | "](" => {}
            mark if open.last() == Some(&mark) => {
                open.pop();
            }
            mark if !in_code => open.push(mark),
            _ => {}
        }
        let step = if mark.is_empty() { c.len_utf8() } else { mark.len() };
        rest = rest.get(step..).unwrap_or_default();
        if c == '\\' {
            rest = rest.get(rest.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
        }
    }
    if let Some((from, to)) = cut {
        let start = text.len() - line.len();
        let head = text.get(..start + from).unwrap_or(text);
        let said = line.get(from + 1..to).unwrap_or_default();
        let (head, said) = head.strip_suffix('!').map_or((head, said), |head| (head, ""));
        return Cow::Owned(format!("{head}{said}"));
    }
    // A mark with nothing behind it yet is not shown at all.
    let mut out = match open.last() {
        Some(mark) if line.ends_with(mark) => text.strip_suffix(mark).unwrap_or(text).to_owned(),
        Some(_) => {
            let mut out = text.trim_end().to_owned();
            out.push_str(open.last().copied().unwrap_or_default());
            out
        }
        None => return Cow::Borrowed(text),
    };
    for mark in open.iter().rev().skip(1) {
        out.push_str(mark);
    }
    Cow::Owned(out)
}

/// True if the text ends inside a fenced block.
pub fn in_fence(text: &str) -> bool {
    if !text.contains(['`', '~']) {
        return false;
    }
    let mut fence: Option<(&str, usize)> = None;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let line = line.trim_start();
        let mark = line.get(..line.bytes().take_while(|b| matches!(b, b'`' | b'~') && line.as_bytes().first() == Some(b)).count());
        match (fence, mark.unwrap_or_default()) {
            (None, mark) if mark.len() > 2 => fence = Some((mark, indent)),
            // What is indented as code is no end of it.
            (Some((open, at)), mark) if indent < at + 4 && mark.starts_with(open) && line.trim_end() == mark => {
                fence = None;
            }
            _ => {}
        }
    }
    fence.is_some()
}

fn run(text: &str) -> &str {
    let len = text.bytes().take_while(|b| *b == b'`').count();
    text.get(..len).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_under_way_is_completed() {
        let cases = [
            ("plain", "plain"),
            ("a **b", "a **b**"),
            ("a **", "a "),
            ("a **b** c", "a **b** c"),
            ("a `b", "a `b`"),
            ("a ``b`c", "a ``b`c``"),
            ("~~gone", "~~gone~~"),
            ("**a `b", "**a `b`**"),
            ("see [the docs](https://exa", "see the docs"),
            ("![a picture](https://exa", ""),
            ("[a](https://example.org) b](c", "[a](https://example.org) b](c"),
            ("see [the docs](https://example.org) and", "see [the docs](https://example.org) and"),
            ("```\n**a", "```\n**a"),
            ("```\nx\n```\n**a", "```\nx\n```\n**a**"),
            ("a \\**b", "a \\**b"),
            ("a `](x", "a `](x`"),
            ("", ""),
        ];
        for (text, healed) in cases {
            assert_eq!(heal(text), healed, "{text:?}");
        }
    }
}
