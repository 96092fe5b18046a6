//! Values that are given to a name which says that they are secret: `API_KEY=…`, `"password": "…"`, `Authorization: Bearer …`.

use std::ops::Range;

use super::is_word;
use crate::model::Secret;

/// The longest name and value, and the least value.
const NAME: usize = 64;
const LONGEST: usize = 1_024;
const LEAST: usize = 16;
const LEAST_PASSWORD: usize = 6;

/// The secret value behind the `:` or `=` at `at`, or in the table's cell behind the `|`, if the name before it says so.
pub fn value(bytes: &[u8], at: usize, open: bool) -> Option<Range<usize>> {
    // `==`, `::`, `=>` and `:=`: only the last mark of a pair gives a value.
    if matches!(bytes.get(at + 1), Some(b'=' | b':' | b'>' | b'|'))
        || (bytes.get(at) == Some(&b'=') && matches!(bytes.get(at.wrapping_sub(1)), Some(b'!' | b'<' | b'=')))
    {
        return None;
    }
    let name = name(bytes, at)?;
    let password = Secret::named(&name)? == Secret::Password;
    let mut start = at + 1;
    // Markdown may set the name or the value in bold.
    let stars = |start: usize| bytes.get(start..).map_or(0, |rest| rest.iter().take_while(|byte| **byte == b'*').count().min(3));
    start += stars(start);
    start += bytes.get(start..)?.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count().min(40);
    start += stars(start);
    let bold = bytes.get(start - 1) == Some(&b'*');
    for scheme in ["Bearer ", "bearer ", "Basic ", "basic ", "token ", "Token "] {
        if bytes.get(start..)?.starts_with(scheme.as_bytes()) {
            start += scheme.len();
        }
    }
    // A quote, which in JSON within JSON stands behind a backslash.
    start += bytes.get(start..)?.iter().take_while(|byte| **byte == b'\\').count().min(3);
    let quoted = bytes.get(start).copied().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    start += usize::from(quoted.is_some());
    for scheme in ["Bearer ", "Basic "] {
        if bytes.get(start..)?.starts_with(scheme.as_bytes()) {
            start += scheme.len();
        }
    }
    let rest = bytes.get(start..)?;
    let ends = |byte: &u8| match quoted {
        Some(quote) => *byte == quote || *byte == b'\\' || *byte == b'\n' || !byte.is_ascii_graphic(),
        None => {
            !byte.is_ascii_graphic()
                || (bold && *byte == b'*')
                || matches!(byte, b'"' | b'\'' | b'`' | b',' | b';' | b'<' | b'>' | b')' | b'}' | b']' | b'\\' | b'&')
        }
    };
    let length = rest.iter().take(LONGEST).position(ends).unwrap_or(rest.len().min(LONGEST));
    let value = rest.get(..length)?;
    if length == LONGEST {
        // Nobody's secret; its inside is not looked at again, so that no text takes long.
        return Some(start + length..start + length);
    }
    let growing = open && start + length == bytes.len() && length >= 4 && !is_reference(value);
    // Where words may stand a bare word is one, and no password.
    let loose = quoted.is_none() && matches!(bytes.get(at), Some(b':' | b'|'));
    let secret = if password {
        length >= LEAST_PASSWORD && !is_reference(value) && (!loose || mixed(value)) && !is_masked(value)
    } else {
        length >= LEAST && !is_reference(value) && mixed(value) && entropy(value) >= 3.0
    };
    (secret || growing).then_some(start..start + length)
}

/// True if a mark at `at` gives a value to a name which says that it is secret.
pub fn is_given(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), Some(b':' | b'=' | b'|')) && name(bytes, at).is_some_and(|name| Secret::named(&name).is_some())
}

/// The name before a mark, in small letters: a word, with dots and dashes, maybe in quotes.
fn name(bytes: &[u8], at: usize) -> Option<String> {
    let before = bytes.get(at.saturating_sub(NAME + 4)..at)?;
    let mut end = before.len();
    while end > 0 && matches!(before.get(end - 1), Some(b' ' | b'"' | b'\'' | b'`' | b'\\' | b']' | b'*' | b':' | b'?')) {
        end -= 1;
    }
    let head = before.get(..end)?;
    let length = head.iter().rev().take_while(|byte| is_word(**byte) || **byte == b'-').count();
    let (words, name) = head.split_at_checked(end - length)?;
    // A table's cell gives its value to the one before it only where that is a name and nothing else.
    let alone = || {
        words.iter().rev().find(|byte| !matches!(byte, b' ' | b'"' | b'\'' | b'`' | b'*')).is_none_or(|byte| matches!(byte, b'|' | b'\n'))
    };
    (length > 2 && (bytes.get(at) != Some(&b'|') || alone())).then(|| String::from_utf8_lossy(name).to_ascii_lowercase())
}

/// True for what names a secret and is none: a variable, a call, a placeholder, a path, an address, a type.
fn is_reference(value: &[u8]) -> bool {
    let text = std::str::from_utf8(value).unwrap_or_default();
    let first = value.first().copied().unwrap_or_default();
    matches!(first, b'$' | b'<' | b'{' | b'%' | b'[' | b'(' | b'&' | b'@' | b'*' | b'/' | b'.' | b'~' | b'|')
        || text.contains(['(', '{', '<', '['])
        || text.contains("://")
        || text.contains("...")
        || text.contains("::")
        || [
            "env.",
            "os.",
            "process.",
            "self.",
            "config.",
            "settings.",
            "secrets.",
            "vars.",
            "your",
            "YOUR",
            "example",
            "process",
            "&mut",
            "None",
            "null",
            "true",
            "false",
        ]
        .iter()
        .any(|word| text.starts_with(word))
}

/// True for a row of one character, as it stands for a hidden value.
fn is_masked(value: &[u8]) -> bool {
    value.iter().all(|byte| Some(byte) == value.first())
}

/// True for a value of letters and digits both, as generated ones are; a word, a path or a number alone is none.
fn mixed(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    digits > 0 && letters > 0 && (digits > 1 || value.iter().any(u8::is_ascii_punctuation) || value.iter().any(u8::is_ascii_uppercase))
}

/// Shannon's entropy, in bits a character.
pub fn entropy(value: &[u8]) -> f32 {
    let mut counts = [0_u16; 256];
    value.iter().take(512).for_each(|byte| counts[usize::from(*byte)] += 1);
    let all = value.len().min(512) as f32;
    counts.iter().filter(|count| **count > 0).map(|count| f32::from(*count) / all).map(|share| -share * share.log2()).sum()
}
