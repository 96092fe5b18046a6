//! Finding transcripts under a path, without following links.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use super::file::{Stamp, no_plain_file, words};
use super::pack::{Pack, unpacked};
use super::{Skipped, spill};
use crate::dialect::{Dialect, Place, Role};

/// Folders nested deeper than this are not looked into.
pub const DEEPEST: usize = 32;

/// A file that may be a source.
#[derive(Clone, Debug)]
pub struct Found {
    /// Absolute, free of links; of what was put down in a spool, the path that it had where it came from.
    pub path: PathBuf,
    /// What the person calls it: for words about it.
    pub shown: PathBuf,
    /// Where its bytes are, if not at `path`.
    pub held: Option<PathBuf>,
    /// How those bytes are packed; `path` is then the name of what is inside.
    pub pack: Option<Pack>,
    pub stamp: Stamp,
    /// True if the person named this file, and not a folder that it is in.
    pub given: bool,
}

impl Found {
    /// A file that lies where its path says.
    pub fn at(path: PathBuf, stamp: Stamp, given: bool) -> Self {
        Self { shown: path.clone(), path, held: None, pack: None, stamp, given }
    }

    /// Where its bytes are.
    pub fn place(&self) -> &Path {
        self.held.as_deref().unwrap_or(&self.path)
    }
}

/// The files under `path`: itself, a project folder's, a projects root's, or those of the `projects` in a config root.
pub fn find(path: &Path, skipped: &mut Vec<Skipped>) -> Vec<Found> {
    let mut found = Vec::new();
    let facts = match fs::symlink_metadata(path) {
        Ok(facts) => facts,
        Err(fault) => {
            skipped.push(Skipped::new(path, words(&fault)));
            return found;
        }
    };
    if let Some(root) = folder(path) {
        let before = skipped.len();
        walk_for(&root, 0, may_be_packed, &mut found, skipped);
        if found.is_empty() && skipped.len() == before {
            skipped
                .push(Skipped::new(path, "There is no transcript in this folder: nothing in it ends in .jsonl, .ndjson, .sse or .json."));
        }
        return found;
    }
    match (no_plain_file(&facts.file_type()), path.canonicalize()) {
        (Some(what), _) => skipped.push(Skipped::new(path, format!("It is {what}, not a file: give the file itself."))),
        (None, Err(fault)) => skipped.push(Skipped::new(path, words(&fault))),
        (None, Ok(whole)) => {
            found.extend(sidecar(&whole));
            found.push(Found::at(whole, Stamp::of(&facts), true));
        }
    }
    found
}

/// The folder that `path` stands for; `None` if it is none. A folder that the person names may be a link.
pub fn folder(path: &Path) -> Option<PathBuf> {
    let whole = path.canonicalize().ok().filter(|whole| whole.is_dir())?;
    let projects = whole.join("projects");
    let inside = fs::symlink_metadata(&projects).is_ok_and(|facts| facts.is_dir());
    Some(if inside { projects } else { whole })
}

/// Adds the files below `root` that grow as transcripts do; `root` must be free of links. What is not read for a reason is told in
/// `skipped`.
pub fn walk(root: &Path, depth: usize, found: &mut Vec<Found>, skipped: &mut Vec<Skipped>) {
    walk_for(root, depth, is_named_so, found, skipped);
}

fn walk_for(root: &Path, depth: usize, named: fn(&Path) -> bool, found: &mut Vec<Found>, skipped: &mut Vec<Skipped>) {
    let entries = match fs::read_dir(root) {
        Ok(entries) if depth <= DEEPEST => entries,
        Ok(_) => return skipped.push(Skipped::new(root, "This folder lies too deep.")),
        Err(fault) => return skipped.push(Skipped::new(root, words(&fault))),
    };
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        // Does not follow a link.
        let Ok(facts) = entry.metadata() else { continue };
        if facts.is_dir() && entry.file_name() == spill::FOLDER {
            // What stands there belongs to lines of a transcript, whatever its name.
        } else if facts.is_dir() {
            walk_for(&path, depth + 1, named, found, skipped);
        } else if let Some(stamp) = candidate(&path, &facts, named, skipped) {
            found.push(Found::at(path, stamp, false));
        }
    }
}

fn candidate(path: &Path, facts: &Metadata, named: fn(&Path) -> bool, skipped: &mut Vec<Skipped>) -> Option<Stamp> {
    let plain = no_plain_file(&facts.file_type());
    if !named(path) && plain != Some("a link") {
        return None;
    }
    match plain {
        None => Some(Stamp::of(facts)),
        Some("a link") => {
            skipped.push(Skipped::new(path, "It is a link, which is not followed."));
            None
        }
        Some(what) => {
            skipped.push(Skipped::new(path, format!("It is {what}, not a file.")));
            None
        }
    }
}

/// True for names of transcripts and of what stands beside them.
pub fn is_named_so(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".jsonl") || (name.starts_with("agent-") && name.ends_with(".meta.json"))
}

/// True also for names that a recorded stream or a saved thread may have: their content decides.
pub fn may_be(path: &Path) -> bool {
    is_named_so(path) || path.extension().is_some_and(|end| ["ndjson", "sse", "json"].iter().any(|known| end == *known))
}

/// [`may_be`], also for packed ones.
fn may_be_packed(path: &Path) -> bool {
    may_be(Path::new(unpacked(&path.to_string_lossy())))
}

/// The sidecar of an agent's transcript.
fn sidecar(path: &Path) -> Option<Found> {
    let name = path.file_name()?.to_str()?.strip_suffix(".jsonl").filter(|stem| stem.starts_with("agent-"))?;
    let path = path.with_file_name(format!("{name}.meta.json"));
    let facts = fs::symlink_metadata(&path).ok().filter(Metadata::is_file)?;
    Some(Found::at(path, Stamp::of(&facts), true))
}

/// What `dialect` reads from the path.
pub fn place(dialect: &Dialect, path: &Path) -> Place {
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    (dialect.place)(&parts.iter().map(AsRef::as_ref).collect::<Vec<_>>())
}

/// Puts the newest session first, and in it the main transcript before the agents', each behind its sidecar.
pub fn order(found: &mut [Found], dialect: &Dialect) {
    let places: HashMap<PathBuf, Place> = found.iter().map(|file| (file.path.clone(), place(dialect, &file.path))).collect();
    let group = |file: &Found| match places.get(&file.path).and_then(|place| place.session.clone()) {
        Some(session) => session,
        None => file.path.with_extension("").with_extension("").to_string_lossy().into_owned(),
    };
    let mut newest: HashMap<String, i64> = HashMap::new();
    for file in found.iter() {
        let time = newest.entry(group(file)).or_insert(i64::MIN);
        *time = file.stamp.mtime.max(*time);
    }
    found.sort_by_cached_key(|file| {
        let session = group(file);
        let rank = places.get(&file.path).map_or((0, String::new(), 0), |place| {
            let role = match place.role {
                Role::Sidecar => 0,
                Role::Transcript => 1,
                Role::Journal => 2,
            };
            (u8::from(place.inside), place.agent.clone().unwrap_or_default(), role)
        });
        // A plain file before its packed copy.
        (std::cmp::Reverse(newest.get(&session).copied()), session, rank, file.path.clone(), file.pack.is_some())
    });
}
