//! What stands above and below the transcript on an agent's own page.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::header::LinePill;
use super::home::session_name;
use crate::app::calls::{self, Report};
use crate::app::clean;
use crate::app::icon::{Icon, icon};
use crate::app::live::{live, stage, words};
use crate::app::markdown::Markdown;
use crate::app::mirror::Mirror;
use crate::app::numbers::{agent_path, clip, count, session_path};
use crate::app::spent::{Gauge, Spent};
use crate::app::status::{Dot, agent_said, agent_time, agent_word, hue, quiet};
use crate::app::trail::{Back, Refresh};
use crate::app::transcript::{KIND, link_word};
use crate::deck::CardId;
use crate::model::{AgentNo, MAIN};

/// Who the agent is, whose it is, and the way back.
#[component]
pub fn AgentHead(mirror: Mirror, n: AgentNo) -> impl IntoView {
    let Some(row) = mirror.agent(n) else { return ().into_any() };
    let row = row.row;
    let (shape_row, under_row) = (row.clone(), row.clone());
    let (shape, title, kind, facts, link, parts) = (row.clone(), row.clone(), row.clone(), row.clone(), row.clone(), row.clone());
    let shape = Signal::derive(move || shape.with(|agent| agent.status.into()));
    let clock = mirror.clock.clone();
    let time = agent_time(clock.clone(), row.clone());
    let facts = Memo::new(move |_| {
        facts.with(|agent| {
            [
                Some(agent_word(agent).to_owned()),
                time.get(),
                quiet(&clock, agent.status.is_running(), agent.last_at),
                agent.cause.as_deref().filter(|cause| !matches!(*cause, "explicit" | "result")).map(|cause| clip(&clean(cause), 80)),
                Some(count(agent.tool_calls, "step")),
                agent.model.as_deref().map(|model| clean(model).into_owned()),
            ]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" · ")
        })
    });
    // Where there is little room: its word, and whose it is by that one's title; the main agent's is the session's.
    let (word, clock_of_word, line, said_by) = (shape_row, mirror.clock.clone(), mirror.line.clone(), mirror.clock.clone());
    let (rows, session) = (mirror.clone(), mirror.session());
    let under = Memo::new(move |_| match under_row.with(|agent| agent.parent) {
        Some(MAIN) | None => Some((session.with(|session| session_name(&rows.clock, session)), session_path(rows.id()))),
        Some(n) => above(&rows, n),
    });
    let back = session_path(mirror.id());
    let as_card = format!("{back}?cards={}", CardId::Agent(n));
    let beside = format!("{as_card}.rail");
    let rows = mirror.clone();
    let parent = Memo::new(move |_| row.with(|agent| agent.parent).and_then(|n| above(&rows, n)));
    let rows = mirror.clone();
    let whole = Memo::new(move |_| parts.with(|agent| agent.part_of).and_then(|n| above(&rows, n)));
    let head = move || {
        view! {
            <a class="btn ghost back up" href=back aria-label="Back to the conversation">{icon(Icon::Back)}</a>
            <Back />
            <div class="names">
                <h2><Dot shape=shape /> <span dir="auto">{words(move || title.with(|agent| clean(&agent.title).into_owned()))}</span>
                    {live(move || kind.with(|agent| agent.kind.as_deref().map(|kind| view! { <span class="kind">{format!("({})", clip(&clean(kind), KIND))}</span> })))}
                </h2>
                <p class="under">
                    <span class="num">{words(move || word.with(|agent| agent_said(&clock_of_word, agent)))}</span>
                    {live(move || under.get().map(|(title, path)| view! { <span class="sep"><a href=path dir="auto">{title}</a></span> }))}
                </p>
                <p class="facts">
                    <span class="num">{facts}</span>
                    {live(move || parent.get().map(|(title, path)| view! { <span class="sep">"started by "<a href=path>{title}</a></span> }))}
                    {live(move || whole.get().map(|(title, path)| view! { <span class="sep">"part of "<a href=path>{title}</a></span> }))}
                    {live(move || (n != MAIN).then(|| link.with(|agent| link_word(agent.link))).flatten().map(|word| view! { <span class="sep evidence">{format!("Link: {word}")}</span> }))}
                </p>
            </div>
            {(n != MAIN).then(|| view! {
                <span class="as">
                    <a class="btn ghost" href=as_card>"As a card"</a>
                    <a class="btn ghost" href=beside>"Beside the conversation"</a>
                </span>
            })}
            <LinePill line=line clock=said_by />
            <Refresh />
        }
    };
    view! { <div class=format!("agent-head {}", hue(n))>{stage(head)}</div> }.into_any()
}

/// An agent's title and address, as the way up to it.
fn above(mirror: &Mirror, n: AgentNo) -> Option<(String, String)> {
    if n == MAIN {
        return Some(("the main agent".into(), session_path(mirror.id())));
    }
    let row = mirror.agent(mirror.shown(n))?;
    Some(row.row.with(|agent| (clean(&agent.title).into_owned(), agent_path(mirror.id(), &agent.id))))
}

/// What the agent reported, if its transcript does not hold it, and what it used.
#[component]
pub fn AgentFoot(mirror: Mirror, n: AgentNo) -> impl IntoView {
    let row = mirror.agent(n).map(|agent| agent.row);
    let ended = Memo::new(move |_| row.as_ref().is_some_and(|row| row.with(|agent| agent.status.is_end())));
    let session = mirror.id().to_owned();
    let report = RwSignal::new(Report::None);
    Effect::new(move |_| {
        if ended.get() && n != MAIN {
            let session = session.clone();
            spawn_local(async move {
                if let Ok(found) = calls::report(session, n).await {
                    report.set(found);
                }
            });
        }
    });
    view! {
        {live(move || match report.get() {
            Report::Other(long) => Some(view! {
                <section class="report" aria-label="Report"><h3>"Reported to the agent that started it"</h3><Markdown text=move || (long.text.clone(), false) /></section>
            }),
            Report::None | Report::Same => None,
        })}
        <footer class="foot">
            {stage(move || view! { <span>"Read-only"</span><Gauge mirror=mirror.clone() n=n /><Spent mirror=mirror n=Some(n) /> })}
        </footer>
    }
    .into_any()
}
