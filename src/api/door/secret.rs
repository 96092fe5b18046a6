//! Secrets: made from the system's randomness, kept as hashes or in files that only their owner can read.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// The shortest token that a user may choose, in bytes.
const TOKEN_BYTES: usize = 16;

/// The SHA-256 of a secret.
pub type Hash = [u8; 32];

/// Random bytes as text that is safe in a URL and in a header.
///
/// A system without randomness cannot keep a secret: there is nothing to do but to stop the request, so this panics there.
#[expect(clippy::expect_used, reason = "no secret may be made without randomness")]
pub fn random_name(bytes: usize) -> String {
    let mut random = vec![0; bytes];
    getrandom::fill(&mut random).expect("the system gives randomness");
    URL_SAFE_NO_PAD.encode(random)
}

/// Hashes a secret. Ours have 128 bits and more, so a plain hash is enough.
pub fn hash(secret: &str) -> Hash {
    Sha256::digest(secret.as_bytes()).into()
}

/// Compares without telling by its duration where two hashes differ.
pub fn same(a: &Hash, b: &Hash) -> bool {
    a.ct_eq(b).into()
}

/// The bearer token of programs.
#[derive(Clone)]
pub struct Token {
    hash: Hash,
}

impl Token {
    /// The token that the user gave, else the one in `<data>/token`, which is made if need be.
    pub fn open(data: &Path, given: Option<&str>) -> Result<Self, String> {
        if let Some(given) = given {
            if given.len() < TOKEN_BYTES || !given.bytes().all(|b| b.is_ascii_graphic()) {
                return Err(format!(
                    "SIDEDECK_TOKEN has to have at least {TOKEN_BYTES} printable characters; unset it and Sidedeck makes one."
                ));
            }
            return Ok(Self { hash: hash(given) });
        }
        let path = data.join("token");
        let failed = |error: io::Error| format!("The token file {} cannot be used: {error}.", path.display());
        let kept = match fs::read_to_string(&path) {
            Ok(kept) => {
                narrow(&path).map_err(failed)?;
                kept.trim().to_owned()
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failed(error)),
        };
        if kept.len() >= TOKEN_BYTES {
            return Ok(Self { hash: hash(&kept) });
        }
        let made = random_name(32);
        write_private(&path, made.as_bytes()).map_err(failed)?;
        Ok(Self { hash: hash(&made) })
    }

    /// True for the token itself.
    pub fn is(&self, token: &str) -> bool {
        same(&self.hash, &hash(token))
    }
}

/// Takes everybody else's rights to a file away, and says so.
pub fn narrow(path: &Path) -> io::Result<()> {
    let mode = fs::metadata(path)?.permissions().mode();
    if mode & 0o077 != 0 {
        tracing::warn!(path = %path.display(), "others could read this file; its rights were narrowed to 0600");
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    }
    Ok(())
}

/// Writes a file whole, readable by its owner alone: a reader sees the old or the new, never a part.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = path.with_extension(format!("{}.new", random_name(6)));
    let written = (|| {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&new);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once_and_kept_private() {
        let data = tempfile::tempdir().expect("a folder");
        Token::open(data.path(), None).expect("a token");
        let made = fs::read_to_string(data.path().join("token")).expect("a file");
        assert_eq!(fs::metadata(data.path().join("token")).expect("a file").permissions().mode() & 0o777, 0o600);
        fs::set_permissions(data.path().join("token"), fs::Permissions::from_mode(0o644)).expect("rights");
        let again = Token::open(data.path(), None).expect("a token");
        assert!(again.is(&made) && !again.is("something else"));
        assert_eq!(fs::metadata(data.path().join("token")).expect("a file").permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_given_token_wins_and_has_to_be_long() {
        let data = tempfile::tempdir().expect("a folder");
        assert!(Token::open(data.path(), Some("0123456789abcdef")).expect("a token").is("0123456789abcdef"));
        assert!(Token::open(data.path(), Some("short")).is_err());
        assert!(!data.path().join("token").exists());
    }
}
