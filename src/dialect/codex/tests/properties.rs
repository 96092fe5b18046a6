//! What holds for any file.

use proptest::prelude::*;

use super::*;

/// A child's file, with turns of some length.
fn life(id: &str, nickname: &str, turns: &[(usize, bool)]) -> Vec<String> {
    let mut all = vec![child(id, 3, nickname, "")];
    for (turn, (texts, twice)) in turns.iter().enumerate() {
        let at = 10 + 20 * turn as u32;
        all.push(event(at, "task_started", ""));
        all.push(event(at, "user_message", &format!(r#""message":"Turn {turn}""#)));
        all.push(user(at, &format!("Turn {turn}")));
        for text in 0..*texts {
            let said = format!("Text {text}");
            all.push(says(at + 1, &said));
            all.extend(twice.then(|| event(at + 1, "agent_message", &format!(r#""message":"{said}""#))));
            all.push(call(at + 2, &format!("{nickname}{turn}.{text}"), "shell", r#"{"command":["ls"]}"#));
            all.push(output(at + 3, &format!("{nickname}{turn}.{text}"), "out"));
        }
        all.push(event(at + 4, "task_complete", ""));
    }
    all
}

fn turns() -> impl Strategy<Value = Vec<(usize, bool)>> {
    prop::collection::vec((0usize..3, any::<bool>()), 1..3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn restarts_and_repetitions_change_nothing(
        turns in turns(),
        cuts in prop::collection::vec(any::<bool>(), 1..12),
        again in prop::collection::vec(0usize..4, 1..12),
    ) {
        kit::holds("codex", &life(CHILD, "Zeus", &turns), &cuts, &again)?;
        kit::holds("codex", &parent(), &cuts, &again)?;
        kit::holds("codex-exec", &super::exec::run(), &cuts, &again)?;
    }

    #[test]
    fn two_files_in_any_order_give_the_same_transcripts(a in turns(), b in turns(), picks in prop::collection::vec(any::<bool>(), 1..60)) {
        let lines = |file: &[String], source: u32| -> Vec<(u32, Line)> {
            kit::translate("codex", file).into_iter().map(|line| (source, line)).collect()
        };
        let (a, b) = (lines(&life(CHILD, "Zeus", &a), 1), lines(&life(OTHER, "Hera", &b), 2));
        let main = lines(&parent(), 3);
        let plain = feed(&[main.clone(), a.clone(), b.clone()].concat(), |_| false).0;
        let (mut a, mut b, mut mixed) = (a.into_iter(), b.into_iter(), Vec::new());
        for pick in picks.iter().cycle() {
            let next = if *pick { a.next().or_else(|| b.next()) } else { b.next().or_else(|| a.next()) };
            let Some(next) = next else { break };
            mixed.push(next);
        }
        mixed.extend(main);
        let mixed = feed(&mixed, |_| false).0;
        prop_assert_eq!(kit::by_title(&mixed[ROOT]), kit::by_title(&plain[ROOT]));
        prop_assert_eq!(agents(&mixed[ROOT]).len(), agents(&plain[ROOT]).len());
    }

    #[test]
    fn nothing_makes_it_fail(bytes in prop::collection::vec(any::<u8>(), 0..100), field in "[a-z_]{1,12}") {
        let kinds = ["session_meta", "response_item", "event_msg", "turn_context", "compacted", "message", "tool_result", "item.completed", "item.delta", "turn.completed", &field];
        let fields = ["payload", "item", "role", "content", "arguments", "summary", "output", "agents_states", "info", &field];
        kit::abused("codex", &kinds, &fields, &bytes);
        kit::abused("codex-exec", &kinds, &fields, &bytes);
    }
}

#[test]
fn depth_and_length_are_no_danger() {
    kit::buried("codex-exec", &["item.completed", "item.delta", "turn.completed"], &["item", "item_id", "item_type", "delta", "text"]);
    kit::buried("codex", &["session_meta", "response_item", "event_msg", "message"], &["payload", "content", "role"]);
}

#[test]
fn samples_close_their_account() {
    kit::samples("codex-rollout", "codex");
    kit::samples("codex-exec-json", "codex-exec");
}

#[test]
fn files_are_recognised_by_their_content() {
    for (head, name) in [
        (head(), "codex"),
        (child(CHILD, 3, "Zeus", ""), "codex"),
        (r#"{"id":"old","timestamp":"2025-05-01T10:00:00Z","instructions":null}"#.into(), "codex"),
        (super::exec::run()[0].clone(), "codex-exec"),
    ] {
        assert_eq!(crate::dialect::recognise(head.as_bytes()).map(|dialect| dialect.name), Some(name), "{head}");
    }
}
