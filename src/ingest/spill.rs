//! Files that hold the whole output of a tool, where the transcript shows its beginning.
//!
//! Decision: they are read when their line is, from `tool-results` in the folder of the session that the transcript lies in, and from
//! nowhere else. One that is gone, too long or no text leaves the result as the transcript shows it.

use std::io::Read;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::file;
use super::pack::Pack;
use super::split::LONGEST;
use crate::model::{Line, Op};

/// The folder of such files.
pub const FOLDER: &str = "tool-results";

/// True for such a file.
pub fn is_so(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with(FOLDER))
}

/// Adds what the files hold to the lines of the transcript that lies at one of `places`; gives how many bytes that were.
pub fn fill(places: &[&Path], lines: &mut [Line]) -> usize {
    let mut bytes = 0;
    for op in lines.iter_mut().flat_map(|line| &mut line.ops) {
        // A name alone: a line may say anything.
        if let Op::Spilled { file, text: text @ None, .. } = op
            && Path::new(&*file).file_name().is_some_and(|name| name == file.as_str())
        {
            *text = places.iter().filter_map(|place| folder(place)).find_map(|folder| whole(&folder.join(&*file)));
            bytes += text.as_ref().map_or(0, String::len);
        }
    }
    bytes
}

/// `<session>/tool-results`, for `<session>.jsonl` and for all below `<session>/subagents`.
fn folder(path: &Path) -> Option<PathBuf> {
    let inner = path.ancestors().skip(1).find(|above| above.file_name().is_some_and(|name| name == "subagents"));
    let session = inner.and_then(Path::parent).map_or_else(|| path.with_extension(""), Path::to_owned);
    (path.is_absolute() && session.file_name().is_some()).then(|| session.join(FOLDER))
}

/// The text of a file, or of its packed copy.
fn whole(path: &Path) -> Option<String> {
    let copies = [".gz", ".zst"].map(|end| PathBuf::from(format!("{}{end}", path.display())));
    let mut opened = std::iter::once(path).chain(copies.iter().map(PathBuf::as_path)).filter_map(|path| file::open(path).ok());
    let (file, _) = opened.next()?;
    let mut head = [0; 4];
    let count = file.read_at(&mut head, 0).ok()?;
    let bytes: Box<dyn Read> = match Pack::of(head.get(..count)?) {
        Some(pack) => pack.reader(file),
        None => Box::new(file),
    };
    let mut text = String::new();
    let read = bytes.take(LONGEST as u64 + 1).read_to_string(&mut text).ok()?;
    (read <= LONGEST).then_some(text)
}
