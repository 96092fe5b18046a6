//! Output of a terminal, as it would stand on one: colours are looks, a carriage return goes back to the line's beginning and what
//! follows overwrites it, and so do the few sequences that programs use to draw their progress.
//!
//! Invariants: no sequence survives; the screen has as many lines as it needs and no more cells than there were characters.

use super::{Row, Span};

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colour {
    /// 0–7, and 8–15 for the bright ones: the theme's.
    Named(u8),
    Rgb(u8, u8, u8),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Look {
    fore: Option<Colour>,
    back: Option<u8>,
    bold: bool,
    faint: bool,
    italic: bool,
    under: bool,
    inverse: bool,
}

struct Screen {
    lines: Vec<Vec<(char, Look)>>,
    row: usize,
    col: usize,
    look: Look,
    /// How many blanks may still be put before text by moving right.
    spare: usize,
}

/// All blanks that moving right can make.
const SPARE: usize = 1 << 16;

/// The same as a text without colours.
pub fn plain(text: &str) -> String {
    let line = |row: &Row| row.spans.iter().map(|span| span.text.as_str()).collect::<String>();
    lines(text).iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The lines of a terminal's output.
pub fn lines(text: &str) -> Vec<Row> {
    let mut screen = Screen { lines: vec![Vec::new()], row: 0, col: 0, look: Look::default(), spare: SPARE };
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '\n' => screen.down(),
            '\r' => screen.col = 0,
            '\u{8}' => screen.col = screen.col.saturating_sub(1),
            '\u{1b}' if rest.starts_with('[') => rest = screen.sequence(rest.get(1..).unwrap_or_default()),
            '\u{9b}' => rest = screen.sequence(rest),
            '\u{1b}' => rest = other(rest),
            '\u{7}' => {}
            c => screen.put(c),
        }
    }
    if screen.lines.last().is_some_and(Vec::is_empty) && screen.lines.len() > 1 {
        screen.lines.pop();
    }
    screen.lines.iter().map(|line| Row { spans: spans(line), ..Row::default() }).collect()
}

impl Screen {
    fn down(&mut self) {
        self.row += 1;
        self.col = 0;
        if self.row >= self.lines.len() {
            self.lines.push(Vec::new());
        }
    }

    fn put(&mut self, c: char) {
        let Some(line) = self.lines.get_mut(self.row) else { return };
        let blanks = self.col.saturating_sub(line.len());
        if blanks > self.spare {
            self.col = line.len();
        } else if blanks > 0 {
            self.spare -= blanks;
            line.resize(self.col, (' ', Look::default()));
        }
        match line.get_mut(self.col) {
            Some(cell) => *cell = (c, self.look),
            None => line.push((c, self.look)),
        }
        self.col += 1;
    }

    /// Acts on what stands behind `ESC [`; gives what follows the sequence.
    fn sequence<'a>(&mut self, text: &'a str) -> &'a str {
        let end = text.find(|c: char| !(' '..='?').contains(&c)).unwrap_or(text.len());
        let (codes, after) = text.split_at(end);
        let Some(last) = after.chars().next() else { return "" };
        let after = after.get(last.len_utf8()..).unwrap_or_default();
        let number = codes.split(';').next().and_then(|code| code.parse::<usize>().ok());
        let steps = number.unwrap_or(1).max(1);
        match last {
            'm' => self.look.set(codes),
            'A' => self.row = self.row.saturating_sub(steps),
            'B' => self.row = (self.row + steps).min(self.lines.len().saturating_sub(1)),
            'C' => self.col = self.col.saturating_add(steps),
            'D' => self.col = self.col.saturating_sub(steps),
            'G' => self.col = steps - 1,
            'K' => self.erase(number.unwrap_or(0)),
            'J' if matches!(number, Some(2 | 3)) => {
                self.lines = vec![Vec::new()];
                (self.row, self.col) = (0, 0);
            }
            'J' => {
                self.erase(0);
                self.lines.truncate(self.row + 1);
            }
            _ => {}
        }
        after
    }

    fn erase(&mut self, what: usize) {
        let Some(line) = self.lines.get_mut(self.row) else { return };
        match what {
            0 => line.truncate(self.col),
            1 => line.iter_mut().take(self.col + 1).for_each(|cell| *cell = (' ', Look::default())),
            _ => line.clear(),
        }
    }
}

/// What follows a sequence that begins behind an ESC and is none of ours: a title, a link, the clipboard.
fn other(text: &str) -> &str {
    match text.chars().next() {
        Some(']' | 'P' | 'X' | '^' | '_') => {
            let end = text.char_indices().find(|(_, c)| matches!(c, '\u{7}' | '\u{9c}' | '\u{1b}'));
            let Some((at, c)) = end else { return "" };
            let after = text.get(at + c.len_utf8()..).unwrap_or_default();
            if c == '\u{1b}' { after.strip_prefix('\\').unwrap_or(after) } else { after }
        }
        Some(c @ ('(' | ')' | '#' | '%')) => {
            let after = text.get(c.len_utf8()..).unwrap_or_default();
            after.get(after.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default()
        }
        Some(c) => text.get(c.len_utf8()..).unwrap_or_default(),
        None => "",
    }
}

fn spans(line: &[(char, Look)]) -> Vec<Span> {
    let mut out: Vec<(Look, Span)> = Vec::new();
    for (c, look) in line {
        match out.last_mut() {
            Some((last, span)) if last == look => span.text.push(*c),
            _ => out.push((*look, Span { class: look.class(), colour: look.colour(), text: c.to_string() })),
        }
    }
    out.into_iter().map(|(_, span)| span).collect()
}

impl Look {
    fn set(&mut self, codes: &str) {
        let mut codes = codes.split([';', ':']).map(|code| if code.is_empty() { Some(0) } else { code.parse::<u8>().ok() });
        while let Some(code) = codes.next() {
            match code {
                Some(0) => *self = Self::default(),
                Some(1) => self.bold = true,
                Some(2) => self.faint = true,
                Some(3) => self.italic = true,
                Some(4) => self.under = true,
                Some(7) => self.inverse = true,
                Some(22) => (self.bold, self.faint) = (false, false),
                Some(23) => self.italic = false,
                Some(24) => self.under = false,
                Some(27) => self.inverse = false,
                Some(code @ 30..=37) => self.fore = Some(Colour::Named(code - 30)),
                Some(code @ 90..=97) => self.fore = Some(Colour::Named(code - 82)),
                Some(code @ 40..=47) => self.back = Some(code - 40),
                Some(code @ 100..=107) => self.back = Some(code - 92),
                Some(39) => self.fore = None,
                Some(49) => self.back = None,
                Some(38) => self.fore = colour(&mut codes),
                Some(48) => {
                    self.back = match colour(&mut codes) {
                        Some(Colour::Named(colour)) => Some(colour),
                        Some(Colour::Rgb(r, g, b)) => Some(nearest(r, g, b)),
                        None => None,
                    }
                }
                _ => {}
            }
        }
    }

    fn class(self) -> String {
        let mut out = Vec::new();
        if let Some(Colour::Named(colour)) = self.fore {
            out.push(format!("c{colour}"));
        }
        if let Some(colour) = self.back {
            out.push(format!("b{}", colour % 8));
        }
        let marks =
            [(self.bold, "strong"), (self.faint, "faint"), (self.italic, "slant"), (self.under, "under"), (self.inverse, "inverse")];
        out.extend(marks.into_iter().filter(|(on, _)| *on).map(|(_, class)| class.to_owned()));
        out.join(" ")
    }

    fn colour(self) -> String {
        match self.fore {
            Some(Colour::Rgb(r, g, b)) => format!("#{r:02x}{g:02x}{b:02x}"),
            _ => String::new(),
        }
    }
}

/// The colour behind a 38 or 48: of the 256, or a true one.
fn colour(codes: &mut impl Iterator<Item = Option<u8>>) -> Option<Colour> {
    match codes.next().flatten()? {
        5 => Some(match codes.next().flatten()? {
            n @ 0..16 => Colour::Named(n),
            n @ 16..232 => {
                let step = |n: u8| if n == 0 { 0 } else { 55 + n * 40 };
                let n = n - 16;
                Colour::Rgb(step(n / 36), step(n / 6 % 6), step(n % 6))
            }
            n => {
                let grey = 8 + (n - 232) * 10;
                Colour::Rgb(grey, grey, grey)
            }
        }),
        2 => {
            let (r, g, b) = (codes.next().flatten()?, codes.next().flatten()?, codes.next().flatten()?);
            Some(Colour::Rgb(r, g, b))
        }
        _ => None,
    }
}

/// The one of the eight colours that is most like it: backgrounds have no more.
fn nearest(r: u8, g: u8, b: u8) -> u8 {
    u8::from(r > 127) | u8::from(g > 127) << 1 | u8::from(b > 127) << 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        let span = |span: &Span| match (span.class.as_str(), span.colour.as_str()) {
            ("", "") => span.text.clone(),
            (class, colour) => format!("<{class}{colour}|{}>", span.text),
        };
        lines(text).iter().map(|row| row.spans.iter().map(span).collect::<String>()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn colours_are_looks_and_no_sequence_is_left() {
        for (text, seen) in [
            ("plain", "plain"),
            ("\u{1b}[31mred\u{1b}[0m on", "<c1|red> on"),
            ("\u{1b}[1;92mok\u{1b}[39m bold\u{1b}[m", "<c10 strong|ok><strong| bold>"),
            ("\u{1b}[38;5;9mx\u{1b}[38;5;208my\u{1b}[38;2;1;2;3mz\u{1b}[38;5;244mw", "<c9|x><#ff8700|y><#010203|z><#808080|w>"),
            ("\u{1b}[48;5;4mx\u{1b}[48;2;1;231;4my\u{1b}[7mz", "<b4|x><b2|y><b2 inverse|z>"),
            ("\u{1b}[31", ""),
            ("x\u{1b}[31mäö", "x<c1|äö>"),
            ("\u{1b}[999mq\u{1b}]8;;http://evil.test\u{7}w\u{1b}]52;c;cm0=\u{1b}\\!", "qw!"),
        ] {
            assert_eq!(told(text), seen, "{text:?}");
        }
    }

    #[test]
    fn what_a_terminal_overwrites_is_overwritten() {
        for (text, seen) in [
            ("10 %\r50 %\r100 %\ndone", "100 %\ndone"),
            ("long line\rshort", "shortline"),
            ("long line\r\u{1b}[Kshort", "short"),
            ("a\r\nb\r\n", "a\nb"),
            ("one\ntwo\u{1b}[1A\r\u{1b}[2KONE\u{1b}[1B\rTWO", "ONE\nTWO"),
            ("abc\u{8}X", "abX"),
            ("a\u{1b}[3Gb", "a b"),
            ("a\nb\u{1b}[2Jc", "c"),
            ("\n\nx", "\n\nx"),
        ] {
            assert_eq!(told(text), seen, "{text:?}");
        }
    }

    #[test]
    fn a_flood_of_sequences_needs_no_more_room_than_its_text() {
        let flood = "\u{1b}[99999999C.\r".repeat(20_000) + &"\u{1b}[9999A\u{1b}[38;5;300m\u{1b}[;;;m".repeat(20_000);
        let rows = lines(&flood);
        assert!(rows.len() == 1 && rows[0].text().len() <= SPARE + 1);
        let many = lines(&"\u{1b}[240C.\n".repeat(20_000));
        assert!(many.iter().map(|row| row.text().len()).sum::<usize>() <= SPARE + 20_000);
    }
}
