//! The way back, for screens without a browser's buttons.
//!
//! Decision: the history's own entries say how many pages of ours lie behind them, so it is true after a reload too. On a narrow
//! screen an agent's page takes the place of another agent's: back always leads up. What is open on a page there (a sheet, the palette,
//! a selection) has one entry together, so that Back closes it before the page is left; the entry's state tells it from a page's, also
//! when the page is loaded again.

use leptos::prelude::*;

use super::icon::{Icon, icon};

/// Makes the links of all pages say how deep they lead.
pub fn provide() {
    #[cfg(feature = "hydrate")]
    {
        // A page that is loaded again at such an entry has nothing open.
        COVERED.set(is_cover());
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
    state().floor()
}

/// True at an entry that stands for no page.
#[cfg(feature = "hydrate")]
fn is_cover() -> bool {
    state() > depth()
}

#[cfg(feature = "hydrate")]
fn state() -> f64 {
    let state = window().history().and_then(|history| history.state());
    state.ok().and_then(|state| state.as_f64()).unwrap_or_default()
}

/// True where an agent's page fills the screen.
#[cfg(feature = "hydrate")]
pub fn is_narrow() -> bool {
    window().match_media("(max-width: 899.9px)").ok().flatten().is_some_and(|query| query.matches())
}

/// What an entry's state says beside its depth where it stands for something open on the page, and not for a page.
#[cfg(feature = "hydrate")]
const COVER: f64 = 0.5;

/// Closes something that is open, by its name.
#[cfg(feature = "hydrate")]
type Close = (&'static str, Box<dyn Fn()>);

#[cfg(feature = "hydrate")]
thread_local! {
    /// The entry that one is at stands for what is open. It stays when that is closed by other means than Back, and waits for the next
    /// time: to take it away would race with what comes next.
    static COVERED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    /// What is open, the uppermost last.
    static OPEN: std::cell::RefCell<Vec<Close>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// On a narrow screen Back closes what was opened on a page, by `close`, before it leaves the page; the uppermost first.
#[cfg(feature = "hydrate")]
pub fn cover(name: &'static str, close: impl Fn() + 'static) {
    if !is_narrow() {
        return;
    }
    uncover(name);
    OPEN.with_borrow_mut(|open| open.push((name, Box::new(close))));
    push_cover();
}

/// The server has no history.
#[cfg(not(feature = "hydrate"))]
pub fn cover(_: &'static str, _: impl Fn() + 'static) {}

/// It was closed, or its page is left.
pub fn uncover(_name: &'static str) {
    #[cfg(feature = "hydrate")]
    OPEN.with_borrow_mut(|open| open.retain(|(name, _)| *name != _name));
}

#[cfg(feature = "hydrate")]
fn push_cover() {
    if !COVERED.replace(true) {
        let _ = window().history().and_then(|history| history.push_state_with_url(&(depth() + COVER).into(), "", None));
    }
}

/// Another entry was come to: of what is open the uppermost is closed. An entry that stood for nothing any more is passed over.
#[cfg(feature = "hydrate")]
fn uncovered() {
    if !COVERED.replace(is_cover()) {
        return;
    }
    let upper = OPEN.with_borrow_mut(Vec::pop);
    match upper {
        Some((_, close)) => {
            close();
            if OPEN.with_borrow(|open| !open.is_empty()) {
                push_cover();
            }
        }
        None => drop(window().history().map(|history| history.back())),
    }
}

/// The router takes `state` and `replace` from a link as they are when it is clicked.
#[cfg(feature = "hydrate")]
fn mark(event: &web_sys::Event) {
    use wasm_bindgen::JsCast;
    if event.default_prevented() {
        return;
    }
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    let Some(link) = target.and_then(|target| target.closest("a[href^='/']").ok().flatten()) else { return };
    let to = link.get_attribute("href").unwrap_or_default();
    let here = window().location().pathname().unwrap_or_default();
    let sideways = is_narrow() && is_agent(&here) && is_agent(&to);
    // The entry of what is open is no page: what is chosen in it takes its place.
    let replace = COVERED.replace(false) || sideways;
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
