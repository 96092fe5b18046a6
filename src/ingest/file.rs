//! Opening files that nobody vouches for.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

/// What of a file is looked at to see whether it has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    pub len: u64,
    /// Milliseconds since 1970.
    pub mtime: i64,
    pub dev: u64,
    pub ino: u64,
}

impl Stamp {
    pub fn of(facts: &std::fs::Metadata) -> Self {
        let mtime = facts.mtime().saturating_mul(1_000).saturating_add(facts.mtime_nsec() / 1_000_000);
        Self { len: facts.len(), mtime, dev: facts.dev(), ino: facts.ino() }
    }
}

/// Opens a plain file for reading. Links are not followed, a pipe does not block. The error is a sentence.
///
/// `path` must be free of links above the file, as [`super::walk`] gives it: a folder that was swapped for a link meanwhile is refused.
pub fn open(path: &Path) -> Result<(File, Stamp), String> {
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC);
    let file = options.open(path).map_err(|fault| words(&fault))?;
    let facts = file.metadata().map_err(|fault| words(&fault))?;
    if let Some(what) = no_plain_file(&facts.file_type()) {
        return Err(format!("It is {what}, not a file."));
    }
    match std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())) {
        Ok(place) if place != path && facts.nlink() > 0 => Err("A folder above it is a link, which is not followed.".into()),
        _ => Ok((file, Stamp::of(&facts))),
    }
}

/// What a thing is that is no plain file; `None` if it is one.
pub fn no_plain_file(kind: &std::fs::FileType) -> Option<&'static str> {
    match () {
        () if kind.is_file() => None,
        () if kind.is_dir() => Some("a folder"),
        () if kind.is_symlink() => Some("a link"),
        () if kind.is_fifo() => Some("a pipe"),
        () if kind.is_socket() => Some("a socket"),
        () => Some("a device"),
    }
}

/// Why a path cannot be read, in one sentence.
pub fn words(fault: &io::Error) -> String {
    match fault.kind() {
        ErrorKind::NotFound => "There is no such file or folder.".into(),
        ErrorKind::PermissionDenied => "You may not read it: check its permissions.".into(),
        _ if fault.raw_os_error() == Some(libc::ELOOP) => "It is a link, which is not followed: give the file that it points to.".into(),
        _ if fault.raw_os_error() == Some(libc::ENXIO) => "It is a socket or a device, not a file.".into(),
        _ => format!("It cannot be read: {fault}."),
    }
}
