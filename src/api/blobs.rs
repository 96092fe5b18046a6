//! Contents too long for their rows, and images.
//!
//! Invariant: what a transcript brought is downloaded, never opened: only bytes that begin as a PNG, JPEG, GIF or WebP are shown.

use axum::body::{Body, Bytes};
use axum::extract::State as Of;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::stream;

use super::query::Path;
use super::{Problem, State};
use crate::store::Sid;

/// How much is read from the store at once, in bytes.
const CHUNK: u64 = 256 << 10;

/// `GET /api/v1/sessions/{s}/blobs/{hash}`, whole or one `Range`.
pub async fn blob(Of(state): Of<State>, Path((session, hash)): Path<(String, String)>, headers: HeaderMap) -> Result<Response, Problem> {
    let absent = || Problem::new(StatusCode::NOT_FOUND, "no_such_blob", "The session has no such content.");
    let sid = state.session(&session).await?;
    if hash.len() != 64 || !hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
        return Err(absent());
    }
    let name = hash.clone();
    let (len, head) = state.ask(move |store| Ok((store.blob_len(sid, &name)?, store.blob(sid, &name, 0, 16)?))).await?;
    let (Some(len), Some(head)) = (len, head) else { return Err(absent()) };

    let mut answer = Response::builder().header(header::ACCEPT_RANGES, "bytes").header(header::ETAG, format!("\"{hash}\""));
    answer = match image_type(&head) {
        Some(media_type) => answer.header(header::CONTENT_TYPE, media_type).header(header::CONTENT_DISPOSITION, "inline"),
        None => {
            let name = format!("attachment; filename=\"{}.bin\"", hash.get(..12).unwrap_or_default());
            answer.header(header::CONTENT_TYPE, "application/octet-stream").header(header::CONTENT_DISPOSITION, name)
        }
    };
    answer = answer.header(header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox");
    let (start, end) = match range(headers.get(header::RANGE), len) {
        Range::Whole => (0, len),
        Range::Part(start, end) => {
            answer = answer
                .status(StatusCode::PARTIAL_CONTENT)
                .header(header::CONTENT_RANGE, format!("bytes {start}-{}/{len}", end.saturating_sub(1)));
            (start, end)
        }
        Range::Outside => {
            let problem = Problem::new(StatusCode::RANGE_NOT_SATISFIABLE, "range", format!("The content has {len} bytes."));
            let mut response = problem.into_response();
            if let Ok(value) = HeaderValue::try_from(format!("bytes */{len}")) {
                response.headers_mut().insert(header::CONTENT_RANGE, value);
            }
            return Ok(response);
        }
    };
    let answer = answer.header(header::CONTENT_LENGTH, end - start).body(body(state, sid, hash, start, end));
    answer.map_err(|error| Problem::internal(&error))
}

fn body(state: State, sid: Sid, hash: String, start: u64, end: u64) -> Body {
    Body::from_stream(stream::try_unfold((state, start), move |(state, at)| {
        let hash = hash.clone();
        async move {
            if at >= end {
                return Ok(None);
            }
            let want = usize::try_from(CHUNK.min(end - at)).unwrap_or(0);
            let bytes = state.ask(move |store| store.blob(sid, &hash, at, want)).await;
            match bytes {
                Ok(Some(bytes)) if !bytes.is_empty() => Ok(Some((Bytes::from(bytes.clone()), (state, at + bytes.len() as u64)))),
                Ok(_) => Err(std::io::Error::other("the content ended early")),
                Err(problem) => Err(std::io::Error::other(problem.message)),
            }
        }
    }))
}

#[derive(Debug, PartialEq)]
enum Range {
    Whole,
    /// From, and the byte behind the last.
    Part(u64, u64),
    Outside,
}

/// One range of bytes; what is no single range of bytes asks for the whole, as RFC 9110 has it.
fn range(header: Option<&HeaderValue>, len: u64) -> Range {
    let spec = header.and_then(|value| value.to_str().ok()).and_then(|value| value.strip_prefix("bytes="));
    let Some((from, to)) = spec.and_then(|spec| spec.trim().split_once('-')) else { return Range::Whole };
    let part = match (from.parse::<u64>(), to.parse::<u64>()) {
        (Ok(from), Ok(to)) if from <= to => (from, to.saturating_add(1).min(len)),
        (Ok(from), Err(_)) if to.is_empty() => (from, len),
        (Err(_), Ok(last)) if from.is_empty() => (len.saturating_sub(last), len),
        _ => return Range::Whole,
    };
    if part.0 < part.1 { Range::Part(part.0, part.1) } else { Range::Outside }
}

/// What the first bytes say; nothing else is believed.
fn image_type(head: &[u8]) -> Option<&'static str> {
    match head {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        for (header, expected) in [
            (None, Range::Whole),
            (Some("bytes=0-9"), Range::Part(0, 10)),
            (Some("bytes=90-"), Range::Part(90, 100)),
            (Some("bytes=-10"), Range::Part(90, 100)),
            (Some("bytes=-1000"), Range::Part(0, 100)),
            (Some("bytes=90-1000"), Range::Part(90, 100)),
            (Some("bytes=100-"), Range::Outside),
            (Some("bytes=-0"), Range::Outside),
            (Some("bytes=9-5"), Range::Whole),
            (Some("bytes=0-1,5-6"), Range::Whole),
            (Some("lines=0-1"), Range::Whole),
            (Some("bytes=x-y"), Range::Whole),
        ] {
            let value = header.map(HeaderValue::from_static);
            assert_eq!(range(value.as_ref(), 100), expected, "{header:?}");
        }
    }

    #[test]
    fn markup_is_no_image() {
        for head in [&b"<svg xmlns="[..], b"<html>", b"GIF", b"\x89PNG", b"RIFF1234WAVE", b""] {
            assert_eq!(image_type(head), None);
        }
        assert_eq!(image_type(b"RIFF\0\0\0\0WEBPVP8 "), Some("image/webp"));
    }
}
