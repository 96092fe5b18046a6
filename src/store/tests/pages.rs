//! Pages, windows and snapshots.

use super::*;
use crate::ledger::NewBlob;
use crate::model::{Blob, EntriesPage, Long};
use crate::store::{Window, open_to_read};

fn seqs(page: &EntriesPage) -> (Vec<u32>, bool, bool) {
    (page.entries.iter().map(|entry| entry.seq).collect(), page.more_before, page.more_after)
}

#[test]
fn a_window_tells_what_lies_beyond_it() {
    let mut bench = Bench::new();
    let mut changes = vec![agent(1), agent(2)];
    changes.extend((1..=9).map(|seq| entry(1, seq, EntryState::Done, "")));
    bench.write(changes);
    for (window, limit, expected) in [
        (Window::Newest, 3, (vec![7, 8, 9], true, false)),
        (Window::Newest, 20, ((1..=9).collect(), false, false)),
        (Window::Newest, 0, (vec![], true, false)),
        (Window::Before(4), 2, (vec![2, 3], true, true)),
        (Window::Before(3), 2, (vec![1, 2], false, true)),
        (Window::Before(1), 2, (vec![], false, true)),
        (Window::After(0), 2, (vec![1, 2], false, true)),
        (Window::After(7), 2, (vec![8, 9], true, false)),
        (Window::After(9), 2, (vec![], true, false)),
        (Window::Around(5), 4, (vec![3, 4, 5, 6], true, true)),
        (Window::Around(1), 4, (vec![1, 2], false, true)),
        (Window::Around(u32::MAX), 4, (vec![8, 9], true, false)),
    ] {
        let page = bench.store.entries(bench.sid, 1, window, limit).unwrap();
        assert_eq!(seqs(&page), expected, "{window:?} {limit}");
        assert_eq!(seqs(&bench.store.entries(bench.sid, 2, window, limit).unwrap()), (vec![], false, false), "{window:?}");
    }
    assert!(matches!(bench.store.entries(bench.sid, 3, Window::Newest, 1), Err(StoreError::Missing(_))));
    assert!(matches!(bench.store.entries(99, 0, Window::Newest, 1), Err(StoreError::Missing(_))));
}

#[test]
fn a_merged_agent_shows_its_target() {
    let mut bench = Bench::new();
    let stub = |target| Change::Agent(Box::new(Agent { n: 1, id: "call".into(), merged_into: target, ..Agent::default() }));
    bench.write(vec![stub(Some(2)), agent(2), entry(2, 1, EntryState::Done, "here")]);
    assert_eq!(bench.store.entries(bench.sid, 1, Window::Newest, 9).unwrap().agent, 2);
    for name in ["call", "1", "2", "a2"] {
        assert_eq!(bench.store.find_agent(bench.sid, name).unwrap(), Some(2), "{name}");
    }
    assert_eq!(bench.store.find_agent(bench.sid, "main").unwrap(), Some(0));
    assert_eq!(bench.store.find_agent(bench.sid, "nobody").unwrap(), None);
    bench.write(vec![Change::Agent(Box::new(Agent { n: 2, id: "a2".into(), merged_into: Some(1), ..Agent::default() }))]);
    assert_eq!(bench.store.find_agent(bench.sid, "1").unwrap(), None, "a ring of links ends");
}

#[test]
fn the_list_pages_by_newest_activity() {
    let mut bench = Bench::new();
    for (n, at) in [(2, 500), (3, 900), (4, 500), (5, 100)] {
        bench.id.id = format!("s{n}");
        bench.sid = books::sid_of(&bench.conn, &bench.id).unwrap().unwrap();
        let session = Session { id: bench.id.id.clone(), last_at: Some(at), names: vec![format!("name {n}")], ..Session::default() };
        bench.write(vec![agent(0), Change::Session(Box::new(session))]);
    }
    let (mut ids, mut after) = (Vec::new(), None);
    loop {
        let page = bench.store.sessions(after.as_deref(), 2).unwrap();
        ids.extend(page.sessions.into_iter().map(|session| session.id));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    // The first one knows no time: it stands where it has just arrived.
    assert_eq!(ids, ["s1", "s3", "s4", "s2", "s5"]);
    assert_eq!(bench.store.find("name 4").unwrap(), bench.store.find("s4").unwrap());
    assert_eq!(bench.store.find("name 9").unwrap(), None);
}

#[test]
fn a_content_is_whole_in_any_range_and_only_its_sessions() {
    let mut bench = Bench::new();
    let bytes: Vec<u8> = (0..2_500_000u32).map(|n| (n % 251) as u8).collect();
    let blob = Blob { hash: "ab".repeat(32), len: bytes.len() as u64 };
    let Change::Entry(mut row) = entry(0, 1, EntryState::Done, "") else { panic!("an entry") };
    row.body = Body::Text { text: Long { text: "head".into(), blob: Some(blob.clone()) } };
    let blobs = vec![NewBlob { hash: blob.hash.clone(), bytes: bytes.clone() }, NewBlob { hash: "cd".repeat(32), bytes: vec![1] }];
    bench.try_write(Draft { blobs, changes: vec![Change::Entry(row)], ..Draft::default() }).unwrap();
    let read = |start, limit| bench.store.blob(bench.sid, &blob.hash, start, limit).unwrap().unwrap();
    assert!(read(0, usize::MAX) == bytes);
    for (start, limit) in [(0, 10), (1_048_570, 20), (1_048_576, 1), (2_499_999, 10), (0, 0), (2_500_000, 5), (u64::MAX, 5)] {
        let from = usize::try_from(start).unwrap().min(bytes.len());
        assert!(read(start, limit) == bytes[from..(from + limit).min(bytes.len())], "{start} {limit}");
    }
    assert_eq!(bench.store.blob_len(bench.sid, &blob.hash).unwrap(), Some(2_500_000));
    assert_eq!(bench.store.blob_len(bench.sid, &"cd".repeat(32)).unwrap(), None, "no row shows it");
    assert_eq!(bench.store.blob_len(bench.sid + 1, &blob.hash).unwrap(), None, "another session");
}

#[test]
fn a_snapshot_stands_still_while_rows_are_written() {
    let mut bench = Bench::new();
    bench.write(vec![entry(0, 1, EntryState::Done, "before")]);
    let still = bench.store.snapshot().unwrap();
    let other = open_to_read(bench.dir.path()).unwrap().unwrap();
    bench.write(vec![entry(0, 1, EntryState::Done, "after"), entry(0, 2, EntryState::Done, "more")]);
    assert_eq!(seqs(&still.entries(bench.sid, 0, Window::Newest, 9).unwrap()).0, [1]);
    let page = other.session_page(bench.sid, 0, Window::Newest, 9).unwrap().unwrap();
    assert_eq!(seqs(&page.entries).0, [1, 2]);
    assert_eq!(page.cursor, format!("{:016x}.1.{}", other.head().unwrap().epoch, page.entries.rev));
}

#[test]
fn a_folder_without_a_database_is_nothing_to_read() {
    let dir = tempfile::tempdir().unwrap();
    assert!(open_to_read(dir.path()).unwrap().is_none());
    assert!(open_to_read(&dir.path().join("nowhere")).unwrap().is_none());
}
