//! How each dialect tells the lives of agents: seven cases, a table for each dialect (`<dialect>/tests/cases.rs`).
//!
//! In all of them a child says of itself who it is ("I am …"), so that no entry can stand in a wrong transcript unseen.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::trial::Told;
use super::{DIALECTS, Facts, Place, Record, by_name, kit};
use crate::ledger::memory::Memory;
use crate::model::{Line, MAIN, Op, SessionId};

/// What is told of agents, in the order of a table.
const CASES: [&str; 7] =
    ["parallel children with equal prompts", "child before parent", "end before start", "resume", "background", "stop", "crash"];

/// One case in one dialect.
pub enum Life {
    /// Files by their paths, read one after the other; what is known behind them; and a row for each child:
    /// "id · runs · link: entry | entry".
    Told(Vec<(&'static str, Vec<Told>)>, Vec<Op>, Vec<&'static str>),
    /// The format has no such thing, for this reason.
    Cannot(&'static str),
}

/// The cases of one dialect, in the order of [`CASES`].
pub type Table = [Life; 7];

/// One source, and its children.
pub fn stream<T: Into<Told>>(records: impl IntoIterator<Item = T>, rows: &[&'static str]) -> Life {
    files([("s", records.into_iter().map(Into::into).collect())], rows)
}

/// Several files, and their children.
pub fn files<const N: usize>(files: [(&'static str, Vec<Told>); N], rows: &[&'static str]) -> Life {
    Life::Told(files.into(), Vec::new(), rows.to_vec())
}

/// Lines of a file.
pub fn lines(lines: impl IntoIterator<Item = String>) -> Vec<Told> {
    lines.into_iter().map(Told::Line).collect()
}

impl Life {
    /// The process has ended.
    pub fn exits(self) -> Self {
        self.then(Op::Exit { stopped: false, cause: None })
    }

    /// No file has grown for a while.
    pub fn falls_silent(self) -> Self {
        self.then(Op::NoNews)
    }

    fn then(self, op: Op) -> Self {
        match self {
            Self::Told(files, _, rows) => Self::Told(files, vec![op], rows),
            other => other,
        }
    }
}

fn tables() -> BTreeMap<&'static str, Table> {
    BTreeMap::from([
        ("acp", super::acp::tests::cases::table()),
        ("ag-ui", super::agui::tests::cases::table()),
        ("claude-disk", super::claude::tests::cases::table()),
        ("claude-hook", std::array::from_fn(|_| Life::Cannot("a hook is a hint: it begins, ends and tells nothing"))),
        ("claude-stream", super::claude::stream::tests::cases::table()),
        ("codex", super::codex::tests::cases::table()),
        ("codex-exec", super::codex::tests::exec::cases::table()),
        ("deerflow", super::deerflow::tests::cases::table()),
        ("gemini", super::gemini::tests::cases::table()),
        ("gemini-stream", std::array::from_fn(|_| Life::Cannot("what is printed tells of no child"))),
        ("langalpha", super::langalpha::tests::cases::table()),
        ("langgraph", super::langgraph::tests::cases::table()),
        ("opencode", super::opencode::tests::cases::table()),
        ("otel", super::otel::tests::cases::table()),
        ("sidedeck", super::sidedeck::tests::cases::table()),
    ])
}

/// What happens on the way: behind which records the translator begins anew with its memory, and behind which those before come again.
#[derive(Default)]
struct Way {
    cuts: Vec<bool>,
    again: Vec<usize>,
}

/// What files come to, and what is known behind them.
fn read(name: &str, files: &[(&'static str, Vec<Told>)], behind: &[Op], way: &Way) -> Vec<Memory> {
    let dialect = by_name(name).expect("a dialect");
    let mut by_session: BTreeMap<SessionId, Vec<(u32, Line)>> = BTreeMap::new();
    for (source, (path, records)) in (1..).zip(files) {
        let parts: Vec<&str> = path.split('/').collect();
        let place = if parts.len() > 1 { (dialect.place)(&parts) } else { Place::default() };
        let facts = Facts { session: place.session.clone().unwrap_or("s".into()), place };
        let open = |memory: Option<&str>| (dialect.open)(facts.clone(), memory).expect("a translator");
        let (mut translator, mut told) = (open(None), Vec::<Line>::new());
        for at in 0..records.len() {
            let back = way.again.get(at % way.again.len().max(1)).map_or(0, |back| *back.min(&at));
            // An id is a run's own: what comes again comes before the next run.
            let run = records[..=at].iter().rposition(|told| matches!(told, Told::Event { name, .. } if name == "metadata"));
            let back = back.min(at - run.unwrap_or(0));
            // What comes again comes under its own number and id.
            for at in [at].into_iter().chain(at - back..at + usize::from(back > 0)) {
                told.extend(match &records[at] {
                    Told::Line(text) => translator.record(Record::whole(at as u64, text.as_bytes())),
                    Told::Event { name, data, .. } => {
                        translator.record(Record::event(at as u64, name, Some(&format!("{path}-{at}")), data.as_bytes()))
                    }
                });
            }
            if way.cuts.get(at % way.cuts.len().max(1)) == Some(&true) {
                let memory = translator.memory();
                translator = open(Some(&memory));
            }
        }
        told.extend(translator.end());
        told.into_iter().for_each(|line| by_session.entry(line.session.clone()).or_default().push((source, line)));
    }
    let sessions = by_session.into_iter().map(|(id, mut lines)| {
        let behind = [&[Op::EndOfInput], behind].concat();
        lines.extend(behind.into_iter().map(|op| (1, Line::control(id.clone(), vec![op]))));
        let mut memory = Memory::default();
        memory.feed(&id, &lines, |_| false);
        memory
    });
    sessions.collect()
}

fn rows(memory: &Memory) -> Vec<String> {
    let shown = memory.agents.values().filter(|agent| agent.n != MAIN && !agent.is_aside());
    let row = |agent: &crate::model::Agent| {
        let entries = kit::transcript(memory, agent.n).join(" | ");
        format!("{} · {} · {}: {entries}", agent.id, kit::runs(agent), agent.link.word())
    };
    shown.map(row).collect()
}

#[test]
fn each_dialect_tells_lives_as_its_table_says() {
    let tables = tables();
    assert_eq!(tables.len(), DIALECTS.len());
    let mut wrong = Vec::new();
    for (name, table) in &tables {
        assert!(by_name(name).is_some(), "{name}");
        for (case, life) in CASES.iter().zip(table) {
            let (files, behind, expected) = match life {
                Life::Told(files, behind, expected) => (files, behind, expected),
                Life::Cannot(why) => {
                    println!("{name}, {case}: {why}");
                    continue;
                }
            };
            let sessions = read(name, files, behind, &Way::default());
            let found: Vec<String> = sessions.iter().flat_map(rows).collect();
            if found != *expected || sessions.len() != 1 {
                wrong.push(format!("{name}, {case}: {} sessions\n{found:#?}", sessions.len()));
            }
            let main: Vec<String> = sessions.iter().flat_map(|memory| kit::transcript(memory, MAIN)).collect();
            if main.iter().any(|entry| entry.contains(": I am")) {
                wrong.push(format!("{name}, {case}: a child's words in the main transcript\n{main:#?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn restarts_and_repetitions_change_no_life(
        cuts in prop::collection::vec(any::<bool>(), 1..12),
        again in prop::collection::vec(0usize..4, 1..12),
    ) {
        let way = Way { cuts, again };
        let all = |sessions: Vec<Memory>| -> Vec<String> {
            sessions.iter().flat_map(|memory| [vec![memory.session.status.word().to_owned()], kit::transcript(memory, MAIN), rows(memory)].concat()).collect()
        };
        for (name, table) in tables() {
            for (case, life) in CASES.iter().zip(table) {
                let Life::Told(files, behind, _) = life else { continue };
                let (plain, other) = (read(name, &files, &behind, &Way::default()), read(name, &files, &behind, &way));
                prop_assert_eq!(all(other), all(plain), "{}, {}", name, case);
            }
        }
    }
}
