//! OTLP's messages in protobuf, as far as the dialect reads them: decoded, and written again as OTLP's JSON.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use prost::{Message, Oneof};
use serde::{Serialize, Serializer};

use super::Spans;

#[derive(Message)]
struct Export {
    #[prost(message, repeated, tag = "1")]
    resources: Vec<Resource>,
}

#[derive(Message)]
struct Resource {
    #[prost(message, repeated, tag = "2")]
    scopes: Vec<Scope>,
}

#[derive(Message)]
struct Scope {
    #[prost(message, repeated, tag = "2")]
    spans: Vec<Span>,
}

#[derive(Message, Serialize)]
#[serde(rename_all = "camelCase")]
struct Span {
    #[prost(bytes = "vec", tag = "1")]
    #[serde(serialize_with = "hex")]
    trace_id: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    #[serde(serialize_with = "hex")]
    span_id: Vec<u8>,
    #[prost(bytes = "vec", tag = "4")]
    #[serde(serialize_with = "hex")]
    parent_span_id: Vec<u8>,
    #[prost(string, tag = "5")]
    name: String,
    #[prost(fixed64, tag = "7")]
    #[serde(serialize_with = "word")]
    start_time_unix_nano: u64,
    #[prost(fixed64, tag = "8")]
    #[serde(serialize_with = "word")]
    end_time_unix_nano: u64,
    #[prost(message, repeated, tag = "9")]
    attributes: Vec<Pair>,
    #[prost(message, optional, tag = "15")]
    status: Option<Status>,
    #[prost(fixed32, tag = "16")]
    flags: u32,
}

#[derive(Message, Serialize)]
struct Status {
    #[prost(string, tag = "2")]
    message: String,
    #[prost(int32, tag = "3")]
    code: i32,
}

#[derive(Message, Serialize)]
struct Pair {
    #[prost(string, tag = "1")]
    key: String,
    #[prost(message, optional, tag = "2")]
    value: Option<Any>,
}

#[derive(Message, Serialize)]
struct Any {
    #[prost(oneof = "Value", tags = "1, 2, 3, 4, 5, 6, 7")]
    #[serde(flatten)]
    value: Option<Value>,
}

#[derive(Oneof, Serialize)]
enum Value {
    #[prost(string, tag = "1")]
    #[serde(rename = "stringValue")]
    Text(String),
    #[prost(bool, tag = "2")]
    #[serde(rename = "boolValue")]
    Bool(bool),
    #[prost(int64, tag = "3")]
    #[serde(rename = "intValue", serialize_with = "word")]
    Int(i64),
    #[prost(double, tag = "4")]
    #[serde(rename = "doubleValue")]
    Double(f64),
    #[prost(message, tag = "5")]
    #[serde(rename = "arrayValue")]
    Array(List),
    #[prost(message, tag = "6")]
    #[serde(rename = "kvlistValue")]
    Pairs(Map),
    #[prost(bytes, tag = "7")]
    #[serde(rename = "bytesValue", serialize_with = "base64")]
    Bytes(Vec<u8>),
}

#[derive(Message, Serialize)]
struct List {
    #[prost(message, repeated, tag = "1")]
    values: Vec<Any>,
}

#[derive(Message, Serialize)]
struct Map {
    #[prost(message, repeated, tag = "1")]
    values: Vec<Pair>,
}

/// The answer to an export: what was not kept, and why.
#[derive(Message)]
struct Answer {
    #[prost(message, optional, tag = "1")]
    partial: Option<Partial>,
}

#[derive(Message)]
struct Partial {
    #[prost(int64, tag = "1")]
    rejected: i64,
    #[prost(string, tag = "2")]
    why: String,
}

/// The spans of an export; `None` for what is none. Values nested deeper than a hundred levels are refused with it.
pub fn read(body: &[u8]) -> Option<Spans> {
    let mut spans = Spans::default();
    let export = Export::decode(body).ok()?;
    for span in export.resources.into_iter().flat_map(|resource| resource.scopes).flat_map(|scope| scope.spans) {
        match serde_json::to_vec(&span) {
            Ok(line) if span.trace_id.len() == 16 && span.span_id.len() == 8 => spans.lines.push(line),
            _ => spans.rejected += 1,
        }
    }
    Some(spans)
}

/// The answer to an export of which so many spans were not kept.
pub fn answer(rejected: u64, why: &str) -> Vec<u8> {
    let partial = (rejected > 0).then(|| Partial { rejected: i64::try_from(rejected).unwrap_or(i64::MAX), why: why.into() });
    Answer { partial }.encode_to_vec()
}

fn hex<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

fn word<S: Serializer>(number: &impl ToString, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&number.to_string())
}

fn base64<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&BASE64_STANDARD.encode(bytes))
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// One whole span, and one without a trace.
    pub fn export() -> Vec<u8> {
        let span = Span {
            trace_id: (1..=16).collect(),
            span_id: (1..=8).collect(),
            name: "chat m".into(),
            start_time_unix_nano: 1_800_000_000_000_000_000,
            end_time_unix_nano: 1_800_000_001_000_000_000,
            attributes: vec![Pair { key: "gen_ai.usage.input_tokens".into(), value: Some(Any { value: Some(Value::Int(7)) }) }],
            status: Some(Status { message: "no".into(), code: 2 }),
            ..Span::default()
        };
        let none = Span { span_id: (1..=8).collect(), ..Span::default() };
        let scopes = vec![Scope { spans: vec![span, none] }];
        Export { resources: vec![Resource { scopes }] }.encode_to_vec()
    }

    #[test]
    fn values_of_every_kind_are_written_as_json() {
        let value = |value| Any { value: Some(value) };
        let list = List { values: vec![value(Value::Bool(true)), value(Value::Double(0.5)), Any { value: None }] };
        let map = Map { values: vec![Pair { key: "k".into(), value: Some(value(Value::Array(list))) }] };
        let json = serde_json::to_string(&value(Value::Pairs(map))).expect("JSON");
        assert_eq!(
            json,
            r#"{"kvlistValue":{"values":[{"key":"k","value":{"arrayValue":{"values":[{"boolValue":true},{"doubleValue":0.5},{}]}}}]}}"#
        );
        let bytes = serde_json::to_string(&value(Value::Bytes(vec![0xff]))).expect("JSON");
        assert_eq!(bytes, r#"{"bytesValue":"/w=="}"#);
    }

    #[test]
    fn what_nests_too_deep_is_refused() {
        let mut any = Any { value: Some(Value::Bool(true)) };
        for _ in 0..200 {
            any = Any { value: Some(Value::Array(List { values: vec![any] })) };
        }
        let pair = Pair { key: "k".into(), value: Some(any) };
        let scopes = vec![Scope { spans: vec![Span { attributes: vec![pair], ..Span::default() }] }];
        assert_eq!(read(&Export { resources: vec![Resource { scopes }] }.encode_to_vec()), None);
    }
}
