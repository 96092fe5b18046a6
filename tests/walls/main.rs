//! The walls of the code map (ARCHITECTURE.md), held by resolving every path that a source file names.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod features;
mod paths;
mod rules;

use std::fs;
use std::path::{Path, PathBuf};

use paths::Source;

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    collect(&root.join("src"), &mut files);
    files.sort();
    let dependencies = rules::dependencies(&fs::read_to_string(root.join("Cargo.toml")).unwrap());
    let read = |file: &PathBuf| {
        let name = file.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        Source::read(&name, &fs::read_to_string(file).unwrap(), &dependencies)
    };
    let mut sources: Vec<Source> = files.iter().map(read).collect();
    let tests = sources.iter().flat_map(|source| source.tests.clone()).collect();
    sources.retain(|source| !source.is_in(&tests));
    sources
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn every_path_keeps_to_the_walls() {
    let sources = sources();
    assert!(sources.len() > 10, "the sources are found");
    let broken: Vec<String> = sources.iter().flat_map(rules::broken).collect();
    assert!(broken.is_empty(), "{} walls broken:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn the_browser_holds_no_translator_and_no_store() {
    let lib = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let browser = features::modules(&lib, &["app", "hydrate"]);
    for module in ["dialect", "store", "ingest", "live", "serve", "cli", "api", "driver"] {
        assert!(!browser.iter().any(|it| it == module), "`{module}` is compiled into the browser's bundle");
    }
}

#[test]
fn the_core_builds_without_features() {
    let lib = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let all = features::modules(&lib, &["app", "ssr"]);
    let bare = features::modules(&lib, &[]);
    for module in ["model", "ledger", "deck", "dialect"] {
        assert!(!all.iter().any(|it| it == module) || bare.iter().any(|it| it == module), "`{module}` needs a feature");
    }
    for module in ["app", "store", "serve"] {
        assert!(!bare.iter().any(|it| it == module), "`{module}` is compiled without a feature");
    }
}
