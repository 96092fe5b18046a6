//! What a page leaves behind: what was seen, a layout, a parent that a person names.

use serde_json::{Value, json};

use crate::events::Events;
use crate::support::{Answer, SESSION, SESSION_URL, Server, bearer, entry};

fn call(server: &Server, name: &str, body: &Value) -> Answer {
    let headers = [("Authorization", &*bearer()), ("Content-Type", "application/json"), ("Accept", "application/json")];
    server.ask("POST", &format!("/api/fn/{name}"), &headers, &body.to_string())
}

#[test]
fn what_is_seen_on_one_device_is_seen_on_all() {
    let server = Server::with_session();
    let first = call(&server, "seen", &json!({ "session": SESSION, "seen": { "1": { "seq": 2, "ended_run": 0 } } }));
    assert_eq!((first.status, first.json()), (200, json!({ "1": { "seq": 2, "ended_run": 0 } })), "{}", first.text());
    let other = call(&server, "seen", &json!({ "session": SESSION, "seen": { "1": { "seq": 1, "ended_run": 1 } } }));
    assert_eq!(other.json(), json!({ "1": { "seq": 2, "ended_run": 1 } }));
    let asked = call(&server, "seen", &json!({ "session": SESSION, "seen": {} }));
    assert_eq!(asked.json(), other.json());
    assert_eq!(call(&server, "seen", &json!({ "session": "nope", "seen": {} })).status, 404);
}

#[test]
fn what_is_seen_on_one_device_reaches_the_others_at_once() {
    let server = Server::with_session();
    let see =
        |n: u32, seq: u32| call(&server, "seen", &json!({ "session": SESSION, "seen": { n.to_string(): { "seq": seq, "ended_run": 0 } } }));
    see(1, 1);
    let mut events = Events::open(&server, &format!("?session={SESSION_URL}"), "");
    let first = events.until("uptodate");
    assert_eq!((first[1].name.as_str(), &first[1].id), ("seen", &None), "right after hello");
    assert_eq!(first[1].data["seen"], json!({ "1": { "seq": 1, "ended_run": 0 } }));
    see(1, 1);
    for (n, seq) in [("0", 2), ("1", 2)] {
        see(n.parse().expect("a number"), seq);
        let told = events.until("seen").pop().expect("news");
        assert_eq!(told.data["seen"], json!({ n: { "seq": seq, "ended_run": 0 } }), "what is new, and no more");
    }
}

#[test]
fn a_layout_comes_back_as_it_was_saved() {
    let server = Server::with_session();
    let read = || server.get(&format!("/api/fn/saved-layout?session={SESSION_URL}")).json();
    assert_eq!(read(), Value::Null);
    let saved = call(&server, "layout", &json!({ "session": SESSION, "layout": "{\"version\":1}" }));
    assert_eq!(saved.status, 200, "{}", saved.text());
    assert_eq!(read(), "{\"version\":1}");
    assert_eq!(call(&server, "layout", &json!({ "session": "nope", "layout": "" })).status, 404);
    assert_eq!(call(&server, "layout", &json!({ "session": SESSION, "layout": "x".repeat(2 << 20) })).status, 413);
}

#[test]
fn a_named_parent_stands_on_the_row_and_in_the_export() {
    let server = Server::with_session();
    server.feed().push(&[entry("a2", "t9", json!({ "kind": "text", "text": { "text": "I help." } }))]);
    let agent = |id: &str| {
        let page = server.get(&format!("/api/v1/sessions/{SESSION_URL}")).json();
        page["agents"].as_array().expect("agents").iter().find(|agent| agent["id"] == id).expect("the agent").clone()
    };
    let (n, parent) = (agent("a2")["n"].clone(), agent("a1")["n"].clone());
    assert_eq!(agent("a2")["link"], "unlinked");
    let assigned = call(&server, "assign", &json!({ "session": SESSION, "agent": n, "parent": parent }));
    assert_eq!(assigned.status, 200, "{}", assigned.text());
    assert_eq!((agent("a2")["link"].as_str(), &agent("a2")["parent"]), (Some("assigned"), &parent));
    let export = server.get(&format!("/api/v1/sessions/{SESSION_URL}/export"));
    assert!(export.text().contains("assigned"), "{}", export.text());
    let back = call(&server, "assign", &json!({ "session": SESSION, "agent": n, "parent": null }));
    assert_eq!((back.status, agent("a2")["link"].as_str()), (200, Some("unlinked")));
    assert_eq!(call(&server, "assign", &json!({ "session": SESSION, "agent": 99, "parent": null })).status, 404);
}
