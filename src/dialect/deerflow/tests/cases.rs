//! The lives of subagents in DeerFlow.

use super::*;
use crate::dialect::cases::{Life, Table, stream};

fn speaks(task: &str) -> Told {
    says(task, 1, &format!("I am {task}"))
}

fn done(task: &str) -> Told {
    custom("completed", task, r#","result":"Seen""#)
}

pub fn table() -> Table {
    let start = |tasks: &[&str]| vec![metadata("r"), launches("m", tasks)];
    let one = |more: Vec<Told>| [start(&["a"]), more].concat();
    [
        stream(
            [start(&["a", "b"]), vec![speaks("b"), speaks("a"), done("b"), custom("failed", "a", r#","error":"no""#)]].concat(),
            &[
                "a · failed (explicit) · exact: user: (prompt) Look around | text: I am a",
                "b · finished (explicit) · exact: user: (prompt) Look around | text: I am b",
            ],
        ),
        stream(
            [vec![metadata("r"), speaks("a")], start(&["a"])].concat(),
            &["a · running · exact: user: (prompt) Look around | text: I am a"],
        ),
        stream(
            [vec![metadata("r"), speaks("a"), done("a"), custom("started", "a", "")], start(&["a"])].concat(),
            &["a · finished (explicit) · exact: user: (prompt) Look around | text: I am a"],
        ),
        Life::Cannot("a task runs once: to go on is another call, and another task"),
        Life::Cannot("a call of a task waits for its subagent"),
        stream(
            one(vec![speaks("a"), custom("cancelled", "a", "")]),
            &["a · cancelled (stop) · exact: user: (prompt) Look around | text: I am a"],
        ),
        stream(
            one(vec![speaks("a"), event("error", "", r#"{"message":"Out of luck"}"#)]),
            &["a · cancelled (parent exit) · exact: user: (prompt) Look around | text: I am a"],
        ),
    ]
}
