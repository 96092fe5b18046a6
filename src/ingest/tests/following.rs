//! Files that grow while they are followed.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use super::super::{Pace, Tail};
use super::*;

/// A pace at which only events bring news: nothing is looked for behind them.
pub(super) fn patient() -> Pace {
    let long = Duration::from_secs(3_600);
    Pace { poll: long, active: long, rescan: long, quiet: long, partial: long }
}

pub(super) fn follow(root: &Path, pace: Pace) -> (Arc<Kept>, Tail, Receiver<String>) {
    let kept = Arc::new(Kept::default());
    let (tail, reports) = follow_into(root, pace, &kept);
    (kept, tail, reports)
}

pub(super) fn follow_into(root: &Path, pace: Pace, kept: &Arc<Kept>) -> (Tail, Receiver<String>) {
    let (tell, reports) = channel();
    let report = Box::new(move |text: &str| drop(tell.send(text.to_owned())));
    (Tail::start(vec![root.to_owned()], kept.clone(), pace, report), reports)
}

pub(super) fn append(path: &Path, text: &str) {
    let mut file = OpenOptions::new().append(true).create(true).open(path).expect("a file");
    file.write_all(text.as_bytes()).expect("written");
}

pub(super) fn has(id: &str) -> impl Fn(&Inner) -> bool + '_ {
    move |inner| inner.lines.iter().any(|line| line.id.as_deref() == Some(id))
}

#[test]
fn appended_lines_come_at_once_and_half_a_line_waits() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.jsonl");
    append(&path, &line("one"));
    let (kept, _tail, _) = follow(folder.path(), patient());
    kept.wait_for("the first line", has("one"));
    let text = line("two");
    let (half, rest) = text.split_at(20);
    append(&path, half);
    append(&path, rest);
    kept.wait_for("the second line", has("two"));
    let begun = Instant::now();
    append(&path, &line("three"));
    kept.wait_for("the third line", has("three"));
    println!("append to parcel: {:?}", begun.elapsed());
    assert_eq!(kept.ids(), ["one", "two", "three"]);
}

#[test]
fn new_files_and_folders_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("later/projects");
    let (kept, _tail, _) = follow(&root, patient());
    fs::create_dir_all(root.join("p")).expect("folders");
    append(&root.join("p/s.jsonl"), &line("one"));
    kept.wait_for("a file in a folder that was not there", has("one"));
    let agents = root.join("p/s/subagents");
    fs::create_dir_all(&agents).expect("folders");
    append(&agents.join("agent-a1.jsonl"), &line("child"));
    kept.wait_for("an agent's file", has("child"));
}

#[test]
fn a_file_cut_off_or_replaced_is_read_from_its_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.jsonl");
    append(&path, &lines(&["one", "two"]));
    let (kept, _tail, _) = follow(folder.path(), patient());
    kept.wait_for("the first lines", has("two"));
    fs::write(&path, line("three")).expect("written");
    kept.wait_for("the line of the file cut off", has("three"));
    fs::write(folder.path().join("new"), lines(&["four", "five"])).expect("written");
    fs::rename(folder.path().join("new"), &path).expect("renamed");
    kept.wait_for("the lines of the new file", has("five"));
    fs::remove_file(&path).expect("removed");
    append(&path, &line("six"));
    kept.wait_for("the line of the file made again", has("six"));
    assert_eq!(kept.ids(), ["one", "two", "three", "four", "five", "six"]);
}

#[test]
fn a_quiet_session_is_told_once_and_its_last_line_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.jsonl");
    append(&path, line("one").trim_end());
    let (kept, tail, _) = follow(folder.path(), Pace { quiet: Duration::from_millis(50), ..patient() });
    kept.wait_for("the word that there is no news", |inner| inner.controls.len() == 1);
    assert_eq!(kept.ids(), ["one"]);
    append(&path, &format!("\n{}", line("two")));
    kept.wait_for("the next word", |inner| inner.controls.len() == 2);
    drop(tail);
    let total: u64 = kept.inner().sources.values().map(|source| source.lines.total()).sum();
    assert_eq!((kept.ids(), total), (vec!["one".into(), "two".into()], 2));
}

#[test]
fn after_a_restart_it_goes_on_where_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.jsonl");
    append(&path, &line("one"));
    let (kept, tail, _) = follow(folder.path(), patient());
    kept.wait_for("the first line", has("one"));
    drop(tail);
    append(&path, &line("two"));
    let (_tail, _) = follow_into(folder.path(), patient(), &kept);
    kept.wait_for("the second line", has("two"));
    assert_eq!(kept.ids(), ["one", "two"]);
}

#[test]
fn what_the_events_lose_is_found_by_looking() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.jsonl");
    append(&path, &line("one"));
    let pace = Pace { poll: Duration::from_millis(20), ..Pace::default() };
    let (kept, _tail, _) = follow(folder.path(), pace);
    kept.wait_for("the first line", has("one"));
    // A second name in a folder that nobody watches: writing there gives no event here.
    let elsewhere = tempfile::tempdir_in(folder.path().parent().expect("a parent")).expect("a folder");
    let other = elsewhere.path().join("other");
    fs::hard_link(&path, &other).expect("a second name");
    append(&other, &line("two"));
    kept.wait_for("the line without an event", has("two"));
}

#[test]
fn a_file_that_cannot_be_read_is_reported_once_and_the_others_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    append(&folder.path().join("other.jsonl"), "{\"a\":1}\n");
    append(&folder.path().join("s.jsonl"), &line("one"));
    let (kept, tail, reports) = follow(folder.path(), patient());
    kept.wait_for("the readable file", has("one"));
    append(&folder.path().join("other.jsonl"), "{\"a\":2}\n");
    append(&folder.path().join("s.jsonl"), &line("two"));
    kept.wait_for("its next line", has("two"));
    drop(tail);
    let told: Vec<String> = reports.try_iter().collect();
    assert!(matches!(told.as_slice(), [one] if one.contains("other.jsonl") && one.contains("no transcript")), "{told:?}");
}

#[test]
fn what_the_store_refuses_is_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.jsonl");
    append(&path, &line("one"));
    let (kept, _tail, reports) = follow(folder.path(), patient());
    kept.wait_for("the first line", has("one"));
    kept.inner().fail = true;
    append(&path, &line("two"));
    let report = reports.recv_timeout(Duration::from_secs(10)).expect("a report");
    assert!(report.contains("disk is full"), "{report}");
    kept.inner().fail = false;
    kept.wait_for("the second line", has("two"));
}

/// What is committed by size had no receipt: a disk that was full for a while left its files unread until they grew.
#[test]
fn much_that_the_store_refuses_is_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    append(&folder.path().join("t.jsonl"), &line("other"));
    let (kept, tail, reports) = follow(folder.path(), patient());
    kept.wait_for("the other file", has("other"));
    kept.inner().fail = true;
    append(&folder.path().join("s.jsonl"), &line("one").replace("ä one", &"word ".repeat(1 << 18)));
    let report = reports.recv_timeout(Duration::from_secs(10)).expect("a report");
    assert!(report.contains("disk is full"), "{report}");
    kept.inner().fail = false;
    kept.wait_for("the long line", has("one"));
    drop(tail);
}

#[test]
fn a_file_whose_place_the_store_could_not_tell_is_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    append(&folder.path().join("t.jsonl"), &line("other"));
    let (kept, tail, reports) = follow(folder.path(), patient());
    kept.wait_for("the other file", has("other"));
    kept.inner().mute = true;
    append(&folder.path().join("s.jsonl"), &line("one"));
    let report = reports.recv_timeout(Duration::from_secs(10)).expect("a report");
    assert!(report.contains("disk is full"), "{report}");
    kept.inner().mute = false;
    kept.wait_for("its line", has("one"));
    drop(tail);
}

#[test]
fn a_session_that_was_told_is_not_told_again_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let agents = folder.path().join("s/subagents");
    fs::create_dir_all(&agents).expect("folders");
    append(&folder.path().join("s.jsonl"), &line("one"));
    append(&agents.join("agent-a1.jsonl"), &line("child"));
    let pace = Pace { quiet: Duration::from_millis(50), ..patient() };
    let (kept, tail, _) = follow(folder.path(), pace);
    kept.wait_for("the word that there is no news", |inner| inner.controls.len() == 1);
    drop(tail);
    append(&folder.path().join("t.jsonl"), &line("other").replace("\"sessionId\":\"s\"", "\"sessionId\":\"t\""));
    let (_tail, _) = follow_into(folder.path(), pace, &kept);
    kept.wait_for("the word about the other session", |inner| inner.controls.iter().any(|session| session.id == "t"));
    let told: Vec<String> = kept.inner().controls.iter().map(|session| session.id.clone()).collect();
    assert_eq!(told, ["s", "t"]);
}
