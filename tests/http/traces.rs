//! Spans by OTLP/HTTP.

use std::io::{Read, Write};

use serde_json::json;

use crate::support::{Server, bearer};

/// A field of a message in protobuf: bytes of a known length.
fn field(tag: u8, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![tag << 3 | 2];
    let mut len = bytes.len();
    while len >= 0x80 {
        out.push(u8::try_from(len & 0x7f).expect("seven bits") | 0x80);
        len >>= 7;
    }
    out.push(u8::try_from(len).expect("seven bits"));
    out.extend_from_slice(bytes);
    out
}

fn fixed(tag: u8, number: u64) -> Vec<u8> {
    [&[tag << 3 | 1][..], &number.to_le_bytes()].concat()
}

fn attribute(key: &str, value: &str) -> Vec<u8> {
    field(9, &[field(1, key.as_bytes()), field(2, &field(1, value.as_bytes()))].concat())
}

/// An agent's span, the root of its trace, as an exporter writes it.
fn export() -> Vec<u8> {
    let said = r#"[{"role":"assistant","parts":[{"type":"text","content":"By protobuf."}]}]"#;
    let span = [
        field(1, &[7; 16]),
        field(2, &[8; 8]),
        field(5, b"invoke_agent main"),
        fixed(7, 1_800_000_000_000_000_000),
        fixed(8, 1_800_000_001_000_000_000),
        attribute("gen_ai.conversation.id", "talk"),
        attribute("gen_ai.output.messages", said),
    ];
    field(1, &field(2, &field(2, &span.concat())))
}

fn post(server: &Server, headers: &str, body: &[u8]) -> (u16, Vec<u8>) {
    let mut socket = server.connect();
    let head = format!(
        "POST /v1/traces HTTP/1.1\r\nHost: {}\r\nAuthorization: {}\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n",
        server.addr,
        bearer(),
        body.len()
    );
    socket.write_all(&[head.as_bytes(), body].concat()).expect("a request");
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer).expect("an answer");
    let text = String::from_utf8_lossy(&answer).into_owned();
    let status = text.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    (status, answer[end + 4..].to_vec())
}

#[test]
fn spans_in_either_form_become_a_session_once() {
    let server = Server::start();
    let protobuf = "Content-Type: application/x-protobuf\r\n";
    for _ in 0..2 {
        assert_eq!(post(&server, protobuf, &export()), (200, Vec::new()));
    }
    let mut pack = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    pack.write_all(&export()).expect("a pack");
    let packed = pack.finish().expect("a pack");
    assert_eq!(post(&server, &format!("{protobuf}Content-Encoding: gzip\r\n"), &packed).0, 200);
    let late = json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": [
        { "traceId": "07".repeat(16), "spanId": "0909090909090909", "parentSpanId": "08".repeat(8), "name": "chat m",
          "startTimeUnixNano": "1800000000500000000", "endTimeUnixNano": "1800000000600000000", "attributes": [
            { "key": "gen_ai.output.messages", "value": { "stringValue": r#"[{"role":"assistant","parts":[{"type":"text","content":"By JSON."}]}]"# } }] },
        { "spanId": "0a" }] }] }] });
    let (status, said) = post(&server, "Content-Type: application/json\r\n", late.to_string().as_bytes());
    assert_eq!(
        (status, serde_json::from_slice::<serde_json::Value>(&said).expect("JSON")["partialSuccess"]["rejectedSpans"].as_str()),
        (200, Some("1"))
    );
    assert_eq!(server.get("/api/v1/sessions").json()["sessions"].as_array().map(Vec::len), Some(1));
    let entries = server.get("/api/v1/sessions/talk/agents/main/entries").json();
    let texts: Vec<&str> =
        entries["entries"].as_array().expect("entries").iter().filter_map(|entry| entry["body"]["text"]["text"].as_str()).collect();
    assert_eq!(texts, ["By protobuf.", "By JSON."], "{entries}");
}

#[test]
fn traces_pass_the_doors_of_a_push() {
    let server = Server::start();
    let cookie = server.cookie();
    let kind = ("Content-Type", "application/json");
    let ask = |headers: &[(&str, &str)], body: &str| server.ask("POST", "/v1/traces", headers, body).status;
    let token = ("Authorization", bearer());
    let token = (token.0, token.1.as_str());
    assert_eq!(ask(&[kind], "{}"), 401);
    assert_eq!(ask(&[kind, ("Cookie", &cookie), ("Sec-Fetch-Site", "same-origin")], "{}"), 403);
    assert_eq!(ask(&[kind, token, ("Origin", "https://evil.test")], "{}"), 403);
    assert_eq!(ask(&[kind, token, ("Host", "evil.test")], "{}"), 421);
    assert_eq!(ask(&[("Content-Type", "text/plain"), token], "{}"), 415);
    assert_eq!(ask(&[kind, token, ("Content-Encoding", "br")], "{}"), 415);
    assert_eq!(ask(&[kind, token], "no"), 400);
    assert_eq!(ask(&[kind, token], "{}"), 200);
}
