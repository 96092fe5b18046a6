//! One session on the list, and the disclosure of its agents.

use leptos::prelude::*;

use super::Roster;
use super::kids::Kids;
use crate::app::clean;
use crate::app::clock::{Ago, Clock};
use crate::app::icon::{Icon, icon};
use crate::app::live::{live, stage, words};
use crate::app::mirror::ListRow;
use crate::app::numbers::session_path;
use crate::app::pages::{agents_word, session_name};
use crate::app::status::{Dot, session_word};
use crate::model::escaped;

/// A session of the list.
#[component]
pub fn SessionCard(row: ListRow, clock: Clock) -> impl IntoView {
    let Some(roster) = use_context::<Roster>() else { return ().into_any() };
    let (id, path) = (row.id.clone(), session_path(&row.id));
    let row = row.row;
    let (shape, title, word, project, some, words_of, at, kids) =
        (row.clone(), row.clone(), row.clone(), row.clone(), row.clone(), row.clone(), row.clone(), row);
    let shape = Signal::derive(move || shape.with(|session| session.status.into()));
    let at = Signal::derive(move || at.with(|session| session.last_at.or(session.started_at)));
    let some = Memo::new(move |_| some.with(|session| session.agents.all > 0));
    let below = format!("agents-{}", escaped(&id));
    let (asked, toggled) = (id.clone(), id.clone());
    let open = Memo::new(move |_| some.get() && roster.is_open(&asked));
    let controls = below.clone();
    let (ticking, named) = (clock.clone(), clock.clone());
    let disclosure = move || {
        let (words_of, toggled, controls) = (words_of.clone(), toggled.clone(), controls.clone());
        view! {
            <button
                type="button"
                class="unfold num"
                aria-expanded=move || if open.get() { "true" } else { "false" }
                aria-controls=controls
                on:click=move |_| roster.toggle(&toggled)
            >
                <span>{words(move || words_of.with(|session| agents_word(session.agents).unwrap_or_default()))}</span>
                {icon(Icon::Chevron)}
            </button>
        }
    };
    let card = move || {
        view! {
            <a class="sess" href=path>
                <b dir="auto">{words(move || title.with(|session| session_name(&named, session)))}</b>
                <small>
                    <Dot shape=shape />
                    <span>{words(move || word.with(session_word))}</span>
                    {live(move || project.with(|session| session.project.as_deref().map(|project| view! { <span class="sep project">{clean(project).into_owned()}</span> })))}
                    <span class="sep"><Ago clock=ticking.clone() at=at /></span>
                </small>
            </a>
            {live(move || some.get().then(disclosure.clone()))}
            <div class="below" id=below>
                {live(move || open.get().then(|| view! { <Kids id=id.clone() row=kids.clone() clock=clock.clone() /> }))}
            </div>
        }
    };
    view! { <li class="card-row">{stage(card)}</li> }.into_any()
}
