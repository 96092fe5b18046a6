use std::collections::BTreeMap;

use leptos::prelude::*;
use proptest::prelude::*;

use super::{List, Rows, Want, Window, frames, shorten};
use crate::model::{
    Agent, AgentNo, AgentStatus, Body, Change, EntriesPage, Entry, EntryRef, EntryState, Field, Frame, Gone, Seen, Session, Tool,
};

const LONG: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// What the store would hold.
#[derive(Clone, Default)]
struct World {
    rev: u64,
    session: Session,
    agents: BTreeMap<AgentNo, Agent>,
    entries: BTreeMap<EntryRef, Entry>,
}

#[derive(Clone, Debug)]
enum Act {
    Text(AgentNo),
    Tool(AgentNo),
    /// The prompt, seq 1, which may come late.
    Prompt(AgentNo),
    Append(AgentNo, usize),
    Close(AgentNo, bool),
    Child(AgentNo, AgentNo),
    Status(AgentNo, bool),
    Title(u8),
}

fn act() -> impl Strategy<Value = Act> {
    let agent = 0..3_u32;
    prop_oneof![
        2 => agent.clone().prop_map(Act::Text),
        2 => agent.clone().prop_map(Act::Tool),
        1 => agent.clone().prop_map(Act::Prompt),
        4 => (agent.clone(), prop_oneof![9 => 0..90_usize, 1 => Just(20_001)]).prop_map(|(agent, len)| Act::Append(agent, len)),
        2 => (agent.clone(), any::<bool>()).prop_map(|(agent, failed)| Act::Close(agent, failed)),
        1 => (agent.clone(), agent.clone()).prop_map(|(agent, child)| Act::Child(agent, child)),
        1 => (agent, any::<bool>()).prop_map(|(agent, done)| Act::Status(agent, done)),
        1 => any::<u8>().prop_map(Act::Title),
    ]
}

impl World {
    fn act(&mut self, act: &Act) -> Vec<Change> {
        self.rev += 1;
        let rev = self.rev;
        let change = match act {
            Act::Text(agent) => self.add(*agent, None, Body::Text { text: "ü".into() }),
            Act::Tool(agent) => self.add(*agent, None, Body::Tool(Box::new(Tool { args: LONG.repeat(60).into(), ..Tool::default() }))),
            Act::Prompt(agent) => self.add(*agent, Some(1), Body::User { text: "Do it".into(), images: vec![], origin: None }),
            Act::Append(agent, len) => {
                let Some(entry) = self.open(*agent) else { return vec![] };
                let text = "a".repeat(*len % 2) + &"漢".repeat(*len);
                let (field, long) = match &mut entry.body {
                    Body::Tool(tool) => (Field::Result, tool.result.get_or_insert_default()),
                    Body::Text { text } => (Field::Text, text),
                    _ => return vec![],
                };
                entry.rev = rev;
                let from = long.len();
                long.text.push_str(&text);
                Change::Append { agent: *agent, seq: entry.seq, field, from, text, rev }
            }
            Act::Close(agent, failed) => {
                let Some(entry) = self.open(*agent) else { return vec![] };
                entry.rev = rev;
                entry.state = if *failed { EntryState::Failed } else { EntryState::Done };
                Change::Entry(Box::new(entry.clone()))
            }
            Act::Child(agent, child) => {
                let Some(entry) = self.open(*agent) else { return vec![] };
                let Body::Tool(tool) = &mut entry.body else { return vec![] };
                tool.child = Some(*child);
                entry.rev = rev;
                let mut sent = entry.clone();
                sent.cut_open();
                Change::Entry(Box::new(sent))
            }
            Act::Status(n, done) => {
                let agent = self.agents.entry(*n).or_insert_with(|| Agent { n: *n, id: n.to_string(), ..Agent::default() });
                agent.status = if *done { AgentStatus::Finished } else { AgentStatus::Running };
                agent.rev = rev;
                Change::Agent(Box::new(agent.clone()))
            }
            Act::Title(title) => {
                self.session.title = title.to_string();
                self.session.rev = rev;
                Change::Session(Box::new(self.session.clone()))
            }
        };
        vec![change]
    }

    fn add(&mut self, agent: AgentNo, seq: Option<u32>, body: Body) -> Change {
        let last = self.entries.keys().filter(|at| at.agent == agent).map(|at| at.seq).max().unwrap_or(1);
        let seq = seq.unwrap_or(last + 1);
        let entry = Entry {
            agent,
            seq,
            rev: self.rev,
            run: 1,
            at: None,
            ended_at: None,
            state: EntryState::Open,
            source: None,
            usage: None,
            context: None,
            body,
        };
        self.entries.insert(entry.at_ref(), entry.clone());
        Change::Entry(Box::new(entry))
    }

    fn open(&mut self, agent: AgentNo) -> Option<&mut Entry> {
        self.entries.values_mut().rfind(|entry| entry.agent == agent && entry.state == EntryState::Open)
    }

    fn page(&self, agent: AgentNo, before: u32, limit: usize) -> EntriesPage {
        let all: Vec<&Entry> = self.entries.values().filter(|entry| entry.agent == agent && entry.seq < before).collect();
        let mut entries: Vec<Entry> = all.iter().rev().take(limit).rev().map(|entry| (*entry).clone()).collect();
        entries.iter_mut().for_each(shorten);
        EntriesPage { agent, more_before: entries.len() < all.len(), more_after: false, entries, rev: self.rev }
    }

    fn rows(&self, agents: &[AgentNo], limit: usize) -> Rows {
        let rows = Rows::new(self.session.clone(), self.agents.values().cloned().collect());
        agents.iter().for_each(|n| rows.show(self.page(*n, u32::MAX, limit)));
        rows
    }
}

/// Everything that a view could draw, chunk by chunk, from the first loaded `seq` on.
fn drawn(rows: &Rows, from: &BTreeMap<AgentNo, u32>) -> String {
    let window = |n: AgentNo, window: &Window| {
        let chunks = window.chunks.get_untracked().into_iter().map(|chunk| {
            let items = chunk.items.get_untracked().into_iter().filter(|item| item.seq >= from.get(&n).copied().unwrap_or_default());
            let items: Vec<_> = items
                .map(|item| {
                    let mut entry = item.entry.get_untracked();
                    shorten(&mut entry);
                    (item.seq, item.kin.get_untracked(), entry)
                })
                .collect();
            (chunk.id, items)
        });
        chunks.filter(|(_, items)| !items.is_empty()).collect::<Vec<_>>()
    };
    let windows: Vec<_> = rows.windows.get_untracked().iter().map(|(n, open)| (*n, window(*n, open))).collect();
    let agents: Vec<_> = rows.agents.get_untracked().iter().map(|agent| agent.row.get_untracked()).collect();
    format!("{:?}\n{agents:?}\n{windows:?}", rows.session.get_untracked())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// The one road: wherever a page was read, and however much of the stream comes again, live equals reload.
    #[test]
    fn live_equals_reload(
        acts in prop::collection::vec(act(), 1..160),
        cut in 0..160_usize,
        back in 0..40_usize,
        limit in 1..90_usize,
        up in prop::collection::vec(0..160_usize, 0..3),
    ) {
        let open = [0, 2];
        let mut world = World { session: Session { id: "s".into(), ..Session::default() }, ..World::default() };
        let cut = cut.min(acts.len());
        let mut stream: Vec<Change> = Vec::new();
        let mut at = Vec::new();
        for act in &acts[..cut] {
            at.push(stream.len());
            stream.extend(world.act(act));
        }
        let rows = world.rows(&open, limit);
        let resume = at.get(cut.saturating_sub(back)).copied().unwrap_or(stream.len());
        let take = |world: &World, change: Change| match rows.apply(change) {
            Want::Entry(at) => rows.fill(world.entries[&at].clone()),
            Want::Nothing => {}
            Want::Nobody => panic!("nothing was removed"),
        };
        for change in stream.split_off(resume) {
            take(&world, change);
        }
        for (step, act) in acts[cut..].iter().enumerate() {
            for change in world.act(act) {
                take(&world, change);
            }
            if up.contains(&step) {
                let window = rows.windows.get_untracked()[&0].clone();
                if let Some(first) = window.first() {
                    window.prepend(world.page(0, first, limit), first);
                }
            }
        }
        let from = rows.windows.get_untracked().iter().filter_map(|(n, window)| Some((*n, window.more_before.get_untracked().then(|| window.first())??))).collect();
        prop_assert_eq!(drawn(&rows, &from), drawn(&world.rows(&open, usize::MAX), &from));
    }
}

fn entry(seq: u32, rev: u64, text: &str) -> Entry {
    let body = Body::Text { text: text.into() };
    Entry { agent: 0, seq, rev, run: 1, at: None, ended_at: None, state: EntryState::Open, source: None, usage: None, context: None, body }
}

fn rows(entries: Vec<Entry>, more_before: bool) -> Rows {
    let rows = Rows::new(Session { id: "s".into(), rev: 1, ..Session::default() }, vec![]);
    rows.show(EntriesPage { agent: 0, entries, more_before, more_after: false, rev: 1 });
    rows
}

fn text_at(rows: &Rows, seq: u32) -> Option<String> {
    let entry = rows.windows.get_untracked()[&0].item(seq)?.entry.get_untracked();
    match entry.body {
        Body::Text { text } => Some(text.text),
        _ => None,
    }
}

#[test]
fn an_append_that_does_not_fit_asks_for_its_entry() {
    let rows = rows(vec![entry(2, 1, "ab")], false);
    let append = |from, text: &str, rev| Change::Append { agent: 0, seq: 2, field: Field::Text, from, text: text.into(), rev };
    assert_eq!(rows.apply(append(2, "c", 2)), Want::Nothing);
    assert_eq!(rows.apply(append(2, "c", 2)), Want::Nothing, "the same again adds nothing");
    assert_eq!(text_at(&rows, 2).as_deref(), Some("abc"));
    assert_eq!(rows.apply(append(9, "z", 5)), Want::Entry(EntryRef { agent: 0, seq: 2 }));
    assert_eq!(text_at(&rows, 2).as_deref(), Some("abc"));
}

/// A backfill that comes late must not roll a row back.
#[test]
fn late_backfill_does_not_clobber_live() {
    let rows = rows(vec![entry(2, 9, "newest")], false);
    assert_eq!(rows.apply(Change::Entry(Box::new(entry(2, 4, "old")))), Want::Nothing);
    rows.fill(entry(2, 4, "old"));
    assert_eq!(text_at(&rows, 2).as_deref(), Some("newest"));
}

#[test]
fn an_entry_outside_the_window_is_dropped() {
    let rows = rows(vec![entry(100, 1, "a"), entry(101, 1, "b")], true);
    let _ = rows.apply(Change::Entry(Box::new(entry(50, 2, "far"))));
    let _ = rows.apply(Change::Entry(Box::new(Entry { agent: 7, ..entry(1, 2, "other") })));
    assert_eq!(text_at(&rows, 50), None);
    let _ = rows.apply(Change::Entry(Box::new(entry(102, 3, "next"))));
    assert_eq!(text_at(&rows, 102).as_deref(), Some("next"));
}

#[test]
fn a_deleted_session_is_told_and_another_one_is_not() {
    let rows = rows(vec![], false);
    let gone = |session: &str| Change::Gone(Gone { agent: None, session: Some(session.into()), rev: 9 });
    assert_eq!(rows.apply(gone("other")), Want::Nothing);
    assert_eq!(rows.apply(gone("s")), Want::Nobody);
}

#[test]
fn sessions_that_run_side_by_side_keep_their_places() {
    let session = |id: &str, last_at, rev| Session { id: id.into(), last_at: Some(last_at), rev, ..Session::default() };
    let list = List::new(vec![session("a", 1_000, 1), session("b", 900, 1)], true);
    let ids = || list.rows.with_untracked(|rows| rows.iter().map(|row| row.id.clone()).collect::<Vec<_>>());
    let put = |session| list.apply(&Change::Session(Box::new(session)));
    put(session("b", 2_000, 2));
    assert_eq!(ids(), ["a", "b"], "a second later is no reason to move");
    put(session("b", 70_000, 3));
    assert_eq!(ids(), ["b", "a"]);
    put(session("a", 1, 1));
    assert_eq!(list.rows.get_untracked()[1].row.get_untracked().last_at, Some(1_000), "an older row is dropped");
    put(session("c", 80_000, 1));
    assert_eq!(ids(), ["c", "b", "a"]);
    list.apply(&Change::Gone(Gone { agent: None, session: Some("b".into()), rev: 9 }));
    assert_eq!(ids(), ["c", "a"]);
}

#[test]
fn frames_are_read_and_what_is_none_is_passed_over() {
    let change = Change::Entry(Box::new(entry(1, 1, "a\nb")));
    let data = serde_json::to_string(&change).expect("JSON");
    assert_eq!(frames::read("put", &data), Some(Frame::Change { change }));
    assert_eq!(frames::read("bye", &serde_json::to_string(&Frame::Bye).expect("JSON")), Some(Frame::Bye));
    let seen = Frame::Seen { seen: [(7, Seen { seq: 3, ended_run: 1 })].into() };
    assert_eq!(frames::read("seen", &serde_json::to_string(&seen).expect("JSON")), Some(seen));
    for (event, data) in [("put", "{"), ("put", ""), ("hello", "[]"), ("new", "1"), ("", "")] {
        assert_eq!(frames::read(event, data), None, "{event} {data}");
    }
}

#[test]
fn earlier_rows_that_come_after_a_trim_left_a_gap() {
    let page = |from: u32, to: u32| EntriesPage {
        agent: 0,
        entries: (from..to).map(|seq| Entry::finished(0, seq, Body::Text { text: "x".into() })).collect(),
        more_before: from > 1,
        more_after: false,
        rev: 1,
    };
    let window = Window::new(page(500, 800));
    window.trim(3);
    let first = window.first();
    assert!(first > Some(500));
    window.prepend(page(300, 500), 500);
    assert_eq!(window.first(), first, "what was asked for before the trim");
    window.prepend(page(300, first.unwrap_or_default()), first.unwrap_or_default());
    assert_eq!(window.first(), Some(300));
}
