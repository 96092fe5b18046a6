//! Streams of events: read from a file, pushed as a body, or piped through `sidedeck push`, they come to the same transcripts, whatever
//! ends their lines.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use super::server::{Server, command};

/// The fixtures that are streams of events: the dialect, and the file.
fn streams() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    ["langgraph", "deerflow", "langalpha", "ag-ui"]
        .iter()
        .flat_map(|name| {
            fs::read_dir(root.join(name)).expect("a folder").map(|entry| ((*name).to_owned(), entry.expect("an entry").path()))
        })
        .filter(|(_, path)| path.extension().is_some_and(|end| end == "sse"))
        .collect()
}

/// The same stream as other servers write it.
fn written(text: &str) -> Vec<(&'static str, String)> {
    let mut mixed = String::from("\u{feff}: hello\r");
    for (line, end) in text.split_terminator('\n').zip(["\r", "\n", "\r\n"].iter().cycle()) {
        mixed += &format!("{line}{end}");
        if line.is_empty() {
            mixed += ": ping\rretry: 250\r\n\n";
        }
    }
    // An LF of its own behind a CR is none: it would end the event early.
    let mixed = mixed.replace("\r\n\r\n\n", "\r\n\r\n");
    vec![("LF", text.to_owned()), ("CR", text.replace('\n', "\r")), ("CRLF", text.replace('\n', "\r\n")), ("mixed", mixed)]
}

/// The transcripts of a session's agents, without what the way of coming in says of them.
fn transcripts(export: &str) -> BTreeMap<String, Value> {
    fn bare(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                ["rev", "source", "state", "at", "ended_at"].iter().for_each(|name| drop(fields.remove(*name)));
                fields.values_mut().for_each(bare);
            }
            Value::Array(items) => items.iter_mut().for_each(bare),
            _ => {}
        }
    }
    let export: Value = serde_json::from_str(export).expect("JSON");
    let agents = export["agents"].as_array().expect("agents").iter();
    agents
        .map(|agent| {
            let mut entries = agent["entries"].clone();
            bare(&mut entries);
            (agent["id"].as_str().expect("an id").to_owned(), entries)
        })
        .collect()
}

/// The only session of a data folder.
fn told(server: &Server) -> BTreeMap<String, Value> {
    let (_, list) = server.request("GET", "/api/v1/sessions", &[], b"");
    let list: Value = serde_json::from_str(&list).expect("JSON");
    let [one] = list["sessions"].as_array().expect("sessions").as_slice() else { panic!("one session: {list}") };
    transcripts(&server.export(one["id"].as_str().expect("an id")))
}

fn imported(name: &str, text: &str) -> BTreeMap<String, Value> {
    let (data, folder) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let file = folder.path().join(name);
    fs::write(&file, text).expect("written");
    let done = command(data.path()).arg("import").arg(&file).output().expect("an end");
    assert!(done.status.success(), "{done:?}");
    told(&Server::start(data.path(), "127.0.0.1:0"))
}

fn pushed(dialect: &str, name: &str, text: &str) -> BTreeMap<String, Value> {
    let data = tempfile::tempdir().expect("a folder");
    let server = Server::start(data.path(), "127.0.0.1:0");
    let path = format!("/api/v1/ingest/{dialect}/{name}?close=exited");
    let answer = server.request("POST", &path, &["Content-Type: text/event-stream"], text.as_bytes());
    assert_eq!(answer.0, 200, "{}", answer.1);
    told(&server)
}

fn piped(name: &str, text: &str) -> BTreeMap<String, Value> {
    let data = tempfile::tempdir().expect("a folder");
    let server = Server::start(data.path(), "127.0.0.1:0");
    let mut child = command(data.path())
        .args(["push", "--tee", "--session", name])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a push");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("written");
    let done = child.wait_with_output().expect("an end");
    assert!(done.status.success() && done.stdout == text.as_bytes(), "{}", String::from_utf8_lossy(&done.stderr));
    told(&server)
}

#[test]
fn a_stream_comes_to_the_same_transcripts_by_every_way() {
    for (dialect, path) in streams() {
        let (text, name) = (fs::read_to_string(&path).expect("a text"), path.file_stem().expect("a name").to_string_lossy().into_owned());
        let expected = imported(&format!("{name}.sse"), &text);
        assert!(expected.len() > 1 || name == "older-era", "{name}: {:?}", expected.keys());
        for (how, text) in written(&text) {
            assert_eq!(imported(&format!("{name}.sse"), &text), expected, "{name} with {how}, as a file");
            assert_eq!(pushed(&dialect, &name, &text), expected, "{name} with {how}, pushed");
        }
        for (how, text) in written(&text).into_iter().skip(1) {
            assert_eq!(piped(&name, &text), expected, "{name} with {how}, piped");
        }
    }
}
