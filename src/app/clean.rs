//! Text of a transcript, made fit to be seen: secrets are hidden, and what could steer a terminal or turn the reading order is taken out
//! or shown.
//!
//! Invariant: every text of a transcript comes by here on its way to a page.

use std::borrow::Cow;

use super::mask::{HIDDEN, hide};
use super::secrets;

/// Stands for a mark that turns the reading order.
pub const TURN: char = '⇆';

/// How many signs stand for a secret, however long it is.
const SIGNS: usize = 8;

/// A text as it is shown: without its secrets unless they are asked for, and tidy. Follows what is asked for.
pub fn clean(text: &str) -> Cow<'_, str> {
    clean_open(text, false)
}

/// The same of a text to which more may come.
pub fn clean_open(text: &str, open: bool) -> Cow<'_, str> {
    match veiled(text, open) {
        Cow::Borrowed(text) => tidy(text),
        Cow::Owned(text) => Cow::Owned(tidy(&text).into_owned()),
    }
}

/// A text of the same length whose secrets are hidden, unless they are asked for; still to be made tidy.
pub fn veiled(text: &str, open: bool) -> Cow<'_, str> {
    if secrets::shown() { Cow::Borrowed(text) } else { hide(text, open) }
}

/// Takes out terminal sequences and invisible marks, and shows control characters and marks that turn the text's direction.
///
/// Joiners stay, since scripts and emoji need them. Line ends become `\n`.
pub fn tidy(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\u{1b}' => skip_sequence(&mut rest),
            '\u{9b}' => skip_csi(&mut rest),
            '\r' => {
                if rest.peek() != Some(&'\n') {
                    out.push('\n');
                }
            }
            '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}' | '\u{e0000}'..='\u{e007f}' => {}
            c if is_turn(c) => out.push(TURN),
            HIDDEN => {
                let mut signs = 1;
                while rest.next_if_eq(&HIDDEN).is_some() {
                    signs += 1;
                }
                out.extend(std::iter::repeat_n('•', signs.min(SIGNS)));
            }
            '\u{7f}' => out.push('\u{2421}'),
            c if is_plain(c) => out.push(c),
            c if c < ' ' => out.extend(char::from_u32(0x2400 + u32::from(c))),
            _ => out.push('\u{fffd}'),
        }
    }
    Cow::Owned(out)
}

/// True for a mark that turns the reading order.
pub fn is_turn(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
}

fn is_plain(c: char) -> bool {
    match c {
        '\n' | '\t' | '\u{200c}' | '\u{200d}' => true,
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' => false,
        '\u{61c}' | '\u{ad}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}' => false,
        c => !c.is_control(),
    }
}

type Rest<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn skip_sequence(rest: &mut Rest<'_>) {
    match rest.next() {
        Some('[') => skip_csi(rest),
        // OSC, DCS, SOS, PM, APC: to BEL, or to ESC and what follows it.
        Some(']' | 'P' | 'X' | '^' | '_') => {
            while let Some(c) = rest.next() {
                if c == '\u{7}' || c == '\u{9c}' || (c == '\u{1b}' && rest.next().is_some()) {
                    break;
                }
            }
        }
        Some('(' | ')' | '#' | '%') => {
            rest.next();
        }
        _ => {}
    }
}

fn skip_csi(rest: &mut Rest<'_>) {
    while let Some(c) = rest.peek().copied() {
        if !(' '..='~').contains(&c) {
            break;
        }
        rest.next();
        if ('@'..='~').contains(&c) {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_borrowed() {
        for text in ["", "a\tb\nc", "ü 👩\u{200d}💻 می\u{200c}خواهم"] {
            assert!(matches!(clean(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn what_steers_a_reader_is_taken_out_or_shown() {
        let cases = [
            ("\u{1b}[1;31mred\u{1b}[0m", "red"),
            ("\u{1b}]8;;http://evil.test\u{1b}\\link\u{1b}]8;;\u{7}", "link"),
            ("\u{1b}]52;c;cm0gLXJm\u{7}x", "x"),
            ("a\r\nb\rc", "a\nb\nc"),
            ("gpj.\u{202e}exe", "gpj.⇆exe"),
            ("pay\u{200b}pal\u{feff}", "paypal"),
            ("\0\u{7f}\u{85}", "\u{2400}\u{2421}\u{fffd}"),
            ("key ghp_0123456789abcdefghijABCDEFGHIJ012345 end", "key ghp_•••••••• end"),
            ("\u{1b}", ""),
            ("\u{1b}[", ""),
            ("x\u{e0041}\u{e0042}", "x"),
        ];
        for (text, seen) in cases {
            assert_eq!(clean(text), seen, "{text:?}");
        }
    }
}
