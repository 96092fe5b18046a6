//! Foreign keys, hashed: 128 bits for identity, 64 for "are these the same bytes".
//!
//! A session may hold a million foreign keys of any length. Their hashes are what memory and storage keep.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The first 128 bits of the SHA-256 of a foreign key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key(pub u128);

impl Key {
    /// Hashes the parts with a separator between them, so that ("a", "bc") and ("ab", "c") differ.
    pub fn of(parts: &[&str]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        let bytes: [u8; 32] = hash.finalize().into();
        let mut head = [0; 16];
        head.copy_from_slice(&bytes[..16]);
        Self(u128::from_be_bytes(head))
    }

    /// Sixteen bytes, big-endian: the form in storage.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }

    /// The inverse of [`Key::to_bytes`]; `None` unless there are sixteen bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Some(Self(u128::from_be_bytes(bytes.try_into().ok()?)))
    }
}

/// The first 64 bits of the SHA-256 of some bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hash64(pub u64);

impl Hash64 {
    /// Hashes `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self::of_parts(&[bytes])
    }

    /// Hashes the parts as if they stood in one piece.
    pub fn of_parts(parts: &[&[u8]]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(part);
        }
        Self::of_digest(hash.finalize().into())
    }

    /// The first 64 bits of a finished SHA-256.
    pub fn of_digest(full: [u8; 32]) -> Self {
        let mut head = [0; 8];
        head.copy_from_slice(&full[..8]);
        Self(u64::from_be_bytes(head))
    }
}
