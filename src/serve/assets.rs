//! The client's files, embedded; beside each its precompressed forms.
//!
//! Invariant: they hold no data, so they are public. A file whose name carries the build may be kept for ever; every other is asked for
//! anew and answered by its ETag.

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::BUILD;
use crate::app::Client;

#[derive(RustEmbed)]
#[folder = "target/site"]
#[allow_missing = true]
struct Site;

/// True if the browser's half is there.
pub fn has_client() -> bool {
    is_asset(&client().wasm)
}

/// The addresses of the client's files: named by the build, so that a browser may keep them for ever.
pub fn client() -> Client {
    let file = |ending| format!("/pkg/sidedeck.{BUILD}.{ending}");
    Client { css: file("css"), js: file("js"), wasm: file("wasm"), keeper: super::offline::keeper(), compiler: super::offline::compiler() }
}

/// True for the path of a file.
pub fn is_asset(path: &str) -> bool {
    path.strip_prefix('/').is_some_and(|name| content_type(name).is_some() && Site::get(name).is_some())
}

/// The file at that path, in the smallest form that the browser takes.
pub fn asset(path: &str, headers: &HeaderMap) -> Option<Response> {
    let name = path.strip_prefix('/')?;
    let content_type = content_type(name)?;
    let (file, encoding) = pick(name, headers)?;
    let etag = format!("\"{}\"", file.metadata.sha256_hash().iter().take(16).map(|b| format!("{b:02x}")).collect::<String>());
    let cache = if is_of_build(name) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == etag.as_bytes());
    let mut answer = Response::builder()
        .header(header::CONTENT_TYPE, content_type)
        .header(header::CACHE_CONTROL, cache)
        .header(header::ETAG, etag)
        .header(header::VARY, "Accept-Encoding");
    if known {
        return answer.status(StatusCode::NOT_MODIFIED).body(Body::empty()).ok();
    }
    if let Some(encoding) = encoding {
        answer = answer.header(header::CONTENT_ENCODING, encoding);
    }
    let body = match file.data {
        std::borrow::Cow::Borrowed(bytes) => Body::from(bytes),
        std::borrow::Cow::Owned(bytes) => Body::from(bytes),
    };
    answer.body(body).ok().map(IntoResponse::into_response)
}

fn pick(name: &str, headers: &HeaderMap) -> Option<(EmbeddedFile, Option<&'static str>)> {
    for (encoding, ending) in [("br", "br"), ("gzip", "gz")] {
        if accepts(headers, encoding)
            && let Some(file) = Site::get(&format!("{name}.{ending}"))
        {
            return Some((file, Some(encoding)));
        }
    }
    Site::get(name).map(|file| (file, None))
}

fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    values.map(|value| value.split_once(';').unwrap_or((value, ""))).any(|(name, weight)| {
        let weight = weight.trim().strip_prefix("q=").map_or(Ok(1.0), str::parse::<f32>);
        name.trim().eq_ignore_ascii_case(encoding) && weight.is_ok_and(|weight| weight > 0.0)
    })
}

/// The type of a file by its ending; a file of no known type is none of ours.
fn content_type(name: &str) -> Option<&'static str> {
    Some(match name.rsplit_once('.')?.1 {
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        _ => return None,
    })
}

/// True if the name carries the build.
fn is_of_build(name: &str) -> bool {
    name.strip_prefix("pkg/").is_some_and(|file| file.contains(&format!(".{BUILD}.")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn what_a_browser_takes() {
        for (header, br, gzip) in
            [("gzip, deflate, br", true, true), ("br;q=0, gzip;q=0.5", false, true), ("identity", false, false), ("", false, false)]
        {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(header));
            assert_eq!((accepts(&headers, "br"), accepts(&headers, "gzip")), (br, gzip), "{header}");
        }
    }
}
