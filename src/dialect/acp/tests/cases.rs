//! The lives of children in ACP, which only its extensions know: sessions of their own, or updates that name a call.

use super::*;
use crate::dialect::cases::{Table, stream};

fn says(session: &str) -> String {
    chunk(session, "agent_message", &format!("I am {session}"))
}

/// What the child of a call says, in the session of its parent.
fn by(call: &str) -> String {
    let meta = format!(r#""_meta":{{"claudeCode":{{"parentToolUseId":"{call}"}}}}"#);
    update("s", "agent_message_chunk", &format!(r#""content":{{"type":"text","text":"I am {call}"}},{meta}"#))
}

fn works(child: &str) -> String {
    subagent("s", child, "look", "running")
}

fn rests(child: &str) -> String {
    subagent("s", child, "look", "idle")
}

pub fn table() -> Table {
    let go = || prompt(1, "s", "Go");
    let asked = |child: &str| chunk(child, "user_message", "Look");
    let stopped = update("s", "subagent_update", r#""sessionId":"k","state":{"state":"idle","stopReason":"cancelled"}"#);
    [
        stream(
            [go(), works("k"), works("l"), asked("l"), asked("k"), says("l"), says("k"), rests("l"), rests("k")],
            &[
                "k · finished (explicit) · exact: user: (prompt) Look | text: I am k",
                "l · finished (explicit) · exact: user: (prompt) Look | text: I am l",
            ],
        ),
        stream(
            [go(), by("c"), call("s", "c", r#""title":"look""#), called("s", "c", "completed", "Seen")],
            &["c · finished (result) · exact: text: I am c [running]"],
        ),
        stream(
            [go(), call("s", "c", r#""title":"look""#), called("s", "c", "failed", "No"), by("c"), by("c")],
            &["c · failed (result) · exact: text: I am cI am c [running]"],
        ),
        stream(
            [go(), works("k"), says("k"), rests("k"), works("k"), says("k"), rests("k")],
            &["k · finished (explicit), finished (explicit) · exact: text: I am k | text: I am k"],
        ),
        stream(
            [go(), works("k"), reply(1, r#""stopReason":"end_turn""#), says("k"), rests("k")],
            &["k · finished (explicit) · exact: text: I am k"],
        ),
        stream([go(), works("k"), says("k"), stopped], &["k · cancelled (stop) · exact: text: I am k"]),
        stream([go(), works("k"), says("k")], &["k · cancelled (parent exit) · exact: text: I am k [running]"]).exits(),
    ]
}
