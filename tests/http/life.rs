//! Slow, silent and broken peers, and the end of the server.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use serde_json::json;
use sidedeck::serve::Limits;

use crate::events::Events;
use crate::support::{SESSION_URL, Server, Wish, bearer, entry};

fn eager(limits: Limits) -> Server {
    Server::with(Wish { limits, ..Wish::default() })
}

/// True once the peer has closed; what it sends before does not count.
fn closes(socket: &mut std::net::TcpStream) -> bool {
    let mut bytes = [0; 4096];
    loop {
        match socket.read(&mut bytes) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return error.kind() == std::io::ErrorKind::ConnectionReset,
        }
    }
}

#[test]
fn slow_headers_are_cut_off() {
    let server = eager(Limits { head: Duration::from_millis(300), ..Limits::default() });
    let mut slow = server.connect();
    slow.write_all(b"GET /healthz HTTP/1.1\r\nHost:").expect("a beginning");
    let mut silent = server.connect();
    let start = Instant::now();
    assert!(closes(&mut slow) && closes(&mut silent));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(server.ask("GET", "/healthz", &[], "").text(), "ok");
}

#[test]
fn a_reader_who_does_not_read_is_cut_off_and_slows_nobody() {
    let server = eager(Limits { stall: Duration::from_millis(500), ..Limits::default() });
    let mut socket = server.connect();
    let request =
        format!("GET /api/v1/events?session={SESSION_URL} HTTP/1.1\r\nHost: {}\r\nAuthorization: {}\r\n\r\n", server.addr, bearer());
    let mut feed = server.feed();
    feed.push(&[json!({ "op": "turn", "ended": false })]);
    socket.write_all(request.as_bytes()).expect("a request");
    while server.state.seats.open() == 0 {
        std::thread::yield_now();
    }
    let text = "x".repeat(60_000);
    let start = Instant::now();
    let mut pushed = 0;
    while server.state.seats.open() > 0 {
        pushed += 1;
        feed.push(&[entry("main", &format!("t{pushed}"), json!({ "kind": "text", "text": { "text": text } }))]);
        assert!(start.elapsed() < Duration::from_secs(30), "the reader is still there after {pushed} rows");
    }
    assert!(closes(&mut socket));
    let mut again = Events::open(&server, "", "");
    assert_eq!(again.until("uptodate").last().map(|event| event.name.as_str()), Some("uptodate"));
}

#[test]
fn the_server_ends_while_streams_are_open() {
    let mut server = Server::with_session();
    let mut streams: Vec<_> = (0..20).map(|_| Events::open(&server, &format!("?session={SESSION_URL}"), "")).collect();
    for events in &mut streams {
        events.until("uptodate");
    }
    let mut idle = server.connect();
    let start = Instant::now();
    server.state.stop.cancel();
    for events in &mut streams {
        assert_eq!(events.until("bye").last().map(|event| event.name.as_str()), Some("bye"));
        assert!(events.next().is_none());
    }
    assert!(closes(&mut idle));
    assert!(server.ends_within(Duration::from_secs(5)));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert!(std::net::TcpStream::connect(server.addr).is_err());
}

#[test]
fn a_body_that_is_too_long_or_broken_costs_one_connection() {
    let server = Server::start();
    let mut socket = server.connect();
    let head = format!(
        "POST /api/pair HTTP/1.1\r\nHost: {}\r\nAuthorization: {}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
        server.addr,
        bearer()
    );
    socket.write_all(head.as_bytes()).expect("a beginning");
    socket.shutdown(std::net::Shutdown::Write).expect("half a close");
    assert!(closes(&mut socket));
    for garbage in ["\r\n\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"] {
        let mut socket = server.connect();
        socket.write_all(garbage.as_bytes()).expect("garbage");
        socket.shutdown(std::net::Shutdown::Write).expect("half a close");
        assert!(closes(&mut socket), "{garbage:?}");
    }
    assert_eq!(server.ask("GET", "/healthz", &[], "").text(), "ok");
}
