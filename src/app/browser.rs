//! The browser's side of [`super`].

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::EventTarget;

use crate::model::Ms;

/// A running timeout, ended when dropped.
pub struct Timer {
    id: i32,
    _job: Closure<dyn FnMut()>,
}

impl Drop for Timer {
    fn drop(&mut self) {
        window().clear_timeout_with_handle(self.id);
    }
}

/// A listener, taken off when dropped.
pub struct Listener {
    target: EventTarget,
    name: &'static str,
    job: Closure<dyn FnMut(web_sys::Event)>,
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self.target.remove_event_listener_with_callback(self.name, self.job.as_ref().unchecked_ref());
    }
}

/// A listener before all others, taken off when dropped.
pub struct Capture {
    name: &'static str,
    job: Closure<dyn FnMut(web_sys::Event)>,
}

impl Drop for Capture {
    fn drop(&mut self) {
        let _ = window().remove_event_listener_with_callback_and_bool(self.name, self.job.as_ref().unchecked_ref(), true);
    }
}

/// Listens on the window.
pub fn on_window(name: &'static str, job: impl FnMut(web_sys::Event) + 'static) -> Listener {
    on(window().unchecked_into(), name, job)
}

/// Listens on the document.
pub fn on_document(name: &'static str, job: impl FnMut(web_sys::Event) + 'static) -> Listener {
    on(document().unchecked_into(), name, job)
}

/// Hears of what happens before anything of the page does.
pub fn capture(name: &'static str, job: impl FnMut(web_sys::Event) + 'static) -> Capture {
    let job = Closure::<dyn FnMut(web_sys::Event)>::new(job);
    let _ = window().add_event_listener_with_callback_and_bool(name, job.as_ref().unchecked_ref(), true);
    Capture { name, job }
}

/// Listens on `target`.
pub fn on(target: EventTarget, name: &'static str, job: impl FnMut(web_sys::Event) + 'static) -> Listener {
    let job = Closure::<dyn FnMut(web_sys::Event)>::new(job);
    let _ = target.add_event_listener_with_callback(name, job.as_ref().unchecked_ref());
    Listener { target, name, job }
}

/// Runs `job` after `ms`, unless the timer is dropped before.
pub fn after(ms: i32, job: impl FnOnce() + 'static) -> Timer {
    let job = Closure::once(job);
    let id = window().set_timeout_with_callback_and_timeout_and_arguments_0(job.as_ref().unchecked_ref(), ms).unwrap_or_default();
    Timer { id, _job: job }
}

/// Runs `job` after `ms`, come what may.
pub fn after_all(ms: i32, job: impl FnOnce() + 'static) {
    let job = Closure::once_into_js(job);
    let _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(job.unchecked_ref(), ms);
}

/// Runs `job` when what runs now has ended.
pub fn later(job: impl FnOnce() + 'static) {
    spawn_local(async move { job() });
}

/// Comes back in a new task.
pub async fn task() {
    let due = js_sys::Promise::new(&mut |resolve, _| {
        let _ = window().set_timeout_with_callback(&resolve);
    });
    let _ = wasm_bindgen_futures::JsFuture::from(due).await;
}

/// Runs `job` before the next frame is drawn.
pub fn next_frame(job: impl FnOnce() + 'static) {
    let job = Closure::once_into_js(job);
    let _ = window().request_animation_frame(job.unchecked_ref());
}

/// Runs `job` every `ms` until the owner ends.
pub fn every(ms: i32, job: impl Fn() + 'static) {
    let job = Closure::<dyn FnMut()>::new(job);
    let id = window().set_interval_with_callback_and_timeout_and_arguments_0(job.as_ref().unchecked_ref(), ms).unwrap_or_default();
    let job = StoredValue::new_local(Some(job));
    on_cleanup(move || {
        window().clear_interval_with_handle(id);
        job.set_value(None);
    });
}

/// Runs `job` for each number below `count`, one a frame; all at once in a tab that is not to be seen and draws none.
pub fn by_frames(count: usize, job: impl Fn(usize) + 'static) {
    fn from(at: usize, count: usize, job: impl Fn(usize) + 'static) {
        if at >= count {
            return;
        }
        job(at);
        if is_hidden() {
            (at + 1..count).for_each(job);
        } else {
            next_frame(move || from(at + 1, count, job));
        }
    }
    from(0, count, job);
}

/// True while the tab is not to be seen.
pub fn is_hidden() -> bool {
    document().hidden()
}

/// This machine's clock.
pub fn now() -> Ms {
    js_sys::Date::now() as Ms
}

/// True where a pointer can hover.
pub fn hovers() -> bool {
    window().match_media("(hover: hover)").ok().flatten().is_none_or(|query| query.matches())
}

/// Ms since the page began, for measuring stretches.
pub fn instant() -> f64 {
    window().performance().map_or_else(js_sys::Date::now, |performance| performance.now())
}

/// A time in this machine's zone: "14:02", and the whole of it.
pub fn local_time(ms: Ms) -> Option<(String, String)> {
    let date = js_sys::Date::new(&(ms as f64).into());
    if date.get_time().is_nan() {
        return None;
    }
    let clock = format!("{:02}:{:02}", date.get_hours(), date.get_minutes());
    let day = format!("{:04}-{:02}-{:02}", date.get_full_year(), date.get_month() + 1, date.get_date());
    let whole = format!("{day} {clock}:{:02}", date.get_seconds());
    Some((clock, whole))
}

/// The status of the answer to a GET; `None` without an answer.
pub async fn status_of(url: &str) -> Option<u16> {
    gloo_net::http::Request::get(url).send().await.ok().map(|answer| answer.status())
}

/// The status and the text of the answer to a GET; `None` without an answer.
pub async fn get(url: &str) -> Option<(u16, String)> {
    let answer = gloo_net::http::Request::get(url).send().await.ok()?;
    Some((answer.status(), answer.text().await.ok()?))
}

/// The status of the answer to a POST of JSON; `None` without an answer.
pub async fn post(url: &str, body: &str) -> Option<u16> {
    let request = gloo_net::http::Request::post(url).header("Content-Type", "application/json").body(body).ok()?;
    request.send().await.ok().map(|answer| answer.status())
}

/// The page's address on this server.
pub fn address() -> String {
    let location = window().location();
    [location.pathname(), location.search()].into_iter().map(Result::unwrap_or_default).collect()
}

/// Loads the page of the address that is shown.
pub fn load_again() {
    let _ = window().location().reload();
}

/// Leaves this page.
pub fn go_to(url: &str) {
    let _ = window().location().set_href(url);
}

/// A value kept by this browser.
pub fn kept(key: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(key).ok()?
}

/// Keeps a value in this browser, or forgets it.
pub fn keep(key: &str, value: Option<&str>) {
    if let Ok(Some(storage)) = window().local_storage() {
        let _ = match value {
            Some(value) => storage.set_item(key, value),
            None => storage.remove_item(key),
        };
    }
}

/// Runs `job` when another tab has kept or forgotten a value, until the owner ends.
pub fn on_storage(job: impl Fn() + 'static) {
    let listener = StoredValue::new_local(Some(on_window("storage", move |_| job())));
    on_cleanup(move || listener.set_value(None));
}

/// Sets an attribute of `<html>`, or takes it away.
pub fn set_root(name: &str, value: Option<&str>) {
    if let Some(root) = document().document_element() {
        let _ = match value {
            Some(value) => root.set_attribute(name, value),
            None => root.remove_attribute(name),
        };
    }
}

/// Tells that this page is taken over: tests and styles wait for it.
pub fn mark_hydrated(build: &str) {
    let build = build.to_owned();
    crate::app::stages::when_taken_over(move || set_root("data-hydrated", Some(&build)));
}

/// Opens a dialog above everything.
pub fn open_dialog(dialog: NodeRef<leptos::html::Dialog>) {
    if let Some(dialog) = dialog.get_untracked() {
        let _ = dialog.show_modal();
    }
}

/// Closes a dialog.
pub fn close_dialog(dialog: NodeRef<leptos::html::Dialog>) {
    if let Some(dialog) = dialog.get_untracked() {
        dialog.close();
    }
}

/// How far the page is scrolled, in px.
pub fn scrolled() -> f64 {
    window().scroll_y().unwrap_or_default()
}

/// Scrolls the page when what runs now is drawn.
pub fn scroll_page_to(y: f64) {
    next_frame(move || window().scroll_to_with_x_and_y(0.0, y));
}

/// Puts the focus on an element; `false` without one.
pub fn focus_on(id: &str) -> bool {
    let element = document().get_element_by_id(id).and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok());
    element.is_some_and(|element| element.focus().is_ok())
}

/// Puts the focus on what stands before an element.
pub fn focus_before(id: &str) {
    let element = document().get_element_by_id(id).and_then(|element| element.previous_element_sibling());
    if let Some(element) = element.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// Copies a text to the clipboard.
pub fn copy(text: &str) {
    let clipboard = window().navigator().clipboard();
    let written = clipboard.write_text(text);
    spawn_local(async move {
        let _ = wasm_bindgen_futures::JsFuture::from(written).await;
    });
}

/// Closes an open `<details>` by Escape, and when the pointer or the focus goes elsewhere.
pub fn close_when_left(details: NodeRef<leptos::html::Details>) {
    let listeners = StoredValue::new_local(Vec::<Listener>::new());
    Effect::new(move |_| {
        let Some(details) = details.get() else { return };
        let on = |name: &'static str, leaves: fn(&web_sys::Element, &web_sys::Event) -> bool| {
            let details: web_sys::Element = details.clone().unchecked_into();
            on_document(name, move |event| {
                if details.has_attribute("open") && leaves(&details, &event) {
                    let _ = details.remove_attribute("open");
                }
            })
        };
        let outside = |details: &web_sys::Element, event: &web_sys::Event| {
            let target = event.target().and_then(|target| target.dyn_into::<web_sys::Node>().ok());
            !details.contains(target.as_ref())
        };
        let escape = |_: &web_sys::Element, event: &web_sys::Event| event.unchecked_ref::<web_sys::KeyboardEvent>().key() == "Escape";
        listeners.set_value(vec![on("pointerdown", outside), on("focusin", outside), on("keydown", escape)]);
    });
    on_cleanup(move || listeners.set_value(Vec::new()));
}
