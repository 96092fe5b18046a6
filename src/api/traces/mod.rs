//! `POST /v1/traces`: spans by OTLP/HTTP, in protobuf or in JSON, as any OpenTelemetry exporter sends them.
//!
//! Decision: an export is taken apart into its spans, each a line of the dialect `otel`, whatever it was written in; from there they
//! go the way of all pushed lines. Invariants: only the bearer of the token sends; the answer comes behind the commit, so an
//! exporter that was not answered sends again, and a span counts once.

mod protobuf;

use axum::Extension;
use axum::body::Body;
use axum::extract::State as Of;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::read::MultiGzDecoder;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::io::Read;
use std::time::Duration;

use super::door::Holder;
use super::{Problem, State, ingest};
use crate::dialect::by_name;
use crate::ingest::Batch;

pub const PATH: &str = "/v1/traces";

/// The longest body, packed and unpacked, in bytes.
const BODY: usize = 64 << 20;
/// How long it may take to come.
const TIME: Duration = Duration::from_secs(30);
/// Spans of one commit.
const SPANS: usize = 256;

/// What an export is written in, and its answer too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Protobuf,
    Json,
}

/// The spans of an export, a line each, and how many of them are none.
#[derive(Debug, Default, PartialEq, Eq)]
struct Spans {
    lines: Vec<Vec<u8>>,
    rejected: u64,
}

pub async fn traces(
    Of(state): Of<State>,
    Extension(holder): Extension<Holder>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    if !holder.is_token() {
        return Err(ingest::no_push());
    }
    let dialect = by_name("otel").ok_or_else(|| Problem::internal(&"there is no dialect otel"))?;
    let (form, packed) = form(&headers)?;
    let whole = match tokio::time::timeout(TIME, Limited::new(body, BODY).collect()).await {
        Ok(Ok(whole)) => whole.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => return Err(too_long()),
        Ok(Err(_)) => return Err(Problem::bad_request("The body ended early.")),
        Err(_) => return Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "The body did not come in time.")),
    };
    let intake = state.intake.clone();
    let taking = move || {
        let spans = form.read(&if packed { unpacked(&whole)? } else { whole.into() })?;
        for lines in spans.lines.chunks(SPANS) {
            let lines: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
            let batch = Batch { dialect, session: "", producer: None, lines: &lines, reopen: false, close: None };
            intake.take(&batch).map_err(|refusal| ingest::refused(refusal, dialect, 0))?;
        }
        Ok(form.answer(spans.rejected))
    };
    tokio::task::spawn_blocking(taking).await.map_err(|error| Problem::internal(&error))?
}

/// The form of a body, and whether it is packed.
fn form(headers: &HeaderMap) -> Result<(Form, bool), Problem> {
    let word = |name| headers.get(name).map(|value: &axum::http::HeaderValue| value.to_str().unwrap_or("?"));
    let refused = |what: &str| Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "wrong_type", what);
    let kind = word(header::CONTENT_TYPE).unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let form = match kind.as_str() {
        "application/x-protobuf" => Form::Protobuf,
        "application/json" => Form::Json,
        _ => return Err(refused("A body here is of the type application/x-protobuf or application/json.")),
    };
    Ok((form, ingest::is_packed(headers)?))
}

fn unpacked(packed: &[u8]) -> Result<Vec<u8>, Problem> {
    let mut whole = Vec::new();
    let read = MultiGzDecoder::new(packed).take(BODY as u64 + 1).read_to_end(&mut whole);
    match read {
        Ok(count) if count > BODY => Err(too_long()),
        Ok(_) => Ok(whole),
        Err(_) => Err(ingest::no_gzip()),
    }
}

fn too_long() -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_long", format!("A body here has at most {} MiB.", BODY >> 20))
}

impl Form {
    fn read(self, body: &[u8]) -> Result<Spans, Problem> {
        let spans = match self {
            Self::Protobuf => protobuf::read(body),
            Self::Json => std::str::from_utf8(body).ok().and_then(spans),
        };
        spans.ok_or_else(|| Problem::bad_request("The body is no export of traces."))
    }

    /// An empty answer says that all is kept.
    fn answer(self, rejected: u64) -> Response {
        const WHY: &str = "a span without its two ids";
        match self {
            Self::Protobuf => ([(header::CONTENT_TYPE, "application/x-protobuf")], protobuf::answer(rejected, WHY)).into_response(),
            Self::Json if rejected == 0 => axum::Json(serde_json::json!({})).into_response(),
            Self::Json => {
                let partial = serde_json::json!({ "rejectedSpans": rejected.to_string(), "errorMessage": WHY });
                axum::Json(serde_json::json!({ "partialSuccess": partial })).into_response()
            }
        }
    }
}

/// An export in JSON, down to its spans, which stay as they are written.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Export<'a> {
    #[serde(borrow, default)]
    resource_spans: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Resource<'a> {
    #[serde(borrow, default)]
    scope_spans: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Scope<'a> {
    #[serde(borrow, default)]
    spans: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Ids {
    trace_id: String,
    span_id: String,
}

/// Reads an object; a list is none, whatever its length.
fn object<'a, T: Deserialize<'a>>(json: &'a str) -> Option<T> {
    json.trim_start().starts_with('{').then(|| serde_json::from_str(json).ok())?
}

/// The spans of an export; `None` for what is none.
fn spans(body: &str) -> Option<Spans> {
    let mut found = Spans::default();
    for resource in object::<Export<'_>>(body)?.resource_spans {
        for scope in object::<Resource<'_>>(resource.get())?.scope_spans {
            for span in object::<Scope<'_>>(scope.get())?.spans {
                match object::<Ids>(span.get()) {
                    Some(ids) if !ids.trace_id.is_empty() && !ids.span_id.is_empty() => found.lines.push(ingest::one_line(span.get())),
                    _ => found.rejected += 1,
                }
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_come_to_the_same_lines() {
        let json = r#"{"resourceSpans":[{"resource":{},"scopeSpans":[{"spans":[
            {"traceId":"0102030405060708090a0b0c0d0e0f10","spanId":"0102030405060708","name":"chat m","flags":0,
             "startTimeUnixNano":"1800000000000000000","endTimeUnixNano":"1800000001000000000",
             "attributes":[{"key":"gen_ai.usage.input_tokens","value":{"intValue":"7"}}],"status":{"code":2,"message":"no"}},
            {"traceId":"","spanId":"0102030405060708"}]}]}]}"#;
        let spans = Form::Json.read(json.as_bytes()).expect("an export");
        assert_eq!((spans.lines.len(), spans.rejected), (1, 1));
        let own = Form::Protobuf.read(&protobuf::tests::export()).expect("an export");
        assert_eq!(own.rejected, 1);
        let value = |line: &[u8]| serde_json::from_slice::<serde_json::Value>(line).expect("JSON");
        let (mut told, mut expected) = (value(&own.lines[0]), value(&spans.lines[0]));
        // What is said by default is left out in one form and not in the other.
        for value in [&mut told, &mut expected] {
            value.as_object_mut().expect("an object").remove("parentSpanId");
        }
        assert_eq!(told, expected);
    }

    #[test]
    fn what_is_no_export_is_refused_and_a_bomb_is_too_long() {
        for form in [Form::Protobuf, Form::Json] {
            for body in [&b"x"[..], b"[1]", b"[]", b"{\"resourceSpans\":[[]]}", b"\x0a\xff\xff\xff\xff\x0f"] {
                assert_eq!(form.read(body).map_err(|problem| problem.status), Err(400), "{form:?} {body:?}");
            }
        }
        assert_eq!(Form::Protobuf.read(b"").expect("an empty export").lines.len(), 0);
        let mut pack = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut pack, &vec![0; BODY + 1]).expect("a pack");
        assert_eq!(unpacked(&pack.finish().expect("a pack")).map_err(|problem| problem.status), Err(413));
    }
}
