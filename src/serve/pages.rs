//! Pages: rendered here, made live in the browser.

use std::sync::LazyLock;

use axum::Router;
use axum::extract::{Request, State as Of};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use leptos::nonce::Nonce;
use leptos::prelude::{provide_context, use_context};
use leptos_axum::{AxumRouteListing, LeptosRoutes, generate_route_list, render_app_to_stream_in_order_with_context};

use super::assets::{asset, client};
use super::offline;
use crate::api::{Problem, State, door};
use crate::app::{App, shell};

/// The app's pages, found once a process: while Leptos looks for them, resources of the whole process that are polled for the first
/// time never load, and a page that another server renders meanwhile would wait for ever.
static PAGES: LazyLock<Vec<AxumRouteListing>> = LazyLock::new(|| generate_route_list(App));

/// Adds the app's pages, and behind all routes the files and the page that says that there is none.
pub fn add(router: Router<State>, _: &State) -> Router<State> {
    router.leptos_routes_with_handler(PAGES.clone(), page).fallback(file_or_page)
}

/// The paths of all pages.
pub fn paths() -> Vec<String> {
    PAGES.iter().map(|page| page.path().to_owned()).collect()
}

async fn file_or_page(of: Of<State>, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Problem::new(StatusCode::METHOD_NOT_ALLOWED, "no_such_method", "A page only answers to GET.").into_response();
    }
    let (path, headers) = (request.uri().path(), request.headers());
    if let Some(file) = offline::file(path, headers).or_else(|| asset(path, headers)) {
        return file;
    }
    let mut response = page(of, request).await;
    if response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    response
}

async fn page(Of(state): Of<State>, request: Request) -> Response {
    let client = client();
    let context = move || {
        super::provide(&state);
        let nonce = use_context::<Parts>().and_then(|parts| parts.extensions.get::<door::Nonce>().cloned());
        if let Some(nonce) = nonce {
            provide_context(Nonce::from_value(nonce.0));
        }
    };
    render_app_to_stream_in_order_with_context(context, move || shell(&client))(request).await
}
