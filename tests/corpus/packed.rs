//! What is packed, or comes by standard input, is what it would be as plain files.

use std::io::Write;
use std::process::{Command, Stdio};

use super::support::{Corpus, Data, assert_manifest};

#[test]
fn an_archive_of_a_corpus_gives_the_counts_of_its_manifest() {
    let Some(corpus) = Corpus::new(&["--sessions", "4", "--hard", "--layout", "nested"]) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let archive = folder.path().join("projects.zip");
    let packed = Command::new("python3").args(["-m", "zipfile", "-c"]).arg(&archive).arg(corpus.projects()).status().expect("python3");
    assert!(packed.success());
    let data = Data::new();
    for round in 0..2 {
        let summary = data.import(std::slice::from_ref(&archive));
        assert_eq!((summary.sessions as usize, summary.skipped, summary.bytes == 0), (corpus.manifest.len(), vec![], round == 1));
        for (session, manifest) in &corpus.manifest {
            assert_manifest(&data.export(session), manifest);
        }
    }
}

#[test]
fn standard_input_is_imported_packed_or_not() {
    let text = include_bytes!("../fixtures/codex/rollout.jsonl");
    let mut pack = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    pack.write_all(text).expect("packed");
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    for bytes in [&text[..], &pack.finish().expect("packed")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sidedeck"));
        let command = command.args(["import", "-", "--json", "--data"]).arg(&data).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program");
        child.stdin.take().expect("an input").write_all(bytes).expect("written");
        let done = child.wait_with_output().expect("an end");
        let said: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
        assert!(done.status.success());
        assert_eq!((said["sessions"].as_u64(), said["files"].as_u64()), (Some(1), Some(1)), "{said}");
    }
    let export = Data::at(&data).export("019fc000-0000-7000-8000-000000000001");
    let texts = export["entries"].as_array().expect("entries").iter().filter(|entry| entry["text"] == "Seven files.").count();
    assert_eq!(texts, 1, "the same by two ways stands once: {export}");
    assert_eq!(std::fs::read_dir(data.join("incoming")).map_or(0, |left| left.count()), 0);
}
