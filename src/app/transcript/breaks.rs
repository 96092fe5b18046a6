//! What stands between entries: a new day, and the end of a run with how long it took, once.

use std::collections::BTreeMap;

use leptos::prelude::*;

use super::scene::Scene;
use crate::app::clock::{Clock, day};
use crate::app::mirror::Window;
use crate::app::numbers::duration;
use crate::app::status::capital;
use crate::model::Run;

/// What stands before an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Break {
    pub ended: Option<String>,
    pub day: Option<String>,
}

/// The breaks of a window, by the `seq` that they stand before, and the end of the last run, behind everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breaks {
    pub before: BTreeMap<u32, Break>,
    pub last: Option<String>,
}

/// The breaks of what is loaded; follows it, and the runs of its agent.
pub fn breaks(scene: &Scene, window: &Window) -> Memo<Breaks> {
    let (window, clock, row) = (window.clone(), scene.clock().clone(), scene.mirror.agent(scene.agent).map(|agent| agent.row));
    let runs = Memo::new(move |_| row.as_ref().map(|row| row.with(|row| row.runs.clone())).unwrap_or_default());
    Memo::new(move |_| {
        let items = window.chunks.with(|chunks| {
            let items = |chunk: &crate::app::mirror::Chunk| {
                chunk.items.with(|items| items.iter().map(|item| (item.seq, item.at, item.run)).collect::<Vec<_>>())
            };
            chunks.iter().flat_map(items).collect::<Vec<_>>()
        });
        runs.with(|runs| between(&items, runs, &clock, window.more_after))
    })
}

fn between(items: &[(u32, Option<crate::model::Ms>, u32)], runs: &[Run], clock: &Clock, more: bool) -> Breaks {
    let mut out = Breaks::default();
    let (mut today, mut run) = (None, None);
    for (seq, at, of) in items {
        let day = at.and_then(|at| day(clock, at));
        let new = day.clone().filter(|day| today.as_ref().is_some_and(|today| today != day));
        let ended = run.filter(|run| run != of).and_then(|run| took(runs, run));
        if new.is_some() || ended.is_some() {
            out.before.insert(*seq, Break { ended, day: new });
        }
        today = day.or(today);
        run = Some(*of);
    }
    out.last = run.filter(|_| !more).and_then(|run| took(runs, run));
    out
}

/// "Finished after 1:40" of a run that has ended.
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
    use crate::model::AgentStatus;

    #[test]
    fn days_and_ends_of_runs_stand_once_where_they_are() {
        let day = 86_400_000;
        let run = |run, from, to| Run { run, status: AgentStatus::Finished, cause: None, started_at: Some(from), ended_at: to };
        let runs = [run(1, 0, Some(100_000)), run(2, day, Some(day + 2_000))];
        let items = [(1, Some(0), 1), (2, None, 1), (3, Some(5_000), 1), (4, Some(day), 2), (5, Some(day + 1), 2)];
        let found = between(&items, &runs, &Clock::new(0), false);
        let expected = Break { ended: Some("Finished after 1:40".into()), day: Some("2 January 1970".into()) };
        assert_eq!(found.before, BTreeMap::from([(4, expected)]));
        assert_eq!(found.last.as_deref(), Some("Finished after 2.0 s"));
        assert_eq!(between(&items, &runs, &Clock::new(0), true).last, None);
        assert_eq!(between(&items, &[run(2, day, None)], &Clock::new(0), false).last, None);
    }
}
