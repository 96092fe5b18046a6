//! Files that wait to be read: what came by standard input, by a page, or packed.
//!
//! Decision: bytes are first put down whole, in a private folder that goes with this value, and only then read by the one import
//! there is: so what is refused has left nothing behind, and memory stays constant. Invariant: no path from outside leads out of
//! that folder, and what may be unpacked is bounded.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf};

use super::walk::DEEPEST;

/// Files of one import that are put down.
pub const MOST_FILES: u64 = 10_000;
/// Their bytes.
pub const MOST_BYTES: u64 = 2 << 30;
/// How many times its own size a packed file may unpack to, beyond a size at which that does no harm.
const RATIO: u64 = 100;
const HARMLESS: u64 = 1 << 20;
/// The longest path of a file in an archive or in an upload, in bytes.
const PATH: usize = 1_024;
/// The longest part of such a path: of a file's name on most disks.
const PART: usize = 255;
/// The folder in the data folder.
const FOLDER: &str = "incoming";
/// How much is copied at once.
const CHUNK: usize = 64 << 10;

/// A private folder of files that wait. Removed when dropped.
#[derive(Debug)]
pub struct Spool {
    /// Where it is made: the data folder, else where temporary files go.
    room: Option<PathBuf>,
    /// Free of links; made when the first file comes.
    root: Option<PathBuf>,
    groups: u64,
    files: u64,
    bytes: u64,
    /// True if one bound holds for all that is put down, and not for each archive alone.
    strict: bool,
    /// The bound of their bytes.
    most: u64,
}

/// Takes away what an import that was killed has left in a data folder. Its owner's alone to call.
pub fn sweep(data: &Path) {
    if let Err(error) = fs::remove_dir_all(data.join(FOLDER))
        && error.kind() != ErrorKind::NotFound
    {
        tracing::warn!(%error, "what an earlier import has left cannot be removed");
    }
}

impl Spool {
    /// A spool in a data folder; without one, where temporary files go.
    pub fn new(room: Option<&Path>) -> Self {
        Self { room: room.map(|room| room.join(FOLDER)), root: None, groups: 0, files: 0, bytes: 0, strict: false, most: MOST_BYTES }
    }

    /// Bounds the bytes that are put down.
    #[must_use]
    pub fn bounded(mut self, most: u64) -> Self {
        self.most = most;
        self
    }

    /// Lets one bound hold for all that is put down: for what comes from a page.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Another file or archive of the person's own is opened: it has a bound of its own.
    pub fn turn(&mut self) {
        if !self.strict {
            (self.files, self.bytes) = (0, 0);
        }
    }

    /// A new empty folder in it, for files that belong together.
    pub fn group(&mut self) -> Result<PathBuf, String> {
        let root = match &self.root {
            Some(root) => root.clone(),
            None => self.root.insert(self.make().map_err(|fault| words(&fault))?).clone(),
        };
        self.groups += 1;
        let group = root.join(self.groups.to_string());
        DirBuilder::new().mode(0o700).create(&group).map_err(|fault| words(&fault))?;
        Ok(group)
    }

    fn make(&self) -> io::Result<PathBuf> {
        let room = self.room.clone().unwrap_or_else(std::env::temp_dir);
        DirBuilder::new().recursive(true).mode(0o700).create(&room)?;
        let mut name = [0; 12];
        getrandom::fill(&mut name).map_err(|_| io::Error::other("no random numbers"))?;
        let name: String = name.iter().map(|byte| format!("{byte:02x}")).collect();
        let root = room.join(format!("sidedeck-{name}"));
        DirBuilder::new().mode(0o700).create(&root)?;
        root.canonicalize()
    }

    /// A new file in a group, of a path that [`inside`] has passed.
    pub fn file(&mut self, group: &Path, path: &Path) -> Result<(PathBuf, File), String> {
        self.files += 1;
        if self.files > MOST_FILES {
            return Err(format!("It holds more than {MOST_FILES} files."));
        }
        let path = group.join(path);
        if let Some(folder) = path.parent() {
            DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|fault| words(&fault))?;
        }
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path).map_err(|fault| words(&fault))?;
        Ok((path, file))
    }

    /// Writes bytes that came as they are.
    pub fn write(&mut self, file: &mut File, bytes: &[u8]) -> Result<(), String> {
        self.count(bytes.len() as u64)?;
        file.write_all(bytes).map_err(|fault| words(&fault))
    }

    /// Unpacks into a file; `packed` is the size of what it is unpacked from, of an archive all of it.
    pub fn unpack(&mut self, from: &mut dyn Read, file: &mut File, packed: u64, came: &mut u64) -> Result<(), String> {
        let (most, before) = (packed.saturating_mul(RATIO).max(HARMLESS), *came);
        let mut chunk = vec![0; CHUNK];
        loop {
            let count = match from.read(&mut chunk) {
                Ok(0) => return Ok(()),
                Ok(count) => count,
                Err(fault) if fault.kind() == ErrorKind::Interrupted => continue,
                Err(fault) if fault.kind() == ErrorKind::UnexpectedEof => return Err("It ends early: its end is missing.".into()),
                // flate2's word for what stands where a further member would begin.
                Err(fault) if *came > before && fault.to_string() == "invalid gzip header" => {
                    return Err("It has other bytes behind the end of what is packed: unpack it, or pack it anew.".into());
                }
                Err(_) => return Err("It is damaged, or packed in a way that is not read.".into()),
            };
            *came += count as u64;
            if *came > most {
                return Err(format!("It unpacks to more than {RATIO} times its size: it is no transcript."));
            }
            self.write(file, chunk.get(..count).unwrap_or_default())?;
        }
    }

    /// Copies what comes, however much it is.
    pub fn copy(&mut self, from: &mut dyn Read, file: &mut File) -> Result<u64, String> {
        io::copy(from, file).map_err(|fault| words(&fault))
    }

    fn count(&mut self, bytes: u64) -> Result<(), String> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > self.most {
            return Err(format!("It holds more than {} MiB.", self.most >> 20));
        }
        Ok(())
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        if let Some(root) = &self.root
            && let Err(error) = fs::remove_dir_all(root)
        {
            tracing::warn!(%error, "files that waited cannot be removed");
        }
    }
}

/// The path of a file inside of an archive or an upload; what leads out of it, or says more than names, is refused.
pub fn inside(name: &str) -> Result<PathBuf, String> {
    let path = Path::new(name);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    let clean = !name.contains(['\\', '\0']) && !name.contains("//") && !name.split('/').any(|part| part == ".");
    let drive = name.as_bytes().get(1) == Some(&b':');
    if name.is_empty() || !plain || !clean || drive {
        return Err(format!("It holds a name that leads outside, which is not followed: {}.", cut(name)));
    }
    if name.len() > PATH || path.iter().any(|part| part.len() > PART) {
        return Err(format!("It holds a name that is too long: {}. A path has at most {PATH} bytes, a part of it {PART}.", cut(name)));
    }
    if path.components().count() > DEEPEST {
        return Err(format!("It holds a file more than {DEEPEST} folders deep: {}.", cut(name)));
    }
    Ok(path.to_owned())
}

/// A name as it is shown: short, and of what can be seen.
fn cut(name: &str) -> String {
    let mut shown: String = name.chars().take(40).collect();
    if shown.len() < name.len() {
        shown.push('…');
    }
    format!("{shown:?}")
}

fn words(fault: &io::Error) -> String {
    match fault.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "The disk is full.".into(),
        ErrorKind::AlreadyExists | ErrorKind::NotADirectory => "It holds two files of one name.".into(),
        _ => format!("It cannot be put down: {fault}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leads_out() {
        for name in ["a.jsonl", "p/s.jsonl", "a/b/..c", "…/ä"] {
            assert_eq!(inside(name), Ok(PathBuf::from(name)), "{name}");
        }
        for name in ["", "/a", "..", "../a", "a/../../b", "a/./b", "./a", "a//b", "a\\..\\b", "C:/a", "C:a", "a\0b"] {
            assert!(inside(name).is_err(), "{name:?}");
        }
        for (name, why) in [
            ("a/".repeat(40) + "b", "more than 32 folders deep"),
            (format!("{}/b", ["ab"; 600].join("")), "too long"),
            (format!("p/{}", "n".repeat(256)), "a part of it 255"),
            ("../a".into(), "leads outside, which is not followed: \"../a\""),
        ] {
            let told = inside(&name).expect_err("refused");
            assert!(told.contains(why) && told.len() < 200, "{told}");
        }
    }

    #[test]
    fn what_waits_is_private_and_goes_with_it() {
        use std::os::unix::fs::PermissionsExt;
        let data = tempfile::tempdir().expect("a folder");
        let mut spool = Spool::new(Some(data.path()));
        let group = spool.group().expect("a group");
        let (path, mut file) = spool.file(&group, Path::new("a/b.jsonl")).expect("a file");
        spool.write(&mut file, b"x").expect("written");
        let mode = |path: &Path| fs::metadata(path).expect("facts").permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(&group), mode(&data.path().join(FOLDER))), (0o600, 0o700, 0o700));
        assert!(spool.file(&group, Path::new("a/b.jsonl")).is_err(), "a second of that name");
        drop(spool);
        assert!(!path.exists() && !group.exists());
    }
}
