//! What stands between entries: a new day, and the end of a run with how long it took, once.

use std::collections::BTreeMap;

use leptos::prelude::*;

use super::scene::Scene;
use crate::app::clock::{Clock, day};
use crate::app::mirror::{Chunk, Item, Window};
use crate::app::numbers::duration;
use crate::app::status::capital;
use crate::model::{Ms, Run};

/// What stands before an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Break {
    pub ended: Option<String>,
    pub day: Option<String>,
}

/// What a stretch of entries comes after: the run of the entry before it, and the last time that is known before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct After {
    run: Option<u32>,
    at: Option<Ms>,
}

/// No zone's days begin within a stretch of this length that starts at a multiple of it.
const QUARTER: Ms = 900_000;

/// The runs of an agent as they stand on its row; follows it.
pub fn runs(scene: &Scene) -> Memo<Vec<Run>> {
    let row = scene.mirror.agent(scene.agent).map(|agent| agent.row);
    Memo::new(move |_| row.as_ref().map(|row| row.with(|row| row.runs.clone())).unwrap_or_default())
}

/// The breaks within one chunk, by the `seq` that they stand before.
///
/// It follows that chunk and what is before it, not the whole window: each entry that comes would else be paid for by all that are there.
pub fn breaks(clock: &Clock, window: &Window, chunk: &Chunk, runs: Memo<Vec<Run>>) -> Memo<BTreeMap<u32, Break>> {
    let (clock, chunks, chunk) = (clock.clone(), window.chunks.clone(), chunk.clone());
    Memo::new(move |_| {
        let after = chunks.with(|chunks| after(chunks, chunk.id));
        chunk.items.with(|items| runs.with(|runs| between(items, after, runs, &clock)))
    })
}

/// The end of the last run, behind everything that is loaded.
pub fn last(window: &Window, runs: Memo<Vec<Run>>) -> Memo<Option<String>> {
    let (chunks, more) = (window.chunks.clone(), window.more_after);
    Memo::new(move |_| {
        let run = chunks.with(|chunks| chunks.last().and_then(|chunk| chunk.items.with(|items| items.last().map(|item| item.run))));
        run.filter(|_| !more).and_then(|run| runs.with(|runs| took(runs, run)))
    })
}

fn after(chunks: &[Chunk], id: u32) -> After {
    let mut found = After::default();
    for chunk in chunks.iter().rev().filter(|chunk| chunk.id < id) {
        chunk.items.with(|items| {
            found.run = found.run.or_else(|| items.last().map(|item| item.run));
            found.at = items.iter().rev().find_map(|item| item.at);
        });
        if found.at.is_some() {
            break;
        }
    }
    found
}

fn between(items: &[Item], after: After, runs: &[Run], clock: &Clock) -> BTreeMap<u32, Break> {
    let mut out = BTreeMap::new();
    let mut run = after.run;
    let mut quarter = after.at.map(|at| at.div_euclid(QUARTER));
    let mut today = after.at.and_then(|at| day(clock, at));
    for item in items {
        let now =
            item.at.filter(|at| quarter.replace(at.div_euclid(QUARTER)) != Some(at.div_euclid(QUARTER))).and_then(|at| day(clock, at));
        let new = now.clone().filter(|now| today.as_ref().is_some_and(|today| today != now));
        let ended = run.filter(|run| *run != item.run).and_then(|run| took(runs, run));
        if new.is_some() || ended.is_some() {
            out.insert(item.seq, Break { ended, day: new });
        }
        today = now.or(today);
        run = Some(item.run);
    }
    out
}

/// "Finished after 1 m 40 s" of a run that has ended.
fn took(runs: &[Run], run: u32) -> Option<String> {
    let run = runs.iter().find(|known| known.run == run).filter(|run| run.status.is_end())?;
    Some(format!("{} after {}", capital(run.status.word()), duration(run.ended_at? - run.started_at?)))
}

/// A break, drawn.
pub fn drawn(found: &Break) -> AnyView {
    let line = |class: &'static str, text: &Option<String>| text.clone().map(|text| view! { <p class=class>{text}</p> });
    view! { {line("run-end", &found.ended)}{line("day", &found.day)} }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AgentStatus, Body, EntriesPage, Entry, Notice};

    const DAY: Ms = 86_400_000;

    fn window(items: &[(u32, Option<Ms>, u32)]) -> Window {
        let entry = |(seq, at, run): &(u32, Option<Ms>, u32)| Entry {
            at: *at,
            run: *run,
            ..Entry::finished(0, *seq, Body::Notice(Notice::default()))
        };
        Window::new(EntriesPage { agent: 0, entries: items.iter().map(entry).collect(), more_before: false, more_after: false, rev: 1 })
    }

    fn run(run: u32, from: Ms, to: Option<Ms>) -> Run {
        Run { run, status: AgentStatus::Finished, cause: None, started_at: Some(from), ended_at: to }
    }

    fn found(window: &Window, runs: &[Run]) -> BTreeMap<u32, Break> {
        let chunks = window.chunks.get_untracked();
        let of = |chunk: &Chunk| chunk.items.with_untracked(|items| between(items, after(&chunks, chunk.id), runs, &Clock::new(0)));
        chunks.iter().flat_map(of).collect()
    }

    #[test]
    fn days_and_ends_of_runs_stand_once_where_they_are() {
        let runs = [run(1, 0, Some(100_000)), run(2, DAY, Some(DAY + 2_000))];
        let window = window(&[(1, Some(0), 1), (2, None, 1), (3, Some(5_000), 1), (4, Some(DAY), 2), (5, Some(DAY + 1), 2)]);
        let expected = Break { ended: Some("Finished after 1 m 40 s".into()), day: Some("2 January 1970".into()) };
        assert_eq!(found(&window, &runs), BTreeMap::from([(4, expected)]));
        assert_eq!(took(&runs, 2).as_deref(), Some("Finished after 2.0 s"));
        assert_eq!(took(&[run(2, DAY, None)], 2), None);
    }

    #[test]
    fn a_break_between_two_chunks_stands_before_the_later_one() {
        let runs = [run(1, 0, Some(1_000))];
        // The first chunk ends at 63; the second holds no time, the third begins a day.
        let window = window(&[(62, Some(DAY - 1), 1), (64, None, 2), (200, Some(DAY), 2), (201, Some(DAY + QUARTER), 2)]);
        let day = Break { ended: None, day: Some("2 January 1970".into()) };
        let ended = Break { ended: Some("Finished after 1.0 s".into()), day: None };
        assert_eq!(found(&window, &runs), BTreeMap::from([(64, ended), (200, day)]));
    }
}
