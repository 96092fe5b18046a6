//! The server: connections in, pages, files and routes out.
//!
//! Decision: an accept loop of our own. The usual one sets no timer, so that its limit for slow headers is inert, and never ends
//! while an event stream is open.
//! Invariants: one binary holds the whole client; a slow or silent peer costs one connection for at most half a minute; after
//! SIGTERM the process is gone within five seconds.

mod accept;
mod assets;
mod offline;
mod pages;
mod stall;
mod stop;
mod tls;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use leptos::prelude::provide_context;
use tower_http::catch_panic::CatchPanicLayer;

pub use accept::{Limits, run, run_encrypted};
pub use assets::has_client;
pub use pages::paths as page_paths;
pub use stop::on_signal;
pub use tls::{Tls, own_address};

use crate::api::{Problem, State, door};

/// True for the path of a file that holds no data.
pub fn is_asset(path: &str) -> bool {
    assets::is_asset(path) || offline::is_file(path)
}

/// What server functions and pages may use.
pub fn provide(state: &State) {
    provide_context(state.clone());
    provide_context(state.store.clone());
    provide_context(state.writer.clone());
    provide_context(state.prices.clone());
}

/// Everything that the server answers, behind its doors.
pub fn router(state: State) -> Router {
    let routes = pages::add(crate::api::router(), &state);
    let guarded = routes.layer(from_fn_with_state(state.clone(), door::guard)).layer(CatchPanicLayer::custom(panicked));
    guarded.layer(from_fn(door::headers)).with_state(state)
}

/// A panic is that request's alone.
fn panicked(panic: Box<dyn std::any::Any + Send>) -> Response {
    let cause = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    Problem::internal(&cause.unwrap_or("a panic")).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt;

    #[tokio::test]
    async fn a_panic_is_told_without_its_words() {
        let response = panicked(Box::new("/home/you/secret"));
        assert_eq!(response.status(), 500);
        let body = response.into_body().collect().await.expect("a body").to_bytes();
        assert!(!String::from_utf8_lossy(&body).contains("secret"));
    }
}
