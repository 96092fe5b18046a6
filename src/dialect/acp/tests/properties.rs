//! What holds for any exchange.

use proptest::prelude::*;

use super::*;
use crate::dialect::kit;

fn life(n: usize, texts: usize, tools: usize) -> Vec<String> {
    let id = format!("k{n}");
    let mut all =
        vec![subagent("s", &id, &format!("child {n}"), "running"), chunk(&id, "user_message", "Do "), chunk(&id, "user_message", "it")];
    for text in 0..texts {
        all.extend([
            chunk(&id, "agent_thought", "Hm"),
            chunk(&id, "agent_message", "Part "),
            chunk(&id, "agent_message", &format!("{text}")),
        ]);
    }
    for tool in 0..tools {
        let tool = format!("c{n}.{tool}");
        all.extend([call(&id, &tool, r#""title":"Run ls","rawInput":{"command":"ls"}"#), called(&id, &tool, "completed", "a")]);
    }
    all.push(subagent("s", &id, &format!("child {n}"), "idle"));
    all
}

fn lives() -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    let life = |n: usize| (0usize..3, 0usize..3).prop_map(move |(texts, tools)| life(n, texts, tools));
    (life(1), life(2))
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
        let all = [vec![prompt(1, "s", "Go")], kit::interleaved(&a, &b, &picks), vec![reply(1, r#""stopReason":"end_turn""#)]].concat();
        kit::holds("acp", &all, &cuts, &again)?;
    }

    #[test]
    fn two_children_in_any_order_give_the_same_transcripts((a, b) in lives(), picks in prop::collection::vec(any::<bool>(), 1..60)) {
        let whole = |lives: Vec<String>| [vec![prompt(1, "s", "Go")], lives].concat();
        let plain = one("acp", &whole([a.clone(), b.clone()].concat()));
        let mixed = one("acp", &whole(kit::interleaved(&a, &b, &picks)));
        prop_assert_eq!(kit::by_title(&mixed), kit::by_title(&plain));
    }

    #[test]
    fn nothing_makes_it_fail(bytes in prop::collection::vec(any::<u8>(), 0..100), field in "[a-zA-Z]{1,12}") {
        kit::abused("acp", &["x", &field], &["params", "result", "update", "sessionId", "id", &field], &bytes);
        for value in ["7", "[]", "{}", "\"x\"", "1e999", "null", "[{}]"] {
            for kind in ["user_message_chunk", "agent_message", "tool_call", "tool_call_update", "plan", "plan_update", "state_update", "subagent_update", "notice", &field] {
                let fields = ["content", "toolCallId", "title", "status", "plan", "entries", "state", "sessionId", "_meta"].map(|name| format!(r#""{name}":{value}"#));
                told("acp", &[update("s", kind, &fields.join(","))]);
            }
        }
    }
}

#[test]
fn depth_and_length_are_no_danger() {
    kit::buried("acp", &["x"], &["params", "update", "sessionId", "id", "method"]);
}

#[test]
fn exchanges_are_recognised_by_their_content() {
    for head in [request(1, "session/new", r#""cwd":"/""#), chunk("s", "agent_message", "Hi"), reply(2, r#""stopReason":"end_turn""#)] {
        assert_eq!(crate::dialect::recognise(head.as_bytes()).map(|dialect| dialect.name), Some("acp"), "{head}");
    }
}
