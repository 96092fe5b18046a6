//! The lives of agents in Codex's files.

use super::*;
use crate::dialect::cases::files as told;
use crate::dialect::cases::{Table, lines};

const MAIN: &str = "sessions/rollout-1.jsonl";
const ZEUS: &str = "sessions/rollout-2.jsonl";
const HERA: &str = "sessions/rollout-3.jsonl";

fn spawned(call_id: &str, thread: &str, name: &str) -> Vec<String> {
    vec![
        call(2, call_id, "spawn_agent", r#"{"message":"Look","agent_type":"explorer"}"#),
        output(3, call_id, &format!(r#"{{"agent_id":"{thread}","nickname":"{name}"}}"#)),
    ]
}

fn own(thread: &str, name: &str, last: Option<String>) -> Vec<String> {
    let words = vec![
        child(thread, 3, name, ""),
        event(3, "task_started", ""),
        event(4, "user_message", r#""message":"Look""#),
        says(7, &format!("I am {name}")),
    ];
    [words, last.into_iter().collect()].concat()
}

fn done(second: u32) -> Option<String> {
    Some(event(second, "task_complete", ""))
}

pub fn table() -> Table {
    let main = |more: Vec<String>| lines([vec![head()], spawned("c1", CHILD, "Zeus"), more].concat());
    let zeus = |last| lines(own(CHILD, "Zeus", last));
    let waited = vec![
        call(9, "w", "wait", &format!(r#"{{"ids":["{CHILD}"]}}"#)),
        output(10, "w", &format!(r#"{{"status":{{"{CHILD}":{{"completed":"Seen"}}}}}}"#)),
    ];
    let again = [
        own(CHILD, "Zeus", done(8)),
        vec![event(31, "task_started", ""), event(31, "user_message", r#""message":"And on""#), says(32, "I am Zeus again")],
    ]
    .concat();
    [
        told(
            [(HERA, lines(own(OTHER, "Hera", done(8)))), (MAIN, main(spawned("c2", OTHER, "Hera"))), (ZEUS, zeus(done(8)))],
            &[
                "019fc111-0000-7000-8000-000000000003 · finished (explicit) · exact: user: (prompt) Look | text: I am Hera",
                "019fc111-0000-7000-8000-000000000002 · finished (explicit) · exact: user: (prompt) Look | text: I am Zeus",
            ],
        ),
        told(
            [(ZEUS, zeus(None)), (MAIN, main(vec![]))],
            &["019fc111-0000-7000-8000-000000000002 · running · exact: user: (prompt) Look | text: I am Zeus"],
        ),
        told(
            [(MAIN, main(waited)), (ZEUS, zeus(None))],
            &["019fc111-0000-7000-8000-000000000002 · finished (result) · exact: user: (prompt) Look | text: I am Zeus"],
        ),
        told(
            [(MAIN, main(vec![])), (ZEUS, lines(again))],
            &[
                "019fc111-0000-7000-8000-000000000002 · finished (explicit), running · exact: user: (prompt) Look | text: I am Zeus | user: And on | text: I am Zeus again",
            ],
        ),
        told(
            [(MAIN, main(vec![event(4, "task_complete", "")])), (ZEUS, zeus(done(8)))],
            &["019fc111-0000-7000-8000-000000000002 · finished (explicit) · exact: user: (prompt) Look | text: I am Zeus"],
        ),
        told(
            [(MAIN, main(vec![])), (ZEUS, zeus(Some(event(9, "turn_aborted", r#""reason":"interrupted""#))))],
            &[
                "019fc111-0000-7000-8000-000000000002 · cancelled (stop) · exact: user: (prompt) Look | text: I am Zeus | notice: cancelled: The turn was stopped.",
            ],
        ),
        told(
            [(MAIN, main(vec![])), (ZEUS, zeus(None))],
            &["019fc111-0000-7000-8000-000000000002 · unknown · exact: user: (prompt) Look | text: I am Zeus"],
        )
        .falls_silent(),
    ]
}
