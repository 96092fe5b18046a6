//! The lives of subagents in LangGraph's streams.

use super::*;
use crate::dialect::cases::{Table, stream};

fn speaks(space: &str) -> Vec<Told> {
    vec![opens(&format!("tools:{space}"), "Look"), says(&format!("tools:{space}"), &format!("m{space}"), &format!("I am {space}"))]
}

pub fn table() -> Table {
    let start = |tasks: &[&str]| vec![metadata("r"), calls("m", &tasks.iter().map(|call| task(call, "Look")).collect::<Vec<_>>())];
    let one = |more: Vec<Told>| [start(&["c"]), speaks("a"), more].concat();
    let bound = event("tasks", "", r#"{"id":"b","name":"tools","input":{"tool_call":{"id":"c","name":"task","args":{}}}}"#);
    let elsewhere = |status: &str| {
        event("values", "", format!(r#"{{"messages":[],"async_tasks":{{"t":{{"agent_name":"scout","status":"{status}"}}}}}}"#))
    };
    let interrupt = event("values", "", r#"{"messages":[],"__interrupt__":[{"id":"i","value":"Go on?"}]}"#);
    [
        stream(
            [start(&["c", "d"]), speaks("a"), speaks("b"), vec![bound, answers("c", "Seen")]].concat(),
            &[
                "tools:a · running · inferred: user: (prompt) Look | text: I am a [running]",
                "tools:b · finished (result) · exact: user: (prompt) Look | text: I am b",
            ],
        ),
        stream(
            [vec![metadata("r")], speaks("a"), vec![calls("m", &[task("c", "Look")])]].concat(),
            &["tools:a · running · inferred: user: (prompt) Look | text: I am a [running]"],
        ),
        stream(
            [start(&["c"]), vec![answers("c", "Seen")], speaks("a"), vec![end()]].concat(),
            &["tools:a · finished (result) · inferred: user: (prompt) Look | text: I am a"],
        ),
        stream(
            one(vec![interrupt, end(), metadata("r2"), says("tools:a", "n", "I am a again"), answers("c", "Seen"), end()]),
            &["tools:a · finished (result) · inferred: user: (prompt) Look | text: I am a | text: I am a again"],
        ),
        stream(
            [vec![metadata("r"), elsewhere("running"), end(), metadata("r2"), elsewhere("success"), end()]].concat(),
            &["t · finished (explicit) · later: "],
        ),
        stream([vec![metadata("r"), elsewhere("running"), elsewhere("cancelled")]].concat(), &["t · cancelled (stop) · later: "]),
        stream(
            one(vec![event("error", "", r#"{"error":"ValueError","message":"Out of luck"}"#)]),
            &["tools:a · cancelled (parent exit) · inferred: user: (prompt) Look | text: I am a [failed]"],
        ),
    ]
}
