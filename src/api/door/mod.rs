//! The doors: what stands between a request and its route.
//!
//! Decision: one guard before everything, pages and files too, in a fixed order: the path's form, the Host, the credential, the
//! origin, the body. Each is a small pure rule of its own.
//! Invariants: loopback is no credential; a credential is never read from a URL; only hashes of secrets are kept.

mod body;
mod credentials;
pub mod devices;
mod headers;
mod host;
mod origin;
mod pair;
mod pairing;
mod path;
mod secret;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;

use axum::extract::{Request, State as Of};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

pub use credentials::Credentials;
pub use headers::{Nonce, headers};
pub use host::Hosts;
pub use pair::{authority, new_link, pair, pair_page, paired};
pub use pairing::Pairing;
pub use secret::{Token, narrow, random_name, write_private};

use super::{Problem, ROUTES, State, Who};

/// Everything that the guard knows.
pub struct Doors {
    pub hosts: Hosts,
    pub token: Token,
    pub credentials: Credentials,
    pub pairing: Pairing,
    /// How others reach the server.
    pub public: Public,
    /// The session cookie's name: cookies are shared across ports, so it carries ours.
    pub cookie: String,
}

/// How others reach the server, as it tells them.
#[derive(Clone, Debug, Default)]
pub struct Public {
    /// From this machine: "http://127.0.0.1:4180"
    pub origin: String,
    /// From another: "https://deck.example:4180"
    pub phone: String,
    /// Our own authority, where it has made the certificate: DER, and its fingerprint.
    pub authority: Option<(Vec<u8>, String)>,
}

/// The peer of a connection; set by the accept loop.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// The credential that a request came with: a name for counting, no secret.
#[derive(Clone, Debug)]
pub struct Holder(pub String);

impl Holder {
    /// True for a program with the bearer token.
    pub fn is_token(&self) -> bool {
        self.0 == TOKEN
    }
}

/// The name of whoever came with the bearer token.
const TOKEN: &str = "token";

impl Doors {
    /// The doors of a server at `addr` with its secrets in the folder `data`. `given` is a token that the user chose; `names` are
    /// further values of Host.
    pub fn open(addr: SocketAddr, names: &[String], data: &Path, given: Option<&str>) -> Result<Self, String> {
        Ok(Self {
            hosts: Hosts::new(addr, names),
            token: Token::open(data, given)?,
            credentials: Credentials::open(data)?,
            pairing: Pairing::default(),
            public: Public::default(),
            cookie: format!("sid_{}", addr.port()),
        })
    }

    /// Who a request comes from, by its bearer token or its cookie; a wrong token is not made good by a right cookie.
    fn holder(&self, headers: &HeaderMap) -> Result<Option<Holder>, Problem> {
        let mut given = headers.get_all(header::AUTHORIZATION).iter();
        let first = given.next();
        if given.next().is_some() {
            return Err(Problem::bad_request("A request has one Authorization header."));
        }
        if let Some(value) = first {
            return Ok(bearer(value).filter(|token| self.token.is(token)).map(|_| Holder(TOKEN.into())));
        }
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(';'));
        for cookie in cookies {
            if let Some((name, value)) = cookie.trim().split_once('=')
                && name == self.cookie
                && let Some(holder) = self.credentials.find(value)
            {
                return Ok(Some(Holder(holder)));
            }
        }
        Ok(None)
    }
}

fn bearer(value: &HeaderValue) -> Option<&str> {
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// What a refused request is told.
enum Refusal {
    Problem(Problem),
    /// A page without a credential: to the pairing page, and back to this path afterwards.
    Pair(String),
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

/// Lets a request through to its route, or answers for it.
pub async fn guard(Of(state): Of<State>, request: Request, next: Next) -> Response {
    match admit(&state.doors, request).await {
        Ok(request) => next.run(request).await,
        Err(Refusal::Problem(problem)) => problem.into_response(),
        Err(Refusal::Pair(path)) => {
            let to = if path == "/" { "/pair".to_owned() } else { format!("/pair?next={}", pair::encode(&path)) };
            (StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response()
        }
    }
}

async fn admit(doors: &Doors, mut request: Request) -> Result<Request, Refusal> {
    path::check(request.uri().path())?;
    let host = doors.hosts.check(request.uri(), request.headers())?;
    let holder = doors.holder(request.headers())?;
    let unsafe_method = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let route = request.uri().path();
    let data = route.starts_with("/api/");
    if holder.is_none() && !is_public(route) {
        return Err(if data || unsafe_method {
            Refusal::Problem(Problem::new(
                StatusCode::UNAUTHORIZED,
                "no_credential",
                "This needs a credential: open the link that the server printed, or send its token as Authorization: Bearer.",
            ))
        } else {
            Refusal::Pair(route.to_owned())
        });
    }
    let by_token = holder.as_ref().is_some_and(|_| request.headers().contains_key(header::AUTHORIZATION));
    if unsafe_method {
        origin::check_write(request.headers(), &host, by_token)?;
        request = body::bounded(request).await?;
    } else if data {
        origin::check_read(request.headers())?;
    }
    // Where it came from is nobody's business, and no place to be sent back to.
    request.headers_mut().remove(header::REFERER);
    if let Some(holder) = holder {
        request.extensions_mut().insert(holder);
    }
    Ok(request)
}

fn is_public(path: &str) -> bool {
    ROUTES.iter().any(|route| route.who == Who::Anyone && route.path == path) || crate::serve::is_asset(path)
}

/// The address that pairing is counted by.
fn peer_ip(request: &Request) -> IpAddr {
    request.extensions().get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip())
}
