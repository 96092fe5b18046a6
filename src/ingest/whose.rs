//! What kind of transcript a file is, and which session it belongs to.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use memchr::memmem;

use super::records::{Joiner, Piece};
use super::source::Trouble;
use super::split::Splitter;
use super::sse::is_field;
use super::{file, walk};
use crate::dialect::{Dialect, Place, Role, by_name, recognise, unmarked};
use crate::model::fit;

/// How much is looked at to recognise a file.
const HEAD: usize = 256 << 10;
/// How much of a first line is looked at.
const FIRST: usize = 16 << 20;

/// The dialect that the file's content shows; `None` if there is too little of it.
pub fn guess(file: &File, path: &Path) -> Result<Option<&'static Dialect>, Trouble> {
    let head = head(file)?;
    match recognise(&head) {
        Some(dialect) => Ok(Some(dialect)),
        // A sidecar holds nothing by which it could be told, but its name does.
        None if path.to_string_lossy().ends_with(".meta.json") => Ok(by_name("claude-disk")),
        None if head.trim_ascii().is_empty() || !head.contains(&b'\n') && head.len() < FIRST => Ok(None),
        None if !head.contains(&b'\n') => {
            Err(Trouble::Words("Its first line is too long to tell its kind by: name that with --dialect, if it is a transcript.".into()))
        }
        None => {
            Err(Trouble::Words("It is no transcript of a kind that Sidedeck knows. If it is one, name its kind with --dialect.".into()))
        }
    }
}

/// The file's beginning, with the whole of its first line, or event: a prompt may hold a picture.
fn head(file: &File) -> Result<Vec<u8>, Trouble> {
    let ends = |head: &[u8], from: usize| match is_field(unmarked(head)) {
        true => ["\n\n", "\r\r", "\r\n\r\n"].iter().any(|end| memmem::find(&head[from.saturating_sub(3)..], end.as_bytes()).is_some()),
        false => head[from..].contains(&b'\n'),
    };
    let (mut head, mut chunk) = (Vec::new(), vec![0; HEAD]);
    loop {
        let count = file.read_at(&mut chunk, head.len() as u64)?;
        head.extend_from_slice(chunk.get(..count).unwrap_or_default());
        let new = head.len() - count;
        if count == 0 || head.len() >= FIRST || ends(&head, new) {
            return Ok(head);
        }
    }
}

/// The session of a file: the one that its folder says, or its name where a line agrees, or its last line's. Its bytes are at `held`.
pub fn session_of(file: &File, path: &Path, held: &Path, dialect: &Dialect, place: &Place) -> Result<Option<String>, Trouble> {
    if place.inside {
        return Ok(place.session.clone());
    }
    if place.role == Role::Sidecar {
        let [beside, held] = [path, held].map(|path| path.with_extension("").with_extension("jsonl"));
        let (file, _) = file::open(&held).map_err(|_| Trouble::Words("There is no transcript beside it.".into()))?;
        let of = walk::place(dialect, &beside);
        return session_of(&file, &beside, &held, dialect, &of);
    }
    let (mut splitter, mut joiner, mut chunk) = (Splitter::at(0, false), Joiner::default(), vec![0; HEAD]);
    let (mut last, mut any) = (None, false);
    loop {
        let count = file.read_at(&mut chunk, splitter.next())?;
        let mut named = |piece: Piece<'_>| {
            let Piece::Record(record, _) = piece else { return Ok(()) };
            any = true;
            let found = (dialect.session_of)(record.bytes);
            let sure = found.is_some() && found == place.session;
            last = found.or(last.take());
            if sure { Err(()) } else { Ok(()) }
        };
        let sure = splitter.feed(chunk.get(..count).unwrap_or_default(), |line| joiner.line(line, &mut named)).is_err();
        if !sure && count == 0 {
            // Sure or not, it is the last.
            if !splitter.rest().is_empty() && joiner.closes(splitter.rest()) {
                let _ = splitter.take_rest(|line| joiner.line(line, &mut named));
            }
            let _ = joiner.end(&mut named);
        }
        if sure || count == 0 {
            break;
        }
    }
    let stem = || path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    Ok(last.or_else(|| place.session.clone()).or_else(stem).filter(|_| any).map(|id| fit(&id).into_owned()))
}
