//! `sidedeck delete`, with a server and without one.

use super::server::{Server, command};

const LINES: &str = concat!(
    r#"{"type":"user","uuid":"u1","sessionId":"s","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"Keep this to yourself."}}"#,
    "\n",
    r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","timestamp":"2026-01-01T00:00:01.000Z","message":{"id":"m","role":"assistant","stop_reason":"end_turn","content":[{"type":"text","text":"I will."}]}}"#,
    "\n",
);

/// What a command prints, and whether it could be done.
fn say(data: &std::path::Path, words: &[&str]) -> (bool, String) {
    let output = command(data).args(words).output().expect("an end");
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr))
}

#[test]
fn without_a_server_it_deletes_for_good() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, file) = (folder.path().join("data"), folder.path().join("s.jsonl"));
    let path = file.to_str().expect("UTF-8");
    let (done, said) = say(&data, &["delete", "s"]);
    assert!(!done && said.contains("There is nothing in") && !data.exists(), "{said}");
    std::fs::write(&file, LINES).expect("written");
    assert!(say(&data, &["import", path]).0);
    let (done, said) = say(&data, &["delete", "nope"]);
    assert!(!done && said.contains("There is no session \"nope\""), "{said}");
    let (done, said) = say(&data, &["delete", "s", "nope"]);
    assert!(!done && said.contains("no agent \"nope\""), "{said}");
    assert_eq!(say(&data, &["delete", "s"]), (true, "Deleted the session. The source files stay as they are.\n".into()));
    assert_eq!(std::fs::read_to_string(&file).expect("the source"), LINES);
    say(&data, &["import", path]);
    assert!(!say(&data, &["sessions"]).1.contains("Keep this"), "reading again brings nothing back");
    assert!(say(&data, &["import", "--again", path]).0);
    assert!(say(&data, &["sessions"]).1.contains("Keep this"));
}

#[test]
fn with_a_server_it_asks_the_server() {
    let data = tempfile::tempdir().expect("a folder");
    let server = Server::start(data.path(), "127.0.0.1:0");
    let running = r#"{"type":"system","subtype":"init","session_id":"s","uuid":"i"}"#;
    assert_eq!(server.push("claude-stream/s", &[], running).0, 200);
    let (done, said) = say(data.path(), &["delete", "s"]);
    assert!(!done && said.contains("still runs"), "{said}");
    let (status, answer) = server.push("claude-stream/s?close=exited", &[], "");
    assert_eq!(status, 200, "{answer}");
    assert_eq!(say(data.path(), &["delete", "s"]), (true, "Deleted the session. The source files stay as they are.\n".into()));
    let (done, said) = say(data.path(), &["delete", "s"]);
    assert!(!done && said.contains("There is no session \"s\": `sidedeck sessions` lists them."), "{said}");
}
