//! How a browser gets in.

use crate::support::{Server, bearer};

#[test]
fn a_code_pairs_one_browser() {
    let server = Server::with_session();
    let code = server.state.doors.pairing.code();
    let answer = server.pair(&code);
    assert_eq!(answer.status, 200);
    let cookie = answer.header("set-cookie").expect("a cookie");
    assert!(cookie.starts_with(&format!("sid_{}=", server.addr.port())), "{cookie}");
    for part in ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age="] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let cookie = cookie.split(';').next().expect("a value");
    assert_eq!(server.ask("GET", "/api/v1/sessions", &[("Cookie", cookie)], "").status, 200);
    assert_eq!(server.ask("GET", "/", &[("Cookie", &format!("other=1; {cookie}"))], "").status, 200);
    assert_eq!(server.ask("GET", "/api/pair", &[("Cookie", cookie)], "").json()["paired"], true);
    assert_eq!(server.ask("GET", "/api/pair", &[], "").json()["paired"], false);

    let again = server.pair(&code);
    assert_eq!((again.status, again.code().as_str()), (410, "spent_code"));
    assert_eq!(again.header("set-cookie"), None);
}

#[test]
fn who_is_in_can_ask_for_a_link_for_one_more() {
    let server = Server::start();
    assert_eq!(server.ask("POST", "/api/v1/links", &[("Content-Type", "application/json")], "{}").status, 401);
    let bearer = bearer();
    let json = [("Content-Type", "application/json"), ("Authorization", bearer.as_str())];
    let path = server.ask("POST", "/api/v1/links", &json, "{}").json()["path"].as_str().expect("a path").to_owned();
    let code = path.strip_prefix("/pair#").expect("a code in the fragment");
    assert_eq!(server.pair(code).status, 200);
    assert_eq!(server.pair(code).status, 410);
}

#[test]
fn guessing_is_locked() {
    let server = Server::start();
    let code = server.state.doors.pairing.code();
    for _ in 0..10 {
        assert_eq!(server.pair("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA").status, 403);
    }
    let locked = server.pair(&code);
    assert_eq!(locked.status, 429);
    assert!(locked.header("retry-after").and_then(|after| after.parse::<u64>().ok()).is_some_and(|after| (1..=61).contains(&after)));
}

#[test]
fn the_page_works_without_the_client() {
    let server = Server::start();
    let page = server.ask("GET", "/pair", &[], "");
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(page.text().contains("location.hash") && !page.text().contains("NONCE"));
}

#[test]
fn secrets_are_in_files_of_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let server = Server::start();
    let cookie = server.cookie();
    let secret = cookie.split_once('=').expect("a value").1;
    for file in std::fs::read_dir(server.folder.path().join("data")).expect("a folder") {
        let file = file.expect("a file");
        assert_eq!(file.metadata().expect("rights").permissions().mode() & 0o077, 0, "{:?}", file.path());
        let bytes = std::fs::read(file.path()).expect("bytes");
        assert!(!bytes.windows(secret.len()).any(|part| part == secret.as_bytes()), "{:?}", file.path());
    }
    let wrong = server.ask("GET", "/api/v1/sessions", &[("Authorization", &format!("{}x", bearer()))], "");
    assert!(!wrong.text().contains(crate::support::TOKEN));
}
