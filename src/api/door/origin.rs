//! Where a request comes from: other sites may link here, but neither write nor read.

use axum::http::{HeaderMap, HeaderName, StatusCode, header};

use crate::api::Problem;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// For unsafe methods. The browser's own word (`Sec-Fetch-Site`) has to be same-origin or none; where it says nothing, Origin has to
/// be this server; where both are silent, only a program with the token may write. An Origin that names somebody else never passes.
pub fn check_write(headers: &HeaderMap, host: &str, by_token: bool) -> Result<(), Problem> {
    let site = headers.get(SEC_FETCH_SITE).map(|value| value.to_str().unwrap_or("?"));
    let origin = headers.get(header::ORIGIN).map(|value| value.to_str().unwrap_or("?"));
    let ours = |origin: &str| ["http://", "https://"].iter().any(|scheme| origin.strip_prefix(scheme).is_some_and(|rest| rest == host));
    let fine = match (site, origin) {
        // A form on a page without a referrer has the origin "null" even at home.
        (Some("same-origin" | "none"), None | Some("null")) => true,
        (Some("same-origin" | "none") | None, Some(origin)) => ours(origin),
        (Some(_), _) => false,
        (None, None) => by_token,
    };
    if fine { Ok(()) } else { Err(refused()) }
}

/// For GET of data: no other site, not even one on another port of the same machine.
pub fn check_read(headers: &HeaderMap) -> Result<(), Problem> {
    match headers.get(SEC_FETCH_SITE).map(|value| value.to_str().unwrap_or("?")) {
        None | Some("same-origin" | "none") => Ok(()),
        Some(_) => Err(refused()),
    }
}

fn refused() -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "other_site", "Another site may not do that here.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(site: Option<&'static str>, origin: Option<&'static str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        site.map(|site| headers.insert(SEC_FETCH_SITE, HeaderValue::from_static(site)));
        origin.map(|origin| headers.insert(header::ORIGIN, HeaderValue::from_static(origin)));
        headers
    }

    #[test]
    fn who_may_write() {
        let host = "localhost:4180";
        for (site, origin, by_token, fine) in [
            (Some("same-origin"), None, false, true),
            (Some("same-origin"), Some("http://localhost:4180"), false, true),
            (Some("same-origin"), Some("null"), false, true),
            (Some("none"), None, false, true),
            (None, Some("http://localhost:4180"), false, true),
            (None, Some("https://localhost:4180"), false, true),
            (None, None, true, true),
            (None, None, false, false),
            (None, Some("null"), false, false),
            (None, Some("https://evil.test"), false, false),
            (None, Some("https://evil.test"), true, false),
            (None, Some("http://localhost:3000"), false, false),
            (None, Some("http://localhost:4180.evil.test"), false, false),
            (Some("cross-site"), None, false, false),
            (Some("cross-site"), Some("http://localhost:4180"), true, false),
            (Some("same-site"), None, false, false),
            (Some("same-origin"), Some("https://evil.test"), false, false),
        ] {
            assert_eq!(check_write(&headers(site, origin), host, by_token).is_ok(), fine, "{site:?} {origin:?} {by_token}");
        }
    }

    #[test]
    fn who_may_read() {
        for (site, fine) in
            [(None, true), (Some("same-origin"), true), (Some("none"), true), (Some("same-site"), false), (Some("cross-site"), false)]
        {
            assert_eq!(check_read(&headers(site, None)).is_ok(), fine, "{site:?}");
        }
    }
}
