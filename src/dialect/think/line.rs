//! The line that is being read: whether what stands at its end is quoted, or code.

use serde::{Deserialize, Serialize};

use super::Found;

/// How far a quotation's end is looked for on its line, in bytes.
const QUOTED: usize = 1 << 10;
/// What is indented so far is code, in columns.
const CODE: usize = 4;

/// What is known of the line so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Line {
    /// The character before.
    pub before: Option<char>,
    /// True if there is more than blanks.
    pub words: bool,
    /// How far it is indented, in columns; behind four it is code.
    pub indent: usize,
    /// True behind an odd number of backticks.
    pub ticks: bool,
    /// True behind an odd number of quotation marks.
    pub quotes: bool,
    /// The character of the code fence that is open.
    pub fence: Option<char>,
}

impl Line {
    pub fn note(&mut self, c: char) {
        match c {
            '\n' => *self = Self { fence: self.fence, ..Self::default() },
            '`' => self.ticks = !self.ticks,
            '"' => self.quotes = !self.quotes,
            '\u{201c}' => self.quotes = true,
            '\u{201d}' => self.quotes = false,
            ' ' if !self.words => self.indent += 1,
            '\t' if !self.words => self.indent += CODE,
            _ => {}
        }
        if !c.is_whitespace() {
            (self.before, self.words) = (Some(c), true);
        }
    }

    /// True if a tag here is none: it is escaped, or stands in indented code.
    pub fn is_plain(&self) -> bool {
        self.indent >= CODE || self.before == Some('\\')
    }

    /// Whether what was just read stands in quotes or in code, which end behind it; `None` if it does not.
    pub fn encloses(&self, behind: &str, last: bool) -> Option<Found> {
        let line = behind.split('\n').next().unwrap_or_default();
        let known = last || line.len() < behind.len() || line.len() > QUOTED;
        let ends = |marks: &[char]| {
            let near = line.get(..line.floor_char_boundary(QUOTED)).unwrap_or_default();
            if near.contains(marks) { Some(Found::Nothing) } else { (!known).then_some(Found::Open) }
        };
        let ticked = if self.ticks { ends(&['`']) } else { None };
        let quoted = || if self.quotes { ends(&['"', '\u{201d}']) } else { None };
        let single = || match (self.before, behind.chars().next()) {
            (Some('\'' | '\u{2018}'), Some('\'' | '\u{2019}')) => Some(Found::Nothing),
            (Some('\'' | '\u{2018}'), None) if !last => Some(Found::Open),
            _ => None,
        };
        ticked.or_else(quoted).or_else(single)
    }
}
