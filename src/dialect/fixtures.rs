//! Each dialect's fixtures: recognised by their content alone, and told as rows that a person can read (`tests/fixtures`).

use std::path::{Path, PathBuf};

use super::trial::{self, Told, books, rows, translate};
use super::{Cut, DIALECTS, Facts, Record, recognise};
use crate::model::{Class, Hash64};

/// The fixtures of all dialects: the dialect's name, and the file.
pub fn all() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let folders = std::fs::read_dir(root).expect("fixtures").map(|entry| entry.expect("an entry").path());
    let mut found = Vec::new();
    for folder in folders.filter(|path| path.is_dir() && !path.ends_with("rows")) {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let files = std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        found.extend(files.map(|file| (name.clone(), file)));
    }
    found.sort();
    found
}

#[test]
fn every_dialect_has_one() {
    let told: Vec<String> = all().into_iter().map(|(name, _)| name).collect();
    for dialect in DIALECTS.iter().filter(|dialect| dialect.name != "claude-hook") {
        assert!(told.iter().any(|name| name == dialect.name), "{}", dialect.name);
    }
}

#[test]
fn each_is_recognised_as_its_own_and_by_no_other_as_surely() {
    for (name, path) in all() {
        let text = std::fs::read_to_string(&path).expect("a text");
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        // Whole, from its first record alone, with other ends of line, and as events in lines.
        let first = text.split_inclusive(if path.extension().is_some_and(|end| end == "sse") { "\n\n" } else { "\n" }).next().unwrap_or("");
        let heads = [text.clone(), text.replace('\n', "\r\n"), format!("\u{feff}{text}"), lines.concat()];
        for head in heads {
            let mut ranks: Vec<(u8, &str)> = DIALECTS.iter().map(|dialect| (dialect.sure(head.as_bytes()), dialect.name)).collect();
            ranks.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
            assert_eq!(ranks[0].1, name, "{}: {ranks:?}", path.display());
            assert!(ranks[0].0 > ranks[1].0, "{}: {ranks:?}", path.display());
        }
        // From its beginning alone it is its own, or nobody's yet.
        let early = recognise(first.as_bytes()).map(|dialect| dialect.name);
        assert!(early.is_none_or(|early| early == name || first.len() < 80), "{}: {early:?} by {first}", path.display());
    }
}

/// A record as an event, its data pretty-printed over several lines.
fn spread(told: &Told) -> String {
    let (name, id, data) = match told {
        Told::Line(text) => ("", None, text),
        Told::Event { name, id, data } => (name.as_str(), id.as_deref(), data),
    };
    let pretty = serde_json::from_str::<serde_json::Value>(data).and_then(|data| serde_json::to_string_pretty(&data));
    let mut text = if name.is_empty() { String::new() } else { format!("event: {name}\n") };
    pretty.as_deref().unwrap_or(data).lines().for_each(|line| text += &format!("data: {line}\n"));
    text + &id.map(|id| format!("id: {id}\n")).unwrap_or_default() + "\n"
}

#[test]
fn events_over_several_lines_are_recognised_as_those_in_one() {
    for (name, path) in all() {
        let text: String = trial::records(&path).iter().map(spread).collect();
        for text in [text.clone(), text.replace('\n', "\r\n"), format!(": hello\n\n{text}")] {
            assert_eq!(recognise(text.as_bytes()).map(|dialect| dialect.name), Some(name.as_str()), "{}", path.display());
        }
    }
}

/// What nobody should write, each kept by every dialect as one line: too long, too deep, torn, no text, no number, no character.
#[test]
fn each_keeps_what_cannot_be_read() {
    let deep = format!("{{\"type\":\"user\",\"data\":{}1{}}}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let strange: [&[u8]; 8] = [
        deep.as_bytes(),
        b"{\"type\":\"user\",\"type\":7,\"id\":\"a\",\"id\":\"b\",\"event\":\"values\",\"data\":{\"a\":1,\"a\":2}}",
        b"{\"type\":\"user\",\"id\":\"\\ud800\",\"text\":\"x\\udfffy\",\"content\":\"\\ud83d\"}",
        b"{\"type\":\"user\",\"timestamp\":1e999,\"n\":-1e999,\"id\":123456789012345678901234567890}",
        b"{\"type\":\"user\",\"text\":\"half",
        b"\xff\xfe\0\0",
        b"\0\0\0",
        b"NaN",
    ];
    let long = vec![b'x'; 64 << 10];
    for dialect in &DIALECTS {
        let open = |memory: Option<&str>| (dialect.open)(Facts { session: "s".into(), ..Facts::default() }, memory).expect("a translator");
        let (mut translator, mut classes) = (open(None), Vec::new());
        let cut = Record { cut: Some(Cut { len: 100 << 20, hash: Hash64(7) }), ..Record::whole(0, &long) };
        let kept = translator.record(cut);
        // A hook's payload is a hint, and makes no entry.
        let opaque = if dialect.name == "claude-hook" { Class::Bookkeeping("control".into()) } else { Class::Opaque };
        assert_eq!(kept.iter().map(|line| &line.class).collect::<Vec<_>>(), [&opaque], "{}", dialect.name);
        assert!(serde_json::to_string(&kept).expect("JSON").len() < 200_000, "{}", dialect.name);
        for (at, bytes) in (1..).zip(strange) {
            classes.extend(translator.record(Record::whole(at << 20, bytes)).into_iter().map(|line| line.class));
            let memory = translator.memory();
            assert!(memory.len() < 1 << 20, "{}: {} bytes of memory", dialect.name, memory.len());
            translator = open(Some(&memory));
        }
        classes.extend(translator.end().into_iter().map(|line| line.class));
        assert_eq!(classes.iter().filter(|class| **class != Class::Part).count(), strange.len(), "{}: {classes:?}", dialect.name);
    }
}

#[test]
fn each_comes_to_the_rows_beside_it() {
    for (name, path) in all() {
        let records: Vec<Told> = trial::records(&path);
        let mut text = String::new();
        for (session, (memory, _)) in books(translate(&name, &records, |_| false)) {
            text += &format!("{} · {} · {}\n", session.family, session.id, memory.session.title);
            rows(&memory).iter().for_each(|row| text += &format!("{row}\n"));
        }
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/rows"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        settings.bind(|| insta::assert_snapshot!(format!("{name}-{stem}"), text));
    }
}
