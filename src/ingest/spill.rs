//! Files that hold the whole output of a tool, where the transcript shows its beginning.
//!
//! Decision: they are read when their line is, from `tool-results` in the folder of the session that the transcript lies in, and from
//! nowhere else. One that is gone, too long or no text leaves the result as the transcript shows it.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::file;
use super::split::LONGEST;
use crate::model::{Line, Op};

/// The folder of such files.
pub const FOLDER: &str = "tool-results";

/// Adds what the files hold to the lines of the transcript at `path`; gives how many bytes that were.
pub fn fill(path: &Path, lines: &mut [Line]) -> usize {
    let mut bytes = 0;
    for op in lines.iter_mut().flat_map(|line| &mut line.ops) {
        // A name alone: a line may say anything.
        if let Op::Spilled { file, text: text @ None, .. } = op
            && Path::new(&*file).file_name().is_some_and(|name| name == file.as_str())
        {
            *text = folder(path).and_then(|folder| whole(&folder.join(&*file)));
            bytes += text.as_ref().map_or(0, String::len);
        }
    }
    bytes
}

/// `<session>/tool-results`, for `<session>.jsonl` and for all below `<session>/subagents`.
fn folder(path: &Path) -> Option<PathBuf> {
    let inner = path.ancestors().skip(1).find(|above| above.file_name().is_some_and(|name| name == "subagents"));
    let session = inner.and_then(Path::parent).map_or_else(|| path.with_extension(""), Path::to_owned);
    (session.file_name().is_some()).then(|| session.join(FOLDER))
}

fn whole(path: &Path) -> Option<String> {
    let (file, stamp) = file::open(path).ok().filter(|(_, stamp)| stamp.len <= LONGEST as u64)?;
    let mut text = String::with_capacity(usize::try_from(stamp.len).ok()?);
    file.take(LONGEST as u64).read_to_string(&mut text).ok()?;
    Some(text)
}
