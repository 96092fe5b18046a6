//! Frames as bytes of an event stream.
//!
//! Invariant: data is JSON on one line and ids are cursors, so nothing that a transcript says can end a frame or begin another.

use bytes::{BufMut, Bytes, BytesMut};

use crate::model::{AgentNo, Change, Cursor, Frame};

/// A change, encoded once for all its readers: everything of its event but the id.
#[derive(Debug)]
pub struct Encoded {
    /// The number that it reached in its ring: `rev` of a session, `grev` of the list.
    pub at: u64,
    /// The transcript that it belongs to, for frames of entries.
    pub agent: Option<AgentNo>,
    bytes: Bytes,
}

impl Encoded {
    /// Encodes a change that reached `at`.
    pub fn new(at: u64, change: &Change) -> Self {
        let mut bytes = BytesMut::with_capacity(256);
        match change {
            Change::Entry(entry) if entry.is_long_open() => {
                let mut entry = entry.clone();
                entry.cut_open();
                event(&mut bytes, change.event(), &Change::Entry(entry));
            }
            _ => event(&mut bytes, change.event(), change),
        }
        Self { at, agent: change.transcript(), bytes: bytes.freeze() }
    }

    /// Its length in bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Writes the whole event, with `cursor` as its id.
    pub fn write(&self, out: &mut BytesMut, cursor: Cursor) {
        out.put_slice(&self.bytes);
        end(out, Some(cursor));
    }
}

/// Writes a frame that is no change, with an id where it has one.
pub fn frame(out: &mut BytesMut, frame: &Frame, cursor: Option<Cursor>) {
    let name = match frame {
        Frame::Hello { .. } => "hello",
        Frame::Change { change } => change.event(),
        Frame::Seen { .. } => "seen",
        Frame::Tail => "tail",
        Frame::Uptodate { .. } => "uptodate",
        Frame::Gap { .. } => "gap",
        Frame::Bye => "bye",
    };
    event(out, name, frame);
    end(out, cursor);
}

fn event(out: &mut BytesMut, name: &str, data: &impl serde::Serialize) {
    out.put_slice(b"event: ");
    out.put_slice(name.as_bytes());
    out.put_slice(b"\ndata: ");
    if let Err(error) = serde_json::to_writer(out.writer(), data) {
        tracing::error!(%error, "a frame could not be written as JSON");
    }
    out.put_slice(b"\n");
}

fn end(out: &mut BytesMut, cursor: Option<Cursor>) {
    if let Some(cursor) = cursor {
        out.put_slice(format!("id: {cursor}\n").as_bytes());
    }
    out.put_slice(b"\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Body, Entry, EntryState, OPEN_BYTES, Tool};

    #[test]
    fn of_an_open_call_the_first_64_kib_and_the_length_travel() {
        let args = "漢".repeat(30_000);
        let tool = Tool { args: args.as_str().into(), result: Some("short".into()), ..Tool::default() };
        let mut entry = Entry { state: EntryState::Open, ..Entry::finished(1, 1, Body::Tool(Box::new(tool))) };
        let sent = |entry: &Entry| {
            let mut out = BytesMut::new();
            Encoded::new(1, &Change::Entry(Box::new(entry.clone()))).write(&mut out, Cursor::default());
            let text = String::from_utf8(out.to_vec()).expect("UTF-8");
            let data = text.lines().nth(1).and_then(|line| line.strip_prefix("data: ")).expect("data").to_owned();
            let Ok(Change::Entry(entry)) = serde_json::from_str(&data) else { panic!("an entry") };
            let Body::Tool(tool) = entry.body else { panic!("a call") };
            tool
        };
        let open = sent(&entry);
        assert_eq!((open.args.text.len(), open.args.len(), open.args.is_cut()), (OPEN_BYTES - OPEN_BYTES % 3, 90_000, true));
        assert_eq!(open.result, Some("short".into()));
        entry.state = EntryState::Done;
        assert_eq!(sent(&entry).args.text, args);
    }

    #[test]
    fn a_text_cannot_end_its_frame() {
        let text = "a\n\nevent: bye\r\ndata: {}\r\rid: 9\n\u{2028}";
        let entry = Entry { rev: 7, ..Entry::finished(1, 1, Body::Text { text: text.into() }) };
        let mut out = BytesMut::new();
        Encoded::new(7, &Change::Entry(Box::new(entry.clone()))).write(&mut out, Cursor { epoch: 1, grev: 2, rev: Some(7) });
        let sent = String::from_utf8(out.to_vec()).expect("UTF-8");
        assert_eq!(sent.matches(['\n', '\r']).count(), 4, "{sent}");
        let data = sent.lines().nth(1).and_then(|line| line.strip_prefix("data: ")).expect("a data line");
        assert_eq!(serde_json::from_str::<Change>(data).expect("a change"), Change::Entry(Box::new(entry)));
        assert!(sent.ends_with("\nid: 0000000000000001.2.7\n\n"), "{sent}");
    }
}
