//! The lives of subagents in Gemini CLI's files.

use super::*;
use crate::dialect::cases::files as told;
use crate::dialect::cases::{Life, Table, lines};

const MAIN: &str = "tmp/h/chats/s.jsonl";
const K: &str = "tmp/h/chats/s/k.jsonl";
const L: &str = "tmp/h/chats/s/l.jsonl";

pub fn table() -> Table {
    let own = |id: &str| lines(child(id, &format!("I am {id}")));
    let main = |status: &str| lines(parent(status));
    let both = lines([parent("success"), vec![task(3, "n", "d", "l", "error")]].concat());
    let working = lines(vec![
        head("s", "main"),
        user(1, "u", "Look"),
        calls(2, "m", "c", r#""name":"explore","args":{"objective":"Count files"},"agentId":"k","status":"executing""#),
    ]);
    [
        told(
            [(L, own("l")), (MAIN, both), (K, own("k"))],
            &[
                "l · failed (result) · exact: user: (prompt) Count files | text: I am l",
                "k · finished (result) · exact: user: (prompt) Count files | text: I am k",
            ],
        ),
        told([(K, own("k")), (MAIN, main("success"))], &["k · finished (result) · exact: user: (prompt) Count files | text: I am k"]),
        told([(MAIN, main("success")), (K, own("k"))], &["k · finished (result) · exact: user: (prompt) Count files | text: I am k"]),
        Life::Cannot("each call starts an agent of its own, with a file of its own"),
        Life::Cannot("a call waits for its agent"),
        told([(MAIN, main("cancelled")), (K, own("k"))], &["k · cancelled (stop) · exact: user: (prompt) Count files | text: I am k"]),
        told([(MAIN, working), (K, own("k"))], &["k · unknown · exact: user: (prompt) Count files | text: I am k"]).falls_silent(),
    ]
}
