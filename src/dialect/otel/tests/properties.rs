//! What holds for any export.

use proptest::prelude::*;

use super::*;
use crate::dialect::kit;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn restarts_repetitions_and_any_order_before_the_root_change_nothing(
        order in Just((0..5).collect::<Vec<usize>>()).prop_shuffle(),
        cuts in prop::collection::vec(any::<bool>(), 1..12),
        again in prop::collection::vec(0usize..4, 1..12),
    ) {
        let plain = one("otel", &[export(&run())]);
        let mut spans: Vec<Option<Draft>> = run().into_iter().map(Some).collect();
        let mut all: Vec<String> = order.iter().map(|at| export(&[spans[*at].take().expect("a span")])).collect();
        all.push(export(&[spans[5].take().expect("the root")]));
        kit::holds("otel", &all, &cuts, &again)?;
        prop_assert_eq!(kit::by_title(&one("otel", &all)), kit::by_title(&plain));
    }

    #[test]
    fn nothing_makes_it_fail(bytes in prop::collection::vec(any::<u8>(), 0..100), field in "[a-zA-Z]{1,12}") {
        kit::abused("otel", &["x"], &["resourceSpans", "traceId", "spanId", "attributes", "status", "startTimeUnixNano", &field], &bytes);
        for value in ["7", "[]", "{}", "\"x\"", "1e999", "null", "[{}]", r#"{"arrayValue":{"values":[{"kvlistValue":{"values":[7]}}]}}"#, r#"{"stringValue":"[{\"parts\":[{\"type\":\"tool_call\"}]}]"}"#] {
            let pairs: Vec<String> = ["conversation.id", "input.messages", "output.messages", "tool.call.id", "operation.name", "usage.input_tokens", field.as_str()]
                .iter().map(|key| format!(r#"{{"key":"gen_ai.{key}","value":{value}}}"#)).collect();
            for name in ["chat x", "invoke_agent", "execute_tool y"] {
                told("otel", &[format!(r#"{{"traceId":"t","spanId":"s","name":"{name}","startTimeUnixNano":{value},"attributes":[{}]}}"#, pairs.join(","))]);
            }
        }
    }
}

#[test]
fn depth_and_length_are_no_danger() {
    kit::buried("otel", &["x"], &["traceId", "spanId", "name", "startTimeUnixNano", "attributes", "status", "parentSpanId"]);
}

#[test]
fn exports_are_recognised_by_their_content() {
    for head in [export(&run()), run()[0].json()] {
        assert_eq!(crate::dialect::recognise(head.as_bytes()).map(|dialect| dialect.name), Some("otel"), "{head}");
    }
}
