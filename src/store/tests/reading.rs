//! What people leave behind: it merges, it stays, and it goes with its session.

use futures::executor::block_on;

use super::lines::{line, parcel, says, starts};
use super::*;
use crate::model::{Class, Line, Link, Op, Seen, Who};

fn desk(data: &Path) -> Desk {
    let desk = Desk::open(data);
    let ops = [vec![says(Who::Main, "m1", "Hello.")], starts("c1", "Look"), vec![says(Who::runtime("stray"), "k1", "Alone.")]];
    desk.send(parcel("file", ops.into_iter().zip((0..).step_by(10)).map(|(ops, at)| line("s1", at, ops)).collect())).unwrap();
    desk
}

fn seen(all: &[(AgentNo, u32, u32)]) -> BTreeMap<AgentNo, Seen> {
    all.iter().map(|(n, seq, ended_run)| (*n, Seen { seq: *seq, ended_run: *ended_run })).collect()
}

#[test]
fn nothing_is_ever_unseen() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("d");
    let desk = desk(&data);
    let sid = desk.sid("s1");
    assert_eq!(desk.store.seen(sid), Ok(BTreeMap::new()));
    block_on(desk.writer.merge_seen(sid, seen(&[(1, 4, 0), (2, 1, 1), (77, 9, 9)]))).unwrap();
    block_on(desk.writer.merge_seen(sid, seen(&[(1, 3, 2), (2, 8, 0)]))).unwrap();
    assert_eq!(desk.store.seen(sid), Ok(seen(&[(1, 4, 2), (2, 8, 1)])), "by the larger, and of known agents only");
    block_on(desk.writer.close()).unwrap();
    drop(desk);
    assert_eq!(Desk::open(&data).store.seen(sid), Ok(seen(&[(1, 4, 2), (2, 8, 1)])));
}

#[test]
fn the_last_layout_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir.path().join("d"));
    let sid = desk.sid("s1");
    assert_eq!(desk.store.layout(sid), Ok(None));
    for layout in ["one", "two"] {
        block_on(desk.writer.save_layout(sid, layout.into())).unwrap();
    }
    assert_eq!(desk.store.layout(sid), Ok(Some("two".into())));
    assert!(matches!(block_on(desk.writer.save_layout(sid + 9, "x".into())), Err(StoreError::Missing(_))));
}

#[test]
fn a_parent_that_a_person_names_is_a_change_like_any_other() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("d");
    let desk = desk(&data);
    let sid = desk.sid("s1");
    let stray = desk.store.find_agent(sid, "stray").unwrap().unwrap();
    let link = |desk: &Desk| {
        let page = desk.store.session_page(sid, 0, super::super::Window::Newest, 9).unwrap().unwrap();
        page.agents.into_iter().find(|agent| agent.n == stray).map(|agent| (agent.link, agent.parent)).unwrap()
    };
    let before = desk.told.changes.lock().unwrap().len();
    block_on(desk.writer.assign(sid, stray, Some(1))).unwrap();
    assert_eq!(link(&desk), (Link::Assigned, Some(1)));
    assert!(desk.told.changes.lock().unwrap()[before..].iter().any(|(_, change)| matches!(change, Change::Agent(row) if row.n == stray)));
    for (agent, parent) in [(0, Some(1)), (stray, Some(stray)), (99, None), (stray, Some(99))] {
        assert!(matches!(block_on(desk.writer.assign(sid, agent, parent)), Err(StoreError::Missing(_))), "{agent} {parent:?}");
    }
    assert_eq!(link(&desk), (Link::Assigned, Some(1)));
    block_on(desk.writer.close()).unwrap();
    drop(desk);
    let desk = Desk::open(&data);
    assert_eq!(link(&desk), (Link::Assigned, Some(1)), "also after a restart");
    block_on(desk.writer.assign(sid, stray, None)).unwrap();
    assert_eq!(link(&desk), (Link::Unlinked, None));
}

#[test]
fn the_half_line_at_a_files_end_stays_in_its_account_until_it_is_read_on() {
    let dir = tempfile::tempdir().unwrap();
    let desk = Desk::open(&dir.path().join("d"));
    let account = || desk.writer.source("file").unwrap().unwrap().1.lines.0;
    let named = |classes: &[(&str, u64)]| classes.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect::<BTreeMap<_, _>>();
    let send = |lines: Vec<Line>, from: u64, offset: u64, half: bool| {
        let mut parcel = parcel("file", lines);
        (parcel.from, parcel.source.offset) = (from, offset);
        if half {
            parcel.other.add(&Class::Incomplete);
        }
        desk.send(parcel).unwrap();
    };
    let said = |at| vec![line("s1", at, vec![says(Who::Main, &at.to_string(), "Hello.")])];
    let settled = || vec![Line::control(super::lines::id("s1"), vec![Op::NoNews])];
    send(said(0), 0, 10, true);
    for half in [false, true] {
        send(settled(), 10, 10, half);
        assert_eq!(account(), named(&[("entry", 1), ("incomplete", 1)]));
    }
    send(said(10), 10, 20, false);
    assert_eq!(account(), named(&[("entry", 2)]));
}
