//! Secrets that are known by their shape alone: private keys, passwords in addresses, tokens of several parts, and known secrets in base64.

use std::ops::Range;

use super::assigned::entropy;
use super::{run, table};

/// The longest private key, in bytes.
const LONGEST_KEY: usize = 20_000;

/// The inside of a private key that begins at `at`; of one without an end all that is there.
pub fn private_key(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?.strip_prefix("-----BEGIN ")?;
    let line = rest.get(..rest.floor_char_boundary(60))?;
    let head = line.get(..line.find("-----")?)?;
    if !head.contains("PRIVATE KEY") {
        return None;
    }
    let start = at + "-----BEGIN ".len() + head.len() + "-----".len();
    let inside = text.get(start..)?;
    let inside = inside.get(..inside.floor_char_boundary(LONGEST_KEY))?;
    let length = inside.find("-----END ").unwrap_or(inside.len());
    let lines = inside.get(..length)?;
    // Only what a key is made of: prose that follows a beginning stays.
    let key = lines.bytes().take_while(|byte| byte.is_ascii() && (*byte > b' ' || matches!(byte, b'\n' | b'\r' | b' ' | b'\t'))).count();
    (key > 0).then_some(start..start + key)
}

/// True if a private key begins in a text and does not end in it.
pub fn unfinished(text: &str) -> bool {
    text.rfind("PRIVATE KEY-----").is_some_and(|at| {
        let line = text.get(..at).unwrap_or_default();
        line.rfind("-----BEGIN ") > line.rfind("-----END ")
    })
}

/// The password of an address whose `://` is at `at`.
pub fn password(bytes: &[u8], at: usize, open: bool) -> Option<Range<usize>> {
    if at == 0 || !bytes.get(at - 1)?.is_ascii_alphanumeric() {
        return None;
    }
    let start = at + 3;
    let host = run(bytes, start, |byte| byte.is_ascii_graphic() && !matches!(byte, b'/' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\'));
    let authority = bytes.get(start..start + host)?;
    let colon = authority.iter().position(|byte| *byte == b':')?;
    // While more may come, what stands behind the colon may be a password, but for a port.
    let growing = open && start + host == bytes.len() && !authority.get(colon + 1..)?.iter().all(u8::is_ascii_digit);
    let sign = authority.iter().rposition(|byte| *byte == b'@').or(growing.then_some(host)).filter(|sign| colon < *sign)?;
    let password = authority.get(colon + 1..sign)?;
    let reference = password.first().is_none_or(|byte| matches!(byte, b'$' | b'{' | b'<' | b'%' | b'['));
    (password.len() > 2 && !reference).then_some(start + colon + 1..start + sign)
}

/// A token of several parts that begins at `at`: a JSON web token, a bot's.
pub fn token(bytes: &[u8], at: usize, open: bool) -> Option<Range<usize>> {
    let part = |from: usize| run(bytes, from, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    let first = part(at);
    if first < 7 {
        return None;
    }
    let at_end = |end: usize| open && (end == bytes.len() || bytes.get(end..) == Some(b"."));
    let head = bytes.get(at..at + first)?;
    let next = bytes.get(at + first).copied();
    if head.starts_with(b"eyJ") {
        let second = if next == Some(b'.') { part(at + first + 1) } else { 0 };
        let end = at + first + if second > 0 { 1 + second } else { 0 };
        let third = if bytes.get(end) == Some(&b'.') { part(end + 1) } else { 0 };
        let end = end + if third > 0 { 1 + third } else { 0 };
        return (second > 8 || at_end(end)).then_some(at + 3..end);
    }
    let digits = head.iter().all(u8::is_ascii_digit);
    if digits && (8..=10).contains(&first) && next == Some(b':') {
        let second = part(at + first + 1);
        let end = at + first + 1 + second;
        return (second == 35 || (second > 7 && at_end(end))).then_some(at + first + 1..end);
    }
    if next == Some(b'.') && (first == 14 || (23..=30).contains(&first)) {
        let second = part(at + first + 1);
        let end = at + first + 1 + second;
        let third = if bytes.get(end) == Some(&b'.') { part(end + 1) } else { 0 };
        let terraform = bytes.get(at + first + 1..end) == Some(b"atlasv1") && third > 40;
        let discord = second == 6 && (27..=40).contains(&third) && matches!(head.first(), Some(b'M' | b'N' | b'O'));
        return (terraform || discord).then_some(at..end + 1 + third);
    }
    let airtable =
        next == Some(b'.') && first == 17 && head.starts_with(b"pat") && run(bytes, at + first + 1, |byte| byte.is_ascii_hexdigit()) == 64;
    airtable.then_some(at + 3..at + first + 65)
}

/// A run of base64 in which a known secret is hidden.
pub fn encoded(bytes: &[u8], at: usize, open: bool) -> Option<Range<usize>> {
    let length = run(bytes, at, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_'));
    let growing = open && at + length == bytes.len();
    if !(if growing { 16 } else { 32 }..4_096).contains(&length) || entropy(bytes.get(at..at + length)?) < 3.0 {
        return None;
    }
    let text = String::from_utf8(decoded(bytes.get(at..at + length)?)).ok()?;
    let starts = text.char_indices().filter(|(at, _)| *at == 0 || !text.as_bytes().get(at - 1).is_some_and(u8::is_ascii_alphanumeric));
    let mut starts = starts.map(|(at, _)| at);
    let found = text.is_ascii() && (starts.any(|at| table::known(&text, at, growing).is_some()) || text.contains("PRIVATE KEY-----"));
    let end = at + length + run(bytes, at + length, |byte| byte == b'=');
    found.then_some(at..end)
}

/// The bytes that base64 stands for; a rest of fewer than eight bits is dropped.
fn decoded(text: &[u8]) -> Vec<u8> {
    let (mut out, mut bits, mut count) = (Vec::with_capacity(text.len() * 3 / 4), 0_u32, 0_u32);
    for byte in text {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            _ => 63,
        };
        bits = bits << 6 | u32::from(six);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count & 255) as u8);
        }
    }
    out
}
