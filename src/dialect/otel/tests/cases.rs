//! The lives of agents in OpenTelemetry's spans.

use super::*;
use crate::dialect::cases::{Life, Table, stream};

fn agent(id: &'static str, call: &'static str, seconds: (u64, u64)) -> Draft {
    span(id, call, "invoke_agent scout", seconds).with("agent.id", "same").asked("Look").says(&format!("I am {id}"))
}

fn tool(id: &'static str, seconds: (u64, u64)) -> Draft {
    span(id, "m", "execute_tool delegate", seconds).with("tool.call.id", id)
}

fn main() -> Draft {
    span("m", "", "invoke_agent main", (0, 20)).with("conversation.id", "talk")
}

pub fn table() -> Table {
    [
        stream(
            [export(&[agent("k", "x", (2, 5)), agent("l", "y", (2, 6)).fails(), tool("x", (2, 5)), tool("y", (2, 6)), main()])],
            &[
                "k · finished (explicit) · exact: user: (prompt) Look | text: I am k",
                "l · failed (explicit) · exact: user: (prompt) Look | text: I am l | notice: error: out of memory",
            ],
        ),
        stream(
            [export(&[agent("k", "x", (2, 5))]), export(&[tool("x", (2, 5))]), export(&[main()])],
            &["k · finished (explicit) · exact: user: (prompt) Look | text: I am k"],
        ),
        Life::Cannot("a span tells its beginning and its end together"),
        Life::Cannot("a further invocation is a span, and an agent, of its own"),
        stream(
            [export(&[tool("x", (2, 3)), agent("k", "x", (2, 9)), main()])],
            &["k · finished (explicit) · exact: user: (prompt) Look | text: I am k"],
        ),
        Life::Cannot("a span's status is an error or none: nothing tells a stop"),
        Life::Cannot("a span that was open at a crash never comes, and nothing tells that it was"),
    ]
}
