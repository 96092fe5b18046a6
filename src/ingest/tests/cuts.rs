//! A file that is cut anywhere and completed gives what the whole gives.

use std::fs;

use proptest::prelude::*;

use super::*;

/// All that a file may hold beside plain lines.
fn odd() -> String {
    let torn = "{\"type\":\"user\",\"uuid\":\"torn\",\"message\":\"half a li";
    [
        "\u{feff}",
        &line("one"),
        "\r\n",
        &line("two").replace('\n', "\r\n"),
        "\0\0\0\n",
        torn,
        &line("three"),
        "{\n  \"type\": \"user\",\n  \"uuid\": \"pretty\",\n  \"sessionId\": \"s\",\n  \"message\": {\n    \"content\": \"x\"\n  }\n}\n",
        line("four").trim_end(),
        &line("five"),
        "{\"a\":\n",
        &line("six"),
        "no json\n\n",
        line("last").trim_end(),
    ]
    .concat()
}

/// Lines without what a cut may move: which of them counts for its physical line.
fn told(kept: &Kept) -> Vec<Line> {
    kept.inner().lines.iter().cloned().map(|line| Line { class: Class::Entry, ..line }).collect()
}

fn account(kept: &Kept) -> Classes {
    let mut all = Classes::default();
    kept.inner().sources.values().for_each(|source| all.merge(&source.lines));
    all
}

#[test]
fn a_cut_at_any_byte_gives_the_same_lines_and_the_same_account() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, text) = (folder.path().join("s.jsonl"), odd());
    let whole = Kept::default();
    fs::write(&path, &text).expect("written");
    let summary = whole.import(&path);
    assert_eq!(summary.lines.total() as usize, text.split_inclusive('\n').count(), "{:?}", summary.lines);
    assert_eq!(whole.ids(), ["one", "two", "three", "pretty", "four", "five", "six", "last"]);
    for cut in 0..text.len() {
        let kept = Kept::default();
        fs::write(&path, &text.as_bytes()[..cut]).expect("written");
        kept.import(&path);
        fs::write(&path, &text).expect("written");
        kept.import(&path);
        assert_eq!(told(&kept), told(&whole), "cut at {cut}");
        assert_eq!(account(&kept), account(&whole), "cut at {cut}");
    }
}

#[test]
fn the_newline_that_comes_later_makes_no_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.jsonl");
    let kept = Kept::default();
    for text in [line("one").trim_end().to_owned(), line("one"), lines(&["one", "two"])] {
        fs::write(&path, &text).expect("written");
        assert_eq!(kept.import(&path).lines.total() as usize, text.split_inclusive('\n').count(), "{text}");
    }
    assert_eq!(kept.ids(), ["one", "two"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn many_cuts_give_the_same_lines(mut cuts in proptest::collection::vec(0_usize..1_200, 1..8)) {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, text) = (folder.path().join("s.jsonl"), odd());
        cuts.sort_unstable();
        cuts.push(text.len());
        let (kept, whole) = (Kept::default(), Kept::default());
        for cut in cuts {
            fs::write(&path, &text.as_bytes()[..cut.min(text.len())]).expect("written");
            kept.import(&path);
        }
        whole.import(&path);
        prop_assert_eq!(told(&kept), told(&whole));
        prop_assert_eq!(account(&kept), account(&whole));
    }
}

#[test]
fn a_file_is_what_it_holds() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.jsonl");
    let kept = Kept::default();
    let state = |kept: &Kept| {
        let inner = kept.inner();
        let source = inner.sources.values().next().expect("a source");
        (source.generation, source.offset as usize)
    };
    let mut text = lines(&["one", "two"]);
    fs::write(&path, &text).expect("written");
    kept.import(&path);
    assert_eq!(state(&kept), (0, text.len()));
    // Replaced by a longer file with the same beginning.
    text += &line("three");
    fs::write(folder.path().join("new"), &text).expect("written");
    fs::rename(folder.path().join("new"), &path).expect("renamed");
    kept.import(&path);
    assert_eq!(state(&kept), (0, text.len()));
    // Cut off and written anew.
    text = lines(&["one", "four"]);
    fs::write(&path, &text).expect("written");
    kept.import(&path);
    assert_eq!(state(&kept), (1, text.len()));
    assert_eq!(kept.ids(), ["one", "two", "three", "four"]);
}

#[test]
fn a_file_of_copied_lines_becomes_its_own_session_when_its_own_line_comes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("fork.jsonl");
    let kept = Kept::default();
    fs::write(&path, line("one")).expect("written");
    kept.import(&path);
    fs::write(&path, line("one") + &line("two").replace("\"sessionId\":\"s\"", "\"sessionId\":\"fork\"")).expect("written");
    let summary = kept.import(&path);
    assert_eq!((summary.ids, summary.lines.total()), (vec!["fork".to_owned()], 2));
    assert!(kept.inner().lines.iter().any(|line| line.session.id == "fork"));
}

#[test]
fn a_session_is_told_its_end_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.jsonl");
    let kept = Kept::default();
    for (text, told) in [(line("one"), 1), (line("one"), 1), (lines(&["one", "two"]), 2)] {
        fs::write(&path, text).expect("written");
        kept.import(&path);
        assert_eq!(kept.inner().controls.len(), told);
    }
}

#[test]
fn a_line_of_a_hundred_megabytes_is_kept_by_its_head_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.jsonl");
    let long = format!("{{\"type\":\"user\",\"uuid\":\"long\",\"x\":\"{}\"}}\n", "x".repeat(100 << 20));
    fs::write(&path, line("one") + &long + &line("two")).expect("written");
    drop(long);
    let kept = Kept::default();
    let summary = kept.import(&path);
    assert_eq!(summary.lines.0.get("opaque"), Some(&1), "{:?}", summary.lines);
    assert_eq!(kept.ids(), ["one", "two"]);
    let held: usize = kept.inner().lines.iter().map(|line| serde_json::to_string(line).expect("JSON").len()).sum();
    assert!(held < 200_000, "{held}");
}

/// The fixtures of all dialects.
fn fixtures() -> Vec<std::path::PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let folders = fs::read_dir(root).expect("fixtures").map(|entry| entry.expect("an entry").path());
    let folders = folders.filter(|path| path.is_dir() && !path.ends_with("rows"));
    let mut found: Vec<_> =
        folders.flat_map(|folder| fs::read_dir(folder).expect("a folder")).map(|entry| entry.expect("an entry").path()).collect();
    found.sort();
    found
}

#[test]
fn files_of_every_dialect_may_be_cut_anywhere() {
    for fixture in fixtures() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, bytes) = (folder.path().join(fixture.file_name().expect("a name")), fs::read(&fixture).expect("bytes"));
        fs::write(&path, &bytes).expect("written");
        let whole = Kept::default();
        let summary = whole.import(&path);
        assert_eq!(summary.skipped, [], "{}", fixture.display());
        // Before its first record a file is nobody's.
        let first = 400.min(bytes.len());
        for cut in (first..bytes.len()).step_by(37) {
            let kept = Kept::default();
            for end in [cut, (cut + 211).min(bytes.len()), bytes.len()] {
                fs::write(&path, &bytes[..end]).expect("written");
                kept.import(&path);
            }
            assert_eq!(told(&kept), told(&whole), "{} cut at {cut}", fixture.display());
            assert_eq!(account(&kept), account(&whole), "{} cut at {cut}", fixture.display());
        }
    }
}

/// A file that had said its last is not waited for.
#[test]
fn a_session_of_which_one_file_grew_is_imported_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let agents = folder.path().join("s/subagents");
    fs::create_dir_all(&agents).expect("folders");
    fs::write(folder.path().join("s.jsonl"), line("one")).expect("written");
    fs::write(agents.join("agent-a1.jsonl"), line("child")).expect("written");
    let kept = Kept::default();
    kept.import(folder.path());
    fs::write(folder.path().join("s.jsonl"), lines(&["one", "two"])).expect("written");
    kept.import(folder.path());
    assert_eq!(kept.ids(), ["one", "child", "two"]);
}
