//! The way back, for screens without a browser's buttons.
//!
//! Decision: the history's own entries say how many pages of ours lie behind them, so it is true after a reload too. On a narrow
//! screen an agent's page takes the place of another agent's: back always leads up.

use leptos::prelude::*;

use super::icon::{Icon, icon};

/// Makes the links of all pages say how deep they lead.
pub fn provide() {
    #[cfg(feature = "hydrate")]
    {
        let click = super::dom::on_document("click", |event| mark(&event));
        let back = super::dom::on_window("popstate", |_| uncovered());
        let listeners = StoredValue::new_local(Some((click, back)));
        on_cleanup(move || listeners.set_value(None));
    }
}

/// To the page before, else to the list.
#[component]
pub fn Back() -> impl IntoView {
    let back = move |_event: leptos::ev::MouseEvent| {
        #[cfg(feature = "hydrate")]
        if depth() > 0.0 {
            _event.prevent_default();
            let _ = window().history().map(|history| history.back());
        }
    };
    view! { <a class="btn ghost nav back" href="/" aria-label="Back" on:click=back>{icon(Icon::Back)}</a> }.into_any()
}

/// Loads the page again.
#[component]
pub fn Refresh() -> impl IntoView {
    view! { <a class="btn ghost nav refresh" href="" rel="external" aria-label="Refresh">{icon(Icon::Refresh)}</a> }.into_any()
}

/// How many pages of ours lie behind this one.
#[cfg(feature = "hydrate")]
fn depth() -> f64 {
    let state = window().history().and_then(|history| history.state());
    state.ok().and_then(|state| state.as_f64()).unwrap_or_default()
}

/// True where an agent's page fills the screen.
#[cfg(feature = "hydrate")]
pub fn is_narrow() -> bool {
    window().match_media("(max-width: 899.9px)").ok().flatten().is_some_and(|query| query.matches())
}

/// An entry of the history that stands for something open on the page, not for a page.
#[cfg(feature = "hydrate")]
#[derive(Clone, Copy, PartialEq)]
enum Cover {
    None,
    Open,
    /// It was closed by other means than Back. Its entry waits for the next time: to take it away would race with what comes next.
    Idle,
}

#[cfg(feature = "hydrate")]
thread_local! {
    static COVER: std::cell::Cell<Cover> = const { std::cell::Cell::new(Cover::None) };
    /// Closes what is open.
    static CLOSE: std::cell::RefCell<Option<Box<dyn Fn()>>> = const { std::cell::RefCell::new(None) };
}

/// Something is open that Back has to `close`: it has an entry of its own.
#[cfg(feature = "hydrate")]
pub fn cover(close: impl Fn() + 'static) {
    CLOSE.replace(Some(Box::new(close)));
    if COVER.replace(Cover::Open) == Cover::None {
        let _ = window().history().and_then(|history| history.push_state_with_url(&depth().into(), "", None));
    }
}

/// It was closed.
#[cfg(feature = "hydrate")]
pub fn uncover() {
    if COVER.get() == Cover::Open {
        COVER.set(Cover::Idle);
    }
}

/// Back was pressed: what is open is closed. An entry that stood for nothing any more is passed over.
#[cfg(feature = "hydrate")]
fn uncovered() {
    match COVER.replace(Cover::None) {
        Cover::None => {}
        Cover::Open => CLOSE.take().into_iter().for_each(|close| close()),
        Cover::Idle => drop(window().history().map(|history| history.back())),
    }
}

/// The page is left.
#[cfg(feature = "hydrate")]
pub fn forget_cover() {
    COVER.set(Cover::None);
    CLOSE.take();
}

/// The router takes `state` and `replace` from a link as they are when it is clicked.
#[cfg(feature = "hydrate")]
fn mark(event: &web_sys::Event) {
    use wasm_bindgen::JsCast;
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    let Some(link) = target.and_then(|target| target.closest("a[href^='/']").ok().flatten()) else { return };
    let to = link.get_attribute("href").unwrap_or_default();
    let here = window().location().pathname().unwrap_or_default();
    let sideways = is_narrow() && is_agent(&here) && is_agent(&to);
    // The entry of an open sheet is no page: what is chosen in it takes its place.
    let replace = COVER.replace(Cover::None) != Cover::None || sideways;
    let depth = if sideways { depth() } else { depth() + 1.0 };
    let _ = js_sys::Reflect::set(&link, &"replace".into(), &replace.into());
    let _ = js_sys::Reflect::set(&link, &"state".into(), &depth.into());
}

/// True for the path of an agent's own page.
#[cfg_attr(not(any(feature = "hydrate", test)), expect(dead_code, reason = "asked by the browser"))]
fn is_agent(path: &str) -> bool {
    path.split(['?', '#']).next().unwrap_or_default().split('/').nth(3) == Some("a")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agents_page_is_told_from_others() {
        assert!(is_agent("/s/x/a/y") && is_agent("/s/a/a/b?before=3"));
        assert!(!is_agent("/s/a") && !is_agent("/") && !is_agent("/s/x?a=/s/x/a/y"));
    }
}
