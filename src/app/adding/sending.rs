//! The one request that carries the files.
//!
//! Decision: XMLHttpRequest, since `fetch` does not tell how much has been sent.

use leptos::prelude::*;
use serde_json::Value;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Blob, ProgressEvent, XmlHttpRequest};

use super::entries::Named;
use super::{Adding, Stage};
use crate::app::dom;
use crate::app::numbers::session_path;

const URL: &str = "/api/v1/uploads";
const UNREACHABLE: &str = "The files could not be sent: check that the server is running, and that they can still be read.";

/// A request on its way; given up when dropped.
pub struct Request {
    request: XmlHttpRequest,
    _progress: Closure<dyn FnMut(ProgressEvent)>,
    _end: Closure<dyn FnMut()>,
}

impl Drop for Request {
    fn drop(&mut self) {
        self.request.set_onloadend(None);
        if let Ok(upload) = self.request.upload() {
            upload.set_onprogress(None);
        }
        let _ = self.request.abort();
    }
}

/// Sends files, and follows what becomes of them.
pub fn send(adding: Adding, files: &[Named]) {
    let request = begin(adding, files);
    adding.stage.set(if request.is_some() { Stage::Sending(files.len(), 0) } else { Stage::Failed(UNREACHABLE.into()) });
    adding.request.set_value(request);
}

fn begin(adding: Adding, files: &[Named]) -> Option<Request> {
    let count = files.len();
    let names = files.iter().map(|(path, file)| {
        let path = serde_json::to_string(path).unwrap_or_default();
        format!("{{\"path\":{path},\"size\":{}}}", file.size())
    });
    let parts = js_sys::Array::of1(&format!("[{}]\n", names.collect::<Vec<_>>().join(",")).into());
    for (_, file) in files {
        parts.push(file);
    }
    let body = Blob::new_with_blob_sequence(&parts).ok()?;
    let request = XmlHttpRequest::new().ok()?;
    request.open("POST", URL).ok()?;
    request.set_request_header("Content-Type", "application/octet-stream").ok()?;
    let progress = Closure::<dyn FnMut(ProgressEvent)>::new(move |event: ProgressEvent| {
        let sent = event.loaded() >= event.total();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number up to 100")]
        let percent = (100.0 * event.loaded() / event.total().max(1.0)) as u32;
        adding.stage.set(if sent { Stage::Reading(count) } else { Stage::Sending(count, percent) });
    });
    let answered = request.clone();
    let end = Closure::<dyn FnMut()>::new(move || {
        let answer = answered.response_text().ok().flatten().unwrap_or_default();
        let stage = ended(answered.status().unwrap_or(0), &answer, adding.late.get_untracked());
        adding.stage.set(stage);
        // Later: this runs inside a closure that the request owns.
        dom::later(move || adding.request.set_value(None));
    });
    request.upload().ok()?.set_onprogress(Some(progress.as_ref().unchecked_ref()));
    request.set_onloadend(Some(end.as_ref().unchecked_ref()));
    request.send_with_opt_blob(Some(&body)).ok()?;
    Some(Request { request, _progress: progress, _end: end })
}

/// What an answer says. A single session opens at once, but for who has to read that more was dropped too late.
fn ended(status: u16, answer: &str, late: bool) -> Stage {
    let told: Value = serde_json::from_str(answer).unwrap_or_default();
    let message = told.get("message").and_then(Value::as_str).unwrap_or(UNREACHABLE).to_owned();
    match status {
        200 => {
            let word = |of: &Value, name: &str| of.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            let newest = told.get("newest").and_then(Value::as_array).into_iter().flatten();
            let newest: Vec<(String, String)> = newest.map(|session| (word(session, "id"), word(session, "title"))).collect();
            if !late && let ([(only, _)], Some(false)) = (newest.as_slice(), told.get("partly").and_then(Value::as_bool)) {
                dom::go_to(&session_path(only));
            }
            Stage::Added(message, newest)
        }
        401 => {
            dom::go_to("/pair");
            Stage::Idle
        }
        _ => Stage::Failed(message),
    }
}
