//! What holds for any run.

use proptest::prelude::*;

use super::*;
use crate::dialect::kit;

/// A child's whole life: `n` tells it from others.
fn life(n: usize, texts: usize, tool: bool, fails: bool) -> Vec<String> {
    let id = format!("a{n}");
    let mut all = vec![starts(&id, &format!("child {n}"), "")];
    for text in 0..texts {
        all.extend(says(&id, &format!("m{n}.{text}"), &["Part ", "<think>two", "</think> three"]));
        all.push(event(&id, "TEXT_MESSAGE_CHUNK", &format!(r#""messageId":"k{n}.{text}","delta":"chunk""#)));
        all.push(event(&id, "TEXT_MESSAGE_CHUNK", r#""delta":" more""#));
        all.push(event(&id, "THINKING_CONTENT", r#""delta":"thought""#));
        all.push(event(&id, "THINKING_END", ""));
    }
    if tool {
        all.extend(calls(&id, &format!("t{n}"), "bash", r#"{"command":"ls"}"#));
        all.push(result(&id, &format!("t{n}"), "out"));
    }
    all.push(if fails { event(&id, "SUBAGENT_ERROR", r#""message":"x""#) } else { ends(&id, r#""result":"End""#) });
    all
}

fn lives() -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    let life = |n: usize| (0usize..3, any::<bool>(), any::<bool>()).prop_map(move |(texts, tool, fails)| life(n, texts, tool, fails));
    (life(1), life(2))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn restarts_and_repetitions_change_nothing(
        (a, b) in lives(),
        picks in prop::collection::vec(any::<bool>(), 1..40),
        cuts in prop::collection::vec(any::<bool>(), 1..12),
        again in prop::collection::vec(0usize..4, 1..12),
    ) {
        let mut all = vec![run("1"), event("", "STATE_SNAPSHOT", r#""snapshot":{"todos":[]}"#)];
        all.extend(kit::interleaved(&a, &b, &picks));
        all.extend([event("", "STATE_DELTA", r#""delta":[{"op":"add","path":"/todos/-","value":"x"}]"#), done("1")]);
        kit::holds("ag-ui", &all, &cuts, &again)?;
    }

    #[test]
    fn two_children_in_any_order_give_the_same_transcripts((a, b) in lives(), picks in prop::collection::vec(any::<bool>(), 1..60)) {
        let whole = |lives: Vec<String>| [vec![run("1")], lives, vec![done("1")]].concat();
        let plain = one("ag-ui", &whole([a.clone(), b.clone()].concat()));
        let mixed = one("ag-ui", &whole(kit::interleaved(&a, &b, &picks)));
        let children = |memory: &Memory| kit::by_title(memory).into_iter().filter(|(title, _)| !title.starts_with("Main")).collect::<Vec<_>>();
        prop_assert_eq!(children(&mixed), children(&plain));
    }

    #[test]
    fn nothing_makes_it_fail(bytes in prop::collection::vec(any::<u8>(), 0..100), field in "[a-zA-Z]{1,12}") {
        kit::abused(
            "ag-ui",
            &["RUN_STARTED", "RUN_FINISHED", "TEXT_MESSAGE_CHUNK", "TOOL_CALL_ARGS", "MESSAGES_SNAPSHOT", "STATE_SNAPSHOT", "STATE_DELTA", "ACTIVITY_DELTA", "SUBAGENT_STARTED", "SUBAGENT_FINISHED", "CUSTOM", &field],
            &["messageId", "toolCallId", "subagentRunId", "delta", "messages", "snapshot", "patch", "input", "outcome", "usage", &field],
            &bytes,
        );
    }
}

#[test]
fn depth_and_length_are_no_danger() {
    kit::buried(
        "ag-ui",
        &["RUN_STARTED", "TEXT_MESSAGE_CONTENT", "TOOL_CALL_ARGS", "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "THINKING_CONTENT"],
        &["messageId", "toolCallId", "delta", "snapshot", "messages"],
    );
}

#[test]
fn samples_close_their_account() {
    kit::samples("ag-ui", "ag-ui");
}

#[test]
fn runs_are_recognised_as_lines_as_events_and_as_a_list() {
    for head in [run("1"), format!("data: {}\n\n", run("1")), format!("[\n  {},\n", run("1")), format!("\u{feff}\n{}", run("1"))] {
        let found = crate::dialect::recognise(head.as_bytes()).map(|dialect| dialect.name);
        assert_eq!(found, Some("ag-ui"), "{head}");
    }
}

#[test]
fn a_list_of_events_is_one_line_that_made_entries() {
    let list = format!("[\n{}\n]", [vec![run("1")], says("", "m", &["Hi"]), vec![done("1")]].concat().join(",\n"));
    let (sessions, classes) = kit::told("ag-ui", &[list]);
    assert_eq!(transcript(&sessions["t"], 0), ["text: Hi"]);
    let counted: Vec<_> = classes.into_iter().filter(|class| *class != crate::model::Class::Part).collect();
    assert_eq!(counted, [crate::model::Class::Entry]);
}
