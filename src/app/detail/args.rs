//! Arguments as they came: JSON is cut into its tokens, never read into numbers or maps, so digits and repeated keys stay.

use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::value::RawValue;

use super::{Row, Span};

/// Deeper values stand on one line.
const DEPTH: usize = 6;

/// The names and raw values of an object in the order in which they came, repeated ones too; `None` for anything else.
pub fn pairs(text: &str) -> Option<Vec<(String, &RawValue)>> {
    struct Pairs;

    impl<'de> Visitor<'de> for Pairs {
        type Value = Vec<(String, &'de RawValue)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut pairs = Vec::new();
            while let Some(name) = map.next_key::<String>()? {
                pairs.push((name, map.next_value()?));
            }
            Ok(pairs)
        }
    }

    let mut reader = serde_json::Deserializer::from_str(text);
    let pairs = reader.deserialize_map(Pairs).ok()?;
    reader.end().ok().map(|()| pairs)
}

/// The text of a raw value that is a string.
pub fn string(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

/// A value of an object's JSON, read as `T` where it is one.
pub fn value<'a, T: Deserialize<'a> + de::Deserialize<'a>>(pairs: &[(String, &'a RawValue)], names: &[&str]) -> Option<T> {
    names.iter().find_map(|name| pairs.iter().rev().find(|(key, _)| key == name).and_then(|(_, raw)| serde_json::from_str(raw.get()).ok()))
}

/// True if a text is one JSON object or array.
pub fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<&RawValue>(text).is_ok()
}

/// JSON on lines of its own, token by token as it came. `text` is whole JSON.
pub fn outline(text: &str) -> Vec<Row> {
    let mut out = Outline { rows: vec![Row::default()], depth: 0 };
    let mut rest = text.trim();
    while let Some(c) = rest.chars().next() {
        let length = token(rest);
        let (token, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let after = after.trim_start();
        match c {
            '{' | '[' => {
                out.push("", token);
                out.depth += 1;
                if after.starts_with(['}', ']']) {
                    out.depth -= 1;
                    out.push("", after.get(..1).unwrap_or_default());
                    rest = after.get(1..).unwrap_or_default().trim_start();
                    continue;
                }
                out.line();
            }
            '}' | ']' => {
                out.depth = out.depth.saturating_sub(1);
                if out.depth < DEPTH {
                    out.line();
                }
                out.push("", token);
            }
            ',' => {
                out.push("", ",");
                out.line();
            }
            ':' => out.push("", ": "),
            '"' if after.starts_with(':') => out.push("key", token),
            '"' => out.push("str", token),
            _ => out.push("num", token),
        }
        rest = after;
    }
    out.rows
}

struct Outline {
    rows: Vec<Row>,
    depth: usize,
}

impl Outline {
    fn push(&mut self, class: &str, text: &str) {
        if let Some(row) = self.rows.last_mut() {
            match row.spans.last_mut() {
                Some(span) if span.class == class => span.text.push_str(text),
                _ => row.spans.push(Span::new(class, text)),
            }
        }
    }

    fn line(&mut self) {
        if self.depth <= DEPTH {
            self.rows.push(Row::plain("  ".repeat(self.depth)));
        } else {
            self.push("", " ");
        }
    }
}

/// The length of the token that a text begins with, in bytes; of a string with its marks.
fn token(text: &str) -> usize {
    let mut bytes = text.bytes().enumerate();
    match bytes.next() {
        Some((_, b'"')) => {
            let mut escaped = false;
            for (at, byte) in bytes {
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' => escaped = true,
                    b'"' => return at + 1,
                    _ => {}
                }
            }
            text.len()
        }
        Some((_, b'{' | b'}' | b'[' | b']' | b',' | b':')) => 1,
        _ => text.find(|c: char| matches!(c, '{' | '}' | '[' | ']' | ',' | ':' | '"') || c.is_whitespace()).unwrap_or(text.len()).max(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        outline(text).iter().map(Row::text).collect()
    }

    #[test]
    fn json_keeps_its_digits_and_repeated_keys() {
        let text = r#"{"n":123456789012345678901234567890,"e":1e999,"n":-0.10,"s":"a\"b: {","empty":{},"list":[1,2]}"#;
        assert_eq!(
            told(text),
            [
                "{",
                "  \"n\": 123456789012345678901234567890,",
                "  \"e\": 1e999,",
                "  \"n\": -0.10,",
                r#"  "s": "a\"b: {","#,
                "  \"empty\": {},",
                "  \"list\": [",
                "    1,",
                "    2",
                "  ]",
                "}"
            ]
        );
        assert_eq!(pairs(text).map(|pairs| pairs.iter().filter(|(name, _)| name == "n").count()), Some(2));
    }

    #[test]
    fn what_is_deep_stands_on_one_line() {
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(told(&deep).len() < 20, "{}", told(&deep).len());
        assert_eq!(told(&deep).concat().replace(' ', ""), deep);
    }

    #[test]
    fn what_is_no_object_has_no_pairs() {
        for text in ["", "{", "[1]", "\"x\"", "{}{}", "null"] {
            assert!(pairs(text).is_none(), "{text}");
        }
        assert!(!is_json("{} x") && !is_json("12") && is_json("[]"));
    }
}
