//! Selecting transcripts, and deleting them.
//!
//! Decision: one selection in all, in one session; picking in another moves it there. Its bar stands in that session's card.
//! Invariants: what runs, waits or is queued is not deleted, and the button says who that is; one request, all or nothing.

use std::collections::BTreeSet;

use leptos::html::Dialog;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::Roster;
use super::kids::Agents;
use super::sub::element_id;
use crate::app::live::{live, words};
use crate::app::numbers::count;
use crate::app::status::agent_word;
use crate::app::{Failure, calls, clean, dom, kept};
use crate::model::AgentNo;

/// How many names a sentence holds.
const NAMES: usize = 3;

/// What is selected.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picking {
    /// `None` until the first is picked.
    pub session: Option<String>,
    pub picked: BTreeSet<AgentNo>,
    /// They are being deleted.
    pub going: bool,
    /// Why they were not.
    pub refused: Option<String>,
}

impl Picking {
    /// True if that agent is selected.
    pub fn has(&self, session: &str, n: AgentNo) -> bool {
        self.session.as_deref() == Some(session) && self.picked.contains(&n)
    }
}

impl Roster {
    /// Selects an agent, or no longer.
    pub fn pick(self, session: &str, n: AgentNo) {
        self.picking.update(|picking| {
            let picking = picking.get_or_insert_default();
            if picking.going {
                return;
            }
            if picking.session.as_deref() != Some(session) {
                *picking = Picking { session: Some(session.to_owned()), ..Picking::default() };
            }
            picking.refused = None;
            if !picking.picked.remove(&n) {
                picking.picked.insert(n);
            }
        });
    }

    /// Begins to select, with nothing; unfolds `first` where nothing is to be seen yet.
    fn select(self, first: Option<String>) {
        if let Some(first) = first.filter(|_| self.open.with_untracked(Vec::is_empty)) {
            self.toggle(&first);
        }
        self.picking.set(Some(Picking::default()));
    }
}

/// The button that begins to select, and ends it.
#[component]
pub fn SelectButton(
    /// The first session with agents; without one there is nothing to select.
    first: Memo<Option<String>>,
    /// The server cannot be reached: nothing can be deleted.
    away: Memo<bool>,
) -> impl IntoView {
    let Some(roster) = use_context::<Roster>() else { return ().into_any() };
    let selecting = Memo::new(move |_| roster.picking.with(Option::is_some));
    let press = move |_| {
        if selecting.get_untracked() { roster.picking.set(None) } else { roster.select(first.get_untracked()) }
    };
    let some = Memo::new(move |_| first.with(Option::is_some));
    live(move || {
        some.get().then(|| {
            let folded = move || selecting.get() && roster.open.with(Vec::is_empty);
            view! {
                {live(move || folded().then(|| view! { <span class="hint">"Unfold a session to pick its agents"</span> }))}
                <button type="button" class="btn select" title="Select agents, to delete their transcripts" disabled=move || away.get() && !selecting.get() on:click=press>{words(move || if selecting.get() { "Done" } else { "Select" })}</button>
            }
        })
    })
    .into_any()
}

/// What can be done with what is selected.
#[component]
pub fn Bar(agents: Agents) -> impl IntoView {
    let roster = use_context::<Roster>();
    let Some(roster) = roster else { return ().into_any() };
    let dialog = NodeRef::<Dialog>::new();
    let rows = agents.rows.clone();
    // What is gone by now is selected no more.
    let picked = Memo::new(move |_| {
        let picked = roster.picking.with(|picking| picking.as_ref().map(|picking| picking.picked.clone()).unwrap_or_default());
        rows.with(|rows| picked.into_iter().filter(|n| rows.contains_key(n)).collect::<BTreeSet<_>>())
    });
    let going = Memo::new(move |_| roster.picking.with(|picking| picking.as_ref().is_some_and(|picking| picking.going)));
    let refused = Memo::new(move |_| roster.picking.with(|picking| picking.as_ref().and_then(|picking| picking.refused.clone())));
    let rows = agents.rows.clone();
    let running = Memo::new(move |_| {
        let running = rows.with(|rows| {
            let picked = picked.get();
            let rows = rows.iter().filter(|(n, _)| picked.contains(n));
            rows.filter_map(|(_, row)| {
                row.with(|row| row.status.is_running().then(|| format!("{} ({})", clean(&row.title), agent_word(row))))
            })
            .collect::<Vec<_>>()
        });
        (!running.is_empty()).then(|| format!("Not while these are at work: {}.", some_of(&running)))
    });
    let rows = agents.rows.clone();
    let names = Memo::new(move |_| {
        let names = picked.with(|picked| {
            rows.with(|rows| {
                picked.iter().filter_map(|n| rows.get(n).map(|row| row.with(|row| clean(&row.title).into_owned()))).collect::<Vec<_>>()
            })
        });
        some_of(&names)
    });
    let many = Memo::new(move |_| picked.with(BTreeSet::len));
    let bad = Memo::new(move |_| many.get() == 0 || running.get().is_some() || going.get());
    let title = format!("delete-{}", element_id(&agents.session, 0));
    let reason = format!("why-{}", element_id(&agents.session, 0));
    let (labelled, described) = (title.clone(), reason.clone());
    let delete = move |_| {
        dom::close_dialog(dialog);
        spawn_local(delete(roster, agents.clone()));
    };
    view! {
        <div class="pickbar" role="group" aria-label="Selection">
            <span class="num" role="status">{words(move || match many.get() { 0 => "Pick agents".to_owned(), many => format!("{many} selected") })}</span>
            <button type="button" class="btn" on:click=move |_| roster.picking.set(None)>"Cancel"</button>
            <button type="button" class="btn danger" aria-describedby=described disabled=move || bad.get() on:click=move |_| dom::open_dialog(dialog)>
                {words(move || match many.get() { 0 => "Delete".to_owned(), many => format!("Delete {many}") })}
            </button>
            <p class="why" id=reason>{words(move || running.get().unwrap_or_default())}</p>
            {live(move || refused.get().map(|said| view! { <p class="sorry" role="alert">{said}</p> }))}
        </div>
        <dialog class="confirm" aria-labelledby=labelled node_ref=dialog>
            <h2 id=title>{words(move || format!("Delete {}?", count(many.get() as u64, "transcript")))}</h2>
            <p class="what" dir="auto">{words(move || names.get())}</p>
            <p>"Sidedeck’s copy goes; agents below them stay. Files that it was read from stay as they are, and reading them again does not bring it back."</p>
            <div class="row">
                <button type="button" class="btn" on:click=move |_| dom::close_dialog(dialog)>"Cancel"</button>
                <button type="button" class="btn danger" disabled=move || bad.get() on:click=delete>"Delete"</button>
            </div>
        </dialog>
    }
    .into_any()
}

async fn delete(roster: Roster, agents: Agents) {
    let Some(mut picking) = roster.picking.get_untracked().filter(|picking| !picking.going) else { return };
    picking.picked.retain(|n| agents.rows.with_untracked(|rows| rows.contains_key(n)));
    if picking.picked.is_empty() {
        return;
    }
    let change = |change: fn(&mut Picking, Option<String>), said| {
        roster.picking.update(|picking| {
            if let Some(picking) = picking {
                change(picking, said);
            }
        });
    };
    change(|picking, _| picking.going = true, None);
    let gone: Vec<AgentNo> = picking.picked.iter().copied().collect();
    let next = neighbour(&agents, &picking.picked);
    let said = match calls::delete_agents(agents.session.clone(), gone.clone()).await {
        Ok(None) => {
            agents.rows.update(|rows| rows.retain(|n, _| !picking.picked.contains(n)));
            agents.order.update(|order| order.retain(|place| !picking.picked.contains(&place.n)));
            roster.picking.set(None);
            kept::forget(&agents.session, Some(&gone)).await;
            roster.said.set(format!("{} deleted", count(gone.len() as u64, "transcript")));
            let (id, others) = (next.map(|n| element_id(&agents.session, n)), agents.session.clone());
            request_animation_frame(move || {
                if !id.is_some_and(|id| dom::focus_on(&id)) {
                    dom::focus_before(&format!("agents-{}", crate::model::escaped(&others)));
                }
            });
            None
        }
        Ok(Some(refused)) => Some(refused),
        Err(Failure::NotFound) => Some("Nothing was deleted: one of them is already gone. The list has been read again.".to_owned()),
        Err(failure) => Some(failure.sentence().to_owned()),
    };
    if said.is_some() {
        change(
            |picking, said| {
                picking.going = false;
                picking.refused = said;
            },
            said,
        );
        agents.read().await;
    }
}

/// Who is left below the last that goes, else above the first.
fn neighbour(agents: &Agents, gone: &BTreeSet<AgentNo>) -> Option<AgentNo> {
    agents.order.with_untracked(|order| {
        let last = order.iter().rposition(|place| gone.contains(&place.n))?;
        order.get(last + 1).or_else(|| order.iter().rfind(|place| !gone.contains(&place.n))).map(|place| place.n)
    })
}

fn some_of(names: &[String]) -> String {
    let first = names.iter().take(NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMES) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
