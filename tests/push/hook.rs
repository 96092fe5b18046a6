//! The hook: silent, never a failure, and gone whatever the other sides do. How long it takes is measured by `make bench`.

use std::io::Write;
use std::net::TcpListener;
use std::process::Stdio;

use super::server::{Server, command};

const PAYLOAD: &str = r#"{"session_id":"s","transcript_path":"/p/s.jsonl","cwd":"/p","hook_event_name":"SubagentStart","agent_id":"a1","agent_type":"Explore"}"#;

fn hook(data: &std::path::Path, payload: &str) {
    let mut child = command(data).arg("hook").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a hook");
    // One that has ended takes no more.
    let _ = child.stdin.take().expect("a pipe").write_all(payload.as_bytes());
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success() && output.stdout.is_empty());
}

#[test]
fn it_never_fails() {
    let data = tempfile::tempdir().expect("a folder");
    for payload in [PAYLOAD, "", "no json", "{}", &"x".repeat(2 << 20)] {
        hook(data.path(), payload);
    }
}

/// Would stand for ever if it waited.
#[test]
fn it_waits_neither_for_its_input_nor_for_a_server_that_is_silent() {
    let data = tempfile::tempdir().expect("a folder");
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = silent.local_addr().expect("an address").to_string();
    for payload in [PAYLOAD, ""] {
        let mut command = command(data.path());
        let mut child = command.args(["hook", "--server", &address]).stdin(Stdio::piped()).spawn().expect("a hook");
        // Stays open.
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(payload.as_bytes()).expect("written");
        assert!(child.wait().expect("an end").success());
        drop(input);
    }
    let mut child = command(data.path()).args(["hook", "--server", &address]).stdin(Stdio::piped()).spawn().expect("a hook");
    child.stdin.take().expect("a pipe").write_all(PAYLOAD.as_bytes()).expect("written");
    assert!(child.wait().expect("an end").success());
}

#[test]
fn it_hints_at_an_agent_of_a_known_session_alone() {
    let data = tempfile::tempdir().expect("a folder");
    let server = Server::start(data.path(), "127.0.0.1:0");
    hook(data.path(), PAYLOAD);
    assert_eq!(server.request("GET", "/api/v1/sessions/s", &[], b"").0, 404);
    let init = r#"{"type":"system","subtype":"init","session_id":"s","uuid":"i"}"#;
    assert_eq!(server.push("claude-stream/s", &[], init).0, 200);
    super::server::wait(|| {
        hook(data.path(), PAYLOAD);
        server.request("GET", "/api/v1/sessions/s", &[], b"").1.contains("Explore").then_some(())
    });
}

#[test]
fn it_prints_its_settings() {
    let data = tempfile::tempdir().expect("a folder");
    let printed = |args: &[&str]| {
        let output = command(data.path()).env_remove("SIDEDECK_DATA").args(["hook", "--install"]).args(args).output().expect("an end");
        let settings: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        settings["hooks"]["SubagentStop"][0]["hooks"][0]["command"].as_str().expect("a command").to_owned()
    };
    assert_eq!(printed(&[]), "sidedeck hook");
    let given = printed(&["--data", "/a folder/of \"Ann's\"", "--server", "127.0.0.1:9"]);
    assert_eq!(given, r#"sidedeck hook --data '/a folder/of "Ann'\''s"' --server 127.0.0.1:9"#);
}
