//! The hook: quick, silent, and never a failure.

use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::server::{Server, command};

const PAYLOAD: &str = r#"{"session_id":"s","transcript_path":"/p/s.jsonl","cwd":"/p","hook_event_name":"SubagentStart","agent_id":"a1","agent_type":"Explore"}"#;

fn hook(data: &std::path::Path, payload: &str) -> Duration {
    let mut child = command(data).arg("hook").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a hook");
    let begun = Instant::now();
    // One that has ended takes no more.
    let _ = child.stdin.take().expect("a pipe").write_all(payload.as_bytes());
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success() && output.stdout.is_empty());
    begun.elapsed()
}

#[test]
fn it_never_fails_and_never_waits() {
    let data = tempfile::tempdir().expect("a folder");
    for payload in [PAYLOAD, "", "no json", "{}", &"x".repeat(2 << 20)] {
        // The machine of a test may be busy: the least of some tries is what the program takes.
        let least = (0..10).map(|_| hook(data.path(), payload)).min().expect("tries");
        assert!(least < Duration::from_millis(50), "{least:?}");
    }
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
    let output = command(data.path()).args(["hook", "--install"]).output().expect("an end");
    let settings: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(settings["hooks"]["SubagentStop"][0]["hooks"][0]["command"], "sidedeck hook");
}
