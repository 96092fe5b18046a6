//! What the parts of the card layer share, and what a person can do to a card.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use leptos::prelude::*;

use super::grab::Grab;
use super::measure;
use super::menu::MenuAt;
use super::sort::Sorting;
use super::{agents, todos};
use crate::app::desk::Desk;
use crate::app::mirror::{AgentRow, Mirror};
use crate::app::transcript::Place;
use crate::app::{clean, numbers};
use crate::deck::{Card, CardId, Deck, OpenedBy, Rect, Scene, current_run};
use crate::model::{Agent, AgentNo, MAIN, Reading};

/// How long a word about what a person has done is shown.
const TOLD: Duration = Duration::from_secs(4);

/// What a card of a list needs beside its lines, and a line of either list, px.
const FRAME: f64 = 92.0;
const TODO: f64 = 30.0;
const LOOSE: f64 = 76.0;

/// The card layer's state.
#[derive(Clone, Copy)]
pub struct Cards {
    pub deck: RwSignal<Deck>,
    /// The card under the pointer and where it is drawn meanwhile; the deck is written on release.
    pub drawn: RwSignal<Option<(CardId, Rect)>>,
    pub grab: StoredValue<Grab>,
    /// The chip that is being sorted.
    pub sorting: StoredValue<Option<Sorting>>,
    /// The card that the arrow keys move or size.
    pub keys: RwSignal<Option<KeyMode>>,
    pub menu: RwSignal<Option<MenuAt>>,
    /// How far each agent has been read, here and as far as is known elsewhere.
    pub seen: RwSignal<Reading>,
    /// The cards of the table that are on the page by now (see [`super::slices`]).
    pub here: RwSignal<BTreeSet<CardId>>,
    /// True while cards can float here: taken over by the browser, and room enough.
    pub active: RwSignal<bool>,
    /// The chip that Tab comes back to; `None` for the dock's last control.
    pub stop: RwSignal<Option<CardId>>,
    /// The card that a person has just brought back: it fades in.
    pub back: RwSignal<Option<CardId>>,
    /// What is said aloud.
    pub status: RwSignal<String>,
    /// True while all floats are hidden, to look at what is under them.
    pub peeking: RwSignal<bool>,
    /// What has failed, said at once.
    pub alert: RwSignal<String>,
    /// A word about what a person has just done, shown for a while.
    pub told: RwSignal<Option<&'static str>>,
    /// The width of the conversation and the rail together, which is the dock's, px.
    pub room: RwSignal<f64>,
    /// The card that a person used last.
    pub used: StoredValue<Option<CardId>>,
    /// The width that the rail is being dragged to, px.
    pub splitting: RwSignal<Option<f64>>,
    /// Where the splitter was taken, and how wide the rail was then.
    pub split_from: StoredValue<Option<(f64, f64)>>,
    /// Where each card is being read, over minimising and back.
    places: StoredValue<BTreeMap<CardId, Place>>,
    mirror: StoredValue<Mirror>,
    desk: StoredValue<Desk>,
}

/// A card being moved or sized by keys, with what to go back to.
#[derive(Clone, Copy, PartialEq)]
pub struct KeyMode {
    pub id: CardId,
    pub sizing: bool,
    pub before: Card,
}

impl Cards {
    pub fn new(mirror: Mirror, desk: Desk) -> Self {
        Self {
            deck: RwSignal::new(Deck::default()),
            drawn: RwSignal::new(None),
            grab: StoredValue::new(Grab::default()),
            sorting: StoredValue::new(None),
            keys: RwSignal::new(None),
            menu: RwSignal::new(None),
            seen: RwSignal::new(Reading::new()),
            stop: RwSignal::new(None),
            back: RwSignal::new(None),
            status: RwSignal::new(String::new()),
            here: RwSignal::new(BTreeSet::new()),
            active: RwSignal::new(false),
            peeking: RwSignal::new(false),
            alert: RwSignal::new(String::new()),
            told: RwSignal::new(None),
            room: RwSignal::new(0.0),
            used: StoredValue::new(None),
            splitting: RwSignal::new(None),
            split_from: StoredValue::new(None),
            places: StoredValue::new(BTreeMap::new()),
            mirror: StoredValue::new(mirror),
            desk: StoredValue::new(desk),
        }
    }

    /// True once the page is gone: what the browser still tells of its elements is nobody's then.
    pub fn is_gone(&self) -> bool {
        self.deck.try_with_untracked(|_| ()).is_none()
    }

    pub fn mirror(&self) -> Mirror {
        self.mirror.get_value()
    }

    pub fn desk(&self) -> Desk {
        self.desk.get_value()
    }

    /// An agent's row; tracks the list.
    pub fn agent(&self, n: AgentNo) -> Option<AgentRow> {
        self.mirror().agent(n)
    }

    /// All subagents that count, by `n`; tracks the list, and of the rows only what makes one count.
    pub fn subagents(&self) -> Vec<AgentRow> {
        let agents = self.mirror().agents();
        agents.with(|rows| rows.iter().filter(|row| row.n != MAIN && !row.standing(Agent::is_aside)).cloned().collect())
    }

    /// Cards on the table, by creation; tracks.
    pub fn on_table(&self) -> Vec<CardId> {
        self.deck.with(|deck| deck.cards().iter().map(|card| card.id).filter(|id| deck.is_open(*id)).collect())
    }

    /// True where a card floats; tracks.
    pub fn floats(&self) -> bool {
        self.active.get() && !self.on_table().is_empty()
    }

    /// The card that stands beside the conversation; tracks.
    pub fn beside(&self) -> Option<CardId> {
        self.deck.with(|deck| deck.shown_in_rail()).filter(|_| self.active.get())
    }

    /// Where a card is being read.
    pub fn place(&self, id: CardId) -> Place {
        self.places
            .try_update_value(|places| places.entry(id).or_insert_with(|| Place::new(None)).clone())
            .unwrap_or_else(|| Place::new(None))
    }

    /// A card's title; tracks.
    pub fn title(&self, id: CardId) -> String {
        match id {
            CardId::Agent(n) => self.agent(n).map(|row| row.standing(|agent| clean(&agent.title).into_owned())).unwrap_or_default(),
            CardId::Todos => "To do".into(),
            CardId::Tray => "Without a parent".into(),
        }
    }

    /// The address of an agent's own page; tracks.
    pub fn page(&self, n: AgentNo) -> String {
        let id = self.agent(n).map(|row| row.standing(|agent| agent.id.clone())).unwrap_or_default();
        numbers::agent_path(self.mirror().id(), &id)
    }

    /// The subagent that started a card's agent; tracks. `None` where that was the main agent, or nobody knows.
    pub fn parent(&self, id: CardId) -> Option<AgentNo> {
        let row = self.agent(id.agent()?)?;
        let parent = row.standing(|agent| agent.parent).filter(|parent| *parent != MAIN)?;
        Some(self.mirror().shown(parent))
    }

    /// The number of new things of a card's agent; tracks.
    pub fn unread(&self, id: CardId) -> u32 {
        let Some(row) = id.agent().and_then(|n| self.agent(n)) else { return 0 };
        let seen = self.seen.with(|seen| seen.get(&row.n).copied());
        row.row.with(|agent| crate::deck::unread(agent, seen))
    }

    /// Opens a card in front, as a person asks for it.
    pub fn open(&self, id: CardId) {
        let scene = Scene { height: self.height(id), ..measure::scene() };
        self.back.set(Some(id));
        self.deck.update(|deck| {
            deck.open(id, OpenedBy::User, &scene);
        });
        self.peeking.set(false);
    }

    /// The height that a list's card needs, px; a transcript takes what it gets.
    fn height(&self, id: CardId) -> Option<f64> {
        match id {
            CardId::Agent(_) => None,
            CardId::Todos => untrack(|| todos::newest(*self)).map(|(items, _)| FRAME + items.len() as f64 * TODO),
            CardId::Tray => Some(FRAME + 52.0 + untrack(|| agents::loose(*self)).len() as f64 * LOOSE),
        }
    }

    /// Opens a card, or brings it to the front, and puts the focus on it.
    pub fn show(&self, id: CardId) {
        self.open(id);
        super::focus::card(id);
    }

    /// Closes a card; the agent itself is not touched.
    pub fn close(&self, id: CardId) {
        let run = self.run(id);
        self.deck.update(|deck| deck.close(id, run));
        self.places.update_value(|places| {
            places.remove(&id);
        });
    }

    pub fn run(&self, id: CardId) -> u32 {
        let row = id.agent().and_then(|n| untrack(|| self.agent(n)));
        row.map_or(1, |row| row.row.with_untracked(current_run))
    }

    pub fn minimise(&self, id: CardId) {
        self.deck.update(|deck| deck.minimise(id));
    }

    pub fn restore(&self, id: CardId) {
        self.back.set(Some(id));
        self.deck.update(|deck| deck.restore(id));
        self.peeking.set(false);
    }

    /// Raises a card; an order that stays as it is tells nobody.
    pub fn raise(&self, id: CardId) {
        self.used.set_value(Some(id));
        if self.deck.with_untracked(|deck| deck.front() != Some(id)) {
            self.deck.update(|deck| deck.raise(id));
        }
    }

    /// A person is at this card: what its agent does waits for no turn.
    pub fn attend(&self, id: CardId) {
        if let Some(n) = id.agent() {
            self.mirror().attend(n);
        }
    }

    pub fn toggle_maximised(&self, id: CardId) {
        self.deck.update(|deck| {
            deck.toggle_maximised(id);
            deck.raise(id);
        });
    }

    /// Closes the cards of all agents that have ended.
    pub fn close_finished(&self) {
        let ended: BTreeMap<CardId, u32> = untrack(|| {
            let rows = self.subagents();
            let ended = rows.iter().filter(|row| row.row.with(|agent| agent.status.is_end()));
            ended.map(|row| (CardId::Agent(row.n), row.row.with(current_run))).collect()
        });
        self.deck.update(|deck| deck.close_where(|id| ended.get(&id).copied()));
    }

    /// Lets the arrow keys move or size a card.
    pub fn start_keys(&self, id: CardId, sizing: bool) {
        self.deck.update(|deck| {
            if deck.card(id).is_some_and(|card| card.maximised) {
                deck.toggle_maximised(id);
            }
            deck.restore(id);
        });
        if let Some(before) = self.deck.with_untracked(|deck| deck.card(id).copied()) {
            self.keys.set(Some(KeyMode { id, sizing, before }));
        }
    }

    /// The card that a command is about: the one used last, else the foremost, else the rail's.
    pub fn at_hand(&self) -> Option<CardId> {
        let used = self.used.get_value();
        self.deck.with_untracked(|deck| {
            let there = used.filter(|id| deck.contains(*id) && !deck.is_docked(*id));
            there.or(deck.front()).or(deck.shown_in_rail())
        })
    }

    /// Shows a word about what a person has just done, and says it.
    pub fn tell(&self, words: &'static str) {
        let told = self.told;
        self.status.try_set(words.to_owned());
        told.try_set(Some(words));
        set_timeout(
            move || {
                if told.try_get_untracked().flatten() == Some(words) {
                    told.try_set(None);
                }
            },
            TOLD,
        );
    }

    /// Marks a card's agent on its step, chip and card.
    pub fn touch(&self, id: CardId) {
        if let Some((n, false)) = id.agent().map(|n| (n, self.is_gone())) {
            self.desk().touch(n);
        }
    }

    /// Takes the mark off again, unless it has gone to another meanwhile.
    pub fn release(&self, id: CardId) {
        if let Some((n, false)) = id.agent().map(|n| (n, self.is_gone())) {
            self.desk().release(n);
        }
    }
}
