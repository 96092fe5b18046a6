//! The command palette: sessions, agents, entries and everything that can be done to cards, by typing.
//!
//! Decision: a modal `<dialog>` with a combobox, made of what the page already has; only a page that holds no list of sessions asks
//! for it, once. What is chosen is clicked, so that a link is a link for the router too.

mod matching;
mod offer;

use leptos::ev::{self, KeyboardEvent};
use leptos::html::{Dialog, Input};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, Event, HtmlElement};
use leptos_router::hooks::use_query_map;

use super::calls;
use super::cards::Cards;
use super::desk::Desk;
use super::icon::{Icon, icon};
use super::live::later;
use super::mirror::{List, Mirror};
use super::trail;
use crate::model::{AgentNo, MAIN};
use offer::{Offer, Way, offers};

/// Its name for the way back.
const NAME: &str = "palette";

/// What the palette of a page can find.
#[derive(Clone)]
pub struct Finder {
    pub list: List,
    pub mirror: Option<Mirror>,
    /// The agent whose transcript the page shows.
    pub agent: AgentNo,
    pub desk: Option<Desk>,
}

/// A wish for the palette, with what stands in its field at first.
#[derive(Clone, Copy)]
struct Asked(RwSignal<Option<&'static str>>);

/// What the keyboard does, by place: keys, and what they do.
const KEYS: [(&str, &str); 14] = [
    ("Ctrl K, ⌘ K", "This palette"),
    ("F6, Shift F6", "Conversation, cards from the front, the column beside it, the dock below"),
    ("Shift Esc", "Hide all floating cards, and show them again"),
    ("Enter on a card’s title", "The card’s menu"),
    ("Arrows, while a card is moved or sized", "16 px; with Shift 64, with Ctrl 1; Home, End, Page up, Page down to the edges"),
    ("Enter, Esc, while a card is moved or sized", "Keep it, put it back"),
    ("Alt, while a card is dragged", "Without sticking to edges"),
    ("Esc on a card", "Back to its step"),
    ("← → Home End in the dock", "From chip to chip"),
    ("Alt ← → in the dock", "Sort minimised cards"),
    ("← → Home End on tabs", "From card to card in the column; with Alt sort them"),
    ("← → Home End on the edge of the column", "Its width"),
    ("Page up, Page down, Home in a transcript", "Scroll, and stop following"),
    ("End in a transcript", "To the end, and follow it"),
];

/// Lets all pages below open the palette.
pub fn provide() {
    provide_context(Asked(RwSignal::new(None)));
}

/// Opens the palette when it is set.
pub fn asked() -> Option<RwSignal<Option<&'static str>>> {
    use_context::<Asked>().map(|asked| asked.0)
}

impl Finder {
    /// The finder of a page that has no rows of its own.
    pub fn bare() -> Self {
        Self { list: List::new(Vec::new(), false), mirror: None, agent: MAIN, desk: None }
    }

    /// The card layer, where cards can be shown now.
    fn layer(&self) -> Option<Cards> {
        let desk = self.desk.as_ref().filter(|desk| desk.has_cards.get_untracked())?;
        desk.layer.get_untracked()
    }
}

/// The palette of a page, and the button that opens it.
#[component]
pub fn Palette(finder: Finder) -> impl IntoView {
    let (dialog, input) = (NodeRef::<Dialog>::new(), NodeRef::<Input>::new());
    let query = RwSignal::new(String::new());
    let active = RwSignal::new(0_usize);
    let open = RwSignal::new(false);
    let asked = asked();
    // Notifies when a list has come that was asked for.
    let fetched = RwSignal::new(());
    let sessions = finder.list.clone();
    Effect::new(move |_| {
        let Some((asked, dialog)) = asked.zip(dialog.get()) else { return };
        let Some(first) = asked.get() else { return };
        asked.set(None);
        query.set(first.to_owned());
        active.set(0);
        open.set(true);
        if !dialog.open() {
            let _ = dialog.show_modal();
            trail::cover(NAME, move || dialog.close());
        }
        if sessions.rows.with_untracked(Vec::is_empty) {
            let sessions = sessions.clone();
            spawn_local(async move {
                if let Ok(listing) = calls::sessions(None).await {
                    sessions.replace(listing.sessions);
                    fetched.try_set(());
                }
            });
        }
        if let Some(input) = input.get_untracked() {
            input.set_value(first);
        }
    });
    Effect::new(move |_| {
        let keys = window_event_listener(ev::keydown, move |event| {
            let wanted =
                event.key().eq_ignore_ascii_case("k") && (event.ctrl_key() || event.meta_key()) && !event.shift_key() && !event.alt_key();
            if let Some(asked) = asked.filter(|_| wanted) {
                event.prevent_default();
                asked.set(Some(""));
            }
        });
        on_cleanup(move || keys.remove());
    });
    on_cleanup(|| trail::uncover(NAME));
    let around = use_query_map().with_untracked(|query| query.get("around")?.parse().ok());
    Effect::new(move |_| {
        if let Some(seq) = around {
            request_animation_frame(move || show_entry(seq));
        }
    });
    let close = move || {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    let count = RwSignal::new(0_usize);
    let list = move || {
        let query = query.get();
        fetched.track();
        if !open.get() || query.starts_with('?') {
            count.set(0);
            return ().into_any();
        }
        let offers = offers(&finder, &query);
        count.set(offers.len());
        if offers.is_empty() {
            return view! { <p class="none">"Nothing here is called that. Type ? for the keyboard’s shortcuts."</p> }.into_any();
        }
        let options = offers.into_iter().enumerate().map(|(at, offer)| view! { <Choice offer at active close=Box::new(close) /> });
        view! { <div id="palette-list" role="listbox" aria-label="Found">{options.collect_view()}</div> }.into_any()
    };
    let keys = move || {
        (open.get() && query.with(|query| query.starts_with('?'))).then(|| {
            let rows = KEYS.map(|(keys, what)| view! { <div><dt>{keys}</dt><dd>{what}</dd></div> });
            view! { <dl class="keys" tabindex="0" aria-label="Shortcuts">{rows}</dl> }.into_any()
        })
    };
    let any = Memo::new(move |_| count.get() > 0);
    let walk = move |event: KeyboardEvent| {
        let (at, all) = (active.get_untracked(), count.get_untracked().max(1));
        match event.key().as_str() {
            "ArrowDown" => active.set((at + 1) % all),
            "ArrowUp" => active.set((at + all - 1) % all),
            "Enter" => choose(),
            _ => return,
        }
        event.prevent_default();
        request_animation_frame(|| {
            if let Some(option) = selected() {
                option.scroll_into_view_with_bool(false);
            }
        });
    };
    let typed = move |event: Event| {
        query.set(event_target_value(&event));
        active.set(0);
    };
    // Told a moment later: it may have been opened anew by then.
    let closed = move |_| {
        if dialog.try_get_untracked().flatten().is_some_and(|dialog| !dialog.open()) {
            open.try_set(false);
            trail::uncover(NAME);
        }
    };
    // A press beside the dialog hits the dialog itself: all that is in it has an element of its own.
    let beside = move |event: ev::MouseEvent| {
        if event.target() == event.current_target() {
            close();
        }
    };
    view! {
        <button type="button" class="btn ghost finds" aria-keyshortcuts="Control+K Meta+K" on:click=move |_| asked.into_iter().for_each(|asked| asked.set(Some("")))>
            {icon(Icon::Search)} <span>"Search"</span> <kbd aria-hidden="true">"Ctrl K"</kbd>
        </button>
        {later(move || view! {
            <dialog class="palette" aria-label="Commands and search" node_ref=dialog on:click=beside on:close=closed>
                <div class="within">
                    <input
                        type="text"
                        role="combobox"
                        aria-expanded=move || if any.get() { "true" } else { "false" }
                        aria-controls="palette-list"
                        aria-autocomplete="list"
                        aria-activedescendant=move || any.get().then(|| format!("offer-{}", active.get()))
                        aria-label="Type a command, an agent, an entry or a session"
                        placeholder="Command, agent, entry or session"
                        autocomplete="off"
                        spellcheck="false"
                        node_ref=input
                        on:input=typed
                        on:keydown=walk
                    />
                    <button type="button" class="btn shut" on:click=move |_| close()>"Close"</button>
                    <div class="found">{list.clone()}{keys}</div>
                    <p class="help" aria-hidden="true">"↑ ↓ choose · Enter does it · Esc closes · ? shortcuts"</p>
                </div>
            </dialog>
        })}
    }
    .into_any()
}

#[component]
fn Choice(offer: Offer, at: usize, active: RwSignal<usize>, close: Box<dyn Fn()>) -> impl IntoView {
    let Offer { name, kind, apart, way } = offer;
    let shown = super::numbers::clip(&name, 120);
    let (href, act) = match way {
        Way::Page(path) => (Some(path), None),
        Way::Entry(seq) => (None, Some(Box::new(move || show_entry(seq)) as Box<dyn Fn()>)),
        Way::Act(act) => (None, Some(act)),
    };
    let press = move |_| {
        close();
        if let Some(act) = &act {
            act();
        }
    };
    view! {
        <a
            id=format!("offer-{at}")
            class="offer"
            role="option"
            tabindex="-1"
            href=href
            aria-selected=move || if active.get() == at { "true" } else { "false" }
            on:click=press
        >
            <span class="n">{shown}</span>
            {(!apart.is_empty()).then(|| view! { <small class="apart">{apart}</small> })}
            <small>{kind}</small>
        </a>
    }
    .into_any()
}

fn selected() -> Option<HtmlElement> {
    find(".palette [aria-selected=true]")
}

fn choose() {
    if let Some(option) = selected() {
        option.click();
    }
}

fn find(selector: &str) -> Option<HtmlElement> {
    document().query_selector(selector).ok().flatten()?.dyn_into().ok()
}

/// Shows an entry of the page's transcript, which is then no longer followed; one that is not loaded by a page around it.
fn show_entry(seq: u32) {
    let Some(entry) = find(&format!("main > .transcript > .log [data-seq=\"{seq}\"]")) else {
        let around = format!("?around={seq}");
        if window().location().search().is_ok_and(|search| search != around) {
            let _ = window().location().set_search(&around);
        }
        return;
    };
    if let (Some(log), Ok(leave)) = (entry.closest(".log").ok().flatten(), Event::new("leave")) {
        let _ = log.dispatch_event(&leave);
    }
    let entry: &Element = &entry;
    entry.scroll_into_view();
    let _ = entry.set_attribute("tabindex", "-1");
    if let Some(entry) = entry.dyn_ref::<HtmlElement>() {
        let _ = entry.focus();
    }
}
