//! Zip archives: many files in one.
//!
//! Decision: all of an archive is looked at before any of it is unpacked, and one entry that would do harm refuses the whole.
//! Only what is named as a transcript may be is unpacked. Invariant: memory does not grow with what an archive claims.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipArchiveEntryWayfinder};

use super::pack::{Pack, is_packed, unpacked};
use super::spill;
use super::spool::{MOST_FILES, Spool, inside};
use super::walk::may_be;

/// The bits of a mode that say what a thing is, and those of a plain file and a folder.
const KIND: u32 = 0o170_000;
const FILE: u32 = 0o100_000;
const FOLDER: u32 = 0o040_000;

/// A file of an archive.
struct Inside {
    path: PathBuf,
    at: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    /// True for what a transcript beside it names.
    spilled: bool,
}

/// A transcript that was in an archive.
pub struct Unpacked {
    /// Its path there.
    pub name: PathBuf,
    /// The same without the ending of what is packed once more.
    pub path: PathBuf,
    /// Where it lies now.
    pub held: PathBuf,
}

/// Unpacks the files that may be transcripts, and those that they name, and gives the transcripts.
pub fn expand(file: File, len: u64, spool: &mut Spool) -> Result<Vec<Unpacked>, String> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(file, &mut buffer).map_err(|_| damaged())?;
    let list = listed(&archive, &mut buffer)?;
    let group = spool.group()?;
    let (mut came, mut found) = (0, Vec::new());
    for entry in list {
        let whole = archive.get_entry(entry.at).map_err(|_| damaged())?;
        let packed: Box<dyn Read + '_> = match entry.method {
            CompressionMethod::STORE => Box::new(whole.verifying_reader(whole.reader())),
            CompressionMethod::DEFLATE => Box::new(whole.verifying_reader(DeflateDecoder::new(whole.reader()))),
            CompressionMethod::ZSTD => Box::new(whole.verifying_reader(Pack::Zstd.reader(whole.reader()))),
            _ => return Err("It is packed in a way that is not read: pack it anew as a plain zip.".into()),
        };
        let name = entry.path.to_string_lossy().into_owned();
        let (path, mut out) = spool.file(&group, Path::new(unpacked(&name)))?;
        if is_packed(&name) {
            // What is packed once more is unpacked with it, and both count.
            let mut packed = packed;
            let mut head = [0; 4];
            let count = fill(&mut *packed, &mut head).map_err(|_| damaged())?;
            let head = head.get(..count).unwrap_or_default();
            let inner = Pack::of(head).filter(|pack| *pack != Pack::Zip);
            let all = head.chain(packed);
            let mut all: Box<dyn Read + '_> = match inner {
                Some(pack) => pack.reader(all),
                None => Box::new(all),
            };
            spool.unpack(&mut *all, &mut out, len, &mut came)?;
        } else {
            let mut packed = packed;
            spool.unpack(&mut *packed, &mut out, len, &mut came)?;
        }
        if !entry.spilled {
            let inside = entry.path.with_file_name(path.file_name().unwrap_or_default());
            found.push(Unpacked { name: entry.path, path: inside, held: path });
        }
    }
    Ok(found)
}

/// What an archive lists, as far as it may be transcripts; harm of any entry refuses all.
fn listed(archive: &ZipArchive<FileReader>, buffer: &mut [u8]) -> Result<Vec<Inside>, String> {
    let (mut names, mut places, mut list) = (HashSet::new(), Vec::new(), Vec::new());
    let mut entries = archive.entries(buffer);
    while let Some(entry) = entries.next_entry().map_err(|_| damaged())? {
        if places.len() as u64 >= MOST_FILES {
            return Err(format!("It holds more than {MOST_FILES} files."));
        }
        let raw = std::str::from_utf8(entry.file_path().as_ref()).map_err(|_| "It holds a name that is no UTF-8.".to_owned())?.to_owned();
        let kind = entry.mode().value() & KIND;
        if kind != 0 && kind != FILE && kind != FOLDER {
            return Err(format!("It holds a link or a device ({raw:?}), which is not followed."));
        }
        let path = inside(raw.strip_suffix('/').unwrap_or(&raw))?;
        if !names.insert(path.clone()) {
            return Err("It holds two files of one name.".into());
        }
        let (begins, folder) = (entry.local_header_offset(), raw.ends_with('/') || kind == FOLDER);
        let (at, method, locked) = (entry.wayfinder(), entry.compression_method(), entry.flags().is_encrypted());
        let (_, ends) = archive.get_entry(at).map_err(|_| damaged())?.compressed_data_range();
        places.push((begins, ends));
        // What macOS puts beside each file says nothing.
        let shadow = raw.starts_with("__MACOSX/");
        let spilled = spill::is_so(&path);
        if !folder && !shadow && (spilled || may_be(Path::new(unpacked(&raw)))) {
            if locked {
                return Err("It is locked with a password.".into());
            }
            list.push(Inside { path, at, method, spilled });
        }
    }
    places.sort_unstable();
    if places.windows(2).any(|pair| matches!(pair, [(_, ends), (begins, _)] if begins < ends)) {
        return Err("Its files lie on top of each other.".into());
    }
    // A packed file whose plain one is there too is its copy.
    list.retain(|file| {
        let name = file.path.to_string_lossy();
        !is_packed(&name) || !names.contains(Path::new(unpacked(&name)))
    });
    Ok(list)
}

fn fill(from: &mut dyn Read, head: &mut [u8]) -> io::Result<usize> {
    let mut count = 0;
    while let Some(rest) = head.get_mut(count..).filter(|rest| !rest.is_empty()) {
        match from.read(rest)? {
            0 => break,
            more => count += more,
        }
    }
    Ok(count)
}

fn damaged() -> String {
    "It is no whole zip archive.".into()
}
