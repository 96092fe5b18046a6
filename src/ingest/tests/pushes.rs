//! What a batch of pushed lines meets beside the lines themselves.

use std::sync::Arc;

use super::*;
use crate::dialect::by_name;
use crate::ingest::{Batch, Intake, Producer, Refusal};

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
