//! What holds for any stream.

use proptest::prelude::*;

use super::*;

/// A child's whole life: `n` tells it from others.
fn life(n: usize, texts: usize, tools: usize, again: bool) -> Vec<String> {
    let id = format!("k{n}");
    let mut all = vec![session(&id, "s", &format!("child {n}"))];
    for run in 0..=u32::from(again) {
        all.extend(user(&id, &format!("u{n}.{run}"), &format!("Turn {run}")));
        all.push(status(&id, "busy", run * 2));
        for text in 0..texts {
            all.extend(says(&id, &format!("m{n}.{run}.{text}"), &["Part ", "<think>two", "</think> three"]));
        }
        for call in 0..tools {
            let call = format!("c{n}.{run}.{call}");
            all.push(tool(&id, &call, "bash", r#""status":"running","input":{"command":"ls"}"#));
            all.push(tool(&id, &call, "bash", r#""status":"completed","input":{"command":"ls"},"output":"a""#));
        }
        all.push(status(&id, "idle", run * 2 + 1));
    }
    all
}

fn lives() -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    let life = |n: usize| (0usize..3, 0usize..3, any::<bool>()).prop_map(move |(texts, tools, again)| life(n, texts, tools, again));
    (life(1), life(2))
}

fn whole(lives: Vec<String>) -> Vec<String> {
    [vec![session("s", "", "Main one"), status("s", "busy", 0), task("s", "c", "running", "k1")], lives, vec![status("s", "idle", 1)]]
        .concat()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn restarts_and_repetitions_change_nothing(
        (a, b) in lives(),
        picks in prop::collection::vec(any::<bool>(), 1..40),
        cuts in prop::collection::vec(any::<bool>(), 1..12),
        again in prop::collection::vec(0usize..4, 1..12),
    ) {
        kit::holds("opencode", &whole(kit::interleaved(&a, &b, &picks)), &cuts, &again)?;
        kit::holds("opencode", &next(), &cuts, &again)?;
    }

    #[test]
    fn two_children_in_any_order_give_the_same_transcripts((a, b) in lives(), picks in prop::collection::vec(any::<bool>(), 1..60)) {
        let plain = one("opencode", &whole([a.clone(), b.clone()].concat()));
        let mixed = one("opencode", &whole(kit::interleaved(&a, &b, &picks)));
        prop_assert_eq!(kit::by_title(&mixed), kit::by_title(&plain));
        let sorted = |memory| { let mut rows = agents(memory); rows.sort(); rows };
        prop_assert_eq!(sorted(&mixed), sorted(&plain));
    }

    #[test]
    fn nothing_makes_it_fail(bytes in prop::collection::vec(any::<u8>(), 0..100), field in "[a-zA-Z]{1,12}") {
        let kinds = ["session.created", "session.status", "message.updated", "message.part.updated", "message.part.delta", "permission.asked", "question.replied", "todo.updated", "session.next.tool.called", "tool_use", "step_finish", &field];
        kit::abused("opencode", &kinds, &["properties", "sessionID", "part", "error", "payload", &field], &bytes);
    }
}

#[test]
fn depth_and_length_are_no_danger() {
    kit::buried("opencode", &["session.created", "message.part.updated", "tool_use", "todo.updated"], &["properties", "part", "sessionID"]);
}

#[test]
fn samples_close_their_account() {
    kit::samples("opencode", "opencode");
}

#[test]
fn streams_are_recognised_by_their_content() {
    for head in [
        session("s", "", "a"),
        format!("data: {}\n", session("s", "", "a")),
        format!(r#"{{"directory":"/w","payload":{}}}"#, session("s", "", "a")),
    ] {
        assert_eq!(crate::dialect::recognise(head.as_bytes()).map(|dialect| dialect.name), Some("opencode"), "{head}");
    }
}
