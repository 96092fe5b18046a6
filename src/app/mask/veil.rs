//! A growing text without its secrets: what was decided is kept, only the end is looked at again.
//!
//! Invariant: it is at every step what [`super::hide`] makes of the whole.

use std::ops::Range;

use super::{assigned, cover, next};

/// No secret is known by more than so many words, but for a private key: what stands before them is decided.
const WORDS: usize = 4;
/// The longest first line of a private key.
const KEY: usize = 80;
const KEY_BEGINS: &str = "-----B";

/// So long a run of letters may be without being a secret, whatever follows.
const PLAIN: usize = 13;

/// A text that grows, veiled.
#[derive(Clone, Debug, Default)]
pub struct Veil {
    text: String,
    /// What was found: where it was known, and what is hidden for it.
    found: Vec<(usize, Range<usize>)>,
    /// Before this nothing changes any more.
    sure: usize,
}

impl Veil {
    /// The veiled text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Goes on to `text`, which begins with the text before, `open` while more is to come. Gives from where on the veiled text is another
    /// one than before. With `bare` nothing is hidden.
    pub fn grow(&mut self, text: &str, open: bool, bare: bool) -> usize {
        let before = self.text.len();
        if bare {
            self.text.push_str(text.get(before..).unwrap_or_default());
            return before;
        }
        let mut same = true;
        while let Some((at, _)) = self.found.pop_if(|(_, range)| range.end > self.sure) {
            self.sure = self.sure.min(at);
            same = false;
        }
        if let Some(last) = text.as_bytes().get(self.sure..).filter(|_| same).and_then(plain_words) {
            self.text.push_str(text.get(before..).unwrap_or_default());
            self.sure += last;
            return before;
        }
        let (mut at, kept) = (self.sure, self.found.len());
        self.found.extend(std::iter::from_fn(|| next(text, &mut at, open)));
        if same && self.found.len() == kept {
            self.text.push_str(text.get(before..).unwrap_or_default());
            self.sure = self.sure.max(words_back(text));
            return before;
        }
        let old = self.text.split_off(self.sure);
        let new = self.found.iter().skip(kept).map(|(_, range)| range.clone());
        cover(text, self.sure, new, &mut self.text);
        let new = self.text.get(self.sure..).unwrap_or_default();
        let changed = if new.starts_with(&old) { before } else { self.sure };
        self.sure = self.sure.max(words_back(text));
        changed
    }
}

/// Where the last word begins of what is nothing but words and numbers of prose, as most of a text is: shorter than any secret of letters
/// alone, and without the marks that others have.
pub(super) fn plain_words(bytes: &[u8]) -> Option<usize> {
    let (mut start, mut run, mut before) = (0, 0, b' ');
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' if before == b'.' => return None,
            b'a'..=b'z' | b'+' | b'/' => run += 1,
            b'A'..=b'Z' if run == 0 => run = 1,
            b'0'..=b'9' if run == 0 || before.is_ascii_digit() => run += 1,
            b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b':' | b'=' | b'|' | b'\\' => return None,
            _ => run = 0,
        }
        if run > PLAIN {
            return None;
        }
        if before.is_ascii_whitespace() && !byte.is_ascii_whitespace() {
            start = at;
        }
        before = *byte;
    }
    Some(start)
}

/// Where the last word of a text begins, or the words before it, where they give a value to a secret's name.
fn words_back(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut words, mut last, mut given, mut blank) = (0, 0, false, true);
    let mut from = 0;
    for (at, byte) in bytes.iter().enumerate().rev() {
        if byte.is_ascii_whitespace() {
            if !blank {
                words += 1;
                from = at + 1;
                if words == 1 {
                    last = from;
                } else if words == WORDS {
                    break;
                }
            }
            blank = true;
        } else {
            blank = false;
            given = given || (words > 0 && matches!(byte, b':' | b'=' | b'|') && assigned::is_given(bytes, at));
        }
    }
    let from = if words < WORDS { 0 } else { from };
    let at = if given { from } else { last };
    let line = text.floor_char_boundary(bytes.len().saturating_sub(KEY));
    let dashed = text.get(line..).filter(|line| line.as_bytes().contains(&b'-'));
    dashed.and_then(|line| line.find(KEY_BEGINS)).map_or(at, |key| at.min(line + key))
}
