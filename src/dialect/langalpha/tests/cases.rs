//! The lives of tasks in LangAlpha.

use super::*;
use crate::dialect::cases::{Table, stream};

fn began(id: &str, call: &str) -> Told {
    artifact(id, "init", "look", &format!(r#","tool_call_id":"{call}""#))
}

fn speaks(id: &str) -> Vec<Told> {
    let (agent, message) = (format!("task:{id}"), format!("m{id}"));
    vec![says(&agent, &message, &format!("I am {id}")), stops(&agent, &message, "stop")]
}

fn reports(id: &str, how: &str) -> Told {
    result("main", &format!("out-{id}-{how}"), &format!("### Task-{id} (scout) - {how}"))
}

fn state(id: &str, how: &str) -> Told {
    event("", "", format!(r#"{{"thread_id":"s","task_id":"{id}","status":"{how}"}}"#))
}

pub fn table() -> Table {
    let call = || calls("main", "m", &[task("c", "look")]);
    let one = |more: Vec<Told>| [vec![call(), began("A", "c")], more].concat();
    [
        stream(
            [
                vec![calls("main", "m", &[task("c", "look"), task("d", "look")]), began("B", "d"), began("A", "c")],
                speaks("B"),
                speaks("A"),
                vec![reports("B", "completed"), reports("A", "failed")],
            ]
            .concat(),
            &[
                "B · finished (explicit) · exact: user: (prompt) Please look | text: I am B",
                "A · failed (explicit) · exact: user: (prompt) Please look | text: I am A",
            ],
        ),
        stream([speaks("A"), vec![call(), began("A", "c")]].concat(), &["A · running · exact: user: (prompt) Please look | text: I am A"]),
        stream(
            [speaks("A"), vec![reports("A", "completed"), state("A", "completed"), call(), began("A", "c"), began("A", "c")]].concat(),
            &["A · finished (explicit) · exact: user: (prompt) Please look | text: I am A"],
        ),
        stream(
            [
                one(speaks("A")),
                vec![reports("A", "completed"), artifact("A", "resume", "look", "")],
                vec![says("task:A", "n", "I am A again")],
            ]
            .concat(),
            &["A · finished (explicit), running · exact: user: (prompt) Please look | text: I am A | text: I am A again [running]"],
        ),
        stream(
            [one(vec![stops("main", "m", "stop"), event("end", "", "")]), speaks("A"), vec![state("A", "completed")]].concat(),
            &["A · finished (explicit) · exact: user: (prompt) Please look | text: I am A"],
        ),
        stream(
            [one(speaks("A")), vec![state("A", "cancelled")]].concat(),
            &["A · cancelled (stop) · exact: user: (prompt) Please look | text: I am A"],
        ),
        stream(
            [one(vec![says("task:A", "n", "I am "), of("error", "main", r#","error":"Out of luck""#)]), vec![says("task:A", "n", "A")]]
                .concat(),
            &["A · running · exact: user: (prompt) Please look | text: I am A [running]"],
        ),
    ]
}
