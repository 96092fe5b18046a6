//! Reading JSON of which nothing is certain.
//!
//! Decision: an object is read one level deep into raw values, and each value is looked at only when a rule asks. So no
//! type, depth, number or repeated key in a record can make it unreadable, and arguments stay as they came.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::model::Hash64;

/// The longest id.
const ID_BYTES: usize = 256;

/// One level of an object. Of a repeated key the last value counts; `null` counts as absent.
#[derive(Clone)]
pub struct Object<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Object<'a> {
    /// Reads `text` if it is one whole object and nothing more.
    pub fn parse(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// Reads a raw value if it is an object.
    pub fn of(raw: &'a RawValue) -> Option<Self> {
        Self::parse(raw.get())
    }

    pub fn raw(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, raw)| *raw).filter(|raw| raw.get() != "null")
    }

    /// True if there is such a name, be its value `null`.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(key, _)| key == name)
    }

    /// The value of `name` if it is a string.
    pub fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        string(self.raw(name)?)
    }

    /// The value of `name` if it is a string with a character in it.
    pub fn word(&self, name: &str) -> Option<Cow<'a, str>> {
        self.text(name).filter(|text| !text.is_empty())
    }

    /// The value of `name` if it is a string with a character in it, as an id or a kind: of a longer one than 256 bytes its beginning
    /// and its hash.
    pub fn id(&self, name: &str) -> Option<Cow<'a, str>> {
        let id = self.word(name)?;
        if id.len() <= ID_BYTES {
            return Some(id);
        }
        let head = id.get(..id.floor_char_boundary(ID_BYTES - 24)).unwrap_or_default();
        Some(format!("{head}…{:016x}", Hash64::of(id.as_bytes()).0).into())
    }

    /// True if the value of `name` is `true`.
    pub fn flag(&self, name: &str) -> bool {
        self.raw(name).is_some_and(|raw| raw.get() == "true")
    }

    /// The value of `name` if it is a whole number from 0 up.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.raw(name)?.get().parse().ok()
    }

    pub fn object(&self, name: &str) -> Option<Self> {
        Self::of(self.raw(name)?)
    }

    /// The elements of the value of `name`; none if it is no array.
    pub fn array(&self, name: &str) -> Vec<&'a RawValue> {
        self.raw(name).and_then(array).unwrap_or_default()
    }

    /// The names, in order.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| name.to_string()).collect()
    }

    /// All names with their values, as they stand.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(name, raw)| (&**name, *raw))
    }

    /// The first value under a name that `may` be shown which is a string with a character in it.
    pub fn first_word(&self, may: impl Fn(&str) -> bool) -> Option<Cow<'a, str>> {
        self.0.iter().filter(|(name, _)| may(name)).filter_map(|(_, raw)| string(raw)).find(|text| !text.trim().is_empty())
    }
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Pairs;

        #[derive(serde::Deserialize)]
        struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

        impl<'de> Visitor<'de> for Pairs {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::with_capacity(16);
                while let Some(Name(name)) = map.next_key()? {
                    pairs.push((name, map.next_value()?));
                }
                Ok(Object(pairs))
            }
        }

        from.deserialize_map(Pairs)
    }
}

/// The elements of a raw value, if it is an array.
pub fn array(raw: &RawValue) -> Option<Vec<&RawValue>> {
    serde_json::from_str(raw.get()).ok()
}

/// The text of a raw value, if it is a string. A lone surrogate becomes U+FFFD.
pub fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    #[derive(serde::Deserialize)]
    struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

    let json = raw.get();
    if !json.starts_with('"') {
        return None;
    }
    if let Ok(Text(text)) = serde_json::from_str(json) {
        return Some(text);
    }
    let Loose(bytes) = serde_json::from_str(json).ok()?;
    Some(Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()))
}

/// True if `bytes` hold one JSON object or array and nothing more.
pub fn is_whole(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes)
        .is_ok_and(|text| text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<&RawValue>(text).is_ok())
}

/// A string's bytes, in which a lone surrogate may stand.
struct Loose(Vec<u8>);

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Bytes;

        impl Visitor<'_> for Bytes {
            type Value = Loose;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Loose, E> {
                Ok(Loose(bytes.to_vec()))
            }
        }

        from.deserialize_bytes(Bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_gives_what_it_holds_and_nothing_fails() {
        let object = Object::parse(r#"{"a":"x","n":12,"f":true,"z":null,"a":"y","big":123456789012345678901234567890,"e":1e999}"#)
            .expect("an object");
        assert_eq!(object.text("a").as_deref(), Some("y"), "of a repeated key the last counts");
        assert_eq!((object.number("n"), object.number("big"), object.number("e")), (Some(12), None, None));
        assert!(object.flag("f") && !object.flag("a") && object.raw("z").is_none());
        assert!(Object::parse("[1]").is_none() && Object::parse("{}{}").is_none());
    }

    #[test]
    fn a_lone_surrogate_is_read() {
        let object = Object::parse(r#"{"a":"x\ud83dy"}"#).expect("an object");
        let text = object.text("a").expect("a text");
        assert!(text.starts_with('x') && text.ends_with('y') && text.contains('\u{fffd}'), "{text}");
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = format!("{{\"a\":{}1{},\"b\":\"x\"}}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        assert_eq!(Object::parse(&deep).expect("an object").text("b").as_deref(), Some("x"));
        assert!(is_whole(deep.as_bytes()));
    }
}
