//! Colours of a terminal's output as classes. Pure.
//!
//! Decision: only what changes a character's look is read; all other sequences are taken out, as everywhere.

use crate::app::clean;

/// A stretch of text of one look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Classes, empty for plain text.
    pub class: String,
    pub text: String,
}

#[derive(Clone, Copy, Default, PartialEq)]
struct Look {
    /// 0–7, and 8–15 for the bright ones.
    colour: Option<u8>,
    bold: bool,
    faint: bool,
    underlined: bool,
}

/// The text in stretches, without its sequences.
pub fn stretches(text: &str) -> Vec<Stretch> {
    let (mut out, mut look, mut rest) = (Vec::<Stretch>::new(), Look::default(), text);
    let mut push = |text: &str, look: Look| {
        let text = clean(text).into_owned();
        let class = look.class();
        match out.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if last.class == class => last.text.push_str(&text),
            _ => out.push(Stretch { class, text }),
        }
    };
    while let Some(at) = rest.find("\u{1b}[") {
        let (before, sequence) = rest.split_at(at);
        let body = sequence.get(2..).unwrap_or_default();
        let end = body.find(|c: char| !matches!(c, '0'..='9' | ';' | ':'));
        let (codes, after) = body.split_at(end.unwrap_or(body.len()));
        if let Some(after) = after.strip_prefix('m') {
            push(before, look);
            look.set(codes);
            rest = after;
        } else {
            // Another sequence: it stays with its text, and is taken out there. One character more, so that the search goes on.
            let length = at + 2;
            let (head, tail) = rest.split_at(length);
            let last = after.chars().next().map_or(0, char::len_utf8);
            let (sequence, tail) = tail.split_at((codes.len() + last).min(tail.len()));
            push(&format!("{head}{sequence}"), look);
            rest = tail;
        }
    }
    push(rest, look);
    out
}

impl Look {
    fn set(&mut self, codes: &str) {
        let mut codes = codes.split([';', ':']).map(|code| if code.is_empty() { Some(0) } else { code.parse::<u8>().ok() });
        while let Some(code) = codes.next() {
            match code {
                Some(0) => *self = Self::default(),
                Some(1) => self.bold = true,
                Some(2) => self.faint = true,
                Some(4) => self.underlined = true,
                Some(22) => (self.bold, self.faint) = (false, false),
                Some(24) => self.underlined = false,
                Some(code @ 30..=37) => self.colour = Some(code - 30),
                Some(code @ 90..=97) => self.colour = Some(code - 82),
                Some(39) => self.colour = None,
                // 256 or true colours: the sixteen of the palette are kept, others are plain.
                Some(38) => match (codes.next().flatten(), codes.next().flatten()) {
                    (Some(5), colour) => self.colour = colour.filter(|colour| *colour < 16),
                    _ => (self.colour, _) = (None, codes.nth(1)),
                },
                Some(48) => match (codes.next().flatten(), codes.next()) {
                    (Some(5), _) => {}
                    _ => drop(codes.nth(1)),
                },
                _ => {}
            }
        }
    }

    fn class(self) -> String {
        let colour = self.colour.map(|colour| format!("c{colour}"));
        let rest = [(self.bold, "strong"), (self.faint, "faint"), (self.underlined, "under")];
        let rest = rest.into_iter().filter(|(on, _)| *on).map(|(_, class)| class.to_owned());
        colour.into_iter().chain(rest).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        stretches(text)
            .iter()
            .map(|part| if part.class.is_empty() { part.text.clone() } else { format!("<{}|{}>", part.class, part.text) })
            .collect()
    }

    #[test]
    fn colours_are_classes_and_nothing_else_is_left() {
        let cases = [
            ("plain", "plain"),
            ("\u{1b}[31mred\u{1b}[0m on", "<c1|red> on"),
            ("\u{1b}[1;92mok\u{1b}[39m bold\u{1b}[m", "<c10 strong|ok><strong| bold>"),
            ("\u{1b}[38;5;9mx\u{1b}[38;5;200my\u{1b}[38;2;1;2;3mz", "<c9|x>yz"),
            ("\u{1b}[48;5;4mx\u{1b}[48;2;1;31;4my", "xy"),
            ("a\u{1b}[2Kb\u{1b}[1Ac", "abc"),
            ("\u{1b}[31", ""),
            ("x\u{1b}[31mäö", "x<c1|äö>"),
            ("\u{1b}[999mq\u{1b}]8;;http://evil.test\u{7}w", "qw"),
            ("\u{1b}[4munder\u{1b}[24m\u{1b}[2mfaint\u{1b}[22m", "<under|under><faint|faint>"),
        ];
        for (text, seen) in cases {
            assert_eq!(told(text), seen, "{text:?}");
        }
    }
}
