//! Content that is too long for its row, or no text: blobs.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::{Book, NewBlob};
use crate::model::{Blob, Blobbed, Body, Image, Long, PREVIEW_BYTES};

/// Up to this many bytes a text stands in its row.
pub(super) const INLINE_BYTES: usize = 64 * 1024;

impl Book {
    /// Moves a text over 64 KiB into a blob and leaves its first bytes.
    pub(super) fn shorten(&mut self, long: &mut Long) {
        if long.blob.is_none() && long.text.len() > INLINE_BYTES {
            let whole = std::mem::take(&mut long.text);
            long.text = whole[..whole.floor_char_boundary(PREVIEW_BYTES)].to_owned();
            long.blob = Some(self.keep(whole.into_bytes()));
        }
    }

    /// Moves all texts over 64 KiB of a body that no longer grows.
    pub(super) fn shorten_all(&mut self, body: &mut Body) {
        for long in body.texts_mut() {
            self.shorten(long);
        }
    }

    /// Keeps images. What is no base64 is kept as it came.
    pub(super) fn images(&mut self, blobbed: Vec<Blobbed>) -> Vec<Image> {
        let decode = |image: Blobbed| STANDARD.decode(image.data.trim()).unwrap_or_else(|_| image.data.into_bytes());
        blobbed
            .into_iter()
            .map(|image| {
                let bytes = decode(image);
                Image { media_type: sniff(&bytes).into(), blob: self.keep(bytes) }
            })
            .collect()
    }

    fn keep(&mut self, bytes: Vec<u8>) -> Blob {
        let hash = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let blob = Blob { hash: hash.clone(), len: bytes.len() as u64 };
        if !self.pending.draft.blobs.iter().any(|known| known.hash == hash) {
            self.pending.draft.blobs.push(NewBlob { hash, bytes });
        }
        blob
    }
}

/// The media type that the first bytes show; only the four that browsers draw safely are told apart.
fn sniff(bytes: &[u8]) -> &'static str {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => "image/png",
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => "image/gif",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        _ => "application/octet-stream",
    }
}
