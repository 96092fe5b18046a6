//! A line that no rule knows, or that cannot be read: kept whole.

use std::fmt::Write;

use crate::model::{Body, EntryState, Hash64, Notice, Op, Who};

use super::Record;

/// The entry that keeps `record` whole in the transcript of `who`. `why` is one sentence for a person.
pub fn entry(who: Who, record: Record<'_>, why: String) -> Op {
    let hash = hash(record);
    let name = match &who {
        Who::Main => "main",
        Who::Named(name) => &name.id,
    };
    Op::Entry {
        keys: vec![format!("opaque:{name}:{}:{:016x}", record.offset, hash.0)],
        who,
        body: Body::Notice(Notice { notice: "opaque".into(), text: why.into(), detail: Some(shown(record.bytes).into()) }),
        state: EntryState::Done,
        images: Vec::new(),
    }
}

/// The hash of the whole record, even where only its head is held.
pub fn hash(record: Record<'_>) -> Hash64 {
    record.cut.map_or_else(|| Hash64::of(record.bytes), |cut| cut.hash)
}

/// The bytes as text; what is no UTF-8 is written as `\xNN`.
fn shown(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn bytes_that_are_no_text_are_kept_readable() {
        assert_eq!(super::shown(b"a\xff\xfeb\xc3\xa4"), "a\\xff\\xfeb\u{e4}");
    }
}
