//! What the palette offers on a page.

use std::collections::BTreeMap;

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::HtmlElement;

use super::Finder;
use super::matching::distance;
use crate::app::cards::{self, ACTS, ALL, Cards};
use crate::app::clean;
use crate::app::dom;
use crate::app::markdown::plain;
use crate::app::mirror::{Item, Mirror};
use crate::app::numbers::{agent_path, clip, session_path};
use crate::deck::{CardId, Preset, Spot};
use crate::model::{Body, Entry, MAIN, Ms};

/// So many finds of a kind are shown.
const SHOWN: usize = 8;
/// The items of a page's menu, and the buttons that add sessions.
/// Searching is what the palette does already.
const MENU: &str = ".bar .sheet-menu > .item:not(.search), .bar .sheet-menu label, .adds > button";
const ADD: &str = "Add";
/// Longer beginnings of an entry's text are not searched, in characters.
const SEARCHED: usize = 400;

/// Something to choose.
pub struct Offer {
    pub name: String,
    /// Its kind, in a word.
    pub kind: &'static str,
    /// What tells it from others of its name.
    pub apart: String,
    pub way: Way,
}

/// What choosing it does.
pub enum Way {
    /// Leads to a page.
    Page(String),
    /// Shows an entry of the page's transcript.
    Entry(u32),
    /// Does something.
    Act(Box<dyn Fn()>),
}

/// What fits the query, the best of each kind first.
pub fn offers(finder: &Finder, query: &str) -> Vec<Offer> {
    let query = query.trim().to_lowercase();
    let mut found = Vec::new();
    if let Some(mirror) = &finder.mirror {
        let layer = finder.layer();
        found.extend(best(agents(mirror, layer), &query));
        if let Some(cards) = layer {
            found.extend(best(commands(cards), &query));
        }
        if !query.is_empty() {
            let number = query.trim_start_matches('#').parse().ok().map(entry_by_number);
            found.extend(number);
            found.extend(best(entries(mirror, finder.agent), &query));
        }
    }
    found.extend(best(sessions(finder), &query));
    found.extend(best(menu(), &query));
    told_apart(found)
}

/// Leaves what tells an offer from others only where there are others of its name.
fn told_apart(mut found: Vec<Offer>) -> Vec<Offer> {
    let mut names: BTreeMap<(&'static str, String), usize> = BTreeMap::new();
    found.iter().for_each(|offer| *names.entry((offer.kind, offer.name.clone())).or_default() += 1);
    for offer in &mut found {
        if names.get(&(offer.kind, offer.name.clone())).is_none_or(|count| *count < 2) {
            offer.apart.clear();
        }
    }
    found
}

/// The parts that there are, one behind the other.
fn parts<const N: usize>(parts: [Option<String>; N]) -> String {
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// When something began, by this machine's clock: "12-01 14:02:09".
fn began(at: Option<Ms>) -> Option<String> {
    let (_, whole) = dom::local_time(at?)?;
    Some(whole.get(5..19).unwrap_or(&whole).to_owned())
}

fn best(offers: Vec<Offer>, query: &str) -> Vec<Offer> {
    let mut fits: Vec<(usize, Offer)> = offers.into_iter().filter_map(|offer| Some((distance(&offer.name, query)?, offer))).collect();
    fits.sort_by_key(|(distance, _)| *distance);
    fits.into_iter().take(SHOWN).map(|(_, offer)| offer).collect()
}

fn page(name: impl Into<String>, kind: &'static str, path: impl Into<String>) -> Offer {
    Offer { name: name.into(), kind, apart: String::new(), way: Way::Page(path.into()) }
}

/// What the page's menu offers, as it stands there: so whatever is put into it is found by typing too.
fn menu() -> Vec<Offer> {
    let list = document().query_selector_all(MENU).ok();
    let items = list.iter().flat_map(|list| (0..list.length()).filter_map(|at| list.item(at)?.dyn_into::<HtmlElement>().ok()));
    let mut all: Vec<Offer> = items.filter(|item| !item.has_attribute("disabled")).map(item).collect();
    if all.iter().all(|offer| offer.kind != ADD) {
        all.push(page("Add files or a folder", ADD, "/"));
    }
    all
}

fn item(item: HtmlElement) -> Offer {
    let name = item.text_content().unwrap_or_default().trim().to_owned();
    let legend = item.closest("fieldset").ok().flatten().and_then(|group| group.query_selector("legend").ok()?);
    let kind = if item.closest(".adds").is_ok_and(|found| found.is_some()) { ADD } else { "Menu" };
    if let Some(path) = item.get_attribute("href") {
        return page(name, kind, path);
    }
    let name = match legend.and_then(|legend| legend.text_content()) {
        Some(legend) => format!("{legend}: {name}"),
        None => name,
    };
    Offer { name, kind, apart: String::new(), way: Way::Act(Box::new(move || item.click())) }
}

fn sessions(finder: &Finder) -> Vec<Offer> {
    let rows = finder.list.rows.get_untracked();
    let offer = |row: &crate::app::mirror::ListRow| {
        row.row.with_untracked(|session| {
            let title = clean(session.title.trim()).into_owned();
            let project = session.project.as_deref().map(|project| clean(project).into_owned());
            let apart = parts([began(session.started_at.or(session.last_at)), project]);
            Offer { apart, ..page(if title.is_empty() { row.id.clone() } else { title }, "Session", session_path(&row.id)) }
        })
    };
    rows.iter().map(offer).collect()
}

fn agents(mirror: &Mirror, layer: Option<Cards>) -> Vec<Offer> {
    let rows = mirror.agents().get_untracked();
    let shown = rows.iter().filter(|row| row.n != MAIN && !row.row.with_untracked(|agent| agent.is_aside()));
    let offer = |row: &crate::app::mirror::AgentRow| {
        let n = row.n;
        let (title, path) = row.row.with_untracked(|agent| (clean(&agent.title).into_owned(), agent_path(mirror.id(), &agent.id)));
        let apart = row.row.with_untracked(|agent| {
            let parent = agent.parent.filter(|parent| *parent != MAIN).and_then(|parent| rows.iter().find(|row| row.n == parent));
            let parent = parent.map(|parent| format!("under {}", parent.row.with_untracked(|agent| clip(&clean(&agent.title), 30))));
            parts([Some(format!("agent {n}")), began(agent.started_at), parent])
        });
        let way = match layer {
            Some(cards) => Way::Act(Box::new(move || cards.show(CardId::Agent(n)))),
            None => Way::Page(path),
        };
        Offer { name: title, kind: "Agent", apart, way }
    };
    shown.map(offer).collect()
}

/// What can be done to the card at hand, and to all cards.
fn commands(cards: Cards) -> Vec<Offer> {
    let mut all = Vec::new();
    let mut act = |name: String, kind, run: Box<dyn Fn()>| all.push(Offer { name, kind, apart: String::new(), way: Way::Act(run) });
    if let Some(id) = cards.at_hand() {
        let title = clip(&untrack(|| cards.title(id)), 40);
        let of = |name: &str| format!("{name}: {title}");
        let fits = ACTS.iter().filter(|act| cards.deck.with_untracked(|deck| (act.when)(deck, id)));
        fits.for_each(|it| act(of(it.name), "Card", Box::new(move || (it.run)(cards, id))));
        let maximise = cards.deck.with_untracked(|deck| cards::maximise_name(deck, id));
        act(of(maximise), "Card", Box::new(move || cards::maximise(cards, id)));
        for spot in Spot::ALL {
            act(of(&format!("Move to {}", spot.word())), "Card", Box::new(move || cards::move_to(cards, id, spot)));
        }
        for preset in Preset::ALL {
            act(of(&format!("Size {}", preset.word().to_lowercase())), "Card", Box::new(move || cards::set_size(cards, id, preset)));
        }
    }
    ALL.iter().for_each(|it| act(it.name.to_owned(), "All cards", Box::new(move || (it.run)(cards))));
    for (id, name) in [(CardId::Todos, "To do"), (CardId::Tray, "Agents without a parent")] {
        act(format!("Open card: {name}"), "Card", Box::new(move || cards.show(id)));
    }
    all
}

fn entry_by_number(seq: u32) -> Offer {
    Offer { name: format!("Entry {seq}"), kind: "Entry", apart: String::new(), way: Way::Entry(seq) }
}

/// The loaded entries of the page's transcript, the newest first.
fn entries(mirror: &Mirror, agent: u32) -> Vec<Offer> {
    let Some(window) = untrack(|| mirror.window(mirror.shown(agent))) else { return Vec::new() };
    let chunks = window.chunks.get_untracked();
    let items = chunks.iter().rev().flat_map(|chunk| {
        let mut items = chunk.items.get_untracked();
        items.reverse();
        items
    });
    let offer = |item: Item| {
        let name = item.entry.with_untracked(text)?;
        Some(Offer { name, kind: "Entry", apart: format!("number {}", item.seq), way: Way::Entry(item.seq) })
    };
    items.filter_map(offer).collect()
}

fn text(entry: &Entry) -> Option<String> {
    let begin = |text: &str| clip(clean(text.trim()).as_ref(), SEARCHED);
    let text = match &entry.body {
        Body::User { text, .. } => begin(&text.text).replace('\n', " "),
        Body::Text { text } | Body::Reasoning { text } => plain(&begin(&text.text)),
        Body::Tool(tool) => begin(&tool.title).replace('\n', " "),
        _ => return None,
    };
    Some(text).filter(|text| !text.is_empty())
}
