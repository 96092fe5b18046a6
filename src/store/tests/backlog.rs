//! Whoever asks for what came after a number is whole again.

use proptest::prelude::*;

use super::*;
use crate::model::Field;
use crate::store::Changes;

#[derive(Clone, Debug)]
enum Step {
    Put { agent: u32, seq: u32, open: bool, text: String },
    Grow { agent: u32, text: String },
    Agent(u32),
    Session,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..3u32, 1..6u32, any::<bool>(), "[a-zé]{0,6}").prop_map(|(agent, seq, open, text)| Step::Put { agent, seq, open, text }),
        3 => (0..3u32, "[a-zé]{1,6}").prop_map(|(agent, text)| Step::Grow { agent, text }),
        1 => (0..3u32).prop_map(Step::Agent),
        1 => Just(Step::Session),
    ]
}

/// Turns a step into a change of what is there, or nothing where it does not fit.
fn change(step: Step, texts: &mut BTreeMap<(u32, u32), (bool, String)>) -> Option<Change> {
    match step {
        Step::Put { agent, seq, open, text } => {
            texts.insert((agent, seq), (open, text.clone()));
            Some(entry(agent, seq, if open { EntryState::Open } else { EntryState::Done }, &text))
        }
        Step::Grow { agent, text } => {
            let ((_, seq), (_, whole)) = texts.iter_mut().find(|((of, _), (open, _))| *of == agent && *open)?;
            let from = whole.len() as u64;
            whole.push_str(&text);
            Some(Change::Append { agent, seq: *seq, field: Field::Text, from, text, rev: 0 })
        }
        Step::Agent(n) => Some(super::agent(n)),
        Step::Session => Some(Change::Session(Box::new(Session { id: "s1".into(), title: "Two".into(), ..Session::default() }))),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_at_any_cut_and_what_came_after_are_the_rows(steps in prop::collection::vec(prop::collection::vec(step(), 1..4), 1..12)) {
        let mut bench = Bench::new();
        bench.write(vec![super::agent(1), super::agent(2)]);
        let (mut cuts, mut texts) = (Vec::new(), BTreeMap::new());
        for draft in steps {
            let mut mirror = Mirror::new();
            let rev = put(&mut mirror, bench.store.backlog(bench.sid, 0, None).unwrap());
            cuts.push((rev, mirror));
            let changes = draft.into_iter().filter_map(|step| change(step, &mut texts)).collect();
            bench.write(changes);
        }
        let mut whole = Mirror::new();
        let reached = put(&mut whole, bench.store.backlog(bench.sid, 0, None).unwrap());
        for ((agent, seq), (_, text)) in &texts {
            let Change::Entry(row) = &whole[&(2, *agent, *seq)] else { panic!("an entry") };
            prop_assert_eq!(&row.body, &Body::Text { text: text.as_str().into() });
        }
        for (rev, mut mirror) in cuts {
            prop_assert_eq!(put(&mut mirror, bench.store.backlog(bench.sid, rev, None).unwrap()), reached);
            prop_assert_eq!(&mirror, &whole);
        }
        for limit in 1..5 {
            let (mut mirror, mut rev, mut pages) = (Mirror::new(), 0, 0);
            loop {
                let page = bench.store.changes(bench.sid, rev, limit).unwrap();
                prop_assert!(page.rows.len() <= limit && page.rev >= rev && page.rows.iter().all(|(at, _)| (rev + 1..=page.rev).contains(at)));
                let Changes { rows, grev, more, .. } = page;
                rev = page.rev;
                put(&mut mirror, Backlog::Rows { rows, rev, grev });
                pages += 1;
                prop_assert!(pages < 200, "the pages have an end");
                if !more {
                    break;
                }
            }
            prop_assert_eq!(rev, reached);
            prop_assert_eq!(&mirror, &whole);
        }
    }
}

#[test]
fn a_piece_moves_its_row_above_the_reader() {
    let mut bench = Bench::new();
    bench.write(vec![entry(0, 1, EntryState::Open, "a")]);
    let rev = bench.write(vec![entry(0, 2, EntryState::Done, "z")]);
    let grown = Change::Append { agent: 0, seq: 1, field: Field::Text, from: 1, text: "b".into(), rev: 0 };
    bench.write(vec![grown]);
    let Backlog::Rows { rows, .. } = bench.store.backlog(bench.sid, rev, None).unwrap() else { panic!("too far") };
    let [(of, Change::Entry(row))] = rows.as_slice() else { panic!("one entry: {rows:?}") };
    assert_eq!((*of, row.rev, &row.body), (rev + 1, rev + 1, &Body::Text { text: "ab".into() }));
}

#[test]
fn only_the_entries_that_are_asked_for_come_but_all_agents() {
    let mut bench = Bench::new();
    let changes = vec![super::agent(1), super::agent(2), entry(0, 1, EntryState::Done, "a"), entry(1, 1, EntryState::Done, "b")];
    bench.write(changes);
    let mut mirror = Mirror::new();
    put(&mut mirror, bench.store.backlog(bench.sid, 0, Some(&[1, 7])).unwrap());
    assert_eq!(mirror.into_keys().collect::<Vec<_>>(), [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 2, 0), (2, 1, 1)]);
}

#[test]
fn too_many_rows_or_bytes_are_far() {
    let mut bench = Bench::new();
    bench.write((1..=5_001).map(|seq| entry(0, seq, EntryState::Done, "")).collect());
    assert!(matches!(bench.store.backlog(bench.sid, 0, None).unwrap(), Backlog::Far));
    assert!(matches!(bench.store.backlog(bench.sid, 2, Some(&[])).unwrap(), Backlog::Rows { .. }));
    let rev = bench.write(vec![]);
    bench.write((1..=5).map(|seq| entry(0, seq, EntryState::Done, &"x".repeat(1 << 20))).collect());
    assert!(matches!(bench.store.backlog(bench.sid, rev, None).unwrap(), Backlog::Far));
    assert!(matches!(bench.store.backlog(bench.sid, rev + 2, None).unwrap(), Backlog::Rows { .. }));
}

#[test]
fn what_is_too_much_at_once_comes_page_by_page() {
    let mut bench = Bench::new();
    bench.write((1..=5).map(|seq| entry(0, seq, EntryState::Done, &"x".repeat(3 << 20))).collect());
    bench.write((6..=5_010).map(|seq| entry(0, seq, EntryState::Done, "")).collect());
    let (mut rev, mut rows, mut pages) = (0, 0, 0);
    loop {
        let page = bench.store.changes(bench.sid, rev, 5_000).unwrap();
        (rev, rows, pages) = (page.rev, rows + page.rows.len(), pages + 1);
        if !page.more {
            break;
        }
    }
    // The entries, the session, and its main agent.
    assert_eq!((rows, pages), (5_012, 6));
}

#[test]
fn nothing_is_appended_to_what_is_closed() {
    let mut bench = Bench::new();
    bench.write(vec![entry(0, 1, EntryState::Done, "a")]);
    let grown = Change::Append { agent: 0, seq: 1, field: Field::Text, from: 1, text: "b".into(), rev: 0 };
    let error = bench.try_write(Draft { changes: vec![grown], ..Draft::default() }).unwrap_err();
    assert!(error.to_string().contains("not open"), "{error}");
}
