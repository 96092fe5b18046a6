//! A session's conversation, or one of its agents as a page of its own.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::{use_params_map, use_query_map};

use super::agent::{AgentFoot, AgentHead};
use super::asking::AskKeeping;
use super::delete::{DeleteDialog, DeleteItem};
use super::failed::{Failed, Missing};
use super::header::{Header, LinePill};
use super::home::{session_name, session_title};
use super::save::Save;
use super::side::{AgentStrip, Side};
use crate::BUILD;
use crate::app::calls::Opened;
use crate::app::cards::{CardLayer, Cards};
use crate::app::desk::Desk;
use crate::app::kept;
use crate::app::live::{later, live, meanwhile, stage, words};
use crate::app::mirror::{Mirror, badge, follow};
use crate::app::numbers::{agent_path, clip, count, session_path};
use crate::app::palette::{Finder, Palette};
use crate::app::spent::{Gauge, Spent};
use crate::app::status::{Dot, quiet, session_word};
use crate::app::transcript::{Skeleton, Transcript};
use crate::app::{clean, dom, secrets};
use crate::model::{Agent, AgentNo, AgentStatus, MAIN, Session, SessionStatus, WaitingOn, read_segment};

/// What an address asks for.
#[derive(Clone, PartialEq)]
struct Address {
    session: String,
    agent: Option<String>,
    before: Option<u32>,
    around: Option<u32>,
}

/// The page of a session, and of each of its agents.
#[component]
pub fn SessionView() -> impl IntoView {
    let (params, query) = (use_params_map(), use_query_map());
    let address = Memo::new(move |_| {
        let number = |name: &str| query.with(|query| query.get(name)?.parse().ok());
        params.with(|params| Address {
            session: params.get("session").map(|id| read_segment(&id).into_owned()).unwrap_or_default(),
            agent: params.get("agent").map(|id| read_segment(&id).into_owned()),
            before: number("before"),
            around: number("around"),
        })
    });
    move || {
        let address = address.get();
        view! { <div class="view">{stage(move || view! { <Page address=address /> })}</div> }
    }
}

#[component]
fn Page(address: Address) -> impl IntoView {
    let Address { session, agent, before, around } = address;
    let own = agent.is_some();
    let opened = Resource::new_blocking(|| (), move |()| kept::session(session.clone(), agent.clone(), before, around));
    // The head is sent before what stands in the Suspense: the title is read from the rows themselves.
    let title = move || opened.with(|opened| opened.as_ref().and_then(|opened| opened.as_ref().ok()).map(first_title).unwrap_or_default());
    let rows = move || {
        view! {
            <Suspense fallback=meanwhile(Bones)>
                {move || Suspend::new(async move {
                    match opened.await {
                        Ok(opened) => view! { <Desktop opened=opened own=own /> }.into_any(),
                        Err(failure) => view! { <Failed failure=failure /> }.into_any(),
                    }
                })}
            </Suspense>
        }
    };
    view! {
        <Title text=title />
        <div class="view">{stage(rows)}</div>
    }
    .into_any()
}

/// The page with its rows. `own` for an agent's page of its own, which has no cards.
#[component]
fn Desktop(opened: Opened, own: bool) -> impl IntoView {
    let n = opened.page.entries.agent;
    let mirror = Mirror::new(opened);
    mirror.clock.run();
    follow(mirror.clone());
    kept::follow(&mirror);
    badge(&mirror.list);
    if !own {
        provide_context(Desk::default());
    }
    provide_context(secrets::Here);
    secrets::enter(mirror.id());
    Effect::new(move |_| dom::mark_hydrated(BUILD));
    let gone = mirror.gone.clone();
    move || if gone.get() { view! { <Missing /> }.into_any() } else { view! { <Sheet mirror=mirror.clone() n=n own=own /> }.into_any() }
}

#[component]
fn Sheet(mirror: Mirror, n: AgentNo, own: bool) -> impl IntoView {
    let title = page_title(&mirror, n);
    let above = mirror.clone();
    let finder = Finder { list: mirror.list.clone(), mirror: Some(mirror.clone()), agent: n, desk: use_context() };
    let layer = use_context::<Desk>().map(|desk| desk.layer);
    let layout = move |is: fn(&Cards) -> bool| {
        let layer = layer.clone();
        Memo::new(move |_| layer.as_ref().and_then(|layer| layer.get()).is_some_and(|cards| is(&cards)))
    };
    // Classes, not `:has`: what asks for cards in the page would be worked out again at each row that comes.
    let (carded, railed) = (layout(Cards::floats), layout(|cards| cards.beside().is_some()));
    let deleting = RwSignal::new(false);
    let (saved, deleted) = (mirror.id().to_owned(), mirror.clone());
    let items = move || view! { <Save session=saved.clone() /><DeleteItem asked=deleting /> };
    let page = move || {
        view! {
            <Side mirror=mirror.clone() n=n />
            {(!own).then(|| view! { <AgentStrip mirror=mirror.clone() /> })}
            <main class="desk" class:carded=move || carded.get() class:railed=move || railed.get() id="main">
                {own.then(|| view! { <AgentHead mirror=mirror.clone() n=n /> })}
                <Transcript mirror=mirror.clone() agent=n />
                // Here it takes its room from the transcript's end, so nothing that is read moves.
                <AskKeeping />
                {if own {
                    view! { <AgentFoot mirror=mirror.clone() n=n /> }.into_any()
                } else {
                    view! { <CardLayer mirror=mirror.clone() /> }.into_any()
                }}
            </main>
        }
    };
    view! {
        <Title text=title />
        <Header items=items><Where mirror=above /><Palette finder=finder /></Header>
        <div class="page" class:own=own>{stage(page)}</div>
        {later(move || view! { <DeleteDialog mirror=deleted.clone() asked=deleting /> })}
    }
    .into_any()
}

fn page_title(mirror: &Mirror, n: AgentNo) -> Memo<String> {
    let (session, agent) = (mirror.session(), mirror.agent(n).map(|agent| agent.row));
    Memo::new(move |_| session.with(|session| title_of(session, n, agent.as_ref().map(|agent| agent.get()).as_ref())))
}

fn first_title(opened: &Opened) -> String {
    let page = &opened.page;
    let n = page.entries.agent;
    title_of(&page.session, n, page.agents.iter().find(|agent| agent.n == n))
}

fn title_of(session: &Session, n: AgentNo, agent: Option<&Agent>) -> String {
    let session = session_title(&session.title);
    match agent {
        Some(agent) if n != MAIN => format!("{} · {session}", clean(&agent.title)),
        _ => session,
    }
}

/// Where one is, and how the session is.
#[component]
fn Where(mirror: Mirror) -> impl IntoView {
    let path = session_path(mirror.id());
    let row = mirror.session();
    let (project, title, shape, word) = (row.clone(), row.clone(), row.clone(), row);
    let shape = Signal::derive(move || shape.with(|session| session.status.into()));
    let (clock, named) = (mirror.clock.clone(), mirror.clock.clone());
    view! {
        {live(move || project.with(|session| session.project.as_deref().map(|project| view! { <span class="crumb">"/ "{clean(project).into_owned()}</span> })))}
        <h1 class="title"><a href=path dir="auto">{words(move || title.with(|session| session_name(&named, session)))}</a></h1>
        <span class="pill state">
            <Dot shape=shape />
            <span>{words(move || word.with(|session| {
                let said = match session.agents {
                    agents if agents.running > 0 => format!("{} · {} of {} agents", session_word(session), agents.running, agents.all),
                    _ => session_word(session).to_owned(),
                };
                match quiet(&clock, session.status == SessionStatus::Running, session.last_at) {
                    Some(quiet) => format!("{said} · {quiet}"),
                    None => said,
                }
            }))}</span>
        </span>
        <Gauge mirror=mirror.clone() n=MAIN />
        <Spent mirror=mirror.clone() n=None />
        <Asking mirror=mirror.clone() />
        <LinePill line=mirror.line.clone() clock=mirror.clock.clone() />
    }
    .into_any()
}

/// Who waits for the person, however deep it stands, where that is not the main agent itself.
#[component]
fn Asking(mirror: Mirror) -> impl IntoView {
    let rows = mirror.clone();
    let asks = Memo::new(move |_| {
        let waits =
            |agent: &Agent| agent.status == AgentStatus::Waiting && agent.waiting_on == Some(WaitingOn::Person) && !agent.is_aside();
        rows.agents().with(|agents| {
            let mut asking = agents
                .iter()
                .filter(|agent| agent.n != MAIN)
                .filter_map(|agent| agent.standing(|agent| waits(agent).then(|| (agent.id.clone(), agent.title.clone()))));
            asking.next().map(|first| (first, asking.count()))
        })
    });
    let words = |title: &str, others: usize| match others {
        0 => format!("{} asks", clip(&clean(title), 40)),
        more => format!("{} and {} ask", clip(&clean(title), 40), count(more as u64, "other")),
    };
    let session = mirror.id().to_owned();
    live(move || {
        asks.get().map(|((id, title), others)| view! { <a class="pill warn" href=agent_path(&session, &id)>{words(&title, others)}</a> })
    })
}

/// The page's frame before its rows are there.
#[component]
fn Bones() -> impl IntoView {
    view! {
        <Header><h1 class="title bones"><i></i></h1></Header>
        <div class="page">
            <nav class="side bones" aria-hidden="true">{(0..6).map(|_| view! { <i></i><i class="half"></i> }).collect_view()}</nav>
            <main class="desk" id="main"><div class="transcript"><Skeleton /></div></main>
        </div>
    }
    .into_any()
}
