//! The column beside a conversation: the sessions, and under the open one its agents.

use leptos::prelude::*;

use super::home::{agents_word, session_name};
use crate::app::clean;
use crate::app::clock::{Ago, Clock};
use crate::app::live::{live, stage, words};
use crate::app::mirror::{AgentRow, ListRow, Mirror};
use crate::app::numbers::{agent_path, session_path};
use crate::app::status::{Dot, agent_time, hue, session_word};
use crate::app::tree::{Leaf, tree, urgency};
use crate::model::{AgentNo, AgentStatus, MAIN, WaitingOn};

/// Agents below this depth are drawn at it. A class and not an inline style: the page's policy allows none.
const DEEPEST: u32 = 6;

/// The column. `n` is the agent whose page this is.
#[component]
pub fn Side(mirror: Mirror, n: AgentNo) -> impl IntoView {
    let rows = mirror.list.rows.clone();
    let open = mirror.id().to_owned();
    let each = mirror.clone();
    let item = move |row: ListRow| {
        let here = row.id == open;
        let mirror = each.clone();
        view! {
            <li>
                <Session row=row clock=mirror.clock.clone() here=here page=here && n == MAIN />
                {here.then(|| view! { <Agents mirror=mirror n=n /> })}
            </li>
        }
    };
    view! {
        <nav class="side" aria-label="Sessions">
            <h2>"Sessions"</h2>
            <ul>{stage(move || view! { <For each=move || rows.get() key=|row| row.id.clone() children=item /> })}</ul>
        </nav>
    }
    .into_any()
}

#[component]
fn Session(row: ListRow, clock: Clock, here: bool, page: bool) -> impl IntoView {
    let path = session_path(&row.id);
    let named = clock.clone();
    let row = row.row;
    let (shape, title, facts, at) = (row.clone(), row.clone(), row.clone(), row);
    let shape = Signal::derive(move || shape.with(|session| session.status.into()));
    let at = Signal::derive(move || at.with(|session| session.last_at.or(session.started_at)));
    let facts = move || {
        facts.with(|session| {
            let project = session.project.as_deref().map(|project| clean(project).into_owned());
            let agents = match session.agents {
                agents if agents.running > 0 => format!("{} of {} running", agents.running, agents.all),
                agents => agents_word(agents).unwrap_or_else(|| session_word(session).to_owned()),
            };
            [project, Some(agents)].into_iter().flatten().collect::<Vec<_>>().join(" · ")
        })
    };
    view! {
        <a class="row" class:on=here href=path aria-current=page.then_some("page")>
            <b dir="auto">{words(move || title.with(|session| session_name(&named, session)))}</b>
            <small><Dot shape=shape /><span class="facts">{facts}</span><span class="sep"><Ago clock=clock at=at brief=true /></span></small>
        </a>
    }
    .into_any()
}

/// The agents of the open session as a tree; those without a parent in a tray of their own.
#[component]
pub fn Agents(mirror: Mirror, n: AgentNo) -> impl IntoView {
    let rows = mirror.agents();
    let leaves = Memo::new(move |_| rows.with(|rows| tree(rows.iter().map(|row| row.standing(Leaf::of)))));
    let (trays, each) = (leaves, mirror);
    let item =
        move |leaf: Leaf| each.agent(leaf.n).map(|row| view! { <Kid mirror=each.clone() row=row depth=leaf.depth page=leaf.n == n /> });
    let loose = item.clone();
    view! {
        <ul class="kids">{stage(move || view! { <For each=move || leaves.with(|leaves| leaves.tree.clone()) key=|leaf| *leaf children=item /> })}</ul>
        {live(move || trays.with(|leaves| !leaves.loose.is_empty()).then(|| view! { <h3 class="tray">"Without a parent"</h3> }))}
        <ul class="kids"><For each=move || leaves.with(|leaves| leaves.loose.clone()) key=|leaf| *leaf children=loose /></ul>
    }
    .into_any()
}

#[component]
fn Kid(mirror: Mirror, row: AgentRow, depth: u32, page: bool) -> impl IntoView {
    let AgentRow { n, row, .. } = row;
    let (shape, title, path, time) = (row.clone(), row.clone(), row.clone(), row);
    let title = Memo::new(move |_| title.with(|agent| clean(&agent.title).into_owned()));
    let session = mirror.id().to_owned();
    let path = Memo::new(move |_| path.with(|agent| agent_path(&session, &agent.id)));
    let shape = Signal::derive(move || shape.with(|agent| agent.status.into()));
    let asks = time.clone();
    let asks = Memo::new(move |_| asks.with(|agent| agent.status == AgentStatus::Waiting && agent.waiting_on == Some(WaitingOn::Person)));
    let taken = agent_time(mirror.clock, time);
    let time = Memo::new(move |_| if asks.get() { Some("asks".to_owned()) } else { taken.get() });
    view! {
        <li>
            <a class=format!("kid deep{} {}", depth.min(DEEPEST), hue(n)) href=path title=title aria-current=page.then_some("page")>
                <Dot shape=shape />
                <span class="name" dir="auto">{title}</span>
                <span class="num" data-clock="" aria-hidden="true">{time}</span>
            </a>
        </li>
    }
    .into_any()
}

/// The agents where there is no room for a column: folded above the conversation, the most urgent first.
#[component]
pub fn AgentStrip(mirror: Mirror) -> impl IntoView {
    let session = mirror.session();
    let words = Memo::new(move |_| session.with(|session| agents_word(session.agents)));
    let rows = mirror.agents();
    let order = Memo::new(move |_| {
        let shown = |row: &AgentRow| row.standing(|agent| (agent.n != MAIN && !agent.is_aside()).then(|| urgency(agent)));
        let mut order = rows.with(|rows| rows.iter().filter_map(shown).collect::<Vec<_>>());
        order.sort_unstable();
        order.into_iter().map(|(.., n)| n).collect::<Vec<_>>()
    });
    let item = move |n| mirror.agent(n).map(|row| view! { <Kid mirror=mirror.clone() row=row depth=0 page=false /> }.into_any());
    let item = StoredValue::new(item);
    move || {
        words.with(Option::is_some).then(|| {
            view! {
                <nav class="strip" aria-label="Agents"><details>
                    <summary class="num">{words}</summary>
                    <ul class="kids"><For each=move || order.get() key=|n| *n children=move |n| item.with_value(|item| item(n)) /></ul>
                </details></nav>
            }
        })
    }
}
