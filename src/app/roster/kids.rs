//! The agents of an unfolded session: read when it is unfolded, and again when the session's row tells of news.

use std::collections::BTreeMap;
use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::Roster;
use super::order::{Place, arrange, settled};
use super::picking::Bar;
use super::sub::Sub;
use crate::app::calls::Roll;
use crate::app::clock::Clock;
use crate::app::live::live;
use crate::app::numbers::{count, session_path};
use crate::app::{Failure, kept};
use crate::model::{Agent, AgentNo, Session};

/// How long news are gathered before the agents are read again.
const GATHER: Duration = Duration::from_millis(900);

/// The agents of one session. Clones share them.
#[derive(Clone)]
pub struct Agents {
    pub session: String,
    pub rows: ArcRwSignal<BTreeMap<AgentNo, ArcRwSignal<Agent>>>,
    /// As they stand on the screen.
    pub order: ArcRwSignal<Vec<Place>>,
    state: ArcRwSignal<State>,
    roster: Roster,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Reading,
    /// So many more than are shown.
    Read(u32),
    Failed(&'static str),
}

impl Agents {
    fn new(session: String, roster: Roster) -> Self {
        let known = roster.known.with_value(|known| known.get(&session).cloned());
        let agents =
            Self { session, rows: ArcRwSignal::default(), order: ArcRwSignal::default(), state: ArcRwSignal::new(State::Reading), roster };
        if let Some(known) = known {
            agents.take(Roll { agents: known, more: 0 });
        }
        agents
    }

    /// Reads them; what is shown stays until they are there.
    pub async fn read(&self) {
        match kept::agents(self.session.clone()).await {
            Ok(roll) => self.take(roll),
            // The session is gone: its row will follow.
            Err(Failure::NotFound) => {}
            Err(failure) if self.order.with_untracked(Vec::is_empty) => self.state.set(State::Failed(failure.sentence())),
            Err(_) => {}
        }
    }

    fn take(&self, Roll { agents, more }: Roll) {
        self.roster.known.try_update_value(|known| known.insert(self.session.clone(), agents.clone()));
        self.rows.update(|rows| {
            rows.retain(|n, _| agents.iter().any(|agent| agent.n == *n));
            for agent in agents {
                match rows.get(&agent.n) {
                    Some(row) if row.with_untracked(|row| row.rev < agent.rev) => row.set(agent),
                    Some(_) => {}
                    None => drop(rows.insert(agent.n, ArcRwSignal::new(agent))),
                }
            }
        });
        self.state.set(State::Read(more));
        self.sort();
    }

    /// Puts them in order, or while that may not change, what is new at the end.
    fn sort(&self) {
        let now = self.rows.with_untracked(|rows| {
            let rows: Vec<Agent> = rows.values().map(|row| row.get_untracked()).collect();
            arrange(rows.iter())
        });
        let before = self.order.with_untracked(|order| order.iter().map(|place| place.n).collect::<Vec<_>>());
        let now = if untrack(|| self.roster.is_frozen()) { settled(&before, &now, |place| place.n) } else { now };
        if self.order.with_untracked(|order| *order != now) {
            self.order.set(now);
        }
    }
}

/// The agents, below their session.
#[component]
pub fn Kids(id: String, row: ArcRwSignal<Session>, clock: Clock) -> impl IntoView {
    let Some(roster) = use_context::<Roster>() else { return ().into_any() };
    let agents = Agents::new(id.clone(), roster);
    let pending = StoredValue::new(false);
    let reading = agents.clone();
    Effect::new(move |before: Option<()>| {
        row.track();
        let agents = reading.clone();
        let read = move || {
            // The card may be folded by now.
            if pending.try_set_value(false).is_none() {
                spawn_local(async move { agents.read().await });
            }
        };
        match before {
            None => read(),
            Some(()) if !pending.get_value() => {
                pending.set_value(true);
                set_timeout(read, GATHER);
            }
            Some(()) => {}
        }
    });
    let thawing = agents.clone();
    Effect::new(move |before: Option<bool>| {
        let frozen = roster.is_frozen();
        if before == Some(true) && !frozen {
            thawing.sort();
        }
        frozen
    });
    let picks = {
        let id = id.clone();
        Memo::new(move |_| roster.picking.with(|picking| picking.as_ref().is_some_and(|picking| picking.session.as_deref() == Some(&*id))))
    };
    let (order, each, state, bar) = (agents.order.clone(), agents.clone(), agents.state.clone(), agents);
    let item = move |place: Place| {
        let row = each.rows.with_untracked(|rows| rows.get(&place.n).cloned());
        row.map(|row| view! { <Sub session=each.session.clone() row=row place=place clock=clock.clone() /> })
    };
    view! {
        <ul class="subs"><For each=move || order.get() key=|place| *place children=item /></ul>
        {live(move || match state.get() {
            State::Reading => view! { <p class="none" role="status">"Reading the agents"</p> }.into_any(),
            State::Failed(why) => view! { <p class="none sorry">{why}</p> }.into_any(),
            State::Read(0) => ().into_any(),
            State::Read(more) => view! { <p class="none"><a href=session_path(&id)>{format!("{} more: open the session", count(u64::from(more), "agent"))}</a></p> }.into_any(),
        })}
        {live(move || picks.get().then(|| view! { <Bar agents=bar.clone() /> }))}
    }
    .into_any()
}
