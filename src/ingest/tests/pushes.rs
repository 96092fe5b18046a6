//! What a batch of pushed lines meets beside the lines themselves.

use std::sync::Arc;

use tokio::sync::oneshot;

use super::orphans::Nobody;
use super::*;
use crate::dialect::by_name;
use crate::ingest::{Batch, Close, Intake, Producer, Refusal, settle_silent};
use crate::model::{MAIN, SessionStatus};
use crate::store::{Shared, Window, Writer};

fn take(intake: &Intake, seq: u64, lines: &[&[u8]]) -> Result<u64, Refusal> {
    let producer = Some(Producer { id: "p".into(), epoch: 1, seq });
    let dialect = by_name("claude-disk").expect("the dialect");
    let batch = Batch { dialect, session: "s", producer, lines, reopen: false, close: None };
    intake.take(&batch).map(|taken| taken.duplicates)
}

#[test]
fn a_writer_that_is_behind_takes_nothing_and_the_same_lines_later() {
    let kept = Arc::new(Kept::default());
    let intake = Intake::new(kept.clone());
    let (one, two) = (line("one"), line("two"));
    assert!(take(&intake, 0, &[one.trim_end().as_bytes()]).is_ok());
    kept.inner().behind = true;
    assert_eq!(take(&intake, 1, &[two.trim_end().as_bytes()]), Err(Refusal::Store(StoreError::Behind)));
    assert_eq!(kept.ids(), ["one"]);
    kept.inner().behind = false;
    assert!(take(&intake, 1, &[two.trim_end().as_bytes()]).is_ok());
    assert_eq!(kept.ids(), ["one", "two"]);
}

/// A store, and what pushes to it.
fn opened() -> (tempfile::TempDir, Writer, Shared, Intake) {
    let folder = tempfile::tempdir().expect("a folder");
    let (writer, store) = Writer::open(folder.path(), Arc::new(Nobody)).expect("a store");
    let intake = Intake::new(Arc::new(writer.clone()));
    (folder, writer, store, intake)
}

fn status(store: &Shared) -> SessionStatus {
    let sid = store.find("s").expect("a store").expect("the session");
    store.session_page(sid, MAIN, Window::Newest, 1).expect("a store").expect("the session").session.status
}

/// Pushes what an assistant says, numbered or not.
fn say(intake: &Intake, seq: Option<u64>, words: &str, reopen: bool, close: Option<Close>) -> Result<u64, Refusal> {
    let text = format!(
        r#"{{"type":"assistant","message":{{"id":"{words}","content":[{{"type":"text","text":"{words}"}}]}},"parent_tool_use_id":null,"session_id":"s","uuid":"{words}"}}"#
    );
    let producer = seq.map(|seq| Producer { id: "p".into(), epoch: 1, seq });
    let dialect = by_name("claude-stream").expect("the dialect");
    let lines: &[&[u8]] = if words.is_empty() { &[] } else { &[text.as_bytes()] };
    intake.take(&Batch { dialect, session: "s", producer, lines, reopen, close }).map(|taken| taken.accepted)
}

#[test]
fn a_session_that_was_told_exited_runs_again_when_it_works_again() {
    for numbered in [true, false] {
        let (_folder, _writer, store, intake) = opened();
        let seq = |seq| numbered.then_some(seq);
        say(&intake, seq(0), "one", false, None).expect("taken");
        assert_eq!(status(&store), SessionStatus::Running);
        say(&intake, seq(1), "two", false, Some(Close::Exited)).expect("taken");
        assert_eq!(status(&store), SessionStatus::Exited);
        // The same again is no news.
        if numbered {
            say(&intake, seq(1), "two", true, None).expect("taken");
            assert_eq!(status(&store), SessionStatus::Exited);
        }
        say(&intake, seq(2), "three", true, None).expect("taken");
        assert_eq!(status(&store), SessionStatus::Running, "numbered: {numbered}");
        say(&intake, seq(3), "four", true, Some(Close::Stopped)).expect("taken");
        assert_eq!(status(&store), SessionStatus::Stopped, "numbered: {numbered}");
    }
}

#[test]
fn a_producer_that_is_silent_leaves_an_unknown_session_and_no_end() {
    let (_folder, writer, store, intake) = opened();
    say(&intake, Some(0), "one", false, None).expect("taken");
    settle_silent(&writer, &intake, Duration::from_mins(1)).expect("settled");
    assert_eq!(status(&store), SessionStatus::Running, "it was heard just now");
    settle_silent(&writer, &intake, Duration::ZERO).expect("settled");
    // Commits are in order: behind one of another session it is there.
    let other = SessionId { family: "claude".into(), id: "other".into() };
    let (done, receipt) = oneshot::channel();
    let source = SourceState { name: "other".into(), ..SourceState::default() };
    let lines = vec![Line::control(other, vec![Op::NoNews])];
    Sink::send(&writer, Parcel { source, from: 0, lines, other: Classes::default(), bulk: false, done: Some(done) }).expect("sent");
    receipt.blocking_recv().expect("an answer").expect("a commit");
    assert_eq!(status(&store), SessionStatus::Unknown);
    // What comes later restores what evidence says.
    say(&intake, Some(1), "two", false, None).expect("taken");
    assert_eq!(status(&store), SessionStatus::Running);
    say(&intake, Some(2), "", false, None).expect("taken");
    assert_eq!(intake.silent(Duration::ZERO).len(), 1, "an empty batch says that it is there");
    say(&intake, Some(2), "three", false, Some(Close::Exited)).expect("taken");
    assert_eq!(intake.silent(Duration::ZERO).len(), 0, "nobody waits for one that has ended");
}
