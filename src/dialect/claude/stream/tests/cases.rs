//! The lives of subagents in Claude's stream.

use super::*;
use proptest::prelude::*;

use crate::dialect::cases::{Table, stream};
use crate::dialect::kit;

fn launched(task: &str) -> Vec<String> {
    let call = format!("c{task}");
    vec![
        calls("", &format!("1{task}"), &call, "look", "Look"),
        started(&format!("2{task}"), task, &call, r#","is_backgrounded":true,"prompt":"Look""#),
        result("", &format!("3{task}"), &call, "Async agent launched", &LAUNCHED.replace("a1", task)),
    ]
}

fn speaks(task: &str) -> String {
    says(&format!("c{task}"), &format!("4{task}"), &format!("m{task}"), &format!("I am {task}"))
}

fn told_of(task: &str, status: &str) -> String {
    notified(&format!("5{task}"), task, &format!("c{task}"), status, "A note")
}

pub fn table() -> Table {
    let after = |more: Vec<String>| [vec![init("i")], launched("a"), more].concat();
    [
        stream(
            [launched("a"), launched("b"), vec![speaks("b"), speaks("a"), told_of("b", "completed"), told_of("a", "failed")]].concat(),
            &[
                "a · failed (explicit) · exact: user: (prompt) Look | text: I am a",
                "b · finished (explicit) · exact: user: (prompt) Look | text: I am b",
            ],
        ),
        stream([vec![speaks("a")], launched("a")].concat(), &["a · running · exact: user: (prompt) Look | text: I am a"]),
        stream([vec![told_of("a", "completed")], launched("a")].concat(), &["a · finished (explicit) · exact: user: (prompt) Look"]),
        stream(
            after(vec![speaks("a"), told_of("a", "completed"), started("6", "a", "", r#","run_id":"r2""#)]),
            &["a · finished (explicit), running · exact: user: (prompt) Look | text: I am a"],
        ),
        stream(
            after(vec![ends("7", "Launched."), speaks("a"), told_of("a", "completed")]),
            &["a · finished (explicit) · exact: user: (prompt) Look | text: I am a"],
        ),
        stream(
            after(vec![speaks("a"), updated("8", "a", r#"{"status":"killed"}"#)]),
            &["a · cancelled (stop) · exact: user: (prompt) Look | text: I am a"],
        ),
        stream(after(vec![speaks("a")]), &["a · cancelled (parent exit) · exact: user: (prompt) Look | text: I am a"]).exits(),
    ]
}

/// A child's whole life.
fn life(task: &str) -> Vec<String> {
    let call = format!("c{task}");
    let works = [
        speaks(task),
        uses(&call, &format!("6{task}"), &format!("t{task}"), "ls"),
        result(&call, &format!("7{task}"), &format!("t{task}"), "a b", ""),
        says(&call, &format!("8{task}"), &format!("n{task}"), "Done"),
        told_of(task, "completed"),
    ];
    [&launched(task)[..], &works[..]].concat()
}

proptest! {
    #[test]
    fn two_children_in_any_order_give_the_same_transcripts(picks in prop::collection::vec(any::<bool>(), 1..40)) {
        let (a, b) = (life("a"), life("b"));
        let (plain, mixed) = (told(&[&a[..], &b].concat()).0, told(&kit::interleaved(&a, &b, &picks)).0);
        // In main their calls and notes stand as they came.
        let children = |memory: &Memory| -> Vec<_> { kit::by_title(memory).into_iter().filter(|(title, _)| !title.starts_with("Main")).collect() };
        prop_assert_eq!(children(&mixed), children(&plain));
    }
}
