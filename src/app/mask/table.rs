//! Secrets that are known by how they begin.

use std::ops::Range;
use std::sync::LazyLock;

use super::run;

struct Rule {
    begins: &'static str,
    alphabet: u8,
    least: usize,
}

/// The rules by the first byte of what they begin with.
static RULES: LazyLock<Vec<Vec<Rule>>> = LazyLock::new(|| {
    let mut rules: Vec<Vec<Rule>> = (0..128).map(|_| Vec::new()).collect();
    for line in include_str!("rules.tsv").lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        if let (Some(begins), Some(alphabet), Some(least)) = (columns.next(), columns.next(), columns.next())
            && let (Some(first), Some(alphabet), Ok(least)) = (begins.bytes().next(), alphabet.bytes().next(), least.parse())
            && let Some(bucket) = rules.get_mut(usize::from(first))
        {
            bucket.push(Rule { begins, alphabet, least });
        }
    }
    rules
});

/// The rest of a known secret that begins at `at`. `open` if the text goes on: then one that it ends in may be short.
pub fn known(text: &str, at: usize, open: bool) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let bucket = RULES.get(usize::from(*rest.as_bytes().first()?))?;
    bucket.iter().find_map(|rule| {
        let start = at + begun(rest, rule.begins)?;
        let length = run(text.as_bytes(), start, |byte| fits(rule.alphabet, byte));
        let end = start + length;
        let growing = open && end == text.len() && (length > 7 || (length > 0 && rule.begins.len() > 3));
        if length >= rule.least && !varied(text.get(start..end).unwrap_or_default()) {
            // Nothing in it can be one either.
            return Some(end..end);
        }
        (length >= rule.least || growing).then_some(start..end)
    })
}

/// How far a text begins so, with or without the strokes by which Markdown keeps a line from being a mark.
fn begun(text: &str, begins: &str) -> Option<usize> {
    if text.starts_with(begins) {
        return Some(begins.len());
    }
    let mut rest = text;
    for c in begins.chars() {
        rest = rest.strip_prefix(c).or_else(|| rest.strip_prefix('\\').filter(|_| c == '_').and_then(|rest| rest.strip_prefix(c)))?;
    }
    Some(text.len() - rest.len())
}

/// True if a text is no row of the same few characters, as in an example.
fn varied(text: &str) -> bool {
    let mut seen = [false; 128];
    text.bytes().for_each(|byte| seen[usize::from(byte & 127)] = true);
    seen.iter().filter(|seen| **seen).count() > 4
}

fn fits(alphabet: u8, byte: u8) -> bool {
    match alphabet {
        b'x' => byte.is_ascii_hexdigit(),
        b'w' => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
        b'd' => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
        b'b' => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-'),
        b'u' => byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b')' | b']' | b'\\'),
        _ => byte.is_ascii_alphanumeric(),
    }
}
