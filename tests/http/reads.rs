//! What programs read.

use serde_json::json;

use crate::support::{SESSION, SESSION_URL, Server, bearer, entry};

#[test]
fn rows_by_their_routes() {
    let server = Server::with_session();
    let list = server.get("/api/v1/sessions?limit=1").json();
    assert_eq!(list["sessions"][0]["id"], SESSION);
    let one = server.get(&format!("/api/v1/sessions/{SESSION_URL}")).json();
    assert_eq!((one["session"]["id"].as_str(), one["agents"].as_array().map(Vec::len)), (Some(SESSION), Some(2)));
    assert!(one["cursor"].as_str().is_some_and(|cursor| cursor.split('.').count() == 3), "{one}");
    let page = server.get(&format!("/api/v1/sessions/{SESSION_URL}?limit=1")).json();
    assert_eq!((page["agents"][0]["n"].as_u64(), page["next"].as_u64()), (Some(0), Some(0)));
    let rest = server.get(&format!("/api/v1/sessions/{SESSION_URL}?agents_after=0")).json();
    assert_eq!((rest["agents"][0]["id"].as_str(), rest["next"].as_u64()), (Some("a1"), None));

    let entries = server.get(&format!("/api/v1/sessions/{SESSION_URL}/agents/a1/entries")).json();
    assert_eq!(entries["entries"].as_array().map(Vec::len), Some(2), "{entries}");
    let before = server.get(&format!("/api/v1/sessions/{SESSION_URL}/agents/main/entries?before=2&limit=9999")).json();
    assert_eq!(before["entries"][0]["seq"], 1);
    let both = server.get(&format!("/api/v1/sessions/{SESSION_URL}/agents/main/entries?before=2&after=1"));
    assert_eq!((both.status, both.code().as_str()), (400, "bad_request"));
}

#[test]
fn what_is_not_there() {
    let server = Server::with_session();
    for (path, code) in [
        ("/api/v1/sessions/nope".to_owned(), "no_such_session"),
        ("/api/v1/sessions/nope/export".to_owned(), "no_such_session"),
        (format!("/api/v1/sessions/{SESSION_URL}/agents/nope/entries"), "no_such_agent"),
        (format!("/api/v1/sessions/{SESSION_URL}/blobs/nope"), "no_such_blob"),
        ("/api/v1/events?session=nope".to_owned(), "no_such_session"),
    ] {
        let answer = server.get(&path);
        assert_eq!((answer.status, answer.code().as_str()), (404, code), "{path}");
        assert_eq!(answer.json()["status"], 404);
        assert!(answer.json()["message"].as_str().is_some_and(|sentence| sentence.ends_with('.')), "{path}");
    }
    let page = server.get("/nothing/here");
    assert_eq!(page.status, 404);
    assert!(page.text().contains("href=\"/\""), "the way home: {}", page.text());
    assert_eq!(server.get("/api/v1/sessions?limit=x").status, 400);
}

#[test]
fn an_odd_id_has_an_address() {
    let server = Server::with_session();
    let hex = SESSION.bytes().fold("~".to_owned(), |out, byte| out + &format!("{byte:02x}"));
    let plain = server.get(&format!("/api/v1/sessions/{SESSION_URL}")).json();
    assert_eq!(server.get(&format!("/api/v1/sessions/{hex}")).json()["session"], plain["session"]);
    assert_eq!(server.get(&format!("/api/v1/sessions/{hex}/agents/~6131/entries")).status, 200);
    assert_eq!(server.get(&format!("/s/{hex}")).status, 200);
    assert_eq!(server.get("/api/v1/sessions/~2e2e").status, 404);
}

#[test]
fn a_call_that_is_not_understood_is_a_bad_request() {
    let server = Server::with_session();
    assert_eq!(server.get("/api/fn/session").status, 400);
    assert_eq!(server.get("/api/fn/entries?session=x&agent=y").status, 400);
    assert_eq!(server.get("/api/fn/session?session=nope").status, 404);
}

#[test]
fn changes_are_paged_to_the_same_end() {
    let server = Server::with_session();
    let path = format!("/api/v1/sessions/{SESSION_URL}/changes");
    let whole = server.get(&path).json();
    assert_eq!(whole["more"], false);
    let (mut found, mut after) = (Vec::new(), String::new());
    loop {
        let page = server.get(&format!("{path}?limit=1&after={after}")).json();
        found.extend(page["changes"].as_array().expect("changes").clone());
        after = page["cursor"].as_str().expect("a cursor").to_owned();
        if page["more"] == false {
            break;
        }
    }
    assert_eq!(json!(found), whole["changes"]);
    assert_eq!(json!(after), whole["cursor"]);
    for (after, status) in [("x", 400), ("0000000000000001.0.0", 410)] {
        assert_eq!(server.get(&format!("{path}?after={after}")).status, status, "{after}");
    }
    let epoch = after.split('.').next().expect("an epoch");
    assert_eq!(server.get(&format!("{path}?after={epoch}.0.999999")).status, 410);
    assert_eq!(server.get("/api/v1/sessions?after=zzz").status, 400, "a list that begins again would be read twice");
}

#[test]
fn blobs_are_downloads_and_images_are_shown() {
    let server = Server::start();
    let long = "long ".repeat(40_000);
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";
    let svg = "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=";
    server.feed().push(&[
        json!({ "op": "call", "who": "main", "call": "c1", "keys": [], "patch": { "name": "Read", "title": "Read it", "args": "{}" } }),
        json!({ "op": "result", "who": "main", "call": "c1", "result": { "Ok": long }, "state": "done", "images": [
            { "media_type": "image/png", "data": png }, { "media_type": "image/png", "data": svg } ] }),
        entry("main", "t", json!({ "kind": "text", "text": { "text": "." } })),
    ]);
    let rows = server.get(&format!("/api/v1/sessions/{SESSION_URL}/agents/main/entries")).json();
    let tool = &rows["entries"][0]["body"];
    let path = |hash: &serde_json::Value| format!("/api/v1/sessions/{SESSION_URL}/blobs/{}", hash.as_str().expect("a hash"));
    let text = path(&tool["result"]["blob"]["hash"]);
    let whole = server.get(&text);
    assert_eq!((whole.status, whole.text() == long), (200, true));
    assert_eq!(whole.header("content-type"), Some("application/octet-stream"));
    assert!(whole.header("content-disposition").is_some_and(|value| value.starts_with("attachment")));
    assert!(whole.header("content-security-policy").is_some_and(|value| value.contains("sandbox")));

    let part = server.ask("GET", &text, &[("Authorization", &bearer()), ("Range", "bytes=5-9")], "");
    assert_eq!((part.status, part.text().as_str()), (206, "long "));
    assert_eq!(part.header("content-range"), Some(format!("bytes 5-9/{}", long.len()).as_str()));
    let outside = server.ask("GET", &text, &[("Authorization", &bearer()), ("Range", "bytes=999999999-")], "");
    assert_eq!(outside.status, 416);

    let images = tool["images"].as_array().expect("images");
    let shown = server.get(&path(&images[0]["blob"]["hash"]));
    assert_eq!((shown.header("content-type"), shown.header("content-disposition")), (Some("image/png"), Some("inline")));
    if let Some(other) = images.get(1) {
        let kept = server.get(&path(&other["blob"]["hash"]));
        assert_eq!(kept.header("content-type"), Some("application/octet-stream"), "markup that calls itself an image");
    }
}

#[test]
fn an_export_is_the_whole_document() {
    let server = Server::with_session();
    let answer = server.get(&format!("/api/v1/sessions/{SESSION_URL}/export?format=json"));
    assert_eq!(answer.status, 200);
    let document = answer.json();
    assert_eq!((document["version"].as_u64(), document["session"]["id"].as_str()), (Some(1), Some(SESSION)));
    assert_eq!(document["entries"].as_array().map(Vec::len), Some(4));
    assert_eq!(server.get(&format!("/api/v1/sessions/{SESSION_URL}/export?format=exe")).status, 400);
}
