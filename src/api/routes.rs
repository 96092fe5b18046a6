//! The one table of routes.
//!
//! Invariant: what is not in this table and is no asset needs a credential, so a route that somebody forgets is closed, not open.

use axum::Router;
use axum::http::{Method, StatusCode};
use axum::routing::{MethodRouter, get, post};
use leptos::server_fn::axum::server_fn_paths;

use super::{Problem, State, blobs, delete, door, download, entries, events, ingest, sessions, traces, upload};

/// One row of the table.
pub struct Route {
    pub method: Method,
    pub path: &'static str,
    pub who: Who,
    handler: fn() -> MethodRouter<State>,
}

/// Who may come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Everybody whose Host is right: it holds no data.
    Anyone,
    /// Whoever has a session cookie or the bearer token.
    Holder,
}

/// Every plain route. Server functions come by [`server_fn_paths`], and are all for holders.
pub const ROUTES: &[Route] = &[
    Route { method: Method::GET, path: "/healthz", who: Who::Anyone, handler: || get(healthz) },
    Route { method: Method::GET, path: "/pair", who: Who::Anyone, handler: || get(door::pair_page) },
    Route { method: Method::GET, path: "/api/pair", who: Who::Anyone, handler: || get(door::paired) },
    Route { method: Method::POST, path: "/api/pair", who: Who::Anyone, handler: || post(door::pair) },
    Route { method: Method::GET, path: "/api/v1/sessions", who: Who::Holder, handler: || get(sessions::list) },
    Route { method: Method::GET, path: "/api/v1/sessions/{s}", who: Who::Holder, handler: || get(sessions::one) },
    Route { method: Method::GET, path: "/api/v1/sessions/{s}/agents/{a}/entries", who: Who::Holder, handler: || get(entries::window) },
    Route { method: Method::GET, path: "/api/v1/sessions/{s}/changes", who: Who::Holder, handler: || get(sessions::changes) },
    Route { method: Method::GET, path: "/api/v1/sessions/{s}/blobs/{hash}", who: Who::Holder, handler: || get(blobs::blob) },
    Route { method: Method::GET, path: "/api/v1/sessions/{s}/export", who: Who::Holder, handler: || get(download::export) },
    Route { method: Method::POST, path: "/api/v1/sessions/{s}/delete", who: Who::Holder, handler: || post(delete::session) },
    Route { method: Method::POST, path: "/api/v1/sessions/{s}/agents/delete", who: Who::Holder, handler: || post(delete::agents) },
    Route { method: Method::POST, path: "/api/v1/links", who: Who::Holder, handler: || post(door::new_link) },
    Route { method: Method::GET, path: "/authority.crt", who: Who::Anyone, handler: || get(door::authority) },
    Route { method: Method::GET, path: "/api/v1/devices", who: Who::Holder, handler: || get(door::devices::list) },
    Route { method: Method::POST, path: "/api/v1/devices/revoke", who: Who::Holder, handler: || post(door::devices::revoke) },
    Route { method: Method::POST, path: "/api/v1/devices/name", who: Who::Holder, handler: || post(door::devices::name) },
    Route { method: Method::POST, path: ingest::PATH, who: Who::Holder, handler: || post(ingest::ingest) },
    Route { method: Method::POST, path: traces::PATH, who: Who::Holder, handler: || post(traces::traces) },
    Route { method: Method::POST, path: upload::PATH, who: Who::Holder, handler: || post(upload::upload) },
    Route { method: Method::GET, path: "/api/v1/events", who: Who::Holder, handler: || get(events::events) },
];

/// The routes of programs and the server functions. Pages and assets are added, and the doors put before all, by `serve`.
pub fn router() -> Router<State> {
    let mut router = Router::new();
    for route in ROUTES {
        router = router.route(route.path, (route.handler)());
    }
    for (path, method) in server_fn_paths() {
        if let Ok(filter) = method.try_into() {
            router = router.route(path, axum::routing::on(filter, server_function));
        }
    }
    router.route("/api/{*path}", axum::routing::any(no_such_route)).method_not_allowed_fallback(no_such_method)
}

async fn server_function(
    axum::extract::State(state): axum::extract::State<State>,
    request: axum::extract::Request,
) -> axum::response::Response {
    use axum::response::IntoResponse;
    let context = move || crate::serve::provide(&state);
    leptos_axum::handle_server_fns_with_context(context, request).await.into_response()
}

async fn healthz() -> &'static str {
    "ok"
}

async fn no_such_route() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "no_such_route", "There is no such route.")
}

async fn no_such_method() -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "no_such_method", "This route does not answer to that method.")
}
