//! The folders that are followed, and the system's watch on them. A folder that is not there yet is waited for.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::tail::Word;
use super::{Skipped, walk};

pub struct Roots {
    wanted: Vec<Root>,
    watcher: Option<RecommendedWatcher>,
    blind: Option<String>,
    told: bool,
}

struct Root {
    named: PathBuf,
    /// The folder itself, once it is there and watched.
    watched: Option<PathBuf>,
    /// The folder above it that is watched until then.
    above: Option<PathBuf>,
}

impl Roots {
    pub fn new(named: Vec<PathBuf>, words: Sender<Word>) -> Self {
        let hear = move |event| {
            // Whoever listened has ended.
            let _ = words.send(Word::Event(event));
        };
        let (watcher, blind) = match notify::recommended_watcher(hear) {
            Ok(watcher) => (Some(watcher), None),
            Err(fault) => (None, Some(fault.to_string())),
        };
        let wanted = named.into_iter().map(|named| Root { named, watched: None, above: None }).collect();
        Self { wanted, watcher, blind, told: false }
    }

    /// Watches what is there and not watched yet. Gives the folders that are there, free of links.
    pub fn watch(&mut self) -> Vec<PathBuf> {
        let mut there = Vec::new();
        for at in 0..self.wanted.len() {
            // What is made between a look and the watch gives no event: look again until nothing new is there.
            while self.watch_next(at) {}
            there.extend(self.wanted.get(at).and_then(|root| walk::folder(&root.named)));
        }
        there
    }

    /// Watches a wanted folder, or the nearest one above it. True if a new one was watched.
    fn watch_next(&mut self, at: usize) -> bool {
        let Some(root) = self.wanted.get_mut(at) else { return false };
        let folder = walk::folder(&root.named);
        let (path, mode, known) = match &folder {
            Some(folder) => (Some(folder.clone()), RecursiveMode::Recursive, &mut root.watched),
            None => (above(&root.named), RecursiveMode::NonRecursive, &mut root.above),
        };
        let Some(path) = path.filter(|path| known.as_ref() != Some(path)) else { return false };
        *known = Some(path.clone());
        self.add(&path, mode)
    }

    /// Watches a folder that has just come. When this returns, nothing that is made in it goes unseen.
    pub fn add_folder(&mut self, path: &Path) {
        self.add(path, RecursiveMode::Recursive);
    }

    fn add(&mut self, path: &Path, mode: RecursiveMode) -> bool {
        let Some(watcher) = &mut self.watcher else { return false };
        let added = watcher.watch(path, mode);
        if let Err(fault) = &added
            // A folder that is gone again needs no watch.
            && path.is_dir()
        {
            self.blind = Some(fault.to_string());
        }
        added.is_ok()
    }

    /// True if an event may have made a wanted folder, or taken a watched one away.
    pub fn touched(&mut self, paths: &[PathBuf]) -> bool {
        let mut touched = false;
        for root in &mut self.wanted {
            let gone = root.watched.as_ref().is_some_and(|watched| paths.contains(watched) && !watched.is_dir());
            if gone {
                root.watched = None;
            }
            let come = root.watched.is_none() && paths.iter().any(|path| root.named.starts_with(path) || same_place(path, &root.named));
            touched |= gone || come;
        }
        touched
    }

    /// True if the path lies in a watched folder.
    pub fn holds(&self, path: &Path) -> bool {
        self.wanted.iter().any(|root| root.watched.as_ref().is_some_and(|watched| path.starts_with(watched)))
    }

    /// True if not all folders can be watched.
    pub fn is_blind(&self) -> bool {
        self.blind.is_some()
    }

    /// What keeps the system from watching, once.
    pub fn trouble(&mut self) -> Option<Skipped> {
        let why = self.blind.as_ref().filter(|_| !std::mem::replace(&mut self.told, true))?;
        let path = self.wanted.first().map_or(Path::new("."), |root| &root.named);
        Some(Skipped::new(path, format!("Not every folder can be watched ({why}): new lines are seen some seconds later.")))
    }
}

/// The nearest folder above that is there.
fn above(path: &Path) -> Option<PathBuf> {
    path.ancestors().skip(1).find_map(|folder| folder.canonicalize().ok().filter(|folder| folder.is_dir()))
}

/// A relative or linked name of a root is told by the system in its whole form.
fn same_place(path: &Path, named: &Path) -> bool {
    path.canonicalize().is_ok_and(|path| above(named).is_some_and(|above| above == path || above.starts_with(&path)))
}
