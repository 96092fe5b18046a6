//! The contract, held against exports of a session that has everything.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::model::{
    AgentPatch, Ask, Blobbed, Body, Change, EntryState, Line, Link, Notice, Op, Origin, SessionPatch, TitleFrom, Todo, TodoStatus,
    ToolPatch, Usage, Who,
};
use crate::store::tests::lines::{line, parcel, reports, says, starts, story};
use crate::store::tests::{Bench, Desk, agent, entry};
use crate::store::{Store, StoreError};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and so on";

fn export(store: &dyn Store, session: &str) -> String {
    let sid = store.find(session).unwrap().unwrap();
    let mut out = Vec::new();
    super::json(store, sid, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Parses an export and holds it to the schema.
fn held(text: &str) -> Value {
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/export.schema.json");
    let mut schemas = boon::Schemas::new();
    let schema = boon::Compiler::new().compile(schema, &mut schemas).unwrap();
    let value: Value = serde_json::from_str(text).unwrap();
    if let Err(error) = schemas.validate(&value, schema) {
        panic!("{error:#}");
    }
    value
}

/// All kinds of entries, in one file.
fn everything() -> Vec<Line> {
    let main = || Who::Main;
    let put = |key: &str, body, images| Op::Entry { who: Who::Main, keys: vec![key.into()], body, state: EntryState::Done, images };
    let call = |call: &str, name: &str, args: &str, instead| Op::Call {
        who: Who::Main,
        call: call.into(),
        keys: Vec::new(),
        patch: ToolPatch { name: Some(name.into()), args: Some(args.into()), instead, ..ToolPatch::default() },
    };
    let ends = |call: &str, result, images| Op::Result { who: main(), call: call.into(), result, images, state: EntryState::Done };
    let spills = |call: &str, text| Op::Spilled { who: main(), call: call.into(), file: "b1.txt".into(), text };
    let image = || vec![Blobbed { media_type: "image/webp".into(), data: "iVBORw0KGgogYW5kIHNvIG9u".into() }];
    let origin = Origin { session: "s0".into(), message: None };
    let title = Some((TitleFrom::Custom, "Everything".into()));
    let ask = Ask { ask: "question".into(), text: "Which?".into(), options: vec!["This".into()], ..Ask::default() };
    let todo = Todo { text: "Look".into(), status: TodoStatus::InProgress };
    let notice = Notice { notice: "limit".into(), text: "Enough.".into(), detail: Some("{}".into()) };
    let usage = Usage { input: 1, output: 2, cache_read: 3, cache_write: 4 };
    let ops = vec![
        vec![
            Op::Session(SessionPatch { title, cwd: Some("/home/x".into()), origin: Some(origin), ..SessionPatch::default() }),
            put("u", Body::User { text: "Hello \u{0}\u{2028}".into(), images: Vec::new(), origin: None }, image()),
        ],
        vec![put("r", Body::Reasoning { text: "Hm.".into() }, Vec::new())],
        vec![Op::Usage { who: main(), message: "m".into(), usage, context: None }, says(main(), "t", "Yes.")],
        vec![call("c-args", "Read", r#"{"b": 1e999, "a": 123456789012345678901234567890}"#, None)],
        vec![ends("c-args", Ok("ü".repeat(100_000)), image())],
        vec![call("c-cut", "Read", r#"{"b": "#, None), ends("c-cut", Err("No such file.".into()), Vec::new())],
        vec![call("c-none", "Read", "", None)],
        vec![call("c-ask", "Ask", "{}", Some(Body::Ask(Box::new(ask)))), ends("c-ask", Ok("This".into()), Vec::new())],
        vec![call("c-todo", "Todo", "{}", Some(Body::Todos { items: vec![todo], call: Some("c-todo".into()) }))],
        vec![put("n", Body::Notice(notice), Vec::new())],
        vec![
            call("c-whole", "Bash", "{}", None),
            spills("c-whole", Some("ab".repeat(50_000))),
            ends("c-whole", Ok("ab".into()), Vec::new()),
        ],
        vec![call("c-gone", "Bash", "{}", None), ends("c-gone", Ok("ab".into()), Vec::new()), spills("c-gone", None)],
    ];
    ops.into_iter().zip((0..).step_by(10)).map(|(ops, at)| line("all", at, ops)).collect()
}

#[test]
fn every_kind_of_entry_is_told_as_the_contract_says() {
    let dir = tempfile::tempdir().unwrap();
    let desk = Desk::open(&dir.path().join("d"));
    desk.send(parcel("file", everything())).unwrap();
    let text = export(desk.store.as_ref(), "all");
    assert!(text.contains(r#""args":{"b": 1e999, "a": 123456789012345678901234567890}"#), "as it came");
    // What this parser cannot read is read as something else.
    let value = held(&text.replace("1e999", "1"));
    assert_eq!(value["session"]["origin"], json!({"session": "s0", "message": null}));
    assert_eq!(value["session"]["started_at"], "2026-05-28T20:26:40.000Z");
    assert_eq!(value["agents"][0]["usage"], json!({"input": 1, "output": 2, "cache_read": 3, "cache_write": 4}));
    let entries = value["entries"].as_array().unwrap();
    let kinds: Vec<&str> = entries.iter().map(|entry| entry["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["user", "reasoning", "text", "tool", "tool", "tool", "ask", "todos", "notice", "tool", "tool"]);
    let image = json!([{"media_type": "image/png", "data": base64::Engine::encode(&base64::engine::general_purpose::STANDARD, PNG)}]);
    assert_eq!((&entries[0]["images"], &entries[3]["images"]), (&image, &image));
    assert_eq!(entries[0]["text"], "Hello \u{0}\u{2028}");
    assert_eq!(entries[3]["result"].as_str().unwrap().chars().count(), 100_000);
    assert_eq!(
        (&entries[4]["args"], &entries[4]["result"], &entries[4]["error"]),
        (&json!("{\"b\": "), &Value::Null, &json!("No such file."))
    );
    assert_eq!(entries[5]["args"], Value::Null);
    assert_eq!(
        (&entries[6]["ask"], &entries[6]["ask_state"], &entries[6]["answer"]),
        (&json!("question"), &json!("answered"), &json!("This"))
    );
    assert_eq!(entries[7]["items"], json!([{"text": "Look", "status": "in_progress"}]));
    assert_eq!((&entries[8]["kind"], &entries[8]["notice"], &entries[8]["detail"]), (&json!("notice"), &json!("limit"), &json!("{}")));
    assert_eq!(entries[9]["result"].as_str().unwrap().len(), 100_000, "the whole, where the agent saw the beginning");
    assert_eq!(entries[10]["result"], "ab");
}

#[test]
fn a_report_is_told_once_and_links_are_ids() {
    let dir = tempfile::tempdir().unwrap();
    let desk = Desk::open(&dir.path().join("d"));
    for (file, line) in story() {
        desk.send(parcel(file, vec![line])).unwrap();
    }
    let value = held(&export(desk.store.as_ref(), "s1"));
    let agents: Vec<_> = value["agents"].as_array().unwrap().iter().map(|agent| (&agent["id"], &agent["parent"])).collect();
    assert_eq!(agents, [(&json!("main"), &Value::Null), (&json!("r1"), &json!("main")), (&json!("c2"), &json!("main"))]);
    assert_eq!(value["agents"][1]["names"], json!(["c1", "r1"]));
    let calls: Vec<_> = value["entries"].as_array().unwrap().iter().filter(|entry| entry["kind"] == "tool").collect();
    assert_eq!((&calls[0]["child"], &calls[0]["result"]), (&json!("r1"), &Value::Null), "its last text says the same");
    assert_eq!((&calls[1]["child"], &calls[1]["result"]), (&json!("c2"), &Value::Null));
    desk.send(parcel("late", vec![line("s1", 0, vec![says(Who::runtime("r1"), "k3", "Three doors.")])])).unwrap();
    let value = held(&export(desk.store.as_ref(), "s1"));
    let call = value["entries"].as_array().unwrap().iter().find(|entry| entry["call"] == "c1").unwrap();
    assert_eq!(call["result"], "Two doors.");
}

#[test]
fn agents_come_depth_first_by_their_calls_and_unlinked_ones_last() {
    let mut bench = Bench::new();
    let row = |n, parent, link| {
        let Change::Agent(mut row) = agent(n) else { panic!("an agent") };
        (row.parent, row.link) = (parent, link);
        row
    };
    let calls = |agent, seq, child| {
        let Change::Entry(mut row) = entry(agent, seq, EntryState::Done, "") else { panic!("an entry") };
        row.body = Body::Tool(Box::new(crate::model::Tool { child: Some(child), ..Default::default() }));
        Change::Entry(row)
    };
    let mut rows: Vec<_> = [
        row(1, None, Link::Unlinked),
        row(2, Some(0), Link::Exact),
        row(3, Some(2), Link::Exact),
        row(4, Some(0), Link::Exact),
        row(5, Some(0), Link::Sidecar),
        row(6, Some(1), Link::Exact),
        row(7, Some(8), Link::Exact),
        row(8, Some(7), Link::Exact),
        row(9, Some(10), Link::Exact),
        row(10, Some(2), Link::Exact),
        row(11, Some(0), Link::Exact),
    ]
    .into();
    rows[9].hidden = true;
    rows[10].merged_into = Some(4);
    bench.write(rows.into_iter().map(Change::Agent).collect());
    bench.write(vec![calls(0, 1, 11), calls(0, 2, 2), calls(2, 1, 3), calls(1, 1, 6)]);
    let value = held(&export(bench.store.as_ref(), "s1"));
    let order: Vec<_> = value["agents"].as_array().unwrap().iter().map(|agent| agent["id"].as_str().unwrap()).collect();
    assert_eq!(order, ["main", "a4", "a2", "a3", "a9", "a5", "a1", "a6", "a7", "a8"]);
    let parent = |id: &str| value["agents"].as_array().unwrap().iter().find(|agent| agent["id"] == id).unwrap()["parent"].clone();
    assert_eq!((parent("a1"), parent("a3"), parent("a9"), parent("a8")), (Value::Null, json!("a2"), json!("a2"), json!("a7")));
    assert_eq!(value["entries"][0]["child"], "a4", "a stub is the agent that it turned out to be");
}

#[test]
fn several_transcripts_of_an_agent_are_one_counted_through() {
    let mut bench = Bench::new();
    let Change::Agent(mut part) = agent(2) else { panic!("an agent") };
    part.part_of = Some(1);
    let at = |n, seq, at, text: &str| {
        let Change::Entry(mut row) = entry(n, seq, EntryState::Done, text) else { panic!("an entry") };
        row.at = Some(at);
        Change::Entry(row)
    };
    bench.write(vec![agent(1), Change::Agent(part), at(1, 1, 50, "c"), at(1, 2, 60, "d"), at(2, 2, 10, "a"), at(2, 3, 90, "b")]);
    let value = held(&export(bench.store.as_ref(), "s1"));
    let told: Vec<_> = value["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (entry["agent"].as_str().unwrap(), entry["seq"].as_u64().unwrap(), entry["text"].as_str().unwrap()))
        .collect();
    assert_eq!(told, [("a1", 1, "a"), ("a1", 2, "b"), ("a1", 3, "c"), ("a1", 4, "d")]);
    assert_eq!((value["agents"].as_array().unwrap().len(), &value["agents"][1]["last_seq"]), (2, &json!(4)));
}

#[test]
fn what_runs_no_longer_is_not_told_as_open() {
    let dir = tempfile::tempdir().unwrap();
    let desk = Desk::open(&dir.path().join("d"));
    let child = Op::Agent { who: Who::call("c1"), patch: AgentPatch::default() };
    let mut lines = vec![line("s1", 0, starts("c1", "Look")), line("s1", 10, vec![child])];
    lines.push(Line::control(crate::store::tests::lines::id("s1"), vec![Op::NoNews]));
    desk.send(parcel("file", lines)).unwrap();
    let value = held(&export(desk.store.as_ref(), "s1"));
    assert_eq!((&value["session"]["status"], &value["entries"][0]["state"]), (&json!("unknown"), &json!("unknown")));
    desk.send(parcel("more", vec![line("s1", 0, reports("c1", "r1", "Seen."))])).unwrap();
    let value = held(&export(desk.store.as_ref(), "s1"));
    assert_eq!((&value["entries"][0]["state"], &value["entries"][0]["result"]), (&json!("done"), &json!("Seen.")));
}

#[test]
fn what_is_not_there_or_cannot_be_written_is_said() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let bench = Bench::new();
    let store: Arc<dyn Store> = bench.store.snapshot().unwrap();
    assert!(matches!(super::json(store.as_ref(), 99, &mut Vec::new()), Err(StoreError::Missing(_))));
    let error = super::json(store.as_ref(), bench.sid, &mut Full).unwrap_err();
    assert!(error.to_string().starts_with("The export could not be written"), "{error}");
}
