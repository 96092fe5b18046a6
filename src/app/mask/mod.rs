//! Secrets in a text, hidden before it is seen or copied.
//!
//! Decision: what is stored and exported stays whole; hiding belongs to showing. It is one pure function of a text, for server and browser
//! alike, so a page that saw a secret come, in however many pieces, hides what a page that is loaded hides. It is a table and a few
//! shapes, not a library of expressions: those would be larger than the rest of the client.
//! Invariants: no text changes its length in bytes; what is hidden is ASCII; the time is linear in the text.

mod assigned;
mod shapes;
mod table;
#[cfg(test)]
mod tests;
mod veil;

pub use shapes::unfinished;
pub use veil::Veil;

use std::borrow::Cow;
use std::ops::Range;

/// Stands for a hidden character until the text is drawn.
pub const HIDDEN: char = '\u{1}';

/// The text with its secrets hidden. `open` while more may come: then what may become a secret is hidden already.
pub fn hide(text: &str, open: bool) -> Cow<'_, str> {
    let found = secrets(text, open);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    cover(text, 0, found.into_iter(), &mut out);
    Cow::Owned(out)
}

/// Adds the text from `at` on to `out`, with these places hidden.
fn cover(text: &str, mut at: usize, found: impl Iterator<Item = Range<usize>>, out: &mut String) {
    for Range { start, end } in found {
        let start = start.max(at);
        if end > start {
            out.push_str(text.get(at..start).unwrap_or_default());
            out.extend(std::iter::repeat_n(HIDDEN, end - start));
            at = end;
        }
    }
    out.push_str(text.get(at..).unwrap_or_default());
}

/// The text with signs in the place of its secrets: JSON stays JSON.
#[cfg(feature = "ssr")]
pub fn shown(text: &str, open: bool) -> String {
    let hidden = hide(text, open);
    let mut out = String::with_capacity(hidden.len());
    for stretch in hidden.split_inclusive(HIDDEN) {
        match stretch.strip_suffix(HIDDEN) {
            Some("") if out.ends_with("••••••••") => {}
            Some(before) => {
                out.push_str(before);
                out.push('•');
            }
            None => out.push_str(stretch),
        }
    }
    out
}

/// Where the secrets are, in bytes, by rising start. Of one with a telling beginning that stays.
fn secrets(text: &str, open: bool) -> Vec<Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(|| next(text, &mut at, open)).map(|(_, range)| range).collect()
}

/// The next secret from `at` on, and where it is known by; `at` is behind it then.
fn next(text: &str, at: &mut usize, open: bool) -> Option<(usize, Range<usize>)> {
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(*at) {
        let here = *at;
        // What stands in the middle of a word is looked at with the word, so no run is looked at twice.
        let before = bytes.get(here.wrapping_sub(1)).copied().unwrap_or_default();
        // Markdown may set a word in italics by a line before it.
        let italic = || before == b'_' && !here.checked_sub(2).and_then(|at| bytes.get(at)).is_some_and(|byte| is_word(*byte));
        let fresh = byte.is_ascii_alphanumeric() && (!is_word(before) || italic());
        let range = match byte {
            b'-' => shapes::private_key(text, here),
            b':' if bytes.get(here + 1..here + 3) == Some(b"//") => shapes::password(bytes, here, open),
            // Of a known kind of key its beginning stays here, too.
            b':' | b'=' | b'|' => assigned::value(bytes, here, open)
                .map(|range| table::known(text, range.start, open).filter(|known| !known.is_empty()).unwrap_or(range)),
            _ => None,
        };
        let range = match range {
            None if fresh => table::known(text, here, open)
                .or_else(|| if before == b'-' { None } else { shapes::token(bytes, here, open) })
                .or_else(|| if matches!(before, b'-' | b'+' | b'/') { None } else { shapes::encoded(bytes, here, open) }),
            range => range,
        };
        *at = range.as_ref().map_or(here + 1, |range| range.end.max(here + 1));
        if let Some(range) = range {
            return Some((here, range));
        }
    }
    None
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The length of the run of such bytes from `at` on.
fn run(bytes: &[u8], at: usize, fits: impl Fn(u8) -> bool) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take_while(|byte| fits(**byte)).count()
}
