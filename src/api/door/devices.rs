//! The paired browsers: which there are, and taking one's right away.

use axum::Json;
use axum::extract::{Extension, State as Of};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use super::Holder;
use super::credentials::Device;
use crate::api::{Problem, State};

/// A paired browser, as the one who asks sees it.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    device: Device,
    /// It is the one that asks.
    here: bool,
}

#[derive(Serialize)]
pub struct Devices {
    devices: Vec<Row>,
}

#[derive(Deserialize)]
struct Wanted {
    id: String,
}

#[derive(Deserialize)]
struct Named {
    id: String,
    name: String,
}

/// How many characters a name has.
const LONGEST: usize = 60;

/// `GET /api/v1/devices`: the paired browsers, the one used last first.
pub async fn list(Of(state): Of<State>, Extension(Holder(holder)): Extension<Holder>) -> Json<Devices> {
    let devices = state.doors.credentials.list();
    Json(Devices { devices: devices.into_iter().map(|device| Row { here: device.id == holder, device }).collect() })
}

/// `POST /api/v1/devices/revoke {"id": …}`: that browser has to pair again; its open streams end. Whoever does it to itself is told to
/// clear what it has stored. 404 for one that is not paired.
pub async fn revoke(
    Of(state): Of<State>,
    Extension(Holder(holder)): Extension<Holder>,
    body: axum::body::Bytes,
) -> Result<Response, Problem> {
    let wanted: Wanted = serde_json::from_slice(&body).map_err(|_| Problem::bad_request("The body has to be JSON: {\"id\": \"…\"}."))?;
    let id = wanted.id.clone();
    if !state.ask_doors(move |doors| doors.credentials.revoke(&id)).await? {
        return Err(Problem::new(StatusCode::NOT_FOUND, "no_such_device", "There is no such paired browser."));
    }
    state.seats.dismiss(&wanted.id);
    let mut answer = Json(serde_json::json!({ "revoked": true })).into_response();
    if wanted.id == holder {
        let headers = answer.headers_mut();
        // Cookies are shared across ports, so ours alone is taken away and not all.
        let cookie = format!("{}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0", state.doors.cookie);
        if let Ok(cookie) = HeaderValue::try_from(cookie) {
            headers.insert(header::SET_COOKIE, cookie);
        }
        headers.insert(HeaderName::from_static("clear-site-data"), HeaderValue::from_static("\"cache\", \"storage\""));
    }
    Ok(answer)
}

/// `POST /api/v1/devices/name {"id": …, "name": …}`: calls a paired browser so, in at most 60 characters. 400 for a blank name, 404 for
/// one that is not paired.
pub async fn name(Of(state): Of<State>, body: axum::body::Bytes) -> Result<Response, Problem> {
    let Named { id, name } =
        serde_json::from_slice(&body).map_err(|_| Problem::bad_request("The body has to be JSON: {\"id\": \"…\", \"name\": \"…\"}."))?;
    let name: String = name.trim().chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    if name.is_empty() {
        return Err(Problem::bad_request("A name cannot be blank."));
    }
    if !state.ask_doors(move |doors| doors.credentials.rename(&id, &name)).await? {
        return Err(Problem::new(StatusCode::NOT_FOUND, "no_such_device", "There is no such paired browser."));
    }
    Ok(Json(serde_json::json!({ "named": true })).into_response())
}

/// "Chrome on Android": what a browser says of itself, in short.
pub fn name_of(agent: &str) -> String {
    let first = |table: &[(&str, &'static str)]| table.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name);
    let browser = first(&[
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"),
        ("CriOS/", "Chrome"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ]);
    let system = first(&[
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Mac OS X", "Mac"),
        ("Windows", "Windows"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ]);
    match (browser, system) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(one), None) | (None, Some(one)) => one.to_owned(),
        (None, None) => "A browser".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_named_by_what_it_says_of_itself() {
        let cases = [
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0",
                "Edge on Windows",
            ),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X 14.7; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Mac"),
            ("<script>", "A browser"),
        ];
        for (agent, name) in cases {
            assert_eq!(name_of(agent), name, "{agent}");
        }
    }
}
