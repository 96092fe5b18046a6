//! Files that a page sends.

use std::io::{Read, Write};

use serde_json::{Value, json};

use crate::support::{Answer, Server, bearer};

/// A body of these files.
fn body(files: &[(&str, &str)]) -> String {
    let names: Vec<Value> = files.iter().map(|(path, bytes)| json!({ "path": path, "size": bytes.len() })).collect();
    format!("{}\n{}", Value::from(names), files.iter().map(|(_, bytes)| *bytes).collect::<String>())
}

fn line(session: &str, id: &str) -> String {
    format!(
        "{{\"type\":\"user\",\"uuid\":\"{id}\",\"sessionId\":\"{session}\",\"message\":{{\"role\":\"user\",\"content\":\"Say {id}\"}}}}\n"
    )
}

fn send(server: &Server, body: &str) -> Answer {
    let cookie = server.cookie();
    let headers = [("Cookie", cookie.as_str()), ("Sec-Fetch-Site", "same-origin"), ("Content-Type", "application/octet-stream")];
    server.ask("POST", "/api/v1/uploads", &headers, body)
}

fn left(server: &Server) -> usize {
    std::fs::read_dir(server.folder.path().join("data/incoming")).map_or(0, Iterator::count)
}

#[test]
fn files_become_sessions() {
    let server = Server::start();
    let child = line("s", "c").replace("\"type\"", "\"agentId\":\"a1\",\"isSidechain\":true,\"type\"");
    let (main, other) = (line("s", "m"), line("t", "o"));
    let files = [("p/s.jsonl", main.as_str()), ("p/s/subagents/agent-a1.jsonl", &child), ("p/notes.json", "[]"), ("p/t.jsonl", &other)];
    let answer = send(&server, &body(&files));
    assert_eq!(answer.status, 200, "{}", answer.text());
    let said = answer.json();
    assert_eq!((&said["files"], &said["sessions"], &said["message"]), (&json!(3), &json!(2), &json!("2 sessions were read.")));
    assert_eq!(server.get("/api/v1/sessions/s").json()["session"]["agents"]["all"], 1);
    let again = send(&server, &body(&files));
    assert_eq!(again.status, 200);
    let entries = server.get("/api/v1/sessions/s/agents/main/entries").json();
    assert_eq!(entries["entries"].as_array().map(Vec::len), Some(1), "once: {entries}");
    // The file has grown meanwhile.
    send(&server, &body(&[("p/s.jsonl", &format!("{main}{}", line("s", "more")))]));
    let entries = server.get("/api/v1/sessions/s/agents/main/entries").json();
    assert_eq!(entries["entries"].as_array().map(Vec::len), Some(2), "{entries}");
    assert_eq!(left(&server), 0);
}

#[test]
fn what_cannot_be_read_is_said_in_a_sentence() {
    let server = Server::start();
    let fine = line("s", "m");
    let strange = send(&server, &body(&[("a.txt", "hello\n")]));
    assert_eq!((strange.status, strange.code().as_str()), (422, "unreadable"));
    let packed = send(&server, &body(&[("talk.jsonl.gz", "hello\n")]));
    assert!(packed.json()["message"].as_str().is_some_and(|why| why.starts_with("talk.jsonl.gz: It is no")), "{}", packed.text());
    assert!(strange.json()["message"].as_str().is_some_and(|why| why.starts_with("a.txt: It is no transcript")), "{}", strange.text());
    let partly = send(&server, &body(&[("a.txt", "hello\n"), ("s.jsonl", &fine)])).json();
    assert_eq!((&partly["partly"], &partly["sessions"]), (&json!(true), &json!(1)));
    assert!(
        partly["message"].as_str().is_some_and(|said| said.starts_with("1 session was read; 1 file was left out: a.txt: ")),
        "{partly}"
    );
    for (body, status) in [("", 400), ("[]\n", 400), ("x\n", 400), ("[{\"path\":\"../s.jsonl\",\"size\":1}]\nx", 422)] {
        assert_eq!(send(&server, body).status, status, "{body:?}");
    }
    let long = send(&server, &body(&[(&format!("p/{}.jsonl", "n".repeat(300)), "x")]));
    let said = long.json()["message"].as_str().unwrap_or_default().to_owned();
    assert!(long.status == 422 && said.starts_with("It holds a name that is too long: \"p/nnn") && said.len() < 200, "{said}");
    assert_eq!(left(&server), 0);
}

#[test]
fn a_body_that_is_cut_leaves_nothing() {
    let server = Server::start();
    let whole = body(&[("s.jsonl", &line("s", "m"))]);
    let cookie = server.cookie();
    let mut socket = server.connect();
    write!(
        socket,
        "POST /api/v1/uploads HTTP/1.1\r\nHost: {}\r\nCookie: {cookie}\r\nSec-Fetch-Site: same-origin\r\n\
         Content-Type: application/octet-stream\r\nContent-Length: {}\r\n\r\n{}",
        server.addr,
        whole.len(),
        &whole[..whole.len() - 20]
    )
    .expect("a request");
    socket.shutdown(std::net::Shutdown::Write).expect("an end");
    let mut answer = Vec::new();
    // There may be none.
    let _ = socket.read_to_end(&mut answer);
    assert!(!String::from_utf8_lossy(&answer).contains(" 200 "));
    assert_eq!(server.get("/api/v1/sessions").json()["sessions"], json!([]));
}

#[test]
fn uploads_pass_the_same_doors() {
    let server = Server::start();
    let whole = body(&[("s.jsonl", &line("s", "m"))]);
    let cookie = server.cookie();
    let kind = ("Content-Type", "application/octet-stream");
    let ask = |headers: &[(&str, &str)]| server.ask("POST", "/api/v1/uploads", headers, &whole).status;
    assert_eq!(ask(&[kind, ("Sec-Fetch-Site", "same-origin")]), 401);
    assert_eq!(ask(&[kind, ("Cookie", &cookie)]), 403);
    assert_eq!(ask(&[kind, ("Cookie", &cookie), ("Sec-Fetch-Site", "cross-site")]), 403);
    assert_eq!(ask(&[kind, ("Cookie", &cookie), ("Origin", "https://evil.test")]), 403);
    assert_eq!(ask(&[kind, ("Cookie", &cookie), ("Sec-Fetch-Site", "same-origin"), ("Host", "evil.test")]), 421);
    let home = [("Cookie", cookie.as_str()), ("Sec-Fetch-Site", "same-origin")];
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""] {
        assert_eq!(ask(&[home[0], home[1], ("Content-Type", kind)]), 415, "{kind}");
    }
    assert_eq!(ask(&[home[0], home[1], kind, ("Content-Encoding", "gzip")]), 415);
    assert_eq!(server.get("/api/v1/sessions").json()["sessions"], json!([]));
    assert_eq!(ask(&[kind, ("Authorization", &bearer())]), 200);
}

#[test]
fn what_was_deleted_here_stays_so_and_is_said_beside_what_was_read() {
    let server = Server::start();
    let (one, two) = (line("s", "m"), line("t", "o"));
    assert_eq!(send(&server, &body(&[("p/s.jsonl", &one)])).status, 200);
    let headers = [("Authorization", &*bearer()), ("Content-Type", "application/json")];
    assert_eq!(server.ask("POST", "/api/v1/sessions/s/delete", &headers, "{}").status, 200);
    let said = send(&server, &body(&[("p/s.jsonl", &one), ("p/t.jsonl", &two)])).json();
    assert_eq!((&said["sessions"], &said["deleted"], &said["partly"]), (&json!(1), &json!(1), &json!(true)), "{said}");
    let told = "1 session was read. 1 session was deleted here, and stays so: `sidedeck import --again` brings it back.";
    assert_eq!(said["message"], told);
    let gone = send(&server, &body(&[("p/s.jsonl", &one)]));
    assert_eq!((gone.status, gone.code().as_str()), (410, "deleted"));
}
