//! The lives of agents in what `codex exec` prints: their states alone, never their words.

use super::*;
use crate::dialect::cases::{Life, Table, stream};

fn begun(item: &str, thread: &str) -> String {
    collab("completed", item, "spawn_agent", "completed", &[thread], &format!(r#""{thread}":{{"status":"running"}}"#))
}

fn told_of(item: &str, tool: &str, thread: &str, status: &str) -> String {
    collab("completed", item, tool, "completed", &[thread], &format!(r#""{thread}":{{"status":"{status}"}}"#))
}

pub fn table() -> Table {
    let after = |more: Vec<String>| [vec![started(), exec("turn.started", "")], more].concat();
    [
        stream(
            after(vec![begun("1", "a"), begun("2", "b"), told_of("3", "wait", "b", "completed"), told_of("4", "wait", "a", "errored")]),
            &["a · failed (result) · exact: user: (prompt) Scan", "b · finished (result) · exact: user: (prompt) Scan"],
        ),
        Life::Cannot("a child's words are not printed"),
        stream(
            after(vec![told_of("1", "wait", "a", "completed"), begun("2", "a")]),
            &["a · finished (result) · exact: user: (prompt) Scan"],
        ),
        stream(
            after(vec![begun("1", "a"), told_of("2", "wait", "a", "completed"), told_of("3", "send_input", "a", "running")]),
            &["a · finished (result), running · exact: user: (prompt) Scan"],
        ),
        stream(
            after(vec![begun("1", "a"), exec("turn.completed", ""), exec("turn.started", ""), told_of("2", "wait", "a", "completed")]),
            &["a · finished (result) · exact: user: (prompt) Scan"],
        ),
        stream(
            after(vec![begun("1", "a"), told_of("2", "close_agent", "a", "shutdown")]),
            &["a · cancelled (stop) · exact: user: (prompt) Scan"],
        ),
        stream(after(vec![begun("1", "a")]), &["a · cancelled (parent exit) · exact: user: (prompt) Scan"]).exits(),
    ]
}
