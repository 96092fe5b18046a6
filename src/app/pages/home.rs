//! The session list, live.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use leptos::ev::{MouseEvent, PointerEvent};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use super::failed::Failed;
use super::header::{Header, LinePill};
use crate::BUILD;
use crate::app::adding::{AddButtons, AddStatus, Adding};
use crate::app::calls::{self, Listing};
use crate::app::clock::Clock;
use crate::app::kept;
use crate::app::live::{live, meanwhile, words};
use crate::app::mirror::{Feed, Line, List, Note, badge, follow, tell};
use crate::app::numbers::count;
use crate::app::palette::{Finder, Palette};
use crate::app::roster::{Roster, SelectButton, SessionCard, settled};
use crate::app::{Failure, clean, dom};
use crate::model::{AgentCounts, Change, Cursor, MAIN, Session, TitleFrom, escaped};

/// How long the order still stands after a finger is up.
const RELEASE: Duration = Duration::from_millis(350);

/// The list of sessions, newest activity first.
#[component]
pub fn Home() -> impl IntoView {
    let query = use_query_map();
    let after = Memo::new(move |_| query.with(|query| query.get("after")));
    view! {
        <Title text="" />
        {live(move || view! { <Page after=after.get() /> })}
    }
    .into_any()
}

#[component]
fn Page(after: Option<String>) -> impl IntoView {
    let first = after.is_none();
    let listing = Resource::new_blocking(|| (), move |()| kept::sessions(after.clone()));
    view! {
        <Suspense fallback=meanwhile(Bones)>
            {move || Suspend::new(async move {
                match listing.await {
                    Ok(listing) => view! { <Sessions listing=listing first=first /> }.into_any(),
                    Err(failure) => view! { <Failed failure=failure /> }.into_any(),
                }
            })}
        </Suspense>
    }
    .into_any()
}

#[component]
fn Sessions(listing: Listing, first: bool) -> impl IntoView {
    let reader = Reader::new(&listing, first);
    reader.clock.run();
    follow(reader.clone());
    badge(&reader.list);
    Effect::new(move |_| dom::mark_hydrated(BUILD));
    let (rows, clock, line_clock) = (reader.list.rows.clone(), reader.clock.clone(), reader.clock.clone());
    let empty = rows.clone();
    let finder = Finder { list: reader.list.clone(), mirror: None, agent: MAIN, desk: None };
    let adding = Adding::new();
    let line = reader.line.clone();
    let away = Memo::new(move |_| matches!(line.get(), Line::Lost { .. } | Line::Saved { .. }));
    let Some(roster) = use_context::<Roster>() else { return ().into_any() };
    Effect::new(move |_| roster.return_to());
    on_cleanup(move || roster.rest());
    let said = roster.said;
    let selecting = Memo::new(move |_| roster.picking.with(Option::is_some));
    let some = rows.clone();
    let foldable =
        Memo::new(move |_| some.with(|rows| rows.iter().find(|row| row.row.with(|row| row.agents.all > 0)).map(|row| row.id.clone())));
    let stood = StoredValue::new(Vec::<String>::new());
    let shown = move || {
        let rows = rows.get();
        let rows = if roster.is_frozen() { stood.with_value(|stood| settled(stood, &rows, |row| row.id.clone())) } else { rows };
        stood.set_value(rows.iter().map(|row| row.id.clone()).collect());
        rows
    };
    let presses = StoredValue::new(0_u32);
    let down = move |event: PointerEvent| {
        presses.update_value(|presses| *presses = presses.wrapping_add(1));
        roster.hold(event.pointer_type() == "touch");
    };
    // The click that follows is still meant for what was pressed; what is pressed since then holds by itself.
    let up = move |_: PointerEvent| {
        let before = presses.get_value();
        let release = move || {
            if presses.try_get_value() == Some(before) {
                roster.hold(false);
            }
        };
        set_timeout(release, RELEASE)
    };
    let leave = move |event: MouseEvent| {
        if !event.default_prevented() {
            roster.keep_place();
        }
    };
    let next = listing.next.map(|next| format!("/?after={}", escaped(&next)));
    view! {
        <Header home=true><LinePill line=reader.line.clone() clock=line_clock /><Palette finder=finder /></Header>
        <main class="home" id="main">
            <div class="top">
                <h1>"Sessions"</h1>
                {(!first).then(|| view! { <a class="btn ghost" href="/">"Newest"</a> })}
                <AddButtons adding away />
                <SelectButton first=foldable away />
            </div>
            {live(move || away.get().then(|| view! { <p class="away" role="status">"The server does not answer: nothing can be added or deleted until it is back."</p> }))}
            <AddStatus adding />
            {live(move || empty.with(Vec::is_empty).then(Empty))}
            <p class="unseen" role="status">{words(move || said.get())}</p>
            <ul class="sessions" class:selecting=move || selecting.get() on:pointerdown=down on:pointerup=up on:pointercancel=up on:click=leave>
                <For each=shown key=|row| row.id.clone() children=move |row| view! { <SessionCard row=row clock=clock.clone() /> } />
            </ul>
            {next.map(|next| view! { <p class="paging"><a class="btn" href=next>"Older sessions"</a></p> })}
        </main>
    }
    .into_any()
}

/// "2 of 5 agents running", "5 agents", or nothing.
pub fn agents_word(agents: AgentCounts) -> Option<String> {
    match (agents.running, agents.all) {
        (_, 0) => None,
        (0, all) => Some(count(u64::from(all), "agent")),
        (running, all) => Some(format!("{running} of {} running", count(u64::from(all), "agent"))),
    }
}

/// A session's title, never blank.
pub fn session_title(title: &str) -> String {
    let title = clean(title.trim());
    if title.is_empty() { "Untitled session".into() } else { title.into_owned() }
}

/// A session's title; of one without, when it began, by the viewer's clock once that is known; tracks that.
pub fn session_name(clock: &Clock, session: &Session) -> String {
    let began = session.started_at.filter(|_| session.title_from == TitleFrom::None && clock.is_local()).and_then(dom::local_time);
    match began.as_ref().and_then(|(_, whole)| Some((whole.get(..10)?, whole.get(11..16)?))) {
        Some((day, time)) => format!("Session of {day}, {time}"),
        None => session_title(&session.title),
    }
}

/// What to do where there is nothing yet.
#[component]
fn Empty() -> impl IntoView {
    view! {
        <section class="empty">
            <h2>"No sessions yet"</h2>
            <p>"They appear here by themselves as soon as an agent works in a folder that is watched. There are four ways to begin; for a command, stop this server first:"</p>
            <dl>
                <dt>"Watch your agents"</dt><dd><code>"sidedeck serve --watch ~/.claude/projects"</code></dd>
                <dt>"Bring in what is there"</dt><dd><code>"sidedeck import ~/.claude/projects"</code></dd>
                <dt>"Add them here"</dt><dd>"Press “Add files”, or drop files, a folder or a zip of them on this page."</dd>
                <dt>"See a demo"</dt><dd><code>"sidedeck serve --demo"</code></dd>
            </dl>
        </section>
    }
    .into_any()
}

/// Grey rows where the list will be.
#[component]
fn Bones() -> impl IntoView {
    let row = || view! { <li><span class="sess bones"><i class="half"></i><i class="short"></i></span></li> };
    view! {
        <Header home=true>{""}</Header>
        <main class="home" id="main" aria-busy="true">
            <div class="top"><h1>"Sessions"</h1></div>
            <ul class="sessions" aria-hidden="true">{(0..6).map(|_| row()).collect_view()}</ul>
        </main>
    }
    .into_any()
}

/// The list as a reader of the event stream.
#[derive(Clone)]
struct Reader {
    list: List,
    clock: Clock,
    line: ArcRwSignal<Line>,
    cursor: Arc<Mutex<Cursor>>,
}

impl Reader {
    fn new(listing: &Listing, first: bool) -> Self {
        Self {
            list: List::new(listing.sessions.clone(), first),
            clock: Clock::new(listing.now),
            line: ArcRwSignal::new(listing.saved.map(|at| Line::Saved { at }).unwrap_or_default()),
            cursor: Arc::new(Mutex::new(listing.cursor.parse().unwrap_or_default())),
        }
    }
}

impl Feed for Reader {
    fn query(&self) -> String {
        String::new()
    }

    fn watch(&self) {}

    fn start(&self) -> Cursor {
        *self.cursor.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reached(&self, cursor: Cursor) {
        *self.cursor.lock().unwrap_or_else(PoisonError::into_inner) = cursor;
    }

    fn take(&self, changes: Vec<Change>) {
        for change in &changes {
            self.list.apply(change);
        }
    }

    fn note(&self, note: Note) {
        let back = tell(&self.line, &note);
        if let Note::Uptodate { at } = note {
            self.clock.correct(at);
            if back {
                // A saved list holds what was opened here alone.
                let reader = self.clone();
                spawn_local(async move { drop(reader.resume().await) });
            }
        }
    }

    async fn resume(&self) -> Result<(), Failure> {
        let listing = calls::sessions(None).await?;
        self.list.replace(listing.sessions);
        self.reached(listing.cursor.parse().unwrap_or_default());
        Ok(())
    }
}
