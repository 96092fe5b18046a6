//! The loaded part of one transcript: chunks of entries, each entry a signal.
//!
//! Decision: a chunk holds the `seq`s of one multiple of [`SPAN`], so that the same entries stand in the same chunks
//! however they came, and an append touches one chunk and not the whole list.

use std::collections::BTreeMap;

use leptos::prelude::*;

use crate::model::{AgentNo, Body, EntriesPage, Entry, EntryState, Ms, ToolKind};

/// How many `seq`s a chunk spans.
pub const SPAN: u32 = 64;

/// The loaded part of one transcript. Clones share their signals.
#[derive(Clone)]
pub struct Window {
    pub agent: AgentNo,
    /// By rising `id`; notifies when a chunk comes.
    pub chunks: ArcRwSignal<Vec<Chunk>>,
    /// True while there are earlier entries that are not loaded.
    pub more_before: ArcRwSignal<bool>,
    /// True if there are later entries that are not loaded: live entries then stay outside.
    pub more_after: bool,
}

/// The loaded entries with one `seq / SPAN`.
#[derive(Clone)]
pub struct Chunk {
    pub id: u32,
    /// By rising `seq`; notifies when one comes.
    pub items: ArcRwSignal<Vec<Item>>,
}

/// One entry.
#[derive(Clone)]
pub struct Item {
    pub seq: u32,
    /// When it began and in which run, as first told.
    pub at: Option<Ms>,
    pub run: u32,
    pub entry: ArcRwSignal<Entry>,
    /// What it is grouped by; apart from `entry`, so that grouping does not follow every token.
    pub kin: ArcRwSignal<Kin>,
    /// Whether a person has opened it: it stays so when it is drawn anew.
    pub opened: ArcRwSignal<bool>,
}

/// What an entry stands together with, where its neighbours are of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kin {
    None,
    /// It started this agent.
    Start(AgentNo),
    /// A line that no rule knows.
    Opaque,
    /// A file that has been read.
    Read,
}

impl PartialEq for Window {
    fn eq(&self, other: &Self) -> bool {
        self.chunks == other.chunks
    }
}

impl PartialEq for Item {
    fn eq(&self, other: &Self) -> bool {
        self.entry == other.entry
    }
}

impl Window {
    /// The window of a page.
    pub fn new(page: EntriesPage) -> Self {
        let window = Self {
            agent: page.agent,
            chunks: ArcRwSignal::new(Vec::new()),
            more_before: ArcRwSignal::new(page.more_before),
            more_after: page.more_after,
        };
        window.insert(page.entries);
        window
    }

    /// The entry at `seq`, if it is loaded.
    pub fn item(&self, seq: u32) -> Option<Item> {
        self.chunks.with_untracked(|chunks| {
            let chunk = chunks.get(chunks.binary_search_by_key(&(seq / SPAN), |chunk| chunk.id).ok()?)?;
            chunk.items.with_untracked(|items| items.get(items.binary_search_by_key(&seq, |item| item.seq).ok()?).cloned())
        })
    }

    /// The first loaded `seq`.
    pub fn first(&self) -> Option<u32> {
        self.chunks.with_untracked(|chunks| chunks.first()?.items.with_untracked(|items| items.first().map(|item| item.seq)))
    }

    /// The last loaded `seq`; tracks the ends of the list, not the entries.
    pub fn last(&self) -> Option<u32> {
        self.chunks.with(|chunks| chunks.last()?.items.with(|items| items.last().map(|item| item.seq)))
    }

    /// Puts a row: over an older one, or as a new one if its place is within the window.
    pub fn put(&self, entry: Entry) {
        match self.item(entry.seq) {
            Some(item) if item.entry.with_untracked(|row| row.rev < entry.rev) => item.set(entry),
            None if self.covers(entry.seq) => self.insert(vec![entry]),
            Some(_) | None => {}
        }
    }

    /// Adds the entries before `first`, which was asked for; nothing where another one is the first by now: a gap would stay between.
    pub fn prepend(&self, page: EntriesPage, first: u32) {
        if self.first() != Some(first) {
            return;
        }
        self.more_before.set(page.more_before);
        let (known, new): (Vec<Entry>, Vec<Entry>) = page.entries.into_iter().partition(|entry| self.item(entry.seq).is_some());
        known.into_iter().for_each(|entry| self.put(entry));
        self.insert(new);
    }

    /// Lets the first chunk go where more than `keep` are there: it is loaded anew by whoever goes up.
    pub fn trim(&self, keep: usize) {
        if self.chunks.with_untracked(|chunks| chunks.len() > keep) {
            self.more_before.maybe_update(|more| !std::mem::replace(more, true));
            self.chunks.update(|chunks| _ = chunks.remove(0));
        }
    }

    fn covers(&self, seq: u32) -> bool {
        let before = || self.more_before.get_untracked() && self.first().is_none_or(|first| seq < first);
        let after = || self.more_after && untrack(|| self.last()).is_none_or(|last| seq > last);
        !before() && !after()
    }

    fn insert(&self, entries: Vec<Entry>) {
        let mut groups: BTreeMap<u32, Vec<Item>> = BTreeMap::new();
        for entry in entries {
            groups.entry(entry.seq / SPAN).or_default().push(Item::new(entry));
        }
        let mut fresh = Vec::new();
        for (id, items) in groups {
            let chunk = self.chunks.with_untracked(|chunks| chunks.iter().rev().find(|chunk| chunk.id == id).cloned());
            match chunk {
                Some(chunk) => chunk.items.update(|held| {
                    held.extend(items);
                    held.sort_by_key(|item| item.seq);
                }),
                None => fresh.push(Chunk { id, items: ArcRwSignal::new(items) }),
            }
        }
        if !fresh.is_empty() {
            self.chunks.update(|chunks| {
                chunks.extend(fresh);
                chunks.sort_by_key(|chunk| chunk.id);
            });
        }
    }
}

impl Item {
    fn new(entry: Entry) -> Self {
        Self {
            seq: entry.seq,
            at: entry.at,
            run: entry.run,
            kin: ArcRwSignal::new(kin(&entry)),
            opened: ArcRwSignal::new(false),
            entry: ArcRwSignal::new(entry),
        }
    }

    /// Puts a row in the place of the one before.
    pub fn set(&self, entry: Entry) {
        let kin = kin(&entry);
        if self.kin.get_untracked() != kin {
            self.kin.set(kin);
        }
        self.entry.set(entry);
    }
}

fn kin(entry: &Entry) -> Kin {
    match &entry.body {
        Body::Tool(tool) => match tool.child {
            Some(child) => Kin::Start(child),
            None if entry.state == EntryState::Done && ToolKind::of(&tool.name) == ToolKind::Read && tool.images.is_empty() => Kin::Read,
            None => Kin::None,
        },
        Body::Notice(notice) if notice.notice == "opaque" => Kin::Opaque,
        _ => Kin::None,
    }
}
