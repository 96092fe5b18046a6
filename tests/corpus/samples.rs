//! Real transcripts of other projects, where they lie beside this one: read from there, never copied.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::support::{Data, lines_of};

/// The files under a folder that are read, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.to_string_lossy().ends_with(".jsonl") || path.to_string_lossy().ends_with(".meta.json") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn every_sample_closes_its_line_account_and_links_no_child_between_two_candidates() {
    for kind in ["claude-code-jsonl", "claude-code-stream-json"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/samples").join(kind);
        if !root.is_dir() {
            eprintln!("skipped: there are no samples at {}", root.display());
            return;
        }
        let data = Data::new();
        let summary = data.import(std::slice::from_ref(&root));
        assert_eq!(summary.skipped, []);
        let lines: usize = files(&root).iter().map(|file| lines_of(&fs::read(file).expect("a file"))).sum();
        assert_eq!(summary.lines.total() as usize, lines, "{:#?}", summary.lines);
        let mut opaque: BTreeMap<String, u32> = BTreeMap::new();
        let mut links: BTreeMap<String, u32> = BTreeMap::new();
        for session in &summary.ids {
            let export = data.export(session);
            for entry in export["entries"].as_array().expect("entries").iter().filter(|entry| entry["notice"] == "opaque") {
                *opaque.entry(entry["text"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
            }
            for agent in export["agents"].as_array().expect("agents").iter().filter(|agent| agent["id"] != "main") {
                *links.entry(agent["link"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
            }
            assert_no_guess(&export);
        }
        println!("{kind}: {} lines, opaque {opaque:#?}, links {links:?}, classes {:#?}", lines, summary.lines.0);
    }
}

/// What was inferred could not have been another: no call has two children, and no unlinked agent has the prompt of an inferred one.
fn assert_no_guess(export: &Value) {
    let agents = export["agents"].as_array().expect("agents");
    let prompt = |agent: &Value| {
        let mut entries = export["entries"].as_array().expect("entries").iter();
        entries.find(|entry| entry["agent"] == agent["id"] && entry["seq"] == 1).map(|entry| entry["text"].to_string())
    };
    let calls: Vec<&str> = agents.iter().filter_map(|agent| agent["call"].as_str()).collect();
    assert_eq!(calls.iter().collect::<BTreeSet<_>>().len(), calls.len(), "{}: a call with two children", export["session"]["id"]);
    for agent in agents.iter().filter(|agent| agent["link"] == "inferred") {
        let twins = agents.iter().filter(|other| other["link"] == "unlinked" && prompt(other) == prompt(agent)).count();
        assert_eq!(twins, 0, "{}: {} might have been another", export["session"]["id"], agent["id"]);
    }
}
