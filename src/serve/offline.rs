//! What lets the app start without a server: the worker, the data-free shell, and the keeper of rows.
//!
//! Decision: these are written here and filled in with the build, so page, worker and files can never be of two builds.
//! Invariants: none of them holds data, so they are public; the shell's policy allows scripts of this server alone, by no nonce,
//! because a kept page would carry a stale one.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::assets::client;
use crate::BUILD;

const WORKER: &str = include_str!("offline/worker.js");
const SHELL: &str = include_str!("offline/shell.html");
const START: &str = include_str!("offline/start.js");
const KEEPER: &str = include_str!("offline/keeper.js");
const COMPILER: &str = include_str!("offline/compiler.js");

const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; font-src 'self'; \
                      connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'; object-src 'none'";

/// What the worker keeps beside the files of the build.
const FIXED: [&str; 5] = ["/favicon.svg", "/icon-180.png", "/icon-192.png", "/icon-512.png", "/manifest.webmanifest"];

/// The address of the keeper, which every page loads before the client.
pub fn keeper() -> String {
    format!("/pkg/sidedeck.{BUILD}.keeper.js")
}

/// The address of what compiles the client.
pub fn compiler() -> String {
    format!("/pkg/sidedeck.{BUILD}.compiler.js")
}

fn start() -> String {
    format!("/pkg/sidedeck.{BUILD}.start.js")
}

/// One of these files, by its path.
pub fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    let script = "text/javascript; charset=utf-8";
    let (body, kind, kept) = match path {
        "/sw.js" => (worker(), script, false),
        "/shell" => (shell(), "text/html; charset=utf-8", false),
        path if path == keeper() => (KEEPER.to_owned(), script, true),
        path if path == compiler() => (COMPILER.to_owned(), script, true),
        path if path == start() => (started(), script, true),
        _ => return None,
    };
    let tag = format!("\"{BUILD}\"");
    let cache = if kept { "public, max-age=31536000, immutable" } else { "no-cache" };
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes());
    let (status, body) = if known { (StatusCode::NOT_MODIFIED, String::new()) } else { (StatusCode::OK, body) };
    let mut answer = (status, [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cache)], body).into_response();
    let answered = answer.headers_mut();
    if let Ok(tag) = HeaderValue::try_from(tag) {
        answered.insert(header::ETAG, tag);
    }
    if path == "/shell" {
        answered.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    }
    Some(answer)
}

/// True for the path of one of these files.
pub fn is_file(path: &str) -> bool {
    path == "/sw.js" || path == "/shell" || [keeper(), compiler(), start()].iter().any(|file| file == path)
}

fn worker() -> String {
    let client = client();
    let of_build = [client.css, client.js, client.wasm, keeper(), compiler(), start()];
    let files: Vec<String> = of_build.into_iter().chain(FIXED.map(str::to_owned)).collect();
    WORKER.replace("__BUILD__", BUILD).replace("__FILES__", &serde_json::to_string(&files).unwrap_or_default())
}

fn shell() -> String {
    SHELL.replace("__CSS__", &client().css).replace("__START__", &start())
}

fn started() -> String {
    let client = client();
    let files = [("__KEEPER__", keeper()), ("__COMPILER__", compiler()), ("__JS__", client.js), ("__WASM__", client.wasm)];
    files.iter().fold(START.to_owned(), |text, (name, file)| text.replace(name, file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt;

    async fn text(path: &str) -> String {
        let answer = file(path, &HeaderMap::new()).expect("a file");
        assert!(is_file(path));
        String::from_utf8(answer.into_body().collect().await.expect("a body").to_bytes().to_vec()).expect("a text")
    }

    #[tokio::test]
    async fn all_of_them_are_of_this_build_and_nothing_is_left_to_fill_in() {
        for path in ["/sw.js", "/shell", &keeper(), &compiler(), &start()] {
            let text = text(path).await;
            assert!(!text.contains("__"), "{path}");
            assert!(path.contains("keeper") || path.contains("compiler") || text.contains(BUILD), "{path}");
        }
        assert!(file("/pkg/sidedeck.other.keeper.js", &HeaderMap::new()).is_none());
    }

    #[tokio::test]
    async fn the_shell_has_nothing_inline_and_a_policy_without_a_nonce() {
        let text = text("/shell").await;
        assert!(text.contains("<body></body>") && !text.contains("<style") && text.matches("<script").count() == 1);
        let answer = file("/shell", &HeaderMap::new()).expect("a shell");
        let policy = answer.headers()[header::CONTENT_SECURITY_POLICY].to_str().expect("a policy");
        assert!(policy.contains("script-src 'self' 'wasm-unsafe-eval';") && !policy.contains("nonce") && !policy.contains("unsafe-inline"));
    }
}
