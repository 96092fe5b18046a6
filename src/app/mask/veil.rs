//! A growing text without its secrets: what was decided is kept, only the end is looked at again.
//!
//! Invariant: it is at every step what [`super::hide`] makes of the whole.

use std::ops::Range;

use super::{cover, next};

/// No secret is known by more than so many words, but for a private key: what stands before them is decided.
const WORDS: usize = 4;
/// The longest first line of a private key.
const KEY: usize = 80;

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
        while let Some((at, _)) = self.found.pop_if(|(_, range)| range.end > self.sure) {
            self.sure = self.sure.min(at);
        }
        let old = self.text.split_off(self.sure);
        let (mut at, kept) = (self.sure, self.found.len());
        self.found.extend(std::iter::from_fn(|| next(text, &mut at, open)));
        let new = self.found.iter().skip(kept).map(|(_, range)| range.clone());
        cover(text, self.sure, new, &mut self.text);
        let new = self.text.get(self.sure..).unwrap_or_default();
        let changed = if new.starts_with(&old) { before } else { self.sure };
        self.sure = self.sure.max(words_back(text));
        changed
    }
}

/// Where the last words of a text begin; the last one, where no value is given to a name.
fn words_back(text: &str) -> usize {
    let bytes = text.as_bytes();
    let back = |mut at: usize| {
        at -= bytes.iter().take(at).rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        at - bytes.iter().take(at).rev().take_while(|byte| !byte.is_ascii_whitespace()).count()
    };
    let last = back(bytes.len());
    let first = (1..WORDS).fold(last, |at, _| back(at));
    let given = bytes.get(first..).is_some_and(|words| words.iter().any(|byte| matches!(byte, b':' | b'=' | b'|')));
    let at = if given { first } else { last };
    let line = text.floor_char_boundary(bytes.len().saturating_sub(KEY));
    text.get(line..).filter(|line| line.contains('-')).and_then(|line| line.find("-----B")).map_or(at, |key| at.min(line + key))
}
