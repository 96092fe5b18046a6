//! `sidedeck push` while its server is killed again and again: rows as if nothing had happened.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use super::server::{Server, command, wait};

/// How often the server is killed; a long run says `PUSH_KILLS=50`.
fn kills() -> u32 {
    std::env::var("PUSH_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(8)
}

fn lines(from: u32, count: u32) -> Vec<String> {
    let text = |n: u32| {
        format!(
            r#"{{"type":"assistant","message":{{"id":"m{n}","content":[{{"type":"text","text":"text {n}"}}]}},"parent_tool_use_id":{},"session_id":"s","uuid":"u{n}"}}"#,
            if n.is_multiple_of(3) { "null" } else { "\"call\"" }
        )
    };
    let init = r#"{"type":"system","subtype":"init","cwd":"/w","session_id":"s","uuid":"i"}"#.to_owned();
    (from..from + count).map(|n| if n == 0 { init.clone() } else { text(n) }).collect()
}

fn push(data: &std::path::Path) -> Command {
    let mut push = command(data);
    push.args(["push", "--tee"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    push
}

/// Without what tells one database from another.
fn rows(export: &str) -> serde_json::Value {
    fn bare(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Object(fields) => {
                ["rev", "grev", "exported_at"].iter().for_each(|name| drop(fields.remove(*name)));
                fields.values_mut().for_each(bare);
            }
            serde_json::Value::Array(items) => items.iter_mut().for_each(bare),
            _ => {}
        }
    }
    let mut value = serde_json::from_str(export).expect("JSON");
    bare(&mut value);
    value
}

#[test]
fn rows_are_those_of_an_undisturbed_push() {
    let (calm, wild) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let (kills, each) = (kills(), 40);
    let all = lines(0, (kills + 1) * each).join("\n") + "\n";

    let server = Server::start(calm.path(), "127.0.0.1:0");
    let mut child = push(calm.path()).spawn().expect("a push");
    let mut input = child.stdin.take().expect("a pipe");
    let whole = all.clone();
    let writer = std::thread::spawn(move || input.write_all(whole.as_bytes()).expect("written"));
    let output = child.wait_with_output().expect("an end");
    writer.join().expect("written");
    assert!(output.status.success());
    assert_eq!(output.stdout, all.as_bytes(), "what is read is passed on");
    let expected = rows(&server.export("s"));
    drop(server);

    let mut server = Server::start(wild.path(), "127.0.0.1:0");
    let mut child = push(wild.path()).spawn().expect("a push");
    let mut input = child.stdin.take().expect("a pipe");
    let passed = std::sync::Arc::new(AtomicU32::new(0));
    let out = BufReader::new(child.stdout.take().expect("a pipe"));
    let counter = passed.clone();
    let reader = std::thread::spawn(move || {
        out.lines().for_each(|_| {
            counter.fetch_add(1, Ordering::Relaxed);
        })
    });
    for kill in 0..=kills {
        let part = lines(kill * each, each).join("\n") + "\n";
        input.write_all(part.as_bytes()).expect("written");
        wait(|| (passed.load(Ordering::Relaxed) >= kill * each + each / 2).then_some(()));
        if kill < kills {
            let address = server.address.clone();
            server.kill();
            server = Server::start(wild.path(), &address);
        }
    }
    drop(input);
    assert!(child.wait().expect("an end").success());
    reader.join().expect("read");
    assert_eq!(rows(&server.export("s")), expected);
}
