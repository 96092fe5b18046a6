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
