//! The writer: groups, failures, restarts.

use super::*;
use crate::model::{Body, Change, EntriesPage, Who};
use crate::store::tests::lines::{line, parcel, says, story};
use crate::store::tests::{Desk, Mirror, Told, put};
use crate::store::{Backlog, Store, Window};

/// A writer without its thread, so that a test decides what makes a group.
struct Hand {
    work: Work,
    store: Sqlite,
    told: Arc<Told>,
    runtime: Runtime,
}

impl Hand {
    fn open(dir: &Path) -> Self {
        let told = Arc::new(Told::default());
        let (work, store) = Work::open(dir, told.clone()).unwrap();
        Self { work, store, told, runtime: tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap() }
    }

    /// Takes parcels in as one group, and gives the answer of each.
    fn group(&mut self, parcels: Vec<Parcel>) -> Vec<Result<Receipt, StoreError>> {
        let (sender, mut jobs) = mpsc::channel(64);
        let mut answers = Vec::new();
        for mut parcel in parcels {
            let (done, answer) = oneshot::channel();
            parcel.done = Some(done);
            answers.push(answer);
            sender.try_send(Job::Parcel(parcel)).unwrap_or_else(|_| panic!("room"));
        }
        let Ok(Job::Parcel(first)) = jobs.try_recv() else { panic!("a parcel") };
        assert!(self.work.group(first, &mut jobs, &self.runtime).is_none());
        answers.into_iter().map(|mut answer| answer.try_recv().unwrap()).collect()
    }

    fn texts(&self, session: &str) -> Vec<String> {
        let Some(sid) = self.store.find(session).unwrap() else { return Vec::new() };
        let EntriesPage { entries, .. } = self.store.entries(sid, 0, Window::Newest, 99).unwrap();
        let text = |body| match body {
            Body::Text { text } => text.text,
            other => other.kind().into(),
        };
        entries.into_iter().map(|entry| text(entry.body)).collect()
    }
}

fn hello(session: &str, file: &str, at: u64, text: &str) -> Parcel {
    parcel(file, vec![line(session, at, vec![says(Who::Main, &format!("k{at}"), text)])])
}

#[test]
fn what_is_told_is_what_is_kept_and_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(&dir.path().join("d"));
    let parcels = story().into_iter().map(|(file, line)| parcel(file, vec![line])).collect();
    let answers = hand.group(parcels);
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    let sid = hand.store.find("s1").unwrap().unwrap();
    let mut kept = Mirror::new();
    let rev = put(&mut kept, hand.store.backlog(sid, 0, None).unwrap());
    let told = hand.told.changes.lock().unwrap();
    let revs: Vec<u64> = told
        .iter()
        .map(|(_, change)| match change {
            Change::Session(row) => row.rev,
            Change::Agent(row) => row.rev,
            Change::Entry(row) => row.rev,
            Change::Append { rev, .. } => *rev,
            Change::Gone(gone) => gone.rev,
        })
        .collect();
    assert_eq!(revs, (1..=rev).collect::<Vec<_>>());
    assert_eq!(answers.last().unwrap().as_ref().unwrap().sessions, [("s1".to_owned(), rev)]);
    assert_eq!(hand.texts("s1"), ["Good morning.", "tool", "tool", "Both are counting.", "It is a house."]);
}

#[test]
fn a_restart_between_any_two_lines_changes_no_row() {
    let dir = tempfile::tempdir().unwrap();
    let rows = |name: &str, restart: bool| {
        let data = dir.path().join(name);
        let mut hand = Hand::open(&data);
        for (file, line) in story() {
            assert!(hand.group(vec![parcel(file, vec![line])])[0].is_ok());
            if restart {
                drop(hand);
                hand = Hand::open(&data);
            }
        }
        let sid = hand.store.find("s1").unwrap().unwrap();
        let mut rows = Mirror::new();
        put(&mut rows, hand.store.backlog(sid, 0, None).unwrap());
        if let Some(Change::Session(session)) = rows.get_mut(&(0, 0, 0)) {
            session.grev = 0;
        }
        (rows, hand.store.sources().unwrap())
    };
    assert_eq!(rows("through", false), rows("restarted", true));
}

#[test]
fn the_account_of_a_source_adds_up() {
    let dir = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(&dir.path().join("d"));
    let mut first = hello("s1", "f", 0, "a");
    first.other.add(&Class::Blank);
    first.other.add(&Class::Incomplete);
    let answers = hand.group(vec![first, hello("s1", "f", 0, "a"), hello("s1", "f", 10, "b")]);
    let classes: Vec<_> = answers.into_iter().map(|answer| answer.unwrap().classes.0.into_iter().collect::<Vec<_>>()).collect();
    assert_eq!(classes[0], [("blank".into(), 1), ("entry".into(), 1), ("incomplete".into(), 1)]);
    assert_eq!(classes[1], [("duplicate".into(), 1)]);
    let (id, source) = hand.store.source_named("f").unwrap().unwrap();
    assert_eq!(source.lines.0.into_iter().collect::<Vec<_>>(), [("blank".into(), 1), ("duplicate".into(), 1), ("entry".into(), 2)]);
    assert_eq!((source.offset, source.state.as_str()), (20, "behind 20"));
    let mut anew = hello("s1", "f", 0, "a");
    anew.source.generation = 1;
    assert!(hand.group(vec![anew])[0].is_ok());
    let (again, source) = hand.store.source_named("f").unwrap().unwrap();
    assert_eq!((again, source.lines.total(), source.generation), (id, 1, 1));
    assert_eq!(hand.store.source(id).unwrap().unwrap(), source);
    assert_eq!(hand.store.sources().unwrap(), [(id, source)]);
}

#[test]
fn a_parcel_before_which_bytes_are_missing_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(&dir.path().join("d"));
    let answers =
        hand.group(vec![hello("s1", "f", 10, "b"), hello("s1", "f", 0, "a"), hello("s1", "f", 20, "c"), hello("s1", "f", 10, "b")]);
    let ok: Vec<bool> = answers.iter().map(Result::is_ok).collect();
    assert_eq!(ok, [false, true, false, true]);
    assert_eq!(hand.texts("s1"), ["a", "b"]);
}

#[test]
fn a_session_that_cannot_be_continued_takes_no_other_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("d");
    let mut hand = Hand::open(&data);
    hand.group(vec![hello("s1", "f1", 0, "a"), hello("s2", "f2", 0, "b")]);
    hand.work.conn.execute("UPDATE books SET state = '{' WHERE sid = 1", []).unwrap();
    drop(hand);
    let mut hand = Hand::open(&data);
    let mixed = parcel("f3", vec![hello("s2", "f3", 0, "half").lines.remove(0), hello("s1", "f3", 10, "x").lines.remove(0)]);
    let answers = hand.group(vec![hello("s2", "f2", 10, "c"), hello("s1", "f1", 10, "x"), mixed, hello("s2", "f2", 20, "d")]);
    let words: Vec<String> = answers.iter().filter_map(|answer| answer.as_ref().err().map(ToString::to_string)).collect();
    assert_eq!(words.len(), 2, "{words:?}");
    assert!(words[0].contains("s1 cannot be continued"), "{words:?}");
    assert_eq!((hand.texts("s1"), hand.texts("s2")), (vec!["a".into()], vec!["b".into(), "c".into(), "d".into()]));
    assert_eq!(hand.store.source_named("f1").unwrap().unwrap().1.offset, 10, "to be read again");
    assert!(hand.store.source_named("f3").unwrap().is_none());
}

#[test]
fn a_full_disk_loses_nothing_and_is_got_over() {
    let dir = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(&dir.path().join("d"));
    assert!(hand.group(vec![hello("s1", "f", 0, "a")])[0].is_ok());
    let pages: i64 = hand.work.conn.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
    let limit = |work: &Work, pages: i64| work.conn.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |row| row.get::<_, i64>(0));
    limit(&hand.work, pages).unwrap();
    let told = hand.told.changes.lock().unwrap().len();
    let big = "x".repeat(50_000);
    let answers = hand.group(vec![hello("s1", "f", 10, &big), hello("s1", "f", 20, "c"), hello("s2", "g", 0, "z")]);
    assert_eq!(answers[0], Err(StoreError::Full));
    assert!(answers[1].is_err());
    assert_eq!(answers[2].is_ok(), hand.texts("s2") == ["z"], "an answer is true");
    assert_eq!((hand.texts("s1"), hand.told.changes.lock().unwrap().iter().filter(|(sid, _)| *sid == 1).count()), (vec!["a".into()], told));
    limit(&hand.work, 1_000_000).unwrap();
    let answers = hand.group(vec![hello("s1", "f", 10, &big), hello("s1", "f", 20, "c")]);
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    assert_eq!(hand.texts("s1"), ["a".to_owned(), big, "c".to_owned()]);
}

#[test]
fn what_was_not_committed_was_never_there() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("d");
    let mut hand = Hand::open(&data);
    hand.group(vec![hello("s1", "f", 0, "a")]);
    hand.work.conn.execute_batch("BEGIN IMMEDIATE").unwrap();
    hand.work.parcel(hello("s1", "f", 10, "b"), &mut Group::default()).unwrap();
    drop(hand);
    let mut hand = Hand::open(&data);
    assert_eq!((hand.texts("s1"), hand.store.source_named("f").unwrap().unwrap().1.offset), (vec!["a".into()], 10));
    assert!(hand.group(vec![hello("s1", "f", 10, "b")])[0].is_ok());
    assert_eq!(hand.texts("s1"), ["a", "b"]);
}

#[test]
fn a_row_moves_in_the_list_at_most_once_a_second_and_a_restart_forgets_none() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("d");
    let mut hand = Hand::open(&data);
    hand.group(vec![hello("s1", "f", 0, "a")]);
    hand.group(vec![hello("s1", "f", 10, "b")]);
    assert_eq!(hand.told.listed.lock().unwrap().len(), 1);
    let rows = |hand: &Hand| match hand.store.list_backlog(1).unwrap() {
        Backlog::Rows { rows, .. } => rows,
        Backlog::Far => panic!("too far"),
    };
    assert!(rows(&hand).is_empty());
    assert!(hand.work.alarm().is_some_and(|at| at > Instant::now() || rows(&hand).is_empty()));
    drop(hand);
    let mut hand = Hand::open(&data);
    hand.work.alarmed();
    assert_eq!(rows(&hand).len(), 1);
    assert_eq!(hand.told.listed.lock().unwrap()[..], [(rows(&hand)[0].1.clone(), 2)]);
    assert_eq!(hand.work.alarm(), None, "idle costs nothing");
}

#[test]
fn many_sessions_come_through_few_open_books() {
    let dir = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(&dir.path().join("d"));
    let names: Vec<String> = (0..40).map(|n| format!("s{n}")).collect();
    for at in [0, 10] {
        let parcels = names.iter().map(|name| hello(name, name, at, &format!("{name} {at}")));
        assert!(hand.group(parcels.collect()).iter().all(Result::is_ok));
    }
    for name in &names {
        assert_eq!(hand.texts(name), [format!("{name} 0"), format!("{name} 10")]);
    }
}

#[test]
fn a_copy_of_the_database_has_an_epoch_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let (one, two) = (dir.path().join("one"), dir.path().join("two"));
    let epoch = |data: &Path| Hand::open(data).store.head().unwrap().epoch;
    let first = epoch(&one);
    assert_eq!(epoch(&one), first);
    drop(Hand::open(&two));
    std::fs::copy(crate::store::folder::database(&one), crate::store::folder::database(&two)).unwrap();
    assert_ne!(epoch(&two), first);
}

#[test]
fn the_thread_answers_in_order_and_ends_when_it_is_closed() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("d");
    let desk = Desk::open(&data);
    for at in (0..100).step_by(10) {
        let mut parcel = hello("s1", "f", at, "x");
        parcel.bulk = at % 20 == 0;
        desk.writer.send_blocking(parcel).unwrap();
    }
    assert!(desk.send(hello("s1", "f", 100, "last")).is_ok());
    assert!(matches!(Work::open(&data, Arc::new(Told::default())).map(drop), Err(StoreError::Busy(_))));
    let (writer, store) = (desk.writer.clone(), desk.store.clone());
    desk.close();
    assert_eq!(writer.send_blocking(hello("s1", "f", 110, "late")), Err(StoreError::Closed));
    let sid = store.find("s1").unwrap().unwrap();
    assert_eq!(store.entries(sid, 0, Window::Newest, 99).unwrap().entries.len(), 11, "it can still be read");
    let other = crate::store::open_to_read(&data).unwrap().unwrap();
    assert_eq!(other.find("s1").unwrap(), Some(sid), "also by another process");
    drop(Work::open(&data, Arc::new(Told::default())).unwrap());
}

#[test]
fn a_transaction_that_was_lost_takes_all_its_parcels_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(&dir.path().join("d"));
    let refused = hand.work.parcel(hello("s1", "f", 0, "a"), &mut Group::default());
    assert!(refused.is_err(), "outside of a transaction nothing is written");
    assert!(hand.texts("s1").is_empty());
}
