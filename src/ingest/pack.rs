//! Packed streams, known by their first bytes.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The largest window that a zstd stream may ask for: all of it is held.
const WINDOW: u64 = 32 << 20;

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pack {
    Gzip,
    Zstd,
    /// Many files in one.
    Zip,
}

impl Pack {
    /// By the first four bytes of a file; `None` for a file that is not packed.
    pub fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Self::Zip),
            _ => None,
        }
    }

    /// The unpacked bytes of a stream. Of an archive, which is no stream, nothing.
    pub fn reader<'a>(self, packed: impl Read + 'a) -> Box<dyn Read + 'a> {
        match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(packed)),
            Self::Zstd => Box::new(Frames::new(packed)),
            Self::Zip => Box::new(io::empty()),
        }
    }
}

/// True for a name that says that its file is packed.
pub fn is_packed(name: &str) -> bool {
    unpacked(name).len() < name.len()
}

/// The name of a packed file without the ending that says so.
pub fn unpacked(name: &str) -> &str {
    [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).filter(|stem| !stem.is_empty()).unwrap_or(name)
}

/// All frames of a zstd stream, one behind the other.
struct Frames<R: Read> {
    source: BufReader<R>,
    decoder: FrameDecoder,
    /// True amid a frame.
    open: bool,
}

impl<R: Read> Frames<R> {
    fn new(packed: R) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(WINDOW);
        Self { source: BufReader::new(packed), decoder, open: false }
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.open {
                while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                    self.decoder.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1)).map_err(|_| damaged())?;
                }
                let count = self.decoder.read(out)?;
                if count > 0 || out.is_empty() {
                    return Ok(count);
                }
                let told = self.decoder.get_checksum_from_data();
                if told.is_some() && told != self.decoder.get_calculated_checksum() {
                    return Err(damaged());
                }
                self.open = false;
            }
            if self.source.fill_buf()?.is_empty() {
                return Ok(0);
            }
            match self.decoder.reset(&mut self.source) {
                Ok(()) => self.open = true,
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    io::copy(&mut self.source.by_ref().take(length.into()), &mut io::sink())?;
                }
                Err(_) => return Err(damaged()),
            }
        }
    }
}

fn damaged() -> io::Error {
    io::Error::from(ErrorKind::InvalidData)
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use std::io::Write;

    pub fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut pack = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        pack.write_all(bytes).expect("a pack");
        pack.finish().expect("a pack")
    }

    pub fn zstd(bytes: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
    }

    fn unpack(packed: &[u8]) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        Pack::of(packed).expect("packed").reader(packed).read_to_end(&mut out)?;
        Ok(out)
    }

    #[test]
    fn streams_of_many_frames_come_out_whole() {
        let text = "{\"a\":\"ä\"}\n".repeat(40_000).into_bytes();
        for pack in [gzip, zstd] {
            let twice = [pack(&text), pack(b"end\n")].concat();
            assert_eq!(unpack(&twice).expect("unpacked"), [&text[..], b"end\n"].concat());
            assert!(unpack(&pack(&text)[..40]).is_err(), "cut off");
            let mut bent = pack(&text);
            let last = bent.len() - 2;
            bent[last] ^= 1;
            assert!(unpack(&bent).is_err(), "a wrong sum");
        }
        let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3][..], &zstd(b"x")].concat();
        assert_eq!(unpack(&skipped).expect("unpacked"), b"x");
        // A frame that asks for a window of 1 TiB.
        assert!(unpack(&[0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xf0, 0x01, 0x00, 0x00]).is_err());
    }

    #[test]
    fn names_say_what_they_hold() {
        assert_eq!(["a.jsonl.zst", "a.gz", "a.jsonl", ".gz"].map(unpacked), ["a.jsonl", "a", "a.jsonl", ".gz"]);
        assert!(is_packed("rollout.jsonl.zst") && !is_packed("a.zip"));
    }
}
