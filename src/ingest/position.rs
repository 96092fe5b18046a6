//! Where reading goes on in a file, and whether it is still the file that was read.
//!
//! Decision: a file is what it holds. If the bytes at its head and those before the position are the ones that were read, it
//! goes on there, even in another inode; else it is another file and is read from its start as the next generation.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use sha2::{Digest, Sha256};

use super::file::Stamp;
use crate::model::Hash64;

const HEAD: u64 = 1 << 10;
const TAIL: u64 = 4 << 10;

/// The identity of a file of which the bytes before `offset` were read.
pub fn identity(file: &File, stamp: Stamp, offset: u64) -> io::Result<String> {
    let head = hash(file, 0, HEAD.min(offset))?;
    let tail = hash(file, offset.saturating_sub(TAIL), TAIL.min(offset))?;
    Ok(format!("{:x}:{:x}:{:016x}:{:016x}", stamp.dev, stamp.ino, head.0, tail.0))
}

/// True if `file` begins with what was read when its identity was `known` and its position `offset`.
pub fn goes_on(file: &File, stamp: Stamp, known: &str, offset: u64) -> io::Result<bool> {
    let content = |identity: &str| identity.splitn(3, ':').nth(2).map(str::to_owned);
    Ok(stamp.len >= offset && content(&identity(file, stamp, offset)?) == content(known))
}

/// True if the byte before `offset` is a CR.
pub fn is_behind_cr(file: &File, offset: u64) -> io::Result<bool> {
    let mut byte = [0];
    let count = offset.checked_sub(1).map_or(Ok(0), |before| file.read_at(&mut byte, before))?;
    Ok(count == 1 && byte == *b"\r")
}

fn hash(file: &File, from: u64, len: u64) -> io::Result<Hash64> {
    let mut bytes = vec![0; usize::try_from(len).unwrap_or_default()];
    file.read_exact_at(&mut bytes, from)?;
    Ok(Hash64::of_digest(Sha256::digest(&bytes).into()))
}
