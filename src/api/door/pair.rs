//! The pairing page and what it posts to.

use axum::Json;
use axum::extract::{Extension, Request, State as Of};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use http_body_util::BodyExt;
use serde::{Deserialize, Serialize};

use super::credentials::LIFE;
use super::devices::name_of;
use super::pairing::Refused;
use super::{Holder, Nonce, peer_ip};
use crate::api::{Problem, State};
use crate::model::escaped;

const PAGE: &str = include_str!("pair.html");

/// `GET /pair[?next=PATH]`: reads the code from its fragment, posts it, and goes on to `next`. Works without WASM.
pub async fn pair_page(request: Request) -> Result<Html<String>, Problem> {
    let nonce = request.extensions().get::<Nonce>().map_or("", |nonce| nonce.0.as_str());
    let next = axum::extract::Query::<Next>::try_from_uri(request.uri()).ok().and_then(|query| query.0.next);
    if next.is_some_and(|next| !is_here(&next)) {
        return Err(Problem::bad_request("next= has to be a path of this server."));
    }
    Ok(Html(PAGE.replace("NONCE", nonce)))
}

#[derive(Deserialize)]
struct Next {
    next: Option<String>,
}

/// True for a path of this server, and nothing that a browser takes for another place.
fn is_here(path: &str) -> bool {
    path.starts_with('/') && !path.starts_with("//") && !path.contains(|c: char| c == '\\' || c.is_control())
}

/// Writes a path as the value of a query: whatever could be taken for syntax is encoded once more.
pub fn encode(path: &str) -> String {
    escaped(path).replace("%2F", "/")
}

#[derive(Deserialize)]
struct Posted {
    code: String,
}

#[derive(Serialize)]
pub struct Paired {
    paired: bool,
}

/// `GET /api/pair`: whether this browser is paired already.
pub async fn paired(holder: Option<Extension<Holder>>) -> Json<Paired> {
    Json(Paired { paired: holder.is_some() })
}

/// `POST /api/pair {"code": …}`: takes a one-time code and sets the session cookie. 403 a wrong code, 410 one that was used or has
/// expired, 429 too many tries.
pub async fn pair(Of(state): Of<State>, request: Request) -> Result<Response, Problem> {
    let from = peer_ip(&request);
    let tls = request.headers().get(header::ORIGIN).is_some_and(|origin| origin.as_bytes().starts_with(b"https:"));
    let name = request.headers().get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).map(name_of).unwrap_or_default();
    let body = request.into_body().collect().await.map_err(|error| Problem::internal(&error))?.to_bytes();
    let posted: Posted = serde_json::from_slice(&body).map_err(|_| Problem::bad_request("The body has to be JSON: {\"code\": \"…\"}."))?;
    state.doors.pairing.take(&posted.code, from).map_err(|refused| match refused {
        Refused::Wrong => Problem::new(StatusCode::FORBIDDEN, "wrong_code", "This is no code of this server."),
        Refused::Spent => Problem::new(
            StatusCode::GONE,
            "spent_code",
            "This code has been used or is older than five minutes: ask the server for a new link.",
        ),
        Refused::TooOften(seconds) => {
            Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_often", format!("Too many tries: wait {seconds} s.")).after(seconds)
        }
    })?;
    let secret = state.ask_doors(move |doors| doors.credentials.make(&name)).await?;
    let secure = if tls { "; Secure" } else { "" };
    let cookie = format!("{}={secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age={}{secure}", state.doors.cookie, LIFE / 1000);
    let cookie = HeaderValue::try_from(cookie).map_err(|error| Problem::internal(&error))?;
    Ok(([(header::SET_COOKIE, cookie)], Json(Paired { paired: true })).into_response())
}

/// A path with a new code in its fragment.
#[derive(Serialize)]
pub struct NewLink {
    path: String,
    /// Where a browser of this machine reaches the server, and where a phone does.
    origin: String,
    phone: String,
    /// Of the authority that they have to trust, where it is our own.
    #[serde(skip_serializing_if = "Option::is_none")]
    fingerprint: Option<String>,
}

/// `POST /api/v1/links`: a link for one more browser, good once within five minutes.
pub async fn new_link(Of(state): Of<State>) -> Json<NewLink> {
    let public = &state.doors.public;
    let fingerprint = public.authority.as_ref().map(|(_, fingerprint)| fingerprint.clone());
    Json(NewLink {
        path: format!("/pair#{}", state.doors.pairing.code()),
        origin: public.origin.clone(),
        phone: public.phone.clone(),
        fingerprint,
    })
}

/// `GET /authority.crt`: the certificate of our own authority, for a phone to trust. It is no secret.
pub async fn authority(Of(state): Of<State>) -> Result<Response, Problem> {
    let Some((der, _)) = &state.doors.public.authority else {
        return Err(Problem::new(StatusCode::NOT_FOUND, "no_authority", "This server has no certificate authority of its own."));
    };
    Ok(([(header::CONTENT_TYPE, "application/x-x509-ca-cert")], der.clone()).into_response())
}

impl State {
    /// Does something with the doors that may touch the disk.
    pub(super) async fn ask_doors<T: Send + 'static>(
        &self,
        question: impl FnOnce(&super::Doors) -> Result<T, String> + Send + 'static,
    ) -> Result<T, Problem> {
        let doors = std::sync::Arc::clone(&self.doors);
        match tokio::task::spawn_blocking(move || question(&doors)).await {
            Ok(answer) => answer.map_err(|error| Problem::internal(&error)),
            Err(error) => Err(Problem::internal(&error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_on_stays_here() {
        for path in ["/", "/s/a%2Fb/a/x", "/s/%E2%82%AC"] {
            assert!(is_here(path), "{path}");
        }
        for path in ["//evil.test", "https://evil.test", "/\\evil.test", "javascript:alert(1)", "", "evil", "/a\nb"] {
            assert!(!is_here(path), "{path}");
        }
    }

    #[test]
    fn a_path_survives_being_a_query() {
        let path = "/s/a%2Fb&c#d?e";
        let uri = format!("/pair?next={}", encode(path)).parse().expect("a URI");
        let query = axum::extract::Query::<Next>::try_from_uri(&uri).expect("a query");
        assert_eq!(query.0.next.as_deref(), Some(path));
    }
}
