//! What a person gives that is no plain file at a path of its own: standard input, files from a page, and what is packed.
//!
//! Decision: each becomes a [`Found`] with its bytes in the [`Spool`], and from there the import knows no difference. Such a file is
//! named by the path that it had and by its beginning, so that the same file given again, or grown, goes on where it was read to.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::Skipped;
use super::archive::{self, Unpacked};
use super::file::{self, Stamp};
use super::pack::{Pack, unpacked};
use super::spool::Spool;
use super::walk::Found;
use crate::model::Hash64;

/// The path that stands for standard input.
pub const STDIN: &str = "-";
/// How much of a file names it.
const HEAD: usize = 1 << 10;

/// Puts standard input down, to its end.
pub fn standard_input(spool: &mut Spool) -> Result<Found, String> {
    let group = spool.group()?;
    let (held, mut out) = spool.file(&group, Path::new("input"))?;
    spool.copy(&mut io::stdin().lock(), &mut out)?;
    put_down(PathBuf::from("standard-input"), "standard input".into(), held, true)
}

/// A file that came from a page, by its path there.
pub fn dropped(path: &Path, held: PathBuf) -> Result<Found, String> {
    put_down(Path::new("dropped").join(path), path.to_owned(), held, path.components().count() == 1)
}

fn put_down(path: PathBuf, shown: PathBuf, held: PathBuf, given: bool) -> Result<Found, String> {
    let (_, stamp) = file::open(&held)?;
    Ok(Found { path, shown, held: Some(held), pack: None, stamp, given })
}

/// Sees which files are packed, puts the files of archives in their archive's place, and names what was put down. What cannot be
/// opened is told.
pub fn opened(found: Vec<Found>, spool: &mut Spool, skipped: &mut Vec<Skipped>) -> Vec<Found> {
    let mut all = Vec::new();
    for file in found {
        let shown = file.shown.clone();
        match open(file, spool) {
            Ok(files) => all.extend(files),
            Err(why) => skipped.push(Skipped::new(&shown, why)),
        }
    }
    all
}

fn open(file: Found, spool: &mut Spool) -> Result<Vec<Found>, String> {
    let name = file.path.to_string_lossy().into_owned();
    // A file of a folder is packed if its name says so: a folder may hold many.
    let looked = file.given || file.held.is_some() || unpacked(&name) != name;
    // What cannot be looked at is refused when it is read.
    let found = if looked { packed(file.place()).unwrap_or(None) } else { None };
    let all = match found {
        None => vec![file.clone()],
        Some((Pack::Zip, ..)) if !file.given => Vec::new(),
        Some((Pack::Zip, archive, len)) => {
            spool.turn();
            let inside = archive::expand(archive, len, spool)?;
            if inside.is_empty() {
                return Err("There is no transcript in this archive.".into());
            }
            let found = |Unpacked { name, path, held }| {
                let (_, stamp) = file::open(&held)?;
                let stamp = Stamp { mtime: file.stamp.mtime, ..stamp };
                let (path, shown) = (file.path.join(path), file.shown.join(name));
                Ok(Found { path, shown, held: Some(held), pack: None, stamp, given: false })
            };
            inside.into_iter().map(found).collect::<Result<_, String>>()?
        }
        Some((pack, ..)) if file.held.is_some() => {
            let held = unpack(file.place(), pack, spool)?;
            vec![Found { path: unpacked(&name).into(), held: Some(held), ..file.clone() }]
        }
        Some((pack, ..)) => vec![Found { path: unpacked(&name).into(), held: Some(file.path.clone()), pack: Some(pack), ..file.clone() }],
    };
    if file.held.is_none() { Ok(all) } else { all.into_iter().map(named).collect() }
}

/// Names a file that was put down by its beginning: the first part of its path says how it came.
fn named(file: Found) -> Result<Found, String> {
    let (bytes, _) = file::open(file.place())?;
    let mut head = Vec::new();
    bytes.take(HEAD as u64).read_to_end(&mut head).map_err(|fault| file::words(&fault))?;
    let beginning = format!("{:016x}", Hash64::of(&head).0);
    let mut parts = file.path.components();
    let way = parts.next().map(|part| part.as_os_str().to_string_lossy()).unwrap_or_default();
    let rest = parts.as_path();
    let alone = PathBuf::from(format!("{way}-{beginning}.jsonl"));
    let path = Path::new(&format!("{way}:{beginning}")).join(if rest.as_os_str().is_empty() { &alone } else { rest });
    Ok(Found { path, ..file })
}

/// Unpacks a file into the spool; gives where it lies now.
pub fn unpack(packed: &Path, pack: Pack, spool: &mut Spool) -> Result<PathBuf, String> {
    let (file, stamp) = file::open(packed)?;
    spool.turn();
    let group = spool.group()?;
    let (held, mut out) = spool.file(&group, Path::new("unpacked"))?;
    spool.unpack(&mut *pack.reader(file), &mut out, stamp.len, &mut 0)?;
    match self::packed(&held) {
        Ok(Some(_)) => Err("It is packed twice: unpack it once yourself.".into()),
        _ => Ok(held),
    }
}

/// How a file is packed, if it is.
fn packed(path: &Path) -> Result<Option<(Pack, File, u64)>, String> {
    let (file, stamp) = file::open(path)?;
    let mut head = [0; 4];
    let count = file.read_at(&mut head, 0).map_err(|fault| file::words(&fault))?;
    Ok(Pack::of(head.get(..count).unwrap_or_default()).map(|pack| (pack, file, stamp.len)))
}
