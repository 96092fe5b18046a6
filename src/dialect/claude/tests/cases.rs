//! The lives of subagents in Claude Code's files.

use super::files::{answers, at, calls, says};
use super::*;
use crate::dialect::cases::{Table, files, lines};

const MAIN: &str = "p/s.jsonl";
const A: &str = "p/s/subagents/agent-a.jsonl";
const B: &str = "p/s/subagents/agent-b.jsonl";

/// The end of an agent as its call's result tells it.
fn done(second: u32, agent: &str) -> String {
    answers(second, &format!("c{agent}"), "Seen", &format!(r#"{{"status":"completed","agentId":"{agent}","totalToolUseCount":0}}"#))
}

fn launched(agent: &str) -> String {
    answers(2, &format!("c{agent}"), "Launched", &format!(r#"{{"isAsync":true,"status":"async_launched","agentId":"{agent}"}}"#))
}

fn call(agent: &str) -> String {
    calls(1, &format!("1{agent}"), &format!("c{agent}"), "look", "Look")
}

/// An agent's own file.
fn own(agent: &str, second: u32) -> Vec<String> {
    vec![at(second, &user(&format!("p{agent}"), r#""Look""#)), says(second + 1, &format!("x{agent}"), &format!("I am {agent}"))]
}

pub fn table() -> Table {
    let go = || at(0, &user("u", r#""Go""#));
    let main = |more: Vec<String>| lines([vec![go(), call("a")], more].concat());
    let note = r"<task-notification>\n<task-id>a</task-id>\n<tool-use-id>ca</tool-use-id>\n<status>completed</status>\n<summary>Seen</summary>\n</task-notification>";
    let noted = at(30, &user("n", &format!("\"{note}\"")));
    let interrupted = result("ca", r#""[Request interrupted by user for tool use]""#, r#","is_error":true}]},"toolUseResult":"Error"}"#);
    let sidecar = lines([r#"{"agentType":"Explore","toolUseId":"ca"}"#.to_owned()]);
    [
        files(
            [(B, lines(own("b", 2))), (MAIN, main(vec![call("b"), done(8, "b"), done(9, "a")])), (A, lines(own("a", 2)))],
            &[
                "b · finished (result) · exact: user: (prompt) Look | text: I am b",
                "a · finished (result) · exact: user: (prompt) Look | text: I am a",
            ],
        ),
        files(
            [(A, lines(own("a", 2))), (MAIN, main(vec![done(9, "a")]))],
            &["a · finished (result) · exact: user: (prompt) Look | text: I am a"],
        ),
        files(
            [(MAIN, main(vec![done(9, "a")])), (A, lines(own("a", 2)))],
            &["a · finished (result) · exact: user: (prompt) Look | text: I am a"],
        ),
        files(
            [(MAIN, main(vec![done(9, "a")])), (A, lines([own("a", 2), vec![says(40, "y", "I am a again")]].concat()))],
            &["a · finished (result), running · exact: user: (prompt) Look | text: I am a | text: I am a again"],
        ),
        files(
            [(MAIN, main(vec![launched("a"), says(3, "z", "Launched."), noted])), (A, lines(own("a", 20)))],
            &["a · finished (explicit) · exact: user: (prompt) Look | text: I am a"],
        ),
        files(
            [(A, lines(own("a", 2))), ("p/s/subagents/agent-a.meta.json", sidecar), (MAIN, main(vec![at(9, &interrupted)]))],
            &["a · cancelled (stop) · sidecar: user: (prompt) Look | text: I am a"],
        ),
        files([(A, lines(own("a", 2))), (MAIN, main(vec![launched("a")]))], &["a · unknown · exact: user: (prompt) Look | text: I am a"])
            .falls_silent(),
    ]
}
