//! The paired browsers, and taking one's right away.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use crate::support::{Server, bearer};

fn json(cookie: &str) -> [(&'static str, &str); 3] {
    [("Cookie", cookie), ("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin")]
}

/// The id of the browser with that cookie, as it is told itself.
fn id_of(server: &Server, cookie: &str) -> String {
    let listed = server.ask("GET", "/api/v1/devices", &[("Cookie", cookie)], "").json();
    let devices = listed["devices"].as_array().expect("devices");
    let here: Vec<_> = devices.iter().filter(|device| device["here"] == true).collect();
    assert_eq!(here.len(), 1, "{listed}");
    here[0]["id"].as_str().expect("an id").to_owned()
}

#[test]
fn a_revoked_browser_is_out_and_its_stream_ends_within_a_second() {
    let server = Server::with_session();
    let (phone, desk) = (server.cookie(), server.cookie());
    let mut stream = server.connect();
    let request = format!("GET /api/v1/events HTTP/1.1\r\nHost: {}\r\nCookie: {phone}\r\n\r\n", server.addr);
    stream.write_all(request.as_bytes()).expect("a request");
    let mut first = [0; 512];
    assert!(stream.read(&mut first).expect("a head") > 0 && first.starts_with(b"HTTP/1.1 200"));

    let id = id_of(&server, &phone);
    let body = serde_json::json!({ "id": id }).to_string();
    let begun = Instant::now();
    let answer = server.ask("POST", "/api/v1/devices/revoke", &json(&desk), &body);
    assert_eq!((answer.status, answer.header("clear-site-data"), answer.header("set-cookie")), (200, None, None));
    let mut rest = String::new();
    let mut buffer = [0; 4096];
    while !rest.contains("event: bye") {
        let read = stream.read(&mut buffer).expect("the rest");
        assert_ne!(read, 0, "{rest}");
        rest += &String::from_utf8_lossy(&buffer[..read]);
    }
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    assert_eq!(server.ask("GET", "/api/v1/sessions", &[("Cookie", &phone)], "").status, 401);
    assert_eq!(server.ask("GET", "/api/v1/sessions", &[("Cookie", &desk)], "").status, 200);
    assert_eq!(server.ask("POST", "/api/v1/devices/revoke", &json(&desk), &body).status, 404);
}

#[test]
fn whoever_logs_out_is_told_to_clear_what_it_has() {
    let server = Server::start();
    let cookie = server.cookie();
    let body = serde_json::json!({ "id": id_of(&server, &cookie) }).to_string();
    let answer = server.ask("POST", "/api/v1/devices/revoke", &json(&cookie), &body);
    assert_eq!((answer.status, answer.header("clear-site-data")), (200, Some("\"cache\", \"storage\"")));
    assert!(answer.header("set-cookie").expect("a cookie").contains("Max-Age=0"));
    assert_eq!(server.ask("GET", "/api/v1/devices", &[("Cookie", &cookie)], "").status, 401);
    let bearer = bearer();
    let program = [("Authorization", bearer.as_str()), ("Content-Type", "application/json")];
    assert_eq!(server.ask("POST", "/api/v1/devices/revoke", &program, "{}").status, 400);
}

#[test]
fn a_browser_is_called_as_a_person_likes() {
    let server = Server::start();
    let cookie = server.cookie();
    let id = id_of(&server, &cookie);
    let call = |id: &str, name: &str| {
        let body = serde_json::json!({ "id": id, "name": name }).to_string();
        server.ask("POST", "/api/v1/devices/name", &json(&cookie), &body).status
    };
    assert_eq!(call(&id, &format!(" My\u{7} phone {}", "x".repeat(90))), 200);
    let listed = server.ask("GET", "/api/v1/devices", &[("Cookie", &cookie)], "").json();
    assert_eq!(listed["devices"][0]["name"], format!("My phone {}", "x".repeat(51)));
    assert_eq!((call(&id, " \n"), call("nobody", "A phone")), (400, 404));
}

#[test]
fn what_starts_without_a_server_is_public_and_holds_no_data() {
    let server = Server::with_session();
    for path in ["/sw.js", "/shell"] {
        let answer = server.ask("GET", path, &[], "");
        assert_eq!(answer.status, 200, "{path}");
        assert!(!answer.text().contains("I looked."), "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-cache"), "{path}");
    }
    assert_eq!(server.ask("GET", "/authority.crt", &[], "").status, 404, "there is none without --tls-self");
}
