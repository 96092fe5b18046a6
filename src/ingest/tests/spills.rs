//! The whole of an output stands in a file beside the transcript.

use std::fs;
use std::os::unix::fs::symlink;

use super::*;

pub fn spilled(kept: &Kept) -> Vec<Option<String>> {
    let inner = kept.inner();
    let ops = inner.lines.iter().flat_map(|line| &line.ops);
    ops.filter_map(|op| if let Op::Spilled { text, .. } = op { Some(text.clone()) } else { None }).collect()
}

pub fn transcript(file: &str) -> String {
    let path = format!("/elsewhere/s/tool-results/{file}");
    format!(
        "{{\"type\":\"user\",\"uuid\":\"{file}\",\"sessionId\":\"s\",\"message\":{{\"role\":\"user\",\"content\":[{{\"type\":\"tool_result\",\
         \"tool_use_id\":\"c\",\"content\":\"abc\"}}]}},\"toolUseResult\":{{\"persistedOutputPath\":\"{path}\"}}}}\n"
    )
}

#[test]
fn the_whole_output_is_read_from_the_sessions_own_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("a folder");
    let results = root.join("s/tool-results");
    fs::create_dir_all(&results).expect("a folder");
    fs::create_dir_all(root.join("s/subagents/workflows/w")).expect("a folder");
    fs::write(root.join("secret.txt"), "not to be read").expect("written");
    fs::write(results.join("whole.txt"), "abc\n\ndef").expect("written");
    fs::write(results.join("binary.txt"), [0xff, 0xfe, 0]).expect("written");
    fs::write(results.join("looks.jsonl"), line("no-transcript")).expect("written");
    symlink(root.join("secret.txt"), results.join("link.txt")).expect("a link");
    let whole = Some("abc\n\ndef".to_owned());
    for (path, file, expected) in [
        ("s.jsonl", "whole.txt", whole.clone()),
        ("s/subagents/agent-a.jsonl", "whole.txt", whole.clone()),
        ("s/subagents/workflows/w/agent-b.jsonl", "whole.txt", whole),
        ("s.jsonl", "binary.txt", None),
        ("s.jsonl", "link.txt", None),
        ("s.jsonl", "gone.txt", None),
    ] {
        let kept = Kept::default();
        fs::write(root.join(path), transcript(file)).expect("written");
        kept.import(&root.join(path));
        assert_eq!(spilled(&kept), [expected], "{path} {file}");
    }
    let kept = Kept::default();
    kept.import(&root);
    assert!(!kept.ids().contains(&"no-transcript".to_owned()), "what was spilled is no transcript: {:?}", kept.ids());
}

#[test]
fn a_line_that_names_a_path_reads_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("a folder");
    fs::create_dir_all(root.join("s/tool-results/below")).expect("a folder");
    fs::write(root.join("s/secret.txt"), "not to be read").expect("written");
    fs::write(root.join("s/tool-results/below/secret.txt"), "not to be read").expect("written");
    let absolute = root.join("s/secret.txt").to_string_lossy().into_owned();
    for file in ["../secret.txt", "below/secret.txt", absolute.as_str(), "..", ""] {
        let op = Op::Spilled { who: crate::model::Who::Main, call: "c".into(), file: file.into(), text: None };
        let mut lines = [Line::control(SessionId { family: "f".into(), id: "s".into() }, vec![op])];
        assert_eq!(super::super::spill::fill(&[&root.join("s.jsonl")], &mut lines), 0, "{file}");
    }
}
