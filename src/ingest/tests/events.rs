//! Files of server-sent events: whatever their lines, they are read alike.

use std::fs;

use super::*;

/// Sessions, and how many lines of each class, of a file.
fn read(bytes: &[u8]) -> (Vec<String>, Classes) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("given");
    fs::write(&path, bytes).expect("written");
    let kept = Kept::default();
    let summary = kept.import(&path);
    assert_eq!(summary.skipped, vec![]);
    let inner = kept.inner();
    let mut sessions: Vec<String> = inner.lines.iter().map(|line| line.session.id.clone()).collect();
    sessions.dedup();
    let mut classes = Classes::default();
    inner.lines.iter().for_each(|line| classes.add(&line.class));
    (sessions, classes)
}

/// The same events with each one's data pretty-printed over several lines.
fn spread(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("data:").map(serde_json::from_str::<serde_json::Value>) {
        Some(Ok(data)) => {
            let pretty = serde_json::to_string_pretty(&data).expect("JSON");
            pretty.lines().map(|line| format!("data: {line}\n")).collect()
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn data_over_several_lines_is_read_like_data_in_one() {
    for fixture in ["langgraph/two-scouts", "deerflow/two-tasks", "langalpha/two-tasks", "langalpha/older-era", "ag-ui/two-subagents"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/{fixture}.sse"));
        let text = fs::read_to_string(path).expect("a fixture");
        let (plain, spread) = (read(text.as_bytes()), spread(&text));
        assert!(spread.lines().count() > 2 * text.lines().count());
        for text in [spread.clone(), spread.replace('\n', "\r\n")] {
            assert_eq!(read(text.as_bytes()), plain, "{fixture}");
        }
        assert_eq!(read(spread.trim_end().as_bytes()), read(text.trim_end().as_bytes()), "{fixture}, without its last blank line");
    }
}

#[test]
fn an_event_longer_than_what_is_looked_at_first_is_recognised() {
    let long = "x".repeat(400 << 10);
    let text = format!(
        "event: values\ndata: {{\"messages\":[\ndata: {{\"type\":\"ai\",\"id\":\"m\",\ndata: \"content\":\"{long}\"}}],\ndata: \"thread_id\":\"t\"}}\n\n"
    );
    let (sessions, classes) = read(text.as_bytes());
    assert_eq!((sessions, classes.total()), (vec!["t".to_owned()], 1));
}

#[test]
fn fields_without_a_value_are_of_their_event() {
    let plain = read(b"event: values\ndata: {\"thread_id\":\"t\",\"messages\":[]}\n\nevent: end\ndata: {}\n\n");
    let bare = read(
        b"event: values\ndata: {\"thread_id\":\"t\",\"messages\":[]}\nretry\n\nid\nevent: end\ndata: {}\n\ndata\n\nunknown\n\nretry\n\n",
    );
    assert_eq!(bare, plain);
}
