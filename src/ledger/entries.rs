//! Entries: found by foreign key, made in their place, put whole, extended while open.
//!
//! Invariants: `seq` is given at creation and never changed; `seq` 1 of a subagent is its prompt; a row stands once in a draft.

use super::facts::{Prompt, latest};
use super::rows::first_line;
use super::runs;
use super::{Book, Here, Shelf};
use crate::model::{AgentNo, Body, Entry, EntryRef, EntryState, Field, Hash64, Image, Key, Long, MAIN, SourceRef, TitleFrom, Who};

impl Book {
    /// The entry's row as it is now.
    pub(super) fn row(&self, shelf: &dyn Shelf, at: EntryRef) -> Option<Entry> {
        self.pending.entries.get(&at).or_else(|| self.open.get(&at)).cloned().or_else(|| shelf.entry(at))
    }

    /// Puts an entry's row into the draft.
    pub(super) fn put(&mut self, mut entry: Entry) {
        let at = entry.at_ref();
        if entry.state == EntryState::Open {
            self.open.insert(at, entry.clone());
        } else {
            self.open.remove(&at);
            self.shorten_all(&mut entry.body);
        }
        self.pending.agents.insert(at.agent);
        self.pending.entries.insert(at, entry);
    }

    /// The entry that the first known key names; binds the others to it.
    pub(super) fn find(&mut self, keys: &[Key]) -> Option<EntryRef> {
        let at = keys.iter().find_map(|key| self.keys.get(key)).copied()?;
        self.name_entry(keys, at);
        Some(at)
    }

    fn name_entry(&mut self, keys: &[Key], at: EntryRef) {
        for key in keys {
            if !self.keys.contains_key(key) {
                self.keys.insert(*key, at);
                self.pending.draft.keys.push((*key, at));
            }
        }
    }

    /// Makes an entry behind all others of agent `n`.
    pub(super) fn append_entry(&mut self, here: &mut Here, n: AgentNo, keys: &[Key], body: Body, state: EntryState) -> EntryRef {
        let floor = if n == MAIN { 0 } else { 1 };
        let seq = self.agents.get(n as usize).map_or(0, |agent| agent.facts.last_seq).max(floor).saturating_add(1);
        self.make(here, EntryRef { agent: n, seq }, keys, body, state)
    }

    fn make(&mut self, here: &mut Here, at: EntryRef, keys: &[Key], mut body: Body, state: EntryState) -> EntryRef {
        let title = match &body {
            Body::User { text, origin: None, .. } if at.agent == MAIN => first_line(&text.text),
            _ => None,
        };
        if let Some(title) = title {
            self.facts.titles.entry(TitleFrom::Turn).or_insert(title);
        }
        self.note_text(at, &body);
        if state != EntryState::Open {
            self.shorten_all(&mut body);
        }
        if let Some(agent) = self.agents.get_mut(at.agent as usize) {
            agent.facts.last_seq = agent.facts.last_seq.max(at.seq);
            agent.facts.tool_entries += u64::from(is_call(&body));
            let compacted = matches!(&body, Body::Notice(notice) if notice.notice == "compaction");
            agent.facts.compactions += u32::from(compacted && !agent.facts.just_compacted);
            agent.facts.just_compacted = compacted;
        }
        let run = if at.agent == MAIN { 1 } else { runs::run_of(self.spans(self.whole(at.agent)), here.mark) };
        let source = Some(SourceRef { id: here.mark.source, offset: here.mark.pos });
        let ended_at = if state == EntryState::Open { None } else { here.mark.at };
        let entry = Entry {
            agent: at.agent,
            seq: at.seq,
            rev: 0,
            run,
            at: here.mark.at,
            ended_at,
            state,
            source,
            usage: None,
            context: None,
            body,
        };
        self.name_entry(keys, at);
        here.made.push(at);
        self.put(entry);
        at
    }

    /// Gives a known entry a new state and body; a copy of a line changes nothing.
    pub(super) fn revise(&mut self, here: &Here, at: EntryRef, change: impl FnOnce(&mut Entry)) {
        if here.copy {
            return;
        }
        let Some(old) = self.row(here.shelf, at) else { return };
        let mut new = old.clone();
        change(&mut new);
        if old.state == EntryState::Withdrawn {
            new.state = old.state;
        }
        if new.state != EntryState::Open {
            self.shorten_all(&mut new.body);
            if old.state == EntryState::Open {
                new.ended_at = new.ended_at.or(here.mark.at);
            }
        }
        self.note_text(at, &new.body);
        if new != old {
            self.put(new);
        }
    }

    /// Remembers the newest text of an agent, to compare it with its report.
    fn note_text(&mut self, at: EntryRef, body: &Body) {
        let Body::Text { text: Long { text, blob: None } } = body else { return };
        if let Some(agent) = self.agents.get_mut(at.agent as usize)
            && agent.facts.last_text.is_none_or(|(seq, _)| seq <= at.seq)
        {
            agent.facts.last_text = Some((at.seq, Hash64::of(text.trim().as_bytes())));
        }
    }

    /// Extends an open text.
    pub(super) fn extend(&mut self, here: &Here, at: EntryRef, field: Field, more: &str) {
        let Some(entry) = self.open.get_mut(&at) else { return };
        let Some(long) = text_of(&mut entry.body, field).filter(|long| long.blob.is_none()) else { return };
        let from = long.text.len() as u64;
        long.text.push_str(more);
        let whole = entry.clone();
        if let Some(row) = self.pending.entries.get_mut(&at) {
            row.body.clone_from(&whole.body);
        } else {
            let piece = self.pending.appends.entry((at, field)).or_insert_with(|| (from, String::new()));
            piece.1.push_str(more);
        }
        self.note_text(at, &whole.body);
        if let Some(agent) = self.agents.get_mut(at.agent as usize) {
            latest(&mut agent.facts.last_at, here.mark.at);
        }
        self.pending.agents.insert(at.agent);
    }

    /// The source ends in a line that is not whole, or does so no longer.
    pub(super) fn incomplete(&mut self, here: &Here, who: &Who, text: Option<String>) {
        let (n, source) = (self.agent(who), here.mark.source);
        if let Some(agent) = self.agents.get_mut(n as usize) {
            let others = agent.facts.incomplete.take().filter(|(of, _)| *of != source);
            agent.facts.incomplete = text.map(|text| (source, text)).or(others);
        }
        self.pending.agents.insert(n);
    }

    /// The prompt of a subagent: whichever telling comes first makes it, its own line replaces a stand-in's text.
    pub(super) fn prompt(&mut self, here: &mut Here, n: AgentNo, text: String, images: Vec<Image>, own: bool, keys: &[Key]) {
        let at = EntryRef { agent: n, seq: 1 };
        let (known, told) = self.agents.get(n as usize).map_or((Prompt::None, None), |agent| (agent.facts.prompt, agent.facts.prompt_hash));
        let hash = Some(Hash64::of(text.trim().as_bytes()));
        let body = Body::User { text: text.clone().into(), images, origin: Some("prompt".into()) };
        if let Some(agent) = self.agents.get_mut(n as usize).filter(|_| known == Prompt::None || (own && known == Prompt::StandIn)) {
            agent.facts.prompt = if own { Prompt::Own } else { Prompt::StandIn };
            agent.facts.prompt_line = first_line(&text);
            agent.facts.prompt_hash = hash;
        }
        match known {
            Prompt::None => {
                self.make(here, at, keys, body, EntryState::Done);
            }
            Prompt::StandIn if own => {
                let (time, source) = (here.mark.at, SourceRef { id: here.mark.source, offset: here.mark.pos });
                self.name_entry(keys, at);
                here.made.push(at);
                self.revise(here, at, |entry| {
                    entry.body = body;
                    (entry.at, entry.ended_at, entry.source) = (time, time, Some(source));
                });
            }
            Prompt::Own if own && told != hash && self.find(keys).is_none() => {
                self.append_entry(here, n, keys, body, EntryState::Done);
            }
            _ => self.name_entry(keys, at),
        }
    }
}

/// True for an entry that stands in the place of a tool call.
fn is_call(body: &Body) -> bool {
    match body {
        Body::Tool(_) => true,
        Body::Ask(ask) => ask.call.is_some(),
        Body::Todos { call, .. } => call.is_some(),
        _ => false,
    }
}

/// The text that an append to `field` extends.
pub(super) fn text_of(body: &mut Body, field: Field) -> Option<&mut Long> {
    match (body, field) {
        (Body::User { text, .. } | Body::Text { text } | Body::Reasoning { text }, Field::Text) => Some(text),
        (Body::Tool(tool), Field::Args) => Some(&mut tool.args),
        (Body::Tool(tool), Field::Result) => Some(tool.result.get_or_insert_default()),
        _ => None,
    }
}
