//! How translators are tried: records in, rows out as lines that a person reads; and the properties that hold for all of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::{Dialect, Facts, Record, by_name};
use crate::ledger::memory::Memory;
pub(crate) use crate::ledger::memory::interleave;
use crate::model::{Body, Class, Classes, EntryState, Line, Link, MAIN, Op, SessionId};

/// One record of a made-up source.
#[derive(Clone, Debug)]
pub enum Told {
    Line(String),
    Event { name: String, id: Option<String>, data: String },
}

impl From<String> for Told {
    fn from(text: String) -> Self {
        Self::Line(text)
    }
}

/// A line.
pub fn line(text: impl Into<String>) -> Told {
    Told::Line(text.into())
}

/// An event; without an id for "".
pub fn event(name: &str, id: &str, data: impl Into<String>) -> Told {
    Told::Event { name: name.into(), id: Some(id.to_owned()).filter(|id| !id.is_empty()), data: data.into() }
}

fn dialect(name: &str) -> &'static Dialect {
    by_name(name).expect("a dialect")
}

/// Translates records, with a restart behind each where `cut` says so.
pub fn translate(name: &str, told: &[Told], cut: impl Fn(usize) -> bool) -> Vec<Line> {
    let facts = || Facts { session: "s".into(), ..Facts::default() };
    let mut translator = (dialect(name).open)(facts(), None).expect("a translator");
    let mut lines = Vec::new();
    for (at, told) in told.iter().enumerate() {
        let offset = at as u64;
        lines.extend(match told {
            Told::Line(text) => translator.record(Record::whole(offset, text.as_bytes())),
            Told::Event { name, id, data } => translator.record(Record::event(offset, name, id.as_deref(), data.as_bytes())),
        });
        if cut(at) {
            let memory = translator.memory();
            translator = (dialect(name).open)(facts(), Some(&memory)).expect("a translator");
        }
    }
    lines.extend(translator.end());
    lines
}

/// What lines come to: a store by session, and the classes of its lines.
pub type Books = BTreeMap<SessionId, (Memory, Vec<Class>)>;

/// What lines come to, read from source 1.
pub fn books(lines: Vec<Line>) -> Books {
    let mut by: BTreeMap<SessionId, Vec<(u32, Line)>> = BTreeMap::new();
    for line in lines {
        by.entry(line.session.clone()).or_default().push((1, line));
    }
    by.into_iter()
        .map(|(id, lines)| {
            let mut memory = Memory::default();
            let classes = memory.feed(&id, &lines, |_| false);
            (id, (memory, classes))
        })
        .collect()
}

/// The one session that records come to.
pub fn told(name: &str, records: &[Told]) -> Memory {
    let mut books = books(translate(name, records, |_| false));
    assert_eq!(books.len(), 1, "one session: {:?}", books.keys());
    books.pop_first().map(|(_, (memory, _))| memory).unwrap_or_default()
}

/// The same behind the end of the input, where inferences are drawn for good.
pub fn read_to_end(name: &str, records: &[Told]) -> Memory {
    let mut lines = translate(name, records, |_| false);
    let session = lines[0].session.clone();
    lines.push(Line::control(session, vec![Op::EndOfInput]));
    books(lines).pop_first().map(|(_, (memory, _))| memory).unwrap_or_default()
}

/// All rows, in words: an agent's line, and its entries below it.
pub fn rows(memory: &Memory) -> Vec<String> {
    let mut rows = vec![format!("session {:?}", memory.session.status).to_lowercase()];
    for agent in memory.agents.values().filter(|agent| !agent.is_aside()) {
        if agent.n != MAIN {
            rows.push(head(memory, agent));
        }
        let entries = memory.entries.values().filter(|entry| entry.agent == agent.n);
        rows.extend(entries.map(|entry| format!("  {}", words(entry))));
    }
    rows
}

/// One agent's line.
fn head(memory: &Memory, agent: &crate::model::Agent) -> String {
    let parent = agent.parent.map(|parent| memory.agents[&memory.agents[&parent].shown()].id.clone());
    let under = match (agent.link, parent) {
        (Link::Unlinked, None) => "unlinked".to_owned(),
        (link, parent) => format!("{} of {}", link.word(), parent.unwrap_or_default()),
    };
    let kind = agent.kind.as_ref().map(|kind| format!(" ({kind})")).unwrap_or_default();
    format!("{}: {}{kind}, {}, {under}", agent.id, agent.title, agent.status.word())
}

/// One entry.
fn words(entry: &crate::model::Entry) -> String {
    let mut body = entry.body.clone();
    let mut texts: Vec<String> = body.texts_mut().into_iter().map(|long| long.text.clone()).filter(|text| !text.is_empty()).collect();
    let name = match &body {
        Body::Tool(tool) => format!("tool {:?}", tool.title),
        Body::Notice(notice) => notice.notice.clone(),
        Body::Ask(ask) => format!("ask {:?} {:?}", ask.ask_state, ask.options).to_lowercase(),
        Body::Todos { items, .. } => {
            texts.extend(items.iter().map(|item| format!("{:?} {}", item.status, item.text).to_lowercase()));
            "todos".into()
        }
        other => other.kind().to_owned(),
    };
    let state = if entry.state == EntryState::Done { String::new() } else { format!(" [{}]", entry.state.word()) };
    format!("{name}{state}: {}", texts.join(" | "))
}

/// The transcript of each agent by its id, without what depends on who was first.
pub fn transcripts(memory: &Memory) -> BTreeMap<String, Vec<String>> {
    let shown = memory.agents.values().filter(|agent| !agent.is_aside());
    shown
        .map(|agent| {
            let entries = memory.entries.values().filter(|entry| entry.agent == agent.n).map(words);
            (agent.id.clone(), std::iter::once(head(memory, agent)).chain(entries).collect())
        })
        .collect()
}

/// Any restart between two records gives the same lines.
pub fn restarts_change_nothing(name: &str, records: &[Told], cuts: &[bool]) -> Result<(), TestCaseError> {
    let whole = translate(name, records, |_| false);
    let cut = translate(name, records, |at| cuts[at % cuts.len()]);
    prop_assert_eq!(whole, cut);
    Ok(())
}

/// Frames with an id that come again, right away or from an earlier place on, change no row.
pub fn repeats_change_nothing(name: &str, records: &[Told], repeats: &[prop::sample::Index]) -> Result<(), TestCaseError> {
    let straight = told(name, records);
    let mut again: Vec<Told> = Vec::new();
    for (at, record) in records.iter().enumerate() {
        again.push(record.clone());
        let back = repeats[at % repeats.len()].index(8);
        if at % 3 == 0 {
            again.extend(
                records[at.saturating_sub(back)..=at].iter().filter(|told| matches!(told, Told::Event { id: Some(_), .. })).cloned(),
            );
        }
    }
    prop_assert_eq!(rows(&straight), rows(&told(name, &again)));
    Ok(())
}

/// Nothing in a record makes a translator fail, and every record is counted.
pub fn survives(name: &str, records: &[Told]) {
    let deep = format!("{}1{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let strange = [
        "",
        "null",
        "[]",
        "{}",
        "7",
        "\"x\"",
        "[[],[]]",
        "{\"event\":7,\"data\":[]}",
        "[\"messages\",null]",
        "[\"messages\",[[],{}]]",
        "{\"type\":\"event\",\"method\":\"messages\",\"params\":{\"namespace\":[7],\"data\":{\"event\":\"message-start\"}}}",
        "{\"a\":1e999,\"a\":\"\\ud83d\",\"event\":\"values\",\"data\":{\"messages\":[{\"type\":\"ai\",\"id\":\"\\ud83d\",\"content\":1e999}]}}",
    ];
    let mut all: Vec<Told> = strange.iter().map(|text| line(*text)).collect();
    all.push(line(format!("{{\"event\":\"values\",\"data\":{{\"messages\":{deep}}}}}")));
    all.push(line(deep));
    for record in records {
        let (text, name) = match record {
            Told::Line(text) => (text.clone(), None),
            Told::Event { name, data, .. } => (data.clone(), Some(name.clone())),
        };
        // Every value of the record is swapped for another kind.
        for (from, to) in [("\"", "7"), (":{", ":[{"), (":[", ":{\"x\":"), ("\":\"", "\":null,\"y\":\""), ("}", "")] {
            let broken = text.replacen(from, to, 1 + text.len() % 3);
            all.push(name.as_deref().map_or_else(|| line(broken.clone()), |name| event(name, "", broken.clone())));
        }
    }
    let lines = translate(name, &all, |_| false);
    let physical = lines.iter().filter(|line| line.class != Class::Part).count();
    assert_eq!(physical, all.len(), "every record is in one class");
    books(lines);
}

/// The files of a dialect's samples; `None`, with a printed line, where they are not there.
pub fn samples(folder: &str) -> Option<Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/samples").join(folder);
    if !root.is_dir() {
        eprintln!("skipped: there are no samples at {}", root.display());
        return None;
    }
    let (mut found, mut folders) = (Vec::new(), vec![root]);
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    Some(found)
}

/// A file's records, as an import reads them: whole JSON, server-sent events, or lines.
pub fn records(path: &Path) -> Vec<Told> {
    let text = std::fs::read_to_string(path).expect("a text");
    let whole = text.trim_start().starts_with(['[', '{']) && serde_json::from_str::<&serde_json::value::RawValue>(&text).is_ok();
    if whole {
        vec![line(text.trim())]
    } else if path.extension().is_some_and(|end| end == "sse") {
        events(&text)
    } else {
        text.lines().filter(|text| !text.trim().is_empty()).map(line).collect()
    }
}

/// A sample's account, which must close, with what each opaque line says.
pub fn account(name: &str, path: &Path) -> (Classes, Vec<String>, Books) {
    let records = records(path);
    let lines = translate(name, &records, |_| false);
    let mut classes = Classes::default();
    lines.iter().for_each(|line| classes.add(&line.class));
    let opaque = lines.iter().filter(|line| line.class == Class::Opaque).map(|line| format!("{:?}", line.ops.last())).collect();
    assert_eq!(classes.total() as usize, records.len(), "{}: the account closes", path.display());
    (classes, opaque, books(lines))
}

/// Server-sent events of a well-formed text.
pub fn events(text: &str) -> Vec<Told> {
    let frames = text.split("\n\n").filter(|frame| !frame.trim().is_empty());
    frames
        .map(|frame| {
            let field = |name: &str| frame.lines().find_map(|line| line.strip_prefix(name)).map(str::trim_start).unwrap_or_default();
            event(field("event:"), field("id:"), field("data:"))
        })
        .collect()
}
