//! Steps that started agents: who they are, how they are, and the two ways in.

use leptos::ev::MouseEvent;
use leptos::prelude::*;

use super::scene::{Scene, of_tool};
use super::step::Step;
use crate::app::clean;
use crate::app::clock::ClockTime;
use crate::app::desk::Desk;
use crate::app::icon::{Icon, icon};
use crate::app::live::{live, words};
use crate::app::mirror::{AgentRow, Item, Kin};
use crate::app::numbers::{agent_path, clip, count};
use crate::app::status::{Dot, agent_time, agent_word, hue, quiet, reason};
use crate::model::{Agent, AgentNo, AgentStatus, Entry, Link};

/// How much of an agent's type is shown, in characters.
pub const KIND: usize = 48;

/// Agents that were started one after the other.
#[component]
pub fn Starts(scene: Scene, #[prop(into)] items: Signal<Vec<Item>>) -> impl IntoView {
    let title = move || {
        let count = items.with(Vec::len);
        if count == 1 { "1 agent started".to_owned() } else { format!("{count} agents started in parallel") }
    };
    let at = move || items.with(|items| items.first().and_then(|item| item.entry.with(|entry| entry.at)));
    let clock = scene.clock().clone();
    view! {
        <section class="group" aria-label="Agents started">
            <div class="head">
                <span>{title}</span>
                {live(move || at().map(|at| view! { <span class="t"><ClockTime clock=clock.clone() at=at /></span> }))}
            </div>
            <For each=move || items.get() key=|item| item.seq children=move |item| view! { <Start scene=scene.clone() item=item /> } />
        </section>
    }
    .into_any()
}

#[component]
fn Start(scene: Scene, item: Item) -> impl IntoView {
    let seq = item.seq;
    let whole = item.clone();
    let (kin, entry) = (item.kin, item.entry);
    let mirror = scene.mirror.clone();
    let agent = Memo::new(move |_| match kin.get() {
        Kin::Start(n) => Some(mirror.shown(n)),
        Kin::None | Kin::Opaque | Kin::Read => None,
    });
    let rows = scene.mirror.agents();
    let there = Memo::new(move |_| agent.get().is_some_and(|n| rows.with(|rows| rows.iter().any(|row| row.n == n))));
    move || {
        let n = agent.get()?;
        let row = scene.mirror.agent(n).filter(|_| there.get());
        Some(match row {
            Some(row) => view! { <Known scene=scene.clone() seq=seq row=row entry=entry.clone() /> }.into_any(),
            // Without its agent, as when that was deleted, a start is a step like others: its call and its report are the parent's own.
            None => view! { <div class="start"><Step scene=scene.clone() item=whole.clone() /></div> }.into_any(),
        })
    }
}

#[component]
fn Known(scene: Scene, seq: u32, row: AgentRow, entry: ArcRwSignal<Entry>) -> impl IntoView {
    let n = row.n;
    let row = row.row;
    let desk = use_context::<Desk>();
    let touch = desk.clone();
    let touch = move |on: bool| {
        if let Some(desk) = &touch {
            if on { desk.touch(n) } else { desk.release(n) }
        }
    };
    let (enter, leave, focus, blur) = (touch.clone(), touch.clone(), touch.clone(), touch);
    let touched = desk.clone();
    let touched = move || touched.as_ref().is_some_and(|desk| desk.touched.get() == Some(n));
    let session = scene.mirror.id().to_owned();
    let (shape, title, kind, word, steps, path, aim) =
        (row.clone(), row.clone(), row.clone(), row.clone(), row.clone(), row.clone(), row.clone());
    let shape = Signal::derive(move || shape.with(|agent| agent.status.into()));
    let title = Memo::new(move |_| title.with(|agent| clean(&agent.title).into_owned()));
    let path = Memo::new(move |_| path.with(|agent| agent_path(&session, &agent.id)));
    let kind = Memo::new(move |_| kind.with(|agent| agent.kind.as_deref().map(|kind| format!("({})", clip(&clean(kind), KIND)))));
    let clock = scene.clock().of(n);
    let doing = Memo::new(move |_| aim.with(|agent| doing(agent).or_else(|| quiet(&clock, agent.status.is_running(), agent.last_at))));
    let clock = scene.clock().clone();
    let time = agent_time(clock, row.clone());
    let failure = Memo::new(move |_| of_tool(&entry, |_, tool| tool.error.as_ref().map(|error| clip(&clean(error.text.trim()), 400))));
    let running = row.clone();
    let running = Memo::new(move |_| running.with(|agent| agent.status.is_running()));
    let evidence = Memo::new(move |_| row.with(|agent| link_word(agent.link)));
    view! {
        <div
            class=format!("start {}", hue(n)) class:touched=touched data-seq=seq data-kind="tool" data-agent=n
            on:pointerenter=move |_| enter(true) on:pointerleave=move |_| leave(false) on:focusin=move |_| focus(true) on:focusout=move |_| blur(false)
        >
            <div class="line">
                <Dot shape=shape />
                <a class="name" href=path>{title}</a>
                {live(move || kind.get().map(|kind| view! { <span class="kind">{kind}</span> }))}
                <span class="aim" class:mono=running>{doing}</span>
                <span class="t">
                    <span class="word">{words(move || word.with(agent_word))}</span>
                    <span class="num" data-clock="" aria-hidden="true">{time}</span>
                    <span class="num steps">{words(move || count(steps.with(|agent| agent.tool_calls), "step"))}</span>
                </span>
                {desk.map(|desk| view! {
                    <a class="link opens" href=path on:click=move |event| open(&desk, n, &event)>"Open card" {icon(Icon::Open)}<span class="seen-not">{words(move || format!(" of {}", title.get()))}</span></a>
                })}
                <a class="link way" href=path>"Full page"<span class="seen-not">{words(move || format!(" {}", title.get()))}</span></a>
            </div>
            {live(move || evidence.get().map(|word| view! { <p class="evidence">{format!("Link to this step: {word}")}</p> }))}
            {live(move || failure.get().map(|text| view! { <pre class="error" tabindex="0">{text}</pre> }))}
        </div>
    }
    .into_any()
}

/// Opens an agent's card. It is a link to the agent's page, which it leads to where there are no cards, or not yet, or in another tab.
fn open(desk: &Desk, n: AgentNo, event: &MouseEvent) {
    let plain = event.button() == 0 && !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key());
    if plain && desk.has_cards.get_untracked() {
        event.prevent_default();
        desk.wish.set(Some(n));
    }
}

/// The tool that a running agent uses; of one that has ended, why, or where its report is: a report is seen once.
fn doing(agent: &Agent) -> Option<String> {
    let text = match (agent.status, agent.cause.as_deref()) {
        (status, _) if status.is_running() => agent.current_tool.as_deref()?,
        (AgentStatus::Finished, _) => "report in its transcript",
        // A result's error stands below.
        (_, Some("result")) => return None,
        _ => return reason(agent),
    };
    Some(clip(&clean(text).replace('\n', " "), 120))
}

/// How we know whose child an agent is, where it is not certain.
pub fn link_word(link: Link) -> Option<&'static str> {
    match link {
        Link::Exact | Link::Sidecar => None,
        Link::Later => Some("found in the result's text"),
        Link::Assigned => Some("assigned by a person"),
        Link::Inferred => Some("inferred, as the only one left"),
        Link::Unlinked => Some("none; the agent stands by itself"),
    }
}
