//! One agent below its session: a link to its transcript, and while something is being selected a box to tick.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::Roster;
use super::order::Place;
use super::press::Press;
use crate::app::clean;
use crate::app::clock::{Ago, Clock};
use crate::app::live::{live, words};
use crate::app::numbers::{agent_path, clip};
use crate::app::status::{Dot, agent_said, hue};
use crate::app::transcript::KIND;
use crate::model::{Agent, AgentNo, escaped};

/// Agents below this depth are drawn at it. A class and not an inline style: the page's policy allows none.
const DEEPEST: u32 = 6;

/// An agent of the list.
#[component]
pub fn Sub(session: String, row: ArcRwSignal<Agent>, place: Place, clock: Clock) -> impl IntoView {
    let Some(roster) = use_context::<Roster>() else { return ().into_any() };
    let n = place.n;
    let (shape, title, kind, path, said, at) = (row.clone(), row.clone(), row.clone(), row.clone(), row.clone(), row);
    let shape = Signal::derive(move || shape.with(|agent| agent.status.into()));
    let of = session.clone();
    let path = Memo::new(move |_| path.with(|agent| agent_path(&of, &agent.id)));
    let ticking = clock.of(n);
    let said = Memo::new(move |_| said.with(|agent| summary(&ticking, agent)));
    let at = Memo::new(move |_| at.with(|agent| agent.ended_at.or(agent.last_at).filter(|_| !agent.status.is_running())));
    let some = Memo::new(move |_| at.get().is_some());
    let selecting = Memo::new(move |_| roster.picking.with(Option::is_some));
    let of = session.clone();
    let picked = Memo::new(move |_| roster.picking.with(|picking| picking.as_ref().is_some_and(|picking| picking.has(&of, n))));
    let going = Memo::new(move |_| picked.get() && roster.picking.with(|picking| picking.as_ref().is_some_and(|picking| picking.going)));
    let press = Press::new();
    let id = element_id(&session, n);
    let session = StoredValue::new(session);
    let toggle = move || session.with_value(|session| roster.pick(session, n));
    let begun = move || {
        // A long press takes; to let go, a tap is enough.
        if !picked.get_untracked() {
            toggle();
        }
    };
    let click = move |event: leptos::ev::MouseEvent| {
        if press.swallows() {
            event.prevent_default();
        } else if selecting.get_untracked() {
            event.prevent_default();
            toggle();
        }
    };
    let key = move |event: KeyboardEvent| {
        if event.key() == " " && selecting.get_untracked() {
            event.prevent_default();
            toggle();
        }
    };
    view! {
        <li class=format!("sub deep{} {}", place.depth.min(DEEPEST), hue(n)) class:picked=move || picked.get() class:going=move || going.get()>
            <a
                id=id
                href=path
                draggable="false"
                role=move || selecting.get().then_some("checkbox")
                aria-checked=move || selecting.get().then(|| if picked.get() { "true" } else { "false" })
                on:click=click
                on:keydown=key
                on:pointerdown=move |event| press.begin(&event, begun)
                on:pointermove=move |event| press.follow(&event)
                on:pointerup=move |_| press.end()
                on:pointercancel=move |_| press.end()
                on:contextmenu=move |event| press.menu(&event)
            >
                <b dir="auto">
                    {words(move || title.with(|agent| clean(&agent.title).into_owned()))}
                    {live(move || kind.with(|agent| agent.kind.as_deref().map(|kind| view! { <span class="kind">{format!(" ({})", clip(&clean(kind), KIND))}</span> })))}
                </b>
                <small>
                    <Dot shape=shape />
                    <span class="num doing">{words(move || said.get())}</span>
                    {live(move || some.get().then(|| view! { <span class="sep"><Ago clock=clock.clone() at=at /></span> }))}
                </small>
            </a>
        </li>
    }
    .into_any()
}

/// The id of an agent's element.
pub fn element_id(session: &str, n: AgentNo) -> String {
    format!("agent-{n}-{}", escaped(session))
}

/// "running 2:10 · Read src/a.rs".
fn summary(clock: &Clock, agent: &Agent) -> String {
    let said = agent_said(clock, agent);
    match agent.current_tool.as_deref().filter(|_| agent.status.is_running()) {
        Some(tool) => format!("{said} · {}", clip(&clean(tool), 80)),
        None => said,
    }
}
