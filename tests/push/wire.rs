//! The route: what is taken, what is refused, and how it says so.

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use std::io::Write;

use super::server::Server;

fn line(n: u32) -> String {
    format!(
        r#"{{"type":"assistant","message":{{"id":"m{n}","content":[{{"type":"text","text":"text {n}"}}]}},"parent_tool_use_id":null,"session_id":"s","uuid":"u{n}"}}"#
    )
}

fn by(epoch: u64, seq: u64) -> [String; 3] {
    ["Producer-Id: p".into(), format!("Producer-Epoch: {epoch}"), format!("Producer-Seq: {seq}")]
}

fn said(answer: &(u16, String)) -> Value {
    serde_json::from_str(&answer.1).unwrap_or(Value::Null)
}

fn counts(answer: &(u16, String)) -> (u16, u64, u64) {
    let said = said(answer);
    (answer.0, said["accepted"].as_u64().unwrap_or(99), said["duplicates"].as_u64().unwrap_or(99))
}

#[test]
fn numbers_are_taken_once_and_gaps_are_told() {
    let data = tempfile::tempdir().expect("a folder");
    let server = Server::start(data.path(), "127.0.0.1:0");
    let push = |epoch, seq, lines: &[u32]| {
        let headers = by(epoch, seq);
        let body: String = lines.iter().map(|n| line(*n) + "\n").collect();
        server.push("claude-stream/s", &headers.iter().map(String::as_str).collect::<Vec<_>>(), &body)
    };
    assert_eq!(counts(&push(1, 0, &[0, 1])), (200, 2, 0));
    assert_eq!(counts(&push(1, 0, &[0, 1])), (200, 0, 2));
    assert_eq!(counts(&push(1, 1, &[1, 2])), (200, 1, 1));
    let gap = push(1, 9, &[9]);
    assert_eq!((gap.0, said(&gap)["code"].as_str(), said(&gap)["expected"].as_u64()), (409, Some("gap"), Some(3)));
    let reused = push(1, 2, &[7]);
    assert_eq!((reused.0, said(&reused)["code"].as_str()), (409, Some("key_reused")));
    assert_eq!(counts(&push(2, 0, &[2, 3])), (200, 1, 1), "a line's own id tells it again");
    let stale = push(1, 3, &[4]);
    assert_eq!((stale.0, said(&stale)["epoch"].as_u64()), (403, Some(2)));
    assert_eq!(server.export("s").matches("\"text 2\"").count(), 1);
}

#[test]
fn an_end_closes_until_it_is_reopened() {
    let data = tempfile::tempdir().expect("a folder");
    let server = Server::start(data.path(), "127.0.0.1:0");
    let push = |query: &str, seq, n| {
        let headers = by(1, seq);
        server.push(&format!("claude-stream/s{query}"), &headers.iter().map(String::as_str).collect::<Vec<_>>(), &line(n))
    };
    assert_eq!(counts(&push("?close=exited", 0, 0)), (200, 1, 0));
    assert!(server.export("s").contains("\"exited\""));
    assert_eq!(counts(&push("?close=exited", 0, 0)), (200, 0, 1), "an answer that was lost");
    let closed = push("", 1, 1);
    assert_eq!((closed.0, said(&closed)["code"].as_str()), (409, Some("closed")));
    assert_eq!(counts(&push("?reopen=true", 1, 1)), (200, 1, 0));
    for headers in [&[][..], &["Producer-Id: other", "Producer-Epoch: 1", "Producer-Seq: 0"]] {
        let nobody = server.push("claude-stream/s?close=exited", headers, "\n");
        assert_eq!((nobody.0, said(&nobody)["code"].as_str()), (409, Some("nobody")), "{}", nobody.1);
    }
}

#[test]
fn what_cannot_be_taken_is_refused_in_words() {
    let data = tempfile::tempdir().expect("a folder");
    let server = Server::start(data.path(), "127.0.0.1:0");
    let one = line(0);
    let ndjson = "Content-Type: application/x-ndjson";
    let post = |path: &str, headers: &[&str], body: &[u8]| server.request("POST", &format!("/api/v1/ingest/{path}"), headers, body);

    let unknown = post("no-such/s", &[ndjson], one.as_bytes());
    assert_eq!(unknown.0, 404);
    assert!(unknown.1.contains("claude-disk, claude-stream"), "{}", unknown.1);
    assert_eq!(post("claude-stream/s", &["Content-Type: text/plain"], one.as_bytes()).0, 415);
    assert_eq!(post("claude-stream/s", &[ndjson, "Content-Encoding: br"], one.as_bytes()).0, 415);
    assert_eq!(post("claude-stream/s", &[ndjson, "Content-Length: 99999999"], b"").0, 413);
    assert_eq!(post("claude-stream/s", &[ndjson, "Producer-Id: p"], one.as_bytes()).0, 400);
    assert_eq!(post("claude-stream/s?close=maybe", &[ndjson], one.as_bytes()).0, 400);
    assert_eq!(post(&format!("claude-stream/{}", "x".repeat(300)), &[ndjson], one.as_bytes()).0, 400);
    assert_eq!(post("claude-stream/s", &[ndjson, "Authorization: Bearer wrong"], one.as_bytes()).0, 401);
    let foreign = post("claude-stream/s", &[ndjson], b"\n{\"x\":1}\nhello\n");
    assert_eq!((foreign.0, said(&foreign)["line"].as_u64()), (422, Some(2)));
    assert!(foreign.1.contains("the first is: {\\\"x\\\":1}"), "{}", foreign.1);
    assert_eq!(post("claude-stream/s", &[ndjson, "Content-Encoding: gzip"], one.as_bytes()).0, 400);
    let long = format!("{{\"x\":\"{}\"}}\n", "x".repeat(17 << 20));
    assert_eq!(post("claude-stream/s", &[ndjson], long.as_bytes()).0, 413);
    assert_eq!(server.request("GET", "/api/v1/ingest/claude-stream/s", &[], b"").0, 405);
    assert_eq!(server.request("GET", "/api/v1/sessions/s", &[], b"").0, 404, "nothing of all that was kept");
}

#[test]
fn packed_bodies_arrays_foreign_lines_and_two_sessions() {
    let data = tempfile::tempdir().expect("a folder");
    let server = Server::start(data.path(), "127.0.0.1:0");
    let mut pack = GzEncoder::new(Vec::new(), Compression::fast());
    pack.write_all(format!("{}\n\n{}\n", line(0), line(1)).as_bytes()).expect("a pack");
    let packed = pack.finish().expect("a pack");
    let headers = ["Content-Type: application/x-ndjson", "Content-Encoding: gzip"];
    let answer = server.request("POST", "/api/v1/ingest/claude-stream/name", &headers, &packed);
    assert_eq!(counts(&answer), (200, 3, 0));
    assert_eq!(said(&answer)["sessions"][0], "s");
    let array = format!("[{},\n{}]", line(1), line(2));
    let answer = server.request("POST", "/api/v1/ingest/claude-stream/name", &["Content-Type: application/json"], array.as_bytes());
    assert_eq!(counts(&answer), (200, 1, 1));
    let other = line(3).replace("\"s\"", "\"t\"");
    let answer = server.push("claude-stream/name", &[], &format!("{other}\n{{\"event\":\"of another\"}}\n"));
    assert_eq!((answer.0, said(&answer)["opaque"].as_u64(), said(&answer)["dedup"].as_str()), (200, Some(1), Some("none")));
    assert!(server.export("t").contains("text 3") && !server.export("s").contains("text 3"));
    assert_eq!(server.request("GET", "/api/v1/sessions/name", &[], b"").0, 200, "the caller's name leads there too");
}

#[test]
fn a_body_without_a_line_of_the_dialect_is_refused_also_where_one_came_before() {
    let data = tempfile::tempdir().expect("a folder");
    let server = Server::start(data.path(), "127.0.0.1:0");
    assert_eq!(counts(&server.push("claude-stream/s", &[], &line(0))), (200, 1, 0));
    assert_eq!(server.push("claude-stream/s", &[], "hello\n").0, 422);
    // What a producer numbers may hold anything amid its lines: it is kept, and no number is missing.
    let by = |seq, body: &str| server.push("claude-stream/s", &self::by(1, seq).each_ref().map(String::as_str), body);
    assert_eq!(counts(&by(0, &line(1))), (200, 1, 0));
    let kept = by(1, "hello\n");
    assert_eq!((counts(&kept), said(&kept)["opaque"].as_u64()), ((200, 1, 0), Some(1)));
}

#[test]
fn the_data_of_events_are_lines() {
    let data = tempfile::tempdir().expect("a folder");
    let server = Server::start(data.path(), "127.0.0.1:0");
    let kind = "Content-Type: text/event-stream";
    let post = |headers: &[&str], body: &str| {
        server.request("POST", "/api/v1/ingest/claude-stream/s", &[&[kind], headers].concat(), body.as_bytes())
    };
    let body = format!("\u{feff}: hello\r\n\r\nid: 1\r\ndata: {}\r\n\r\nevent: message\rdata: {}\r\rdata:\n\n", line(0), line(1));
    let numbered = by(1, 0);
    let numbered = numbered.each_ref().map(String::as_str);
    assert_eq!(counts(&post(&numbered, &body)), (200, 2, 0));
    assert_eq!(counts(&post(&numbered, &body)), (200, 0, 2), "an event is a number");
    // Half an event is none.
    let told = format!("Content-Length: {}", 10_000);
    post(&[&told], &format!("data: {}\n\ndata: {}\n", line(2), line(3)));
    let export = super::server::wait(|| Some(server.export("s")).filter(|export| export.contains("text 2")));
    assert!(export.contains("text 1") && !export.contains("text 3"));
}

#[test]
fn a_cut_body_leaves_its_whole_lines() {
    let data = tempfile::tempdir().expect("a folder");
    let server = Server::start(data.path(), "127.0.0.1:0");
    let body = format!("{}\n{}\n{}", line(0), line(1), &line(2)[..40]);
    let told = format!("Content-Length: {}", body.len() + 1_000);
    let kind = "Content-Type: application/x-ndjson";
    server.request("POST", "/api/v1/ingest/claude-stream/s", &[kind, &told], body.as_bytes());
    let export = super::server::wait(|| {
        let (status, export) = server.request("GET", "/api/v1/sessions/s/export?format=json", &[], b"");
        (status == 200 && export.contains("text 1")).then_some(export)
    });
    assert!(export.contains("text 0") && !export.contains("text 2") && !export.contains("opaque"));
}
