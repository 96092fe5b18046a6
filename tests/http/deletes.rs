//! Deleting by route: all or nothing, never what runs, and nothing of it can be read afterwards.

use serde_json::{Value, json};

use crate::support::{Answer, SESSION, SESSION_URL, Server, bearer, entry, runtime};

fn post(server: &Server, path: &str, body: &str) -> Answer {
    let headers = [("Authorization", &*bearer()), ("Content-Type", "application/json")];
    server.ask("POST", &format!("/api/v1/sessions/{path}"), &headers, body)
}

fn end(agent: &str) -> Value {
    json!({ "op": "end", "who": runtime(agent), "ending": { "status": "finished", "cause": "explicit", "at": null, "run": null, "note": null } })
}

/// A session whose agents a1 and a2 have ended, and whose main agent's turn has.
fn ended() -> Server {
    let server = Server::with_session();
    let text = |text: &str| json!({ "kind": "text", "text": { "text": text } });
    server.feed().push(&[
        end("a1"),
        json!({ "op": "prompt", "who": runtime("a2"), "text": "Look elsewhere.", "own": false }),
        json!({ "op": "agent", "who": runtime("a2"), "patch": { "parent": runtime("a1"), "link": "exact" } }),
        entry("a2", "t3", text("Nothing there.")),
        end("a2"),
        json!({ "op": "turn", "ended": true }),
    ]);
    server
}

#[test]
fn what_runs_is_not_deleted_and_its_name_is_told() {
    let server = Server::with_session();
    for (path, body) in [(format!("{SESSION_URL}/delete"), "{}"), (format!("{SESSION_URL}/agents/delete"), r#"{"ids":["a1"]}"#)] {
        let answer = post(&server, &path, body);
        assert_eq!((answer.status, answer.code().as_str()), (409, "running"), "{path}");
        assert!(
            answer.json()["message"]
                .as_str()
                .is_some_and(|sentence| sentence.starts_with("Nothing was deleted, because this still runs: ")),
            "{path}"
        );
    }
    assert_eq!(
        server.get(&format!("/api/v1/sessions/{SESSION_URL}/agents/a1/entries")).json()["entries"].as_array().map(Vec::len),
        Some(2)
    );
}

#[test]
fn one_that_cannot_go_holds_all_of_them() {
    let server = ended();
    for (body, status) in
        [(r#"{"ids":["a1","nope"]}"#, 404), (r#"{"ids":["a1","main"]}"#, 400), (r#"{"ids":[]}"#, 400), (r#"{"ids":"a1"}"#, 400), ("", 400)]
    {
        assert_eq!(post(&server, &format!("{SESSION_URL}/agents/delete"), body).status, status, "{body}");
    }
    assert_eq!(post(&server, "nope/delete", "{}").status, 404);
    assert_eq!(server.get(&format!("/api/v1/sessions/{SESSION_URL}/agents/a1/entries")).status, 200);
}

#[test]
fn what_is_deleted_is_gone_and_deleting_it_again_says_so() {
    let server = ended();
    let answer = post(&server, &format!("{SESSION_URL}/agents/delete"), r#"{"ids":["a1","a1"]}"#);
    assert_eq!((answer.status, answer.json()), (200, json!({ "deleted": 1 })));
    let session = server.get(&format!("/api/v1/sessions/{SESSION_URL}")).json();
    assert_eq!(session["session"]["agents"], json!({ "running": 0, "all": 1 }), "{session}");
    let export = server.get(&format!("/api/v1/sessions/{SESSION_URL}/export")).json();
    assert!(!export.to_string().contains("I looked."));
    let child = &export["agents"][1];
    assert_eq!((&child["id"], &child["parent"], &child["link"]), (&json!("a2"), &Value::Null, &json!("unlinked")), "nobody else's child");
    assert_eq!(post(&server, &format!("{SESSION_URL}/agents/delete"), r#"{"ids":["a1"]}"#).status, 404);

    assert_eq!(post(&server, &format!("{SESSION_URL}/delete"), "{}").status, 200);
    assert_eq!(server.get("/api/v1/sessions").json()["sessions"], json!([]));
    assert_eq!(post(&server, &format!("{SESSION_URL}/delete"), "{}").status, 404);
    assert!(!server.get(&format!("/api/v1/sessions/{SESSION_URL}")).text().contains(SESSION));
}
