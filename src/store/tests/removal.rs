//! Removing: all or nothing, never what runs, and nothing of it comes back or stays.

use super::lines::{id, line, parcel, says, starts, story};
use super::*;
use crate::model::{Class, Line, Op, Who};

const SECRET: &str = "the-secret-word";

/// A finished session whose main agent and whose one subagent say the secret, long and short, from one file.
fn secrets() -> Vec<Line> {
    let long = format!("{} {SECRET}", "x".repeat(80_000));
    let child = || Who::call("c1");
    let ops = vec![
        vec![says(Who::Main, "m1", "Hello.")],
        starts("c1", SECRET),
        vec![says(child(), "k1", SECRET), says(child(), "k2", &long)],
        super::lines::reports("c1", "r1", "Done."),
    ];
    let lines = ops.into_iter().zip((0..).step_by(10)).map(|(ops, at)| line("s1", at, ops));
    lines.chain([Line::control(id("s1"), vec![Op::NoNews])]).collect()
}

fn found_in(dir: &Path, word: &str) -> Vec<String> {
    let files = std::fs::read_dir(dir).unwrap().map(|file| file.unwrap().path());
    let holds = |path: &std::path::PathBuf| {
        let bytes = std::fs::read(path).unwrap();
        bytes.windows(word.len()).any(|window| window == word.as_bytes())
    };
    files.filter(holds).map(|path| path.display().to_string()).collect()
}

fn remove(desk: &Desk, agents: Option<Vec<AgentNo>>) -> Result<(), StoreError> {
    futures::executor::block_on(desk.writer.remove(desk.sid("s1"), agents))
}

#[test]
fn what_runs_is_not_removed() {
    let dir = tempfile::tempdir().unwrap();
    let desk = Desk::open(&dir.path().join("d"));
    for (file, line) in story() {
        desk.send(parcel(file, vec![line])).unwrap();
    }
    let before = desk.store.backlog(desk.sid("s1"), 0, None).unwrap();
    assert_eq!(remove(&desk, None), Err(StoreError::Running(vec!["Main".into(), "Count the windows".into()])));
    assert_eq!(remove(&desk, Some(vec![1, 3])), Err(StoreError::Running(vec!["Count the windows".into()])));
    assert!(matches!(remove(&desk, Some(vec![1, 9])), Err(StoreError::Missing(_))));
    assert!(matches!(remove(&desk, Some(vec![0])), Err(StoreError::Other(_))));
    let after = desk.store.backlog(desk.sid("s1"), 0, None).unwrap();
    assert_eq!(format!("{before:?}"), format!("{after:?}"));
}

#[test]
fn a_removed_session_leaves_no_word_and_does_not_come_back() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("d");
    let desk = Desk::open(&data);
    desk.send(parcel("file", secrets())).unwrap();
    desk.send(parcel("other", vec![line("s2", 0, vec![says(Who::Main, "m1", "Kept.")])])).unwrap();
    let sid = desk.sid("s1");
    let rev = put(&mut Mirror::new(), desk.store.backlog(sid, 0, None).unwrap());
    let grev = desk.store.head().unwrap().grev;
    assert!(!found_in(&data, SECRET).is_empty(), "the word can be found");
    remove(&desk, None).unwrap();
    assert_eq!(found_in(&data, SECRET), Vec::<String>::new());
    assert_eq!(desk.store.find("s1").unwrap(), None);
    assert!(desk.store.find("s2").unwrap().is_some());

    let mut mirror = Mirror::from([((1, 0, 0), agent(0))]);
    put(&mut mirror, desk.store.backlog(sid, rev, None).unwrap());
    assert!(mirror.is_empty(), "a reader is told that it is gone");
    let Backlog::Rows { rows, .. } = desk.store.list_backlog(grev).unwrap() else { panic!("too far") };
    assert!(matches!(&rows[..], [(_, Change::Gone(gone))] if gone.session.as_deref() == Some("s1")), "{rows:?}");
    assert_eq!(desk.told.listed.lock().unwrap().last().unwrap().0, rows[0].1);

    let receipt = desk.send(parcel("again", secrets())).unwrap();
    assert_eq!(receipt.classes.0.into_iter().collect::<Vec<_>>(), [(Class::Duplicate.name(), 4)]);
    assert_eq!(found_in(&data, SECRET), Vec::<String>::new());

    assert!(futures::executor::block_on(desk.writer.forget(id("s1"))).unwrap());
    let receipt = desk.send(parcel("anew", secrets())).unwrap();
    assert_eq!(receipt.classes.0.into_iter().collect::<Vec<_>>(), [(Class::Entry.name(), 4)]);
    assert_eq!(desk.sid("s1"), sid);
    assert!(receipt.sessions[0].1 > rev + 1, "numbers go on");
}

#[test]
fn a_removed_agent_leaves_no_word_and_does_not_come_back() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("d");
    let desk = Desk::open(&data);
    // The call's title is its parent's word: only what the agent itself said goes.
    let lines = || {
        secrets().into_iter().map(|mut line| {
            line.ops.retain(|op| !matches!(op, Op::Agent { .. } if line.offset == 10));
            for op in &mut line.ops {
                if let Op::Call { patch, .. } = op {
                    patch.title = Some("Look".into());
                }
            }
            line
        })
    };
    desk.send(parcel("file", lines().collect())).unwrap();
    let sid = desk.sid("s1");
    let rev = put(&mut Mirror::new(), desk.store.backlog(sid, 0, None).unwrap());
    remove(&desk, Some(vec![1])).unwrap();
    assert_eq!(found_in(&data, SECRET), Vec::<String>::new());
    let page = desk.store.session_page(sid, 0, super::super::Window::Newest, 9).unwrap().unwrap();
    assert_eq!((page.agents.len(), page.session.agents.all), (1, 0));
    let Backlog::Rows { rows, .. } = desk.store.backlog(sid, rev, None).unwrap() else { panic!("too far") };
    assert!(rows.iter().any(|(_, change)| matches!(change, Change::Gone(gone) if gone.agent == Some(1))), "{rows:?}");

    // New words of the agent are dropped, those of others are not; also after the book was opened anew.
    desk.send(parcel("late", vec![line("s1", 40, vec![says(Who::call("c1"), "k9", SECRET), says(Who::Main, "m9", "Bye.")])])).unwrap_err();
    let late = |file: &str, at| {
        let mut parcel = parcel(
            file,
            vec![line("s1", at, vec![says(Who::call("c1"), &format!("k{at}"), SECRET), says(Who::Main, &format!("m{at}"), "Bye.")])],
        );
        parcel.from = 0;
        parcel
    };
    desk.send(late("late", 40)).unwrap();
    desk.close();
    let desk = Desk::open(&data);
    desk.send(late("later", 50)).unwrap();
    assert_eq!(found_in(&data, SECRET), Vec::<String>::new());
    let page = desk.store.session_page(sid, 0, super::super::Window::Newest, 9).unwrap().unwrap();
    assert_eq!((page.agents.len(), page.session.agents.all, page.entries.entries.len()), (1, 0, 4));

    assert!(futures::executor::block_on(desk.writer.forget(id("s1"))).unwrap());
    desk.send(parcel("anew", lines().collect())).unwrap();
    let page = desk.store.session_page(sid, 1, super::super::Window::Newest, 9).unwrap().unwrap();
    assert_eq!((page.session.agents.all, page.entries.entries.len()), (1, 2));
}
