//! The lives of child sessions in OpenCode.

use super::*;
use crate::dialect::cases::{Table, stream};

fn rests(session: &str) -> String {
    event("session.idle", &format!(r#""sessionID":"{session}""#))
}

pub fn table() -> Table {
    let main = || vec![session("s", "", "Main one"), status("s", "busy", 1)];
    let speaks = |id: &str| [vec![session(id, "s", "look")], says(id, &format!("m{id}"), &[&format!("I am {id}")])].concat();
    let one = |more: Vec<String>| [main(), vec![task("s", "c", "running", "k")], speaks("k"), more].concat();
    let aborted = r#""sessionID":"k","error":{"name":"MessageAbortedError","data":{"message":"Aborted"}}"#;
    [
        stream(
            [
                main(),
                vec![task("s", "c", "running", "k"), task("s", "d", "running", "l")],
                speaks("l"),
                speaks("k"),
                vec![task("s", "d", "completed", "l"), task("s", "c", "error", "k")],
            ]
            .concat(),
            &[
                "k · failed (result) · exact: user: (prompt) Count them | text: I am k",
                "l · finished (result) · exact: user: (prompt) Count them | text: I am l",
            ],
        ),
        stream(
            [speaks("k"), main(), vec![task("s", "c", "running", "k")]].concat(),
            &["k · running · exact: user: (prompt) Count them | text: I am k"],
        ),
        stream(
            [main(), vec![task("s", "c", "completed", "k")], speaks("k")].concat(),
            &["k · finished (result) · exact: user: (prompt) Count them | text: I am k"],
        ),
        stream(
            [
                main(),
                vec![task("s", "c", "running", "k"), session("k", "s", "look")],
                user("k", "u1", "Count them"),
                vec![status("k", "busy", 1)],
                says("k", "m", &["I am k"]),
                vec![rests("k")],
                user("k", "u2", "And on"),
                vec![status("k", "busy", 3)],
            ]
            .concat(),
            &["k · finished (explicit), running · exact: user: (prompt) Count them | text: I am k | user: And on"],
        ),
        stream(
            one(vec![status("k", "busy", 1), rests("s"), rests("k")]),
            &["k · finished (explicit) · exact: user: (prompt) Count them | text: I am k"],
        ),
        stream(
            one(vec![event("session.error", aborted)]),
            &["k · cancelled (stop) · exact: user: (prompt) Count them | text: I am k | notice: cancelled: Aborted"],
        ),
        stream(one(Vec::new()), &["k · cancelled (parent exit) · exact: user: (prompt) Count them | text: I am k"]).exits(),
    ]
}
