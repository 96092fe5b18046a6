//! Real transcripts of other projects, where they lie beside this one: read from there, never copied.

use std::fs;
use std::path::PathBuf;

use super::*;

#[test]
fn every_sample_imports_with_its_line_account_closed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/samples/claude-code-jsonl");
    if !root.is_dir() {
        eprintln!("skipped: there are no samples at {}", root.display());
        return;
    }
    let kept = Kept::default();
    let summary = kept.import(&root);
    assert_eq!(summary.skipped, []);
    let (mut lines, mut folders): (usize, Vec<PathBuf>) = (0, vec![root]);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                lines += fs::read(path).expect("a file").split_inclusive(|byte| *byte == b'\n').count();
            }
        }
    }
    assert_eq!(summary.lines.total() as usize, lines, "{:#?}", summary.lines);
    let opaque: Vec<String> =
        kept.inner().lines.iter().filter(|line| line.class == Class::Opaque).map(|line| format!("{:?}", line.ops.last())).collect();
    // A torn last line, four types that nobody knows, and a result that names no call.
    println!("{opaque:#?}\n{:#?}", summary.lines);
    assert!(opaque.len() <= 8, "{opaque:#?}");
}

/// Samples of the other dialects, and folders in them that hold schemas and requests, not runs.
const OTHERS: [&str; 8] = ["ag-ui", "codex-exec-json", "codex-rollout", "deerflow", "gemini-cli", "langalpha", "langgraph-sse", "opencode"];
const NO_RUNS: [&str; 2] = ["deerflow/contracts", "deerflow/replay"];

#[test]
fn every_sample_of_every_dialect_closes_its_account() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/samples");
    if !root.is_dir() {
        eprintln!("skipped: there are no samples at {}", root.display());
        return;
    }
    for folder in OTHERS {
        let kept = Kept::default();
        let summary = kept.import(&root.join(folder));
        let mut lines = 0;
        for name in kept.inner().sources.keys() {
            lines += fs::read(name).expect("a file").split_inclusive(|byte| *byte == b'\n').count();
        }
        assert_eq!(summary.lines.total() as usize, lines, "{folder}: {:#?}", summary.lines);
        let mut opaque: BTreeMap<String, usize> = BTreeMap::new();
        for line in kept.inner().lines.iter().filter(|line| line.class == Class::Opaque) {
            *opaque.entry(why(line)).or_default() += 1;
        }
        let all: usize = opaque.values().sum();
        println!("{folder}: {} files, {lines} lines, {all} opaque: {opaque:#?}", summary.files);
        let runs: Vec<_> = summary.skipped.iter().filter(|skipped| !NO_RUNS.iter().any(|none| skipped.path.contains(none))).collect();
        println!("    left out: {runs:#?}");
        assert!(summary.files > 0 && all * 20 <= lines, "{folder}: {all} of {lines} lines are opaque");
    }
}

/// What is said of a line that no rule knows.
fn why(line: &Line) -> String {
    let said = line.ops.iter().find_map(|op| match op {
        Op::Entry { body: crate::model::Body::Notice(notice), .. } => Some(notice.text.text.clone()),
        _ => None,
    });
    said.unwrap_or_else(|| "?".into())
}
