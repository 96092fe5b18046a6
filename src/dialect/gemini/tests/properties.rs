//! What holds for any file.

use proptest::prelude::*;

use super::*;

fn life(id: &str, texts: usize, tools: usize, rewinds: bool) -> Vec<String> {
    let mut all = vec![head(id, "subagent"), user(1, "u", "Count files")];
    for text in 0..texts {
        all.push(says(2, &format!("m{text}"), "<think>Hm</think>Half"));
        all.push(says(2, &format!("m{text}"), "<think>Hm</think>Half and whole"));
    }
    for tool in 0..tools {
        let call = |status: &str| format!(r#""name":"bash","args":{{"command":"ls"}},"status":"{status}""#);
        all.push(calls(3, &format!("t{tool}"), &format!("{id}.{tool}"), &call("executing")));
        all.push(calls(3, &format!("t{tool}"), &format!("{id}.{tool}"), &call("success")));
    }
    all.extend(rewinds.then(|| r#"{"$rewindTo":"m0"}"#.to_owned()));
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn restarts_and_repetitions_change_nothing(
        (texts, tools, rewinds) in (0usize..4, 0usize..3, any::<bool>()),
        cuts in prop::collection::vec(any::<bool>(), 1..12),
        again in prop::collection::vec(0usize..4, 1..12),
    ) {
        kit::holds("gemini", &life("k", texts, tools, rewinds), &cuts, &again)?;
        kit::holds("gemini-stream", &printed(), &cuts, &again)?;
    }

    #[test]
    fn two_files_in_any_order_give_the_same_transcripts(a in (0usize..4, 0usize..3), b in (0usize..4, 0usize..3)) {
        let (a, b) = (life("k", a.0, a.1, false), life("l", b.0, b.1, true));
        let main = parent("success");
        let all = [("s.jsonl", &main[..]), ("s/k.jsonl", &a), ("s/l.jsonl", &b)];
        let plain = kit::by_title(&whole(&all));
        for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            prop_assert_eq!(&kit::by_title(&whole(&order.map(|at| all[at]))), &plain);
        }
    }

    #[test]
    fn nothing_makes_it_fail(bytes in prop::collection::vec(any::<u8>(), 0..100), field in "[a-zA-Z]{1,12}") {
        let kinds = ["", "user", "gemini", "info", "init", "message", "tool_use", "tool_result", "result", &field];
        let fields = ["id", "sessionId", "content", "thoughts", "toolCalls", "tokens", "messages", "$set", "stats", "tool_id", &field];
        kit::abused("gemini", &kinds, &fields, &bytes);
        kit::abused("gemini-stream", &kinds, &fields, &bytes);
    }
}

#[test]
fn depth_and_length_are_no_danger() {
    kit::buried("gemini", &["user", "gemini", "info"], &["content", "thoughts", "toolCalls", "tokens"]);
    kit::buried("gemini-stream", &["message", "tool_use", "result"], &["content", "parameters", "stats", "role"]);
}

#[test]
fn samples_close_their_account() {
    println!("as files:");
    kit::samples("gemini-cli", "gemini");
    println!("as printed:");
    kit::samples("gemini-cli", "gemini-stream");
}

#[test]
fn files_are_recognised_by_their_content() {
    let pretty = "{\n  \"kind\": \"chat\",\n  \"projectHash\": \"h\",\n  \"sessionId\": \"s\",\n  \"messages\": []\n}";
    for (head, name) in
        [(head("s", "main"), "gemini"), (pretty.into(), "gemini"), (says(1, "m", "Hi"), "gemini"), (printed()[0].clone(), "gemini-stream")]
    {
        assert_eq!(crate::dialect::recognise(head.as_bytes()).map(|dialect| dialect.name), Some(name), "{head}");
    }
}
