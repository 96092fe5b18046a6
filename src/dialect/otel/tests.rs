//! OpenTelemetry by examples, all synthetic: exports in, rows out. Expected rows are written by hand.

pub mod cases;
mod properties;

use crate::dialect::Record;
use crate::dialect::kit::{agents, of, one, open, told, transcript};
use crate::model::{Class, SessionStatus};

/// A span of the trace "t" from one second to another.
struct Draft {
    id: &'static str,
    parent: &'static str,
    name: String,
    seconds: (u64, u64),
    attributes: Vec<String>,
    status: &'static str,
}

fn span(id: &'static str, parent: &'static str, name: &str, seconds: (u64, u64)) -> Draft {
    Draft { id, parent, name: name.into(), seconds, attributes: Vec::new(), status: "{}" }
}

impl Draft {
    fn with(mut self, key: &str, value: &str) -> Self {
        self.attributes
            .push(format!(r#"{{"key":"gen_ai.{key}","value":{{"stringValue":{}}}}}"#, serde_json::to_string(value).expect("json")));
        self
    }

    fn count(mut self, key: &str, value: u32) -> Self {
        self.attributes.push(format!(r#"{{"key":"gen_ai.usage.{key}","value":{{"intValue":"{value}"}}}}"#));
        self
    }

    fn fails(mut self) -> Self {
        self.status = r#"{"code":2,"message":"out of memory"}"#;
        self
    }

    fn says(self, text: &str) -> Self {
        self.with("output.messages", &format!(r#"[{{"role":"assistant","parts":[{{"type":"text","content":"{text}"}}]}}]"#))
    }

    fn asked(self, text: &str) -> Self {
        self.with("input.messages", &format!(r#"[{{"role":"user","parts":[{{"type":"text","content":"{text}"}}]}}]"#))
    }

    fn json(&self) -> String {
        let time = |second: u64| format!("{}000000000", 1_790_000_000 + second);
        format!(
            r#"{{"traceId":"t","spanId":"{}","parentSpanId":"{}","name":"{}","startTimeUnixNano":"{}","endTimeUnixNano":"{}","attributes":[{}],"status":{}}}"#,
            self.id,
            self.parent,
            self.name,
            time(self.seconds.0),
            time(self.seconds.1),
            self.attributes.join(","),
            self.status
        )
    }
}

fn export(spans: &[Draft]) -> String {
    let spans: Vec<String> = spans.iter().map(Draft::json).collect();
    format!(r#"{{"resourceSpans":[{{"resource":{{}},"scopeSpans":[{{"scope":{{}},"spans":[{}]}}]}}]}}"#, spans.join(","))
}

/// A run with a child, children first, as spans end.
fn run() -> Vec<Draft> {
    vec![
        span("c1", "k", "chat small", (3, 4)).asked("Count them").says("One file.").count("input_tokens", 10).count("cache_read.input_tokens", 4),
        span("k", "x", "invoke_agent counter", (2, 5)).with("agent.id", "same"),
        span("x", "m", "execute_tool delegate", (2, 5)).with("tool.call.id", "call").with("tool.call.arguments", r#"{"task":"count"}"#).with("tool.call.result", "One file."),
        span("c0", "m", "chat big", (1, 2))
            .asked("Look around")
            .with("output.messages", r#"[{"role":"assistant","parts":[{"type":"reasoning","content":"Hm"},{"type":"tool_call","id":"call","name":"delegate","arguments":{"task":"count"}}]}]"#),
        span("c2", "m", "chat big", (5, 6)).asked("Look around").says("There is one."),
        span("m", "", "invoke_agent main", (0, 7)).with("conversation.id", "talk"),
    ]
}

#[test]
fn spans_are_told_in_the_order_in_which_they_began() {
    let memory = one("otel", &[export(&run())]);
    assert_eq!(
        agents(&memory),
        ["counter (counter) · exact · Main · finished (explicit)".replacen("counter (counter)", "Count them (counter)", 1)]
    );
    assert_eq!(transcript(&memory, 0), ["user: Look around", "reasoning: Hm", "tool: count → One file.", "text: There is one."]);
    assert_eq!(of(&memory, "Count them"), ["user: (prompt) Count them", "text: One file."]);
    assert_eq!((memory.session.id.as_str(), memory.session.status), ("talk", SessionStatus::Idle));
    let child = memory.titled("Count them");
    assert_eq!((child.call.as_deref(), child.usage.input, child.usage.cache_read), (Some("call"), 6, 4));
    assert_eq!((child.started_at, child.ended_at), (Some(1_790_000_002_000), Some(1_790_000_005_000)));
}

#[test]
fn one_export_a_span_gives_the_same() {
    let whole = one("otel", &[export(&run())]);
    let single: Vec<String> = run().into_iter().map(|span| export(&[span])).collect();
    let (sessions, classes) = told("otel", &single);
    assert_eq!(transcript(&sessions["talk"], 0), transcript(&whole, 0));
    assert_eq!(agents(&sessions["talk"]), agents(&whole));
    assert_eq!(classes.iter().filter(|class| **class != Class::Part).count(), single.len());
}

#[test]
fn children_that_share_a_definition_are_two() {
    let memory = one(
        "otel",
        &[export(&[
            span("k", "x", "invoke_agent counter", (2, 5)).with("agent.id", "same").asked("Count them"),
            span("l", "y", "invoke_agent counter", (2, 6)).with("agent.id", "same").asked("Count them").fails(),
            span("ck", "k", "chat m", (3, 4)).says("I am k"),
            span("cl", "l", "chat m", (3, 4)).says("I am l"),
            span("x", "m", "execute_tool delegate", (2, 5)),
            span("y", "m", "execute_tool delegate", (2, 6)).fails(),
            span("m", "", "invoke_agent main", (0, 7)),
        ])],
    );
    let rows: Vec<_> = memory
        .agents
        .values()
        .filter(|agent| agent.n > 0)
        .map(|agent| (agent.id.clone(), agent.status.word(), transcript(&memory, agent.n)))
        .collect();
    let expected = |id: &str, status, last: &[&str]| {
        let texts = ["user: (prompt) Count them"].iter().chain(last).map(|text| (*text).to_owned()).collect();
        (id.to_owned(), status, texts)
    };
    assert_eq!(
        rows,
        [expected("k", "finished", &["text: I am k"]), expected("l", "failed", &["text: I am l", "notice: error: out of memory"])]
    );
}

#[test]
fn nested_children_stand_under_the_one_that_called_them() {
    let memory = one(
        "otel",
        &[export(&[
            span("l", "k", "invoke_agent two", (2, 3)),
            span("k", "m", "invoke_agent one", (1, 4)),
            span("m", "", "invoke_agent main", (0, 5)),
        ])],
    );
    assert_eq!(agents(&memory), ["one (one) · exact · Main · finished (explicit)", "two (two) · exact · one · finished (explicit)"]);
}

#[test]
fn a_span_that_comes_late_is_appended() {
    let memory = one("otel", &[export(&run()), export(&[span("c9", "k", "chat small", (4, 5)).says("A late word.")])]);
    assert_eq!(of(&memory, "Count them"), ["user: (prompt) Count them", "text: One file.", "text: A late word."]);
    assert_eq!(agents(&memory), ["Count them (counter) · exact · Main · finished (explicit)"]);
}

#[test]
fn a_span_whose_parent_is_elsewhere_is_the_root_here() {
    let text = export(&[span("m", "elsewhere", "invoke_agent main", (0, 7)).says("Hello.")]);
    let lines = |text: &str| open("otel", None).record(Record::whole(0, text.as_bytes()));
    assert_eq!(lines(&text), [], "its root may come");
    let told = lines(&text.replace(r#","status""#, r#","flags":769,"status""#));
    assert!(told.iter().any(|line| line.class == Class::Entry || !line.ops.is_empty()), "{told:?}");
    assert_eq!(lines(&text.replace(r#","status""#, r#","flags":257,"status""#)), [], "its parent is of this process");
}

#[test]
fn without_a_root_all_is_told_at_the_end_of_the_input() {
    let memory = one("otel", &[export(&run()[..5])]);
    assert_eq!(memory.session.id, "t");
    // Nothing tells of an agent above the child's call.
    assert!(transcript(&memory, 0).contains(&"text: There is one.".to_owned()));
}
