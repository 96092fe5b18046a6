//! The event stream over HTTP.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;
use sidedeck::live::Pace;

use crate::support::{SESSION_URL, Server, Wish, append, bearer};

/// An open event stream.
pub struct Events {
    lines: BufReader<TcpStream>,
    chunk: Vec<u8>,
    pub status: u16,
}

/// One event.
#[derive(Debug)]
pub struct Event {
    pub name: String,
    pub id: Option<String>,
    pub data: Value,
}

impl Events {
    pub fn open(server: &Server, query: &str, headers: &str) -> Self {
        let mut socket = server.connect();
        let request =
            format!("GET /api/v1/events{query} HTTP/1.1\r\nHost: {}\r\nAuthorization: {}\r\n{headers}\r\n", server.addr, bearer());
        socket.write_all(request.as_bytes()).expect("a request");
        let mut lines = BufReader::new(socket);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(lines.read_line(&mut head).expect("a head"), 0, "{head}");
        }
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        if status == 200 {
            assert!(head.contains("content-type: text/event-stream"), "{head}");
        }
        Self { lines, chunk: Vec::new(), status }
    }

    /// The next event, `None` at the end of the stream.
    pub fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(end) = self.chunk.windows(2).position(|two| two == b"\n\n") {
                let text = String::from_utf8(self.chunk.drain(..end + 2).collect()).expect("UTF-8");
                if let Some(event) = parse(&text) {
                    return Some(event);
                }
                continue;
            }
            let mut len = String::new();
            if self.lines.read_line(&mut len).expect("a chunk") == 0 {
                return None;
            }
            let len = usize::from_str_radix(len.trim(), 16).expect("a length");
            let mut bytes = vec![0; len + 2];
            std::io::Read::read_exact(&mut self.lines, &mut bytes).expect("a chunk");
            if len == 0 {
                return None;
            }
            self.chunk.extend_from_slice(&bytes[..len]);
        }
    }

    /// Events until one of that name.
    pub fn until(&mut self, name: &str) -> Vec<Event> {
        let mut found = Vec::new();
        while let Some(event) = self.next() {
            let last = event.name == name;
            found.push(event);
            if last {
                return found;
            }
        }
        panic!("the stream ended before {name}: {found:?}");
    }
}

fn parse(text: &str) -> Option<Event> {
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
    let name = field("event: ")?;
    Some(Event { name, id: field("id: "), data: serde_json::from_str(&field("data: ")?).expect("JSON") })
}

#[test]
fn a_stream_says_hello_sends_what_there_is_and_goes_on() {
    let server = Server::with_session();
    let mut feed = server.feed();
    let mut events = Events::open(&server, &format!("?session={SESSION_URL}"), "");
    let first = events.until("uptodate");
    assert_eq!(first[0].name, "hello");
    assert!(first[0].id.is_none() && first.last().is_some_and(|event| event.id.is_none()));
    assert!(first.iter().any(|event| event.data["put"] == "entry" && event.data["body"]["text"]["text"] == "I looked."));

    feed.push(&[append("main", "t9", "Now ")]);
    feed.push(&[append("main", "t9", "and then.")]);
    let more = events.until("append");
    let last = more.last().expect("an append");
    assert_eq!((last.data["from"].as_u64(), last.data["text"].as_str()), (Some(4), Some("and then.")));
    assert_eq!(last.id.as_deref().map(|id| id.split('.').count()), Some(3));
}

#[test]
fn a_filter_leaves_out_entries_of_others_and_nothing_else() {
    let server = Server::with_session();
    let mut events = Events::open(&server, &format!("?session={SESSION_URL}&agents=a1,nobody"), "");
    let first = events.until("uptodate");
    let entries: Vec<_> = first.iter().filter(|event| event.data["put"] == "entry").map(|event| event.data["agent"].as_u64()).collect();
    assert_eq!(entries, [Some(1), Some(1)]);
    let agents: Vec<_> = first.iter().filter(|event| event.data["put"] == "agent").map(|event| event.data["n"].as_u64()).collect();
    assert!(agents.contains(&Some(0)) && agents.contains(&Some(1)));
    assert!(first.iter().any(|event| event.data["put"] == "session"));
    let many = (0..65).map(|n| format!("a{n}")).collect::<Vec<_>>().join(",");
    assert_eq!(Events::open(&server, &format!("?session={SESSION_URL}&agents={many}"), "").status, 400);
}

#[test]
fn the_last_id_wins_and_goes_on_from_there() {
    let server = Server::with_session();
    let all = Events::open(&server, &format!("?session={SESSION_URL}"), "").until("uptodate");
    let id = all.iter().filter_map(|event| event.id.clone()).next_back().expect("an id");
    let after = format!("?session={SESSION_URL}&after=0000000000000000.0.0");
    let rest = Events::open(&server, &after, &format!("Last-Event-ID: {id}\r\n")).until("uptodate");
    assert!(rest.iter().all(|event| event.id.is_none()), "nothing is sent twice: {rest:?}");
}

#[test]
fn a_cursor_that_cannot_be_served_is_a_gap() {
    let server = Server::with_session();
    let epoch = format!("{:016x}", server.state.store.head().expect("a cursor").epoch);
    for (after, reason) in [
        ("nonsense".to_owned(), "unknown_id"),
        ("0000000000000001.0.0".to_owned(), "epoch"),
        (format!("{epoch}.0.99999"), "unknown_id"),
        (format!("{epoch}.99999.0"), "unknown_id"),
        (format!("{epoch}.-1.0"), "unknown_id"),
    ] {
        let mut events = Events::open(&server, &format!("?session={SESSION_URL}&after={after}"), "");
        let gap = events.until("gap");
        assert_eq!(gap.last().expect("a gap").data["reason"], reason, "{after}");
        assert!(gap.last().is_some_and(|event| event.id.is_none()));
        assert!(events.next().is_none(), "a gap is the end");
    }
}

#[test]
fn far_behind_is_a_gap() {
    let server = Server::start();
    let mut feed = server.feed();
    let text = "x".repeat(60_000);
    for n in 0..80 {
        feed.push(&[crate::support::entry("main", &format!("t{n}"), serde_json::json!({ "kind": "text", "text": { "text": text } }))]);
    }
    let gap = Events::open(&server, &format!("?session={SESSION_URL}"), "").until("gap");
    assert_eq!(gap.last().expect("a gap").data["reason"], "far");
}

#[test]
fn a_quiet_stream_tells_its_cursor_and_ends_in_time() {
    let pace = Pace { tail: Duration::from_millis(50), life: Duration::from_millis(400), retry: Duration::from_millis(10) };
    let server = Server::with(Wish { pace, ..Wish::default() });
    let mut events = Events::open(&server, "", "");
    let tail = events.until("tail");
    assert!(tail.last().is_some_and(|event| event.id.as_deref().is_some_and(|id| id.split('.').count() == 2)));
    assert_eq!(events.until("bye").last().map(|event| event.id.is_none()), Some(true));
    assert!(events.next().is_none());
}

#[test]
fn the_list_flows_in_every_stream() {
    let server = Server::with_session();
    let mut events = Events::open(&server, &format!("?session={SESSION_URL}&agents="), "");
    events.until("uptodate");
    let sink: std::sync::Arc<dyn sidedeck::ingest::Sink> = std::sync::Arc::new(server.writer.clone());
    let dialect = sidedeck::dialect::by_name("sidedeck").expect("the dialect");
    let mut other = sidedeck::ingest::Feed::open(sink, dialect, "other", "another").expect("a feed");
    let line = br#"{"session":"another","id":"1","ops":[{"op":"turn","ended":false}]}"#;
    other.push([&line[..]]).expect("a push").blocking_recv().expect("an answer").expect("a commit");
    loop {
        let event = events.next().expect("an event");
        if event.data["put"] == "session" && event.data["id"] == "another" {
            break;
        }
    }
}

#[test]
fn streams_are_counted() {
    let server = Server::start();
    let open: Vec<_> = (0..50).map(|_| Events::open(&server, "", "")).collect();
    assert!(open.iter().all(|events| events.status == 200));
    let refused = server.get("/api/v1/events");
    assert_eq!((refused.status, refused.code().as_str()), (503, "too_many_streams"));
    assert!(refused.header("retry-after").is_some());
}
