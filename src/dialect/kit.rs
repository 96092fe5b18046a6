//! What the tests of all dialects share: records in, rows out.

use std::collections::BTreeMap;

use super::{Facts, Record, Translator, by_name, trial};
use crate::ledger::memory::Memory;
use crate::model::{Agent, Body, Class, EntryState, Line, Op, SessionId};

/// What a source comes to: a store by session, and the classes of its lines.
pub type Sessions = BTreeMap<String, Memory>;

pub fn open(dialect: &str, memory: Option<&str>) -> Box<dyn Translator> {
    (by_name(dialect).expect("the dialect").open)(Facts::default(), memory).expect("a translator")
}

/// Translates records, told one after the other, to the end of the input.
pub fn translate(dialect: &str, records: &[String]) -> Vec<Line> {
    let mut translator = open(dialect, None);
    let records = records.iter().enumerate();
    let mut lines: Vec<Line> = records.flat_map(|(at, text)| translator.record(Record::whole(at as u64, text.as_bytes()))).collect();
    lines.extend(translator.end());
    lines
}

/// Feeds lines of a number of sources to the books of their sessions.
pub fn feed(lines: &[(u32, Line)], cut: impl Fn(usize) -> bool) -> (Sessions, Vec<Class>) {
    let mut by_session: BTreeMap<SessionId, Vec<(u32, Line)>> = BTreeMap::new();
    for (source, line) in lines {
        by_session.entry(line.session.clone()).or_default().push((*source, line.clone()));
    }
    let (mut sessions, mut classes) = (Sessions::new(), Vec::new());
    for (id, mut lines) in by_session {
        let mut memory = Memory::default();
        lines.push((99, Line::control(id.clone(), vec![Op::EndOfInput])));
        let told = memory.feed(&id, &lines, &cut);
        classes.extend(told.into_iter().take(lines.len() - 1));
        sessions.insert(id.id, memory);
    }
    (sessions, classes)
}

/// What one source comes to.
pub fn told(dialect: &str, records: &[String]) -> (Sessions, Vec<Class>) {
    let lines: Vec<(u32, Line)> = translate(dialect, records).into_iter().map(|line| (1, line)).collect();
    feed(&lines, |_| false)
}

/// The only session that one source comes to.
pub fn one(dialect: &str, records: &[String]) -> Memory {
    let (sessions, _) = told(dialect, records);
    assert_eq!(sessions.len(), 1, "{:?}", sessions.keys());
    sessions.into_values().next().expect("a session")
}

/// The same, with the translator opened anew and the book cut where `cuts` say, and records told again where `again` says.
pub fn disturbed(dialect: &str, records: &[String], cuts: &[bool], again: &[usize]) -> Sessions {
    let mut translator = open(dialect, None);
    let mut lines: Vec<(u32, Line)> = Vec::new();
    for at in 0..records.len() {
        for back in (0..=again.get(at % again.len().max(1)).copied().unwrap_or(0)).rev().chain([0]) {
            // What was told comes again under its number, after its followers too.
            let Some(old) = at.checked_sub(back) else { continue };
            lines.extend(translator.record(Record::whole(old as u64, records[old].as_bytes())).into_iter().map(|line| (1, line)));
        }
        if cuts.get(at % cuts.len().max(1)) == Some(&true) {
            let saved = translator.memory();
            translator = open(dialect, Some(&saved));
        }
    }
    lines.extend(translator.end().into_iter().map(|line| (1, line)));
    feed(&lines, |index| cuts.get((index * 7) % cuts.len().max(1)) == Some(&true)).0
}

/// Asserts that cuts and repetitions change no row.
pub fn holds(dialect: &str, records: &[String], cuts: &[bool], again: &[usize]) -> Result<(), proptest::test_runner::TestCaseError> {
    let (plain, _) = told(dialect, records);
    let other = disturbed(dialect, records, cuts, again);
    proptest::prop_assert_eq!(shown(&other), shown(&plain));
    Ok(())
}

/// Sessions, agents and transcripts in words.
pub fn shown(sessions: &Sessions) -> Vec<String> {
    let one = |(id, memory): (&String, &Memory)| {
        let mut lines = vec![format!("session {id} · {}", memory.session.status.word())];
        lines.extend(agents(memory));
        let shown = memory.agents.values().filter(|agent| !agent.is_aside());
        lines.extend(shown.flat_map(|agent| transcript(memory, agent.n)));
        lines
    };
    sessions.iter().flat_map(one).collect()
}

/// Agents in the order of their titles, each with its transcript: what must not hang on the order in which agents came.
pub fn by_title(memory: &Memory) -> BTreeMap<String, Vec<String>> {
    let shown = memory.agents.values().filter(|agent| !agent.is_aside());
    shown.map(|agent| (format!("{} {}", agent.title, agent.id), transcript(memory, agent.n))).collect()
}

/// "title (kind) · link · parent's title · status (cause), status (cause)…", a word for each run.
pub fn agents(memory: &Memory) -> Vec<String> {
    let title = |n: u32| memory.agents.get(&n).map_or("?", |agent| agent.title.as_str());
    let named = |agent: &Agent| match &agent.kind {
        Some(kind) => format!("{} ({kind})", agent.title),
        None => agent.title.clone(),
    };
    let shown = memory.agents.values().filter(|agent| agent.n > 0 && !agent.is_aside());
    shown.map(|agent| format!("{} · {} · {} · {}", named(agent), agent.link.word(), agent.parent.map_or("—", title), runs(agent))).collect()
}

/// "status (cause), status (cause)…", a word for each run.
pub fn runs(agent: &Agent) -> String {
    let runs = agent.runs.iter().map(|run| match &run.cause {
        Some(cause) => format!("{} ({cause})", run.status.word()),
        None => run.status.word().to_owned(),
    });
    runs.collect::<Vec<_>>().join(", ")
}

/// An agent's entries: "kind: text", with the state where it is not done.
pub fn transcript(memory: &Memory, n: u32) -> Vec<String> {
    let entries = memory.entries.values().filter(|entry| entry.agent == n);
    entries
        .map(|entry| {
            let text = match &entry.body {
                Body::User { text, origin: Some(origin), .. } => format!("({origin}) {}", text.text),
                Body::User { text, .. } | Body::Text { text } | Body::Reasoning { text } => text.text.clone(),
                Body::Tool(tool) => match (&tool.result, &tool.error) {
                    (Some(result), _) => format!("{} → {}", tool.title, result.text),
                    (None, Some(error)) => format!("{} ! {}", tool.title, error.text),
                    (None, None) => tool.title.clone(),
                },
                Body::Ask(ask) => format!("{} {:?} {}", ask.text.text, ask.ask_state, ask.answer.as_ref().map_or("", |text| &text.text)),
                Body::Todos { items, .. } => {
                    items.iter().map(|item| format!("{} {:?}", item.text, item.status)).collect::<Vec<_>>().join(", ")
                }
                Body::Notice(notice) => format!("{}: {}", notice.notice, notice.text.text),
            };
            let state = if entry.state == EntryState::Done { String::new() } else { format!(" [{}]", entry.state.word()) };
            format!("{}: {text}{state}", entry.body.kind())
        })
        .collect()
}

/// The transcript of the agent of this title.
pub fn of(memory: &Memory, title: &str) -> Vec<String> {
    transcript(memory, memory.titled(title).n)
}

/// Two sequences in one, each in its own order, as `picks` say.
pub fn interleaved(one: &[String], other: &[String], picks: &[bool]) -> Vec<String> {
    let (mut a, mut b, mut picks) = (one.iter(), other.iter(), picks.iter().cycle());
    let mut all = Vec::new();
    while a.len() > 0 || b.len() > 0 {
        let first = picks.next().copied().unwrap_or(true);
        let next = if first { a.next().or_else(|| b.next()) } else { b.next().or_else(|| a.next()) };
        all.extend(next.cloned());
    }
    all
}

/// Reads every sample of a folder as an import does, and asserts that the account closes. Prints what stayed opaque.
pub fn samples(folder: &str, dialect: &str) {
    for path in trial::samples(folder).into_iter().flatten() {
        let (classes, opaque, _) = trial::account(dialect, &path);
        println!("{}: {:?}", path.display(), classes.0);
        opaque.iter().for_each(|why| println!("    {why}"));
    }
}

/// Feeds what no one would write: nothing may make a translator fail.
pub fn abused(dialect: &str, kinds: &[&str], fields: &[&str], bytes: &[u8]) {
    let mut translator = open(dialect, None);
    translator.record(Record::whole(0, bytes));
    let values = [
        "7",
        "1e999",
        "-1",
        "[]",
        "{}",
        "\"x\"",
        "\"\\ud800\"",
        "[{}]",
        "{\"type\":\"x\",\"type\":7,\"id\":\"i\"}",
        "[[[]]]",
        "null",
        "[\"x\",7]",
    ];
    for (at, value) in values.iter().enumerate() {
        for kind in kinds {
            let given: Vec<String> = fields.iter().map(|field| format!("\"{field}\":{value}")).collect();
            let text = format!("{{\"type\":\"{kind}\",{}}}", given.join(","));
            translator.record(Record::whole(at as u64, text.as_bytes()));
        }
    }
    let saved = translator.memory();
    open(dialect, Some(&saved)).end();
}

/// Feeds depth and length: all is kept, and the memory stays small.
pub fn buried(dialect: &str, kinds: &[&str], fields: &[&str]) {
    let deep = format!("{}1{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let long = format!("\"{}\"", "x".repeat(1_200_000));
    let (mut translator, mut records, mut lines) = (open(dialect, None), 0, Vec::new());
    for (value, kinds) in [(deep, kinds.get(..1).unwrap_or_default()), (long, kinds)] {
        for kind in kinds {
            let given: Vec<String> = fields.iter().map(|field| format!("\"{field}\":{value}")).collect();
            let text = format!("{{\"type\":\"{kind}\",{}}}", given.join(","));
            lines.extend(translator.record(Record::whole(records, text.as_bytes())).into_iter().map(|line| line.class));
            let size = translator.memory().len();
            assert!(size < 1 << 20, "the memory is bounded: {size} after {kind}");
            records += 1;
        }
    }
    lines.extend(translator.end().into_iter().map(|line| line.class));
    assert_eq!(lines.into_iter().filter(|class| *class != Class::Part).count() as u64, records, "every record has its line");
}
