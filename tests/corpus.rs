//! The road from generated transcripts to the export, against the generator's own counts.
//!
//! Runs where the generator lies beside the project and python3 is there; else it prints that it skips.
#![cfg(feature = "ssr")]
// A test tells of a fault by panicking.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use sidedeck::api::export;
use sidedeck::ingest::{Options, Pace, Sink, Summary, Tail, import};
use sidedeck::model::{Change, SessionStatus};
use sidedeck::store::{Published, Shared, Sid, Window, Writer};

struct Nobody;

impl Published for Nobody {
    fn session(&self, _: Sid, _: &[Change], _: u64) {}
    fn list(&self, _: &Change, _: u64) {}
}

/// A generated corpus, and a place for data folders.
struct Corpus {
    folder: tempfile::TempDir,
    manifest: BTreeMap<String, Value>,
}

impl Corpus {
    fn new(options: &[&str]) -> Option<Self> {
        let generator = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/claude_projects.py");
        if !generator.is_file() {
            eprintln!("skipped: there is no generator at {}", generator.display());
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let made = Command::new("python3").arg(&generator).arg(folder.path()).args(options).output();
        let Ok(made) = made.inspect_err(|_| eprintln!("skipped: there is no python3")) else { return None };
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let manifest = fs::read(folder.path().join("manifest.json")).expect("a manifest");
        Some(Self { manifest: serde_json::from_slice(&manifest).expect("JSON"), folder })
    }

    fn projects(&self) -> PathBuf {
        self.folder.path().join("projects")
    }

    /// All files, sorted.
    fn files(&self) -> Vec<PathBuf> {
        let (mut files, mut folders) = (Vec::new(), vec![self.projects()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
                if entry.is_dir() { folders.push(entry) } else { files.push(entry) }
            }
        }
        files.sort();
        files
    }
}

/// A store of its own.
struct Data {
    _folder: tempfile::TempDir,
    writer: Writer,
    store: Shared,
}

impl Data {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (writer, store) = Writer::open(folder.path(), Arc::new(Nobody)).expect("a store");
        Self { _folder: folder, writer, store }
    }

    fn import(&self, paths: &[PathBuf]) -> Summary {
        let sink: &dyn Sink = &self.writer;
        import(paths, &Options::default(), sink, &mut |_| {}).expect("an import")
    }

    fn export(&self, session: &str) -> Value {
        export_of(&self.store, session)
    }
}

fn export_of(store: &Shared, session: &str) -> Value {
    let sid = store.find(session).expect("a look").expect("a session");
    let mut out = Vec::new();
    export::json(&**store, sid, &mut out).expect("an export");
    serde_json::from_slice(&out).expect("JSON")
}

fn word<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// The export counted as the manifest counts: by agent, what it said and did.
fn counts(export: &Value) -> BTreeMap<String, [u64; 5]> {
    let mut all: BTreeMap<String, [u64; 5]> = BTreeMap::new();
    for agent in export["agents"].as_array().expect("agents") {
        all.entry(word(agent, "id").into()).or_default();
    }
    for entry in export["entries"].as_array().expect("entries") {
        let of = all.get_mut(word(entry, "agent")).expect("an agent of the session");
        match word(entry, "kind") {
            "text" => of[0] += 1,
            "reasoning" => of[1] += 1,
            "tool" | "ask" | "todos" => {
                of[2] += 1;
                of[3] += u64::from(word(entry, "state") == "failed");
            }
            "user" => of[4] += 1,
            _ => {}
        }
    }
    all
}

fn expected(counts: &Value) -> [u64; 5] {
    ["text", "reasoning", "tool_call", "tool_error", "user"].map(|name| counts[name].as_u64().expect("a count"))
}

fn assert_manifest(export: &Value, manifest: &Value) {
    let found = counts(export);
    let mut all: BTreeMap<String, [u64; 5]> = BTreeMap::from([("main".into(), expected(&manifest["main"]))]);
    for (id, counts) in manifest["agents"].as_object().expect("agents") {
        all.insert(id.clone(), expected(counts));
    }
    assert_eq!(found, all);
    for agent in export["agents"].as_array().expect("agents") {
        let id = word(agent, "id");
        assert_eq!(agent["usage"], manifest["usage"][id], "usage of {id}");
        if id == "main" {
            assert_eq!(agent["parent"], Value::Null);
            continue;
        }
        let parent = manifest["parents"][id].as_str().unwrap_or("main");
        assert_eq!(
            (word(agent, "parent"), word(agent, "title"), word(agent, "call")),
            (parent, word(&manifest["titles"], id), word(&manifest["calls"], id)),
            "{id}"
        );
        assert_eq!(word(agent, "status"), "finished", "{id}");
    }
}

/// An export without what may differ between two ways to the same session.
fn plain(mut export: Value) -> Value {
    for agent in export["agents"].as_array_mut().expect("agents") {
        agent.as_object_mut().expect("an agent").remove("n");
    }
    export
}

/// A generator of positions that needs no crate: the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound.max(1)
    }
}

#[test]
fn a_corpus_gives_the_counts_of_its_manifest_even_when_imported_twice() {
    let Some(corpus) = Corpus::new(&["--sessions", "6"]) else { return };
    let data = Data::new();
    for round in 0..2 {
        let summary = data.import(&[corpus.projects()]);
        assert_eq!((summary.sessions as usize, summary.skipped.len()), (corpus.manifest.len(), 0), "{:?}", summary.skipped);
        let lines: usize = corpus.files().iter().map(|file| fs::read(file).expect("a file")).map(|text| lines_of(&text)).sum();
        assert_eq!(summary.lines.total() as usize, lines, "{:?}", summary.lines);
        assert_eq!(summary.bytes == 0, round == 1);
        for (session, manifest) in &corpus.manifest {
            assert_manifest(&data.export(session), manifest);
        }
    }
}

/// Physical lines, a last one without its end included.
fn lines_of(text: &[u8]) -> usize {
    text.split_inclusive(|byte| *byte == b'\n').count()
}

#[test]
fn files_read_in_any_order_give_the_same_session() {
    let Some(corpus) = Corpus::new(&["--sessions", "4", "--turns", "4", "--seed", "7"]) else { return };
    let mut dice = Dice(1);
    let mut files = corpus.files();
    let first = Data::new();
    first.import(&[corpus.projects()]);
    for round in 0..4 {
        for at in (1..files.len()).rev() {
            files.swap(at, dice.below(at as u64 + 1) as usize);
        }
        let data = Data::new();
        // One import a file: each is told that its input has ended before the next is read.
        files.iter().for_each(|file| drop(data.import(std::slice::from_ref(file))));
        for (session, manifest) in &corpus.manifest {
            let export = data.export(session);
            assert_manifest(&export, manifest);
            assert_eq!(plain(export), plain(first.export(session)), "round {round}");
        }
    }
}

#[test]
fn files_cut_anywhere_and_completed_give_the_same_session() {
    for layout in ["plain", "hard"] {
        let more: &[&str] = if layout == "hard" { &["--hard"] } else { &[] };
        let Some(corpus) = Corpus::new(&[&["--sessions", "4", "--turns", "5", "--seed", "3"], more].concat()) else { return };
        let whole = Data::new();
        whole.import(&[corpus.projects()]);
        let (data, mut dice) = (Data::new(), Dice(5));
        let originals: Vec<(PathBuf, Vec<u8>)> =
            corpus.files().into_iter().map(|file| (file.clone(), fs::read(file).expect("a file"))).collect();
        // Each file grows by several cuts: 200 in all, and more.
        for _ in 0..=200 / originals.len() {
            for (path, text) in &originals {
                let len = fs::metadata(path).expect("a file").len();
                let now = if len as usize == text.len() { 0 } else { len };
                let cut = now + dice.below(text.len() as u64 - now);
                fs::write(path, &text[..cut as usize]).expect("written");
            }
            data.import(&[corpus.projects()]);
        }
        for (path, text) in &originals {
            fs::write(path, text).expect("written");
        }
        let summary = data.import(&[corpus.projects()]);
        let lines: usize = originals.iter().map(|(_, text)| lines_of(text)).sum();
        assert_eq!(summary.lines.total() as usize, lines, "{:?}", summary.lines);
        for (session, manifest) in &corpus.manifest {
            let export = data.export(session);
            assert_manifest(&export, manifest);
            assert_eq!(plain(export), plain(whole.export(session)));
        }
    }
}

#[test]
fn a_hard_corpus_gives_the_counts_of_its_manifest() {
    for layout in ["nested", "flat"] {
        let Some(corpus) = Corpus::new(&["--sessions", "4", "--hard", "--layout", layout]) else { return };
        let data = Data::new();
        let summary = data.import(&[corpus.projects()]);
        assert_eq!(summary.skipped, []);
        let bad: u64 = corpus.manifest.values().map(|session| session["bad_lines"].as_u64().expect("a count")).sum();
        assert_eq!(summary.lines.0.get("opaque"), Some(&bad), "{:?}", summary.lines);
        for (session, manifest) in &corpus.manifest {
            assert_manifest(&data.export(session), manifest);
        }
    }
}

#[test]
fn inline_sidechains_are_linked_by_their_prompts_and_counted_each() {
    let Some(corpus) = Corpus::new(&["--sessions", "4", "--layout", "inline"]) else { return };
    let data = Data::new();
    assert_eq!(data.import(&[corpus.projects()]).skipped, []);
    for (session, manifest) in &corpus.manifest {
        let export = data.export(session);
        let found = counts(&export);
        assert_eq!(found["main"], expected(&manifest["main"]));
        let mut agents: Vec<(String, String, [u64; 5])> = export["agents"]
            .as_array()
            .expect("agents")
            .iter()
            .filter(|agent| word(agent, "id") != "main")
            .map(|agent| (word(agent, "call").into(), word(agent, "title").into(), found[word(agent, "id")]))
            .collect();
        let mut true_ones: Vec<(String, String, [u64; 5])> = manifest["agents"]
            .as_object()
            .expect("agents")
            .iter()
            .map(|(id, counts)| (word(&manifest["calls"], id).into(), word(&manifest["titles"], id).into(), expected(counts)))
            .collect();
        agents.sort();
        true_ones.sort();
        assert_eq!(agents, true_ones);
    }
}

#[test]
fn files_followed_while_they_are_written_give_what_an_import_gives() {
    let live = ["--sessions", "3", "--turns", "4", "--steps", "4", "--seed", "9"];
    let Some(corpus) = Corpus::new(&live) else { return };
    let whole = Data::new();
    whole.import(&[corpus.projects()]);

    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("projects");
    let generator = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/claude_projects.py");
    let mut running = Command::new("python3").arg(&generator).arg(folder.path()).args(live).args(["--live", "4"]).spawn().expect("python3");
    let data_folder = tempfile::tempdir().expect("a folder");
    let pace = Pace { quiet: Duration::from_millis(300), ..Pace::default() };
    let quiet = |store: &Shared| {
        let statuses = |session: &String| {
            let sid = store.find(session).ok().flatten()?;
            Some(store.session_page(sid, 0, Window::Newest, 0).ok()??.session.status)
        };
        corpus
            .manifest
            .keys()
            .all(|session| statuses(session).is_some_and(|status| status == SessionStatus::Unknown || status == SessionStatus::Idle))
    };
    let mut over = false;
    let (mut rounds, begun) = (0, Instant::now());
    while !over {
        // Each round is a life of the store and the tail, which end in the middle of whatever comes.
        let (writer, store) = Writer::open(data_folder.path(), Arc::new(Nobody)).expect("a store");
        let tail = Tail::start(vec![root.clone()], Arc::new(writer.clone()), pace, Box::new(|text| panic!("reported: {text}")));
        let ended = running.try_wait().expect("a state").is_some();
        let patience = Instant::now() + if ended { Duration::from_secs(60) } else { Duration::from_millis(300) };
        while Instant::now() < patience && !over {
            std::thread::yield_now();
            over = ended
                && quiet(&store)
                && corpus.manifest.keys().all(|session| plain(export_of(&store, session)) == plain(whole.export(session)));
        }
        rounds += 1;
        drop(tail);
        futures::executor::block_on(writer.close()).expect("closed");
        if ended && !over {
            for session in corpus.manifest.keys() {
                assert_eq!(plain(export_of(&store, session)), plain(whole.export(session)), "after {rounds} rounds, {:?}", begun.elapsed());
            }
        }
    }
    running.wait().expect("an end");
    println!("{rounds} rounds");
}
