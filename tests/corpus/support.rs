//! Generated transcripts, stores to import them into, and what the generator says must come out.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use serde_json::Value;
use sidedeck::api::export;
use sidedeck::ingest::{Options, Sink, Summary, import};
use sidedeck::model::Change;
use sidedeck::store::{Published, Shared, Sid, Writer};

/// Hears of changes and does nothing.
pub struct Nobody;

impl Published for Nobody {
    fn session(&self, _: Sid, _: &[Change], _: u64) {}
    fn list(&self, _: &Change, _: u64) {}
}

/// The program that writes transcripts.
pub fn generator() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/claude_projects.py")
}

/// A generated corpus, and a place for data folders.
pub struct Corpus {
    folder: tempfile::TempDir,
    pub manifest: BTreeMap<String, Value>,
}

impl Corpus {
    pub fn new(options: &[&str]) -> Option<Self> {
        let generator = generator();
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

    pub fn projects(&self) -> PathBuf {
        self.folder.path().join("projects")
    }

    /// All files, sorted.
    pub fn files(&self) -> Vec<PathBuf> {
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
pub struct Data {
    _folder: Option<tempfile::TempDir>,
    writer: Writer,
    store: Shared,
}

impl Data {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let data = Self::at(folder.path());
        Self { _folder: Some(folder), ..data }
    }

    /// The store of a folder that is there.
    pub fn at(folder: &Path) -> Self {
        let (writer, store) = Writer::open(folder, Arc::new(Nobody)).expect("a store");
        Self { _folder: None, writer, store }
    }

    pub fn import(&self, paths: &[PathBuf]) -> Summary {
        let sink: &dyn Sink = &self.writer;
        import(paths, &Options::default(), sink, &mut |_| {}).expect("an import")
    }

    pub fn export(&self, session: &str) -> Value {
        export_of(&self.store, session)
    }
}

pub fn export_of(store: &Shared, session: &str) -> Value {
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

/// Every agent of the manifest is there, whole, under its parent and its call. Inline sidechains have no ids: they are told apart
/// by their calls, and those of which several have one title may have none.
pub fn assert_manifest(export: &Value, manifest: &Value) {
    let found = counts(export);
    assert_eq!(found["main"], expected(&manifest["main"]));
    let titles = manifest["titles"].as_object().expect("titles");
    let inline = titles.keys().any(|id| id.starts_with("inline-"));
    let by_call: BTreeMap<&str, &str> =
        manifest["calls"].as_object().expect("calls").iter().map(|(id, call)| (call.as_str().expect("a call"), id.as_str())).collect();
    let twins = |title: &Value| titles.values().filter(|other| *other == title).count() > 1;
    let mut doubtful: Vec<([u64; 5], Value)> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for agent in export["agents"].as_array().expect("agents") {
        let id = word(agent, "id");
        if id == "main" {
            assert_eq!((&agent["usage"], &agent["parent"]), (&manifest["usage"]["main"], &Value::Null));
            continue;
        }
        let name = if inline { by_call.get(word(agent, "call")).copied().unwrap_or_default() } else { id };
        let unlinked = agent["link"] == "unlinked";
        if inline && (unlinked || (found[id][0] == 0 && twins(&titles[name]))) {
            // One of several with the same words: its transcript stands for itself, its call too.
            assert!(unlinked == agent["call"].is_null());
            if unlinked {
                doubtful.push((found[id], agent["usage"].clone()));
            }
            continue;
        }
        assert!(seen.insert(name.to_owned()), "{name} twice");
        assert_eq!((found[id], &agent["usage"]), (expected(&manifest["agents"][name]), &manifest["usage"][name]), "{id}");
        let parent = match manifest["parents"][name].as_str() {
            // An inline parent has an id that only the export knows.
            Some(parent) if inline => {
                let call = word(&manifest["calls"], parent);
                let parent = export["agents"].as_array().expect("agents").iter().find(|agent| word(agent, "call") == call);
                word(parent.expect("a parent"), "id").to_owned()
            }
            parent => parent.unwrap_or("main").to_owned(),
        };
        assert_eq!(
            (word(agent, "parent"), word(agent, "title"), word(agent, "call")),
            (parent.as_str(), word(&manifest["titles"], name), word(&manifest["calls"], name)),
            "{id}"
        );
        assert_eq!(word(agent, "status"), "finished", "{id}");
    }
    let mut left: Vec<([u64; 5], Value)> = Vec::new();
    for (name, counts) in manifest["agents"].as_object().expect("agents").iter().filter(|(name, _)| !seen.contains(*name)) {
        assert!(inline && twins(&titles[name]), "{name} is missing");
        left.push((expected(counts), manifest["usage"][name].clone()));
    }
    let order = |of: &([u64; 5], Value)| (of.0, of.1.to_string());
    left.sort_by_key(order);
    doubtful.sort_by_key(order);
    assert_eq!(doubtful, left, "transcripts of equal words");
}

/// An export without what may differ between two ways to the same session.
pub fn plain(mut export: Value) -> Value {
    for agent in export["agents"].as_array_mut().expect("agents") {
        agent.as_object_mut().expect("an agent").remove("n");
    }
    export
}

/// A generator of positions that needs no crate: the same each time.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound.max(1)
    }
}

/// Physical lines, a last one without its end included.
pub fn lines_of(text: &[u8]) -> usize {
    text.split_inclusive(|byte| *byte == b'\n').count()
}
