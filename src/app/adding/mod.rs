//! Files that a person adds on the list of sessions: chosen by a button, or dropped anywhere on the page.
//!
//! Decision: all of them go to the server in one request, as they are; whether a file is a transcript, and what is wrong with it, is
//! the server's to say. Invariant: one at a time, and until all is sent it can be cancelled without a trace.

#[cfg(feature = "hydrate")]
mod entries;
#[cfg(feature = "hydrate")]
mod sending;

use leptos::attr::custom::custom_attribute;
use leptos::html::Input;
use leptos::prelude::*;

use super::clean;
use super::live::{live, words};
use super::numbers::{count, session_path};
use super::pages::session_title;

/// Behind what is said of the one that is under way.
const LATE: &str = " · What was dropped meanwhile was not taken: drop it again once this is done.";

/// How far it has come.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(not(feature = "hydrate"), expect(dead_code, reason = "the server only draws the beginning"))]
enum Stage {
    #[default]
    Idle,
    /// Of so many files, so much in 100.
    Sending(usize, u32),
    /// All is sent; the server reads.
    Reading(usize),
    /// What the server says, and the id and title of each session with the newest activity.
    Added(String, Vec<(String, String)>),
    /// In one sentence.
    Failed(String),
}

/// Files on their way.
#[derive(Clone, Copy)]
pub struct Adding {
    stage: RwSignal<Stage>,
    /// True while files are held over the page.
    over: RwSignal<bool>,
    /// True if more was dropped while one was under way, and not taken.
    late: RwSignal<bool>,
    #[cfg(feature = "hydrate")]
    request: StoredValue<Option<sending::Request>, LocalStorage>,
}

impl Adding {
    /// Takes what is dropped on the page, until the owner ends.
    pub fn new() -> Self {
        let adding = Self {
            stage: RwSignal::default(),
            over: RwSignal::new(false),
            late: RwSignal::new(false),
            #[cfg(feature = "hydrate")]
            request: StoredValue::new_local(None),
        };
        #[cfg(feature = "hydrate")]
        entries::watch(adding);
        adding
    }

    /// Gives up what is being sent.
    fn cancel(self) {
        #[cfg(feature = "hydrate")]
        self.request.set_value(None);
        self.late.set(false);
        self.stage.set(Stage::Idle);
    }
}

/// Buttons that ask for files, and for a folder where a browser can choose one.
#[component]
pub fn AddButtons(
    adding: Adding,
    /// The server cannot be reached.
    away: Memo<bool>,
) -> impl IntoView {
    let (files, folder) = (NodeRef::<Input>::new(), NodeRef::<Input>::new());
    let busy = Memo::new(move |_| adding.stage.with(|stage| matches!(stage, Stage::Sending(..) | Stage::Reading(_))));
    let button = move |name: &'static str, class: &'static str, input: NodeRef<Input>| {
        let ask = move |_| input.get_untracked().into_iter().for_each(|input| input.click());
        view! { <button type="button" class=class disabled=move || busy.get() || away.get() on:click=ask>{name}</button> }.into_any()
    };
    let chosen = move |_input: NodeRef<Input>| {
        #[cfg(feature = "hydrate")]
        entries::chosen(adding, _input);
    };
    view! {
        <div class="adds">
            {button("Add files", "btn", files)}
            {button("Add a folder", "btn folder", folder)}
            <input type="file" multiple hidden aria-label="Files to add" node_ref=files on:change=move |_| chosen(files) />
            <input type="file" multiple hidden aria-label="A folder to add" {..custom_attribute("webkitdirectory", "")} node_ref=folder on:change=move |_| chosen(folder) />
        </div>
    }
    .into_any()
}

/// What becomes of them, and the place to drop them.
#[component]
pub fn AddStatus(adding: Adding) -> impl IntoView {
    let stage = adding.stage;
    let said = words(move || {
        let said = stage.with(Stage::words);
        if adding.late.get() { format!("{said}{LATE}") } else { said }
    });
    let failed = Memo::new(move |_| stage.with(|stage| matches!(stage, Stage::Failed(_))));
    let percent = Memo::new(move |_| stage.with(|stage| if let Stage::Sending(_, percent) = stage { Some(*percent) } else { None }));
    let sending = Memo::new(move |_| percent.get().is_some());
    let ended = Memo::new(move |_| stage.with(|stage| matches!(stage, Stage::Added(..) | Stage::Failed(_))));
    let idle = Memo::new(move |_| stage.with(|stage| *stage == Stage::Idle));
    let bar = move || view! { <progress max="100" aria-label="Sent" prop:value=move || percent.get().unwrap_or(100)></progress> };
    let button =
        move |name: &'static str| view! { <button type="button" class="btn ghost" on:click=move |_| adding.cancel()>{name}</button> };
    let links = move || {
        let found = stage.with(|stage| if let Stage::Added(_, newest) = stage { newest.clone() } else { Vec::new() });
        let link = |(id, title): (String, String)| view! { <li><a href=session_path(&id)>{session_title(&title)}</a></li> };
        (!found.is_empty()).then(|| view! { <ul>{found.into_iter().map(link).collect_view()}</ul> })
    };
    view! {
        <section class="added" class:idle=move || idle.get() class:failed=move || failed.get() aria-label="Adding files">
            <p role="status">{said}</p>
            {live(move || sending.get().then(bar))}
            {live(move || sending.get().then(|| button("Cancel")))}
            {live(links)}
            {live(move || ended.get().then(|| button("Close")))}
        </section>
        <p class="drop" class:over=move || adding.over.get() aria-hidden="true"><span>"Drop to add"</span></p>
    }
    .into_any()
}

impl Stage {
    fn words(&self) -> String {
        match self {
            Self::Idle => String::new(),
            Self::Sending(files, _) => format!("Sending {}", count(*files as u64, "file")),
            Self::Reading(files) => format!("Reading {}", count(*files as u64, "file")),
            // The name of a file may stand in it.
            Self::Added(said, _) | Self::Failed(said) => clean(said).into_owned(),
        }
    }
}
