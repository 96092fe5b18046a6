//! Deleting a session from its page.
//!
//! Decision: an item of the menu, and a dialog that asks, which stands outside of the menu: so it opens alone, whatever asked for it.
//! While something runs the dialog says so and has nothing to press; the
//! server decides all the same, since it may have begun meanwhile.

use leptos::html::Dialog;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use super::header::MENU;
use super::home::{agents_word, session_title};
use crate::app::live::live;
use crate::app::mirror::Mirror;
use crate::app::{calls, dom, kept};
use crate::model::Session;

/// The item of the menu.
#[component]
pub fn DeleteItem(
    /// Opens the dialog when it is set.
    asked: RwSignal<bool>,
) -> impl IntoView {
    view! { <button type="button" class="item" on:click=move |_| asked.set(true)>"Delete this session…"</button> }.into_any()
}

/// The dialog. It gives the focus back to the menu.
#[component]
pub fn DeleteDialog(mirror: Mirror, asked: RwSignal<bool>) -> impl IntoView {
    let dialog = NodeRef::<Dialog>::new();
    let row = mirror.session();
    let refused = RwSignal::new(None::<String>);
    let busy = RwSignal::new(false);
    let navigate = use_navigate();
    let (runs, what) = (row.clone(), row);
    let runs = Memo::new(move |_| runs.with(running));
    Effect::new(move |_| {
        if !asked.get() {
            return;
        }
        asked.set(false);
        refused.set(None);
        if let Some(dialog) = dialog.get_untracked().filter(|dialog| !dialog.open()) {
            let _ = dialog.show_modal();
        }
    });
    let close = move || {
        if let Some(dialog) = dialog.try_get_untracked().flatten() {
            dialog.close();
        }
    };
    let delete = move |_| {
        let (id, navigate) = (mirror.id().to_owned(), navigate.clone());
        busy.set(true);
        spawn_local(async move {
            let said = match calls::delete(id.clone()).await {
                Ok(None) => {
                    kept::forget(&id, None).await;
                    return navigate("/", NavigateOptions { replace: true, ..NavigateOptions::default() });
                }
                Ok(Some(refused)) => refused,
                Err(failure) => failure.sentence().to_owned(),
            };
            // The page may be gone by now.
            let _ = (refused.try_set(Some(said)), busy.try_set(false));
        });
    };
    view! {
        <dialog class="confirm" aria-labelledby="delete-title" node_ref=dialog on:close=move |_| _ = dom::focus_on(MENU)>
            <h2 id="delete-title">"Delete this session?"</h2>
            <p dir="auto" class="what">{move || what.with(|session| session_title(&session.title))}</p>
            {live(move || match runs.get() {
                Some(reason) => view! { <p class="sorry">{reason}</p> }.into_any(),
                None => view! { <p>"Sidedeck’s copy goes, with all of its agents. Files that it was read from stay as they are, and reading them again does not bring it back."</p> }.into_any(),
            })}
            {live(move || refused.get().map(|said| view! { <p class="sorry" role="alert">{said}</p> }))}
            <div class="row">
                <button type="button" class="btn" on:click=move |_| close()>"Cancel"</button>
                <button type="button" class="btn danger" disabled=move || busy.get() || runs.get().is_some() on:click=delete>"Delete"</button>
            </div>
        </dialog>
    }
    .into_any()
}

/// Why a session cannot be deleted now.
fn running(session: &Session) -> Option<String> {
    let agents = agents_word(session.agents).filter(|_| session.agents.running > 0);
    match agents {
        Some(agents) => Some(format!("It cannot be deleted yet: {agents}.")),
        None => session.status.is_live().then(|| "It cannot be deleted yet: it still runs.".to_owned()),
    }
}
