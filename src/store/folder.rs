//! The data folder: its owner's alone, and one writing process at a time.
//!
//! Decision: the lock is the operating system's, on a file that stays; whoever dies lets go of it.
//! Invariant: folder 0700 and files 0600 whatever the umask says; a folder that holds something else is never tightened.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::StoreError;

const DATABASE: &str = "sidedeck.db";
const LOCK: &str = "sidedeck.lock";

/// A data folder that this process may write to, until it is dropped.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Makes the folder if need be, and locks it.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let trouble = |error: io::Error| StoreError::Other(format!("The data folder {} cannot be used: {error}.", path.display()));
        DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(trouble)?;
        tighten(path)?;
        let mut lock = private_file(&path.join(LOCK)).map_err(trouble)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut pid = String::new();
                // Without its number it is still another process.
                let _ = lock.take(20).read_to_string(&mut pid);
                return Err(StoreError::Busy(pid.trim().to_owned()));
            }
            Err(TryLockError::Error(error)) => return Err(trouble(error)),
        }
        lock.set_len(0).and_then(|()| lock.rewind()).and_then(|()| writeln!(lock, "{}", std::process::id())).map_err(trouble)?;
        private_file(&database(path)).map_err(trouble)?;
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    /// The database's file.
    pub(super) fn database(&self) -> PathBuf {
        database(&self.path)
    }

    /// Where the database lies: another place means a copy or a restored backup.
    pub(super) fn place(&self) -> Result<String, StoreError> {
        let meta = fs::metadata(self.database()).map_err(|error| StoreError::Other(format!("The database cannot be read: {error}.")))?;
        Ok(format!("{}:{}", meta.dev(), meta.ino()))
    }
}

/// True if a process holds the folder to write to it.
pub fn is_written(path: &Path) -> bool {
    let lock = File::open(path.join(LOCK));
    lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// The database's file in a data folder.
pub(super) fn database(path: &Path) -> PathBuf {
    path.join(DATABASE)
}

/// Takes a folder from others' eyes; one that is open to others and holds something that is not ours is refused.
fn tighten(path: &Path) -> Result<(), StoreError> {
    let trouble = |error: io::Error| StoreError::Other(format!("The data folder {} cannot be used: {error}.", path.display()));
    if fs::metadata(path).map_err(trouble)?.permissions().mode() & 0o077 == 0 {
        return Ok(());
    }
    let ours = database(path).exists() || fs::read_dir(path).map_err(trouble)?.next().is_none();
    if !ours {
        return Err(StoreError::Other(format!(
            "The folder {} is open to others and holds other files. Choose an empty folder for the data.",
            path.display()
        )));
    }
    fs::set_permissions(path, Permissions::from_mode(0o700)).map_err(trouble)
}

fn private_file(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
    if file.metadata()?.permissions().mode() & 0o777 != 0o600 {
        file.set_permissions(Permissions::from_mode(0o600))?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn the_folder_and_its_files_are_the_owners_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b");
        let folder = Folder::open(&path).unwrap();
        assert_eq!((mode(&path), mode(&folder.database()), mode(&path.join(LOCK))), (0o700, 0o600, 0o600));
        drop(folder);
        fs::set_permissions(&path, Permissions::from_mode(0o777)).unwrap();
        fs::set_permissions(database(&path), Permissions::from_mode(0o666)).unwrap();
        let folder = Folder::open(&path).unwrap();
        assert_eq!((mode(&path), mode(&folder.database())), (0o700, 0o600));
    }

    #[test]
    fn a_second_writer_is_refused_with_the_firsts_number() {
        let dir = tempfile::tempdir().unwrap();
        let first = Folder::open(&dir.path().join("d")).unwrap();
        let refused = Folder::open(&dir.path().join("d")).unwrap_err();
        assert_eq!(refused, StoreError::Busy(std::process::id().to_string()));
        drop(first);
        Folder::open(&dir.path().join("d")).unwrap();
    }

    #[test]
    fn a_folder_of_somebody_elses_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
        fs::write(dir.path().join("letter"), "hello").unwrap();
        assert!(Folder::open(dir.path()).unwrap_err().to_string().contains("other files"));
        assert_eq!(mode(dir.path()), 0o755);
    }
}
