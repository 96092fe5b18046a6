//! Ids as parts of addresses.
//!
//! Decision: an id that a path would not bring back unharmed (dots alone, slashes, percent signs, controls) stands there as `~` and its
//! bytes in hex. Invariant: `read_segment(&segment(id))` is the id, whatever it holds.

use std::borrow::Cow;

use super::Hash64;

/// The longest id, in bytes.
pub const ID_BYTES: usize = 256;

/// The id itself, or, where it is too long for one, its beginning and its hash.
pub fn fit(id: &str) -> Cow<'_, str> {
    if id.len() <= ID_BYTES {
        return Cow::Borrowed(id);
    }
    let head = id.get(..id.floor_char_boundary(200)).unwrap_or_default();
    Cow::Owned(format!("{head}…{:016x}", Hash64::of(id.as_bytes()).0))
}

/// An id as one segment of a path.
pub fn segment(id: &str) -> String {
    let odd =
        matches!(id, "" | "." | "..") || id.starts_with('~') || id.contains(|c: char| matches!(c, '/' | '\\' | '%') || c.is_control());
    if odd { id.bytes().fold("~".to_owned(), |out, byte| out + &format!("{byte:02x}")) } else { escaped(id) }
}

/// The id that a segment stands for, once its percent signs are resolved.
pub fn read_segment(segment: &str) -> Cow<'_, str> {
    let decoded =
        segment.strip_prefix('~').filter(|hex| hex.len() % 2 == 0 && hex.bytes().all(|byte| byte.is_ascii_hexdigit())).and_then(|hex| {
            let pairs: Option<Vec<u8>> =
                hex.as_bytes().chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect();
            String::from_utf8(pairs?).ok()
        });
    decoded.map_or(Cow::Borrowed(segment), Cow::Owned)
}

/// A text for one segment of a path or one value of a query.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'~' | b'.' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_id_comes_back_and_walks_nowhere(id in prop_oneof![any::<String>(), "[./~%\\\\a2]{0,6}"]) {
            let segment = segment(&id);
            prop_assert!(!segment.contains(['/', '\\', '?', '#']) && !matches!(&*segment, "" | "." | ".."), "{}", segment);
            // As a browser and a router resolve it.
            let mut bytes = Vec::new();
            let mut rest = segment.as_bytes();
            while let [first, after @ ..] = rest {
                let hex = after.get(..2).filter(|_| *first == b'%').and_then(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
                bytes.push(hex.unwrap_or(*first));
                rest = if hex.is_some() { &after[2..] } else { after };
            }
            let resolved = String::from_utf8(bytes).expect("UTF-8");
            prop_assert!(!resolved.contains(['/', '\\', '\0']));
            prop_assert_eq!(read_segment(&resolved), id);
        }
    }

    #[test]
    fn a_long_id_is_cut_and_stays_its_own() {
        let (one, two) = ("é".repeat(200), "é".repeat(201));
        assert!(fit(&one).len() <= ID_BYTES && fit(&one) != fit(&two));
        assert_eq!(fit("short"), "short");
    }

    #[test]
    fn what_only_looks_like_hex_is_itself() {
        for id in ["~", "~zz", "~ff", "~2", "~+2", "plain"] {
            assert_eq!(read_segment(id), if id == "~" { "" } else { id });
        }
    }
}
