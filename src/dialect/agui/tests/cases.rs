//! The lives of subagents in AG-UI.

use super::*;
use crate::dialect::cases::{Table, stream};

fn child(id: &str, call: &str) -> String {
    starts(id, "scout", &format!(r#","parentToolCallId":"{call}""#))
}

pub fn table() -> Table {
    let begun = |parts: &[Vec<String>]| [&[vec![run("1")]], parts].concat().concat();
    [
        stream(
            begun(&[
                calls("", "c", "delegate", r#"{"task":"Look"}"#),
                calls("", "d", "delegate", r#"{"task":"Look"}"#),
                vec![child("b", "d"), child("a", "c")],
                says("b", "m1", &["I am b"]),
                says("a", "m2", &["I am a"]),
                vec![ends("b", ""), ends("a", "")],
            ]),
            &[
                "b · finished (explicit) · exact: user: (prompt) Look | text: I am b",
                "a · finished (explicit) · exact: user: (prompt) Look | text: I am a",
            ],
        ),
        stream(begun(&[says("a", "m", &["I am a"]), vec![child("a", "c")]]), &["a · running · exact: text: I am a"]),
        stream(
            begun(&[vec![ends("a", ""), child("a", "c")], says("a", "m", &["I am a"])]),
            &["a · finished (explicit) · exact: text: I am a"],
        ),
        stream(
            begun(&[
                vec![child("a", "c")],
                says("a", "m", &["I am a"]),
                vec![ends("a", ""), child("a", "c")],
                says("a", "n", &["I am a again"]),
            ]),
            &["a · finished (explicit), running · exact: text: I am a | text: I am a again"],
        ),
        stream(
            begun(&[vec![child("a", "c"), done("1")], says("a", "m", &["I am a"]), vec![ends("a", "")]]),
            &["a · finished (explicit) · exact: text: I am a"],
        ),
        stream(
            begun(&[
                vec![child("a", "c")],
                says("a", "m", &["I am a"]),
                vec![event("", "RUN_FINISHED", r#""threadId":"t","runId":"1","outcome":{"type":"cancelled"}"#)],
            ]),
            &["a · cancelled (stop) · exact: text: I am a"],
        ),
        stream(
            begun(&[vec![child("a", "c")], says("a", "m", &["I am a"]), vec![event("", "RUN_ERROR", r#""message":"Out of luck""#)]]),
            &["a · cancelled (parent exit) · exact: text: I am a"],
        ),
    ]
}
