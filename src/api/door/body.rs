//! Bodies of requests: small, of a known type, and there in time.

use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};

use crate::api::Problem;

/// The longest body, in bytes: no call of a page is longer.
const BYTES: usize = 1 << 20;
/// The routes that bound their bodies themselves: of many lines or files, which they read as they come.
const OWN: [&str; 3] = ["/api/v1/ingest/", "/api/v1/uploads", "/v1/traces"];
/// How long a body may take.
const TIME: Duration = Duration::from_secs(30);
/// What a server function may be called with, and the types that a plain form cannot send.
const TYPES: &[&str] = &["application/json", "application/x-www-form-urlencoded", "application/octet-stream", "application/cbor"];

/// Reads the body whole: 413 if it is too long, 415 if it is of another type or encoded, 408 if it does not come.
pub async fn bounded(request: Request) -> Result<Request, Problem> {
    if OWN.iter().any(|route| request.uri().path().starts_with(route)) {
        return Ok(request);
    }
    // No other method has a route here, which is what it is told.
    if request.method() == Method::POST {
        check_type(request.headers(), request.uri().path())?;
    }
    let too_long = || Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_long", format!("A body here has at most {BYTES} bytes."));
    let told =
        request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()).and_then(|value| value.parse::<u64>().ok());
    if told.is_some_and(|told| told > BYTES as u64) {
        return Err(too_long());
    }
    let (parts, body) = request.into_parts();
    match tokio::time::timeout(TIME, Limited::new(body, BYTES).collect()).await {
        Ok(Ok(whole)) => Ok(Request::from_parts(parts, Body::from(whole.to_bytes()))),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_long()),
        Ok(Err(_)) => Err(Problem::bad_request("The body ended early.")),
        Err(_) => Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "The body did not come in time.")),
    }
}

fn check_type(headers: &HeaderMap, path: &str) -> Result<(), Problem> {
    let refused = |what: String| Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "wrong_type", what);
    if headers.contains_key(header::CONTENT_ENCODING) {
        return Err(refused("A body here is not encoded.".into()));
    }
    let types = if path.starts_with("/api/fn/") { TYPES } else { TYPES.get(..1).unwrap_or_default() };
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let given = given.split(';').next().unwrap_or_default().trim();
    if types.iter().any(|known| known.eq_ignore_ascii_case(given)) {
        Ok(())
    } else {
        Err(refused(format!("A body here is of the type {}.", types.join(" or "))))
    }
}
