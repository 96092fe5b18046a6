//! Runs of an agent, derived from what is known of its beginnings and ends.
//!
//! Decision: runs are computed from facts, never advanced by arrival, so the order in which the sources are read cannot matter.
//! Invariant: an end closes a run; only a beginning later than that end opens the next one; what is not later is late content.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::{AgentStatus, Ms};

/// Between two sources, less than this apart counts as not later.
const APART: Ms = 2_000;

/// Where and when something was said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    pub source: u32,
    pub pos: u64,
    pub at: Option<Ms>,
    /// The number of the process whose stream the source is; 0 for a source that is none.
    #[serde(default)]
    pub process: u32,
    /// True if it was told in another stream of the source than the agent's own lines.
    #[serde(default)]
    pub apart: bool,
}

impl Mark {
    /// Within one source position decides, between the streams of two processes their order, else the times; without both times it
    /// is not later.
    pub fn later_than(self, end: Self) -> bool {
        if self.source == end.source && self.apart == end.apart {
            return self.pos > end.pos;
        }
        if self.process != end.process && self.process > 0 && end.process > 0 {
            return self.process > end.process;
        }
        matches!((self.at, end.at), (Some(mine), Some(its)) if mine.saturating_sub(its) >= APART)
    }
}

/// What orders marks that no rule compares: within a source the position, between sources the time that each source had reached.
struct Clocks(BTreeMap<u32, Vec<(u64, Ms)>>);

impl Clocks {
    fn of(marks: impl Iterator<Item = Mark>) -> Self {
        let mut by: BTreeMap<u32, Vec<(u64, Ms)>> = BTreeMap::new();
        for mark in marks {
            if let Some(at) = mark.at {
                by.entry(mark.source).or_default().push((mark.pos, at));
            }
        }
        for times in by.values_mut() {
            times.sort_unstable();
            let mut latest = Ms::MIN;
            for (_, at) in times {
                latest = latest.max(*at);
                *at = latest;
            }
        }
        Self(by)
    }

    /// A mark without a time has that of the last one before it in its source, else of the next; in a source without times the end
    /// of all.
    fn order(&self, mark: Mark) -> (Ms, u32, u64) {
        let times = self.0.get(&mark.source).map_or(&[][..], Vec::as_slice);
        let behind = times.partition_point(|(pos, _)| *pos <= mark.pos);
        let reached = behind.checked_sub(1).and_then(|last| times.get(last)).or_else(|| times.first());
        (reached.map_or(Ms::MAX, |(_, at)| *at), mark.source, mark.pos)
    }
}

/// An explicit beginning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Begin {
    pub mark: Mark,
    pub run: Option<String>,
}

/// An end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct End {
    pub mark: Mark,
    pub status: AgentStatus,
    pub cause: String,
    pub run: Option<String>,
    pub note: Option<String>,
}

/// One run: its ends, earliest first; none while it is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    ends: Vec<End>,
    begun: bool,
    /// The earliest beginning in it.
    pub first: Option<Mark>,
    /// What a line must be later than to belong to the next run; `None` while the run takes every line.
    closes: Option<Mark>,
    /// Where its ends were told again: enough to be later than one of these, since a stream may know no times.
    again: Vec<Mark>,
}

impl Span {
    /// The end that counts: the earliest that says how.
    pub fn end(&self) -> Option<&End> {
        self.ends.iter().find(|end| end.status.is_end()).or_else(|| self.ends.first())
    }

    fn open() -> Self {
        Self { ends: Vec::new(), begun: false, first: None, closes: None, again: Vec::new() }
    }

    fn passed_by(&self, mark: Mark) -> bool {
        self.closes.iter().chain(&self.again).any(|last| mark.later_than(*last))
    }
}

/// Derives the runs from all ends, explicit beginnings and the marks of the agent's own lines.
pub(super) fn derive(ends: &[End], begins: &[Begin], lines: &[Mark]) -> Vec<Span> {
    let starts: Vec<Mark> = begins.iter().map(|begin| begin.mark).chain(lines.iter().copied()).collect();
    let clocks = Clocks::of(ends.iter().map(|end| end.mark).chain(starts.iter().copied()));
    let mut sorted: Vec<End> = ends.iter().map(|end| placed(end, begins, &clocks)).collect();
    sorted.sort_by_key(|end| clocks.order(end.mark));
    let mut spans: Vec<Span> = Vec::new();
    for end in sorted {
        let told = |span: &&mut Span| end.note.is_some() && span.ends.iter().any(|known| known.note == end.note);
        if let Some(span) = spans.iter_mut().find(told) {
            span.again.push(end.mark);
            continue;
        }
        match spans.last_mut() {
            Some(span) if !starts.iter().any(|start| span.passed_by(*start) && !start.later_than(end.mark)) => {
                span.closes = Some(end.mark);
                span.ends.push(end);
            }
            _ => spans.push(Span { closes: Some(end.mark), ends: vec![end], ..Span::open() }),
        }
    }
    if spans.last().is_none_or(|span| starts.iter().any(|mark| span.passed_by(*mark))) {
        spans.push(Span::open());
    }
    for mark in &starts {
        let last = spans.len().saturating_sub(1);
        let index = spans.iter().take_while(|span| span.passed_by(*mark)).count().min(last);
        if let Some(span) = spans.get_mut(index) {
            span.begun = true;
            if span.first.is_none_or(|first| clocks.order(*mark) < clocks.order(first)) {
                span.first = Some(*mark);
            }
        }
    }
    settle(spans)
}

/// An end whose run has had no beginning takes the next start as its own and stays an end.
fn settle(spans: Vec<Span>) -> Vec<Span> {
    let mut settled: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match settled.last_mut() {
            Some(before) if !before.begun => {
                before.begun = span.begun;
                before.first = span.first;
                before.closes = span.closes;
                before.again.extend(span.again);
                before.ends.extend(span.ends);
            }
            _ => settled.push(span),
        }
    }
    settled
}

/// An end that names its run stands before the beginning of the next run, wherever it was told.
fn placed(end: &End, begins: &[Begin], clocks: &Clocks) -> End {
    let mut end = end.clone();
    let named = end.run.as_ref().and_then(|run| begins.iter().find(|begin| begin.run.as_ref() == Some(run)));
    if let Some(begin) = named {
        let next =
            begins.iter().filter(|other| clocks.order(other.mark) > clocks.order(begin.mark)).min_by_key(|other| clocks.order(other.mark));
        if let Some(next) = next
            && clocks.order(end.mark) >= clocks.order(next.mark)
        {
            end.mark = Mark { pos: next.mark.pos.saturating_sub(1), ..next.mark };
        }
    }
    end
}

/// The run, from 1, of a line at `mark`; one more than there are spans if it opens the next.
pub(super) fn run_of(spans: &[Span], mark: Mark) -> u32 {
    let passed = spans.iter().take_while(|span| span.begun && span.passed_by(mark)).count();
    u32::try_from(passed).unwrap_or(u32::MAX).saturating_add(1)
}

/// True if a line at `mark` could change how the ends fall into runs: between two ends of one run, or the first of its run.
pub(super) fn unsettles(spans: &[Span], mark: Mark) -> bool {
    spans.iter().any(|span| {
        let parts = span.ends.iter().any(|end| mark.later_than(end.mark)) && span.ends.iter().any(|end| !mark.later_than(end.mark));
        parts || (!span.begun && !span.ends.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(source: u32, pos: u64, at: Ms) -> Mark {
        Mark { source, pos, at: Some(at), process: 0, apart: false }
    }

    fn end(mark: Mark, status: AgentStatus) -> End {
        End { mark, status, cause: "result".into(), run: None, note: None }
    }

    fn statuses(spans: &[Span]) -> Vec<Option<AgentStatus>> {
        spans.iter().map(|span| span.end().map(|end| end.status)).collect()
    }

    #[test]
    fn without_an_end_there_is_one_open_run() {
        assert_eq!(statuses(&derive(&[], &[], &[])), [None]);
        assert_eq!(statuses(&derive(&[], &[], &[mark(1, 0, 5), mark(1, 9, 50)])), [None]);
    }

    #[test]
    fn a_line_shortly_after_the_end_in_another_source_is_late_content() {
        let spans = derive(&[end(mark(1, 10, 1000), AgentStatus::Finished)], &[], &[mark(2, 0, 500), mark(2, 9, 2999)]);
        assert_eq!(statuses(&spans), [Some(AgentStatus::Finished)]);
    }

    #[test]
    fn a_line_later_than_the_end_opens_the_next_run() {
        let spans = derive(&[end(mark(1, 10, 1000), AgentStatus::Finished)], &[], &[mark(2, 0, 500), mark(2, 9, 3000)]);
        assert_eq!(statuses(&spans), [Some(AgentStatus::Finished), None]);
        assert_eq!(run_of(&spans, mark(2, 0, 500)), 1);
        assert_eq!(run_of(&spans, mark(2, 9, 3000)), 2);
    }

    #[test]
    fn an_end_before_its_start_stays_an_end() {
        let spans = derive(&[end(mark(1, 10, 1000), AgentStatus::Failed)], &[], &[mark(2, 0, 9000)]);
        assert_eq!(statuses(&spans), [Some(AgentStatus::Failed)]);
        assert_eq!(run_of(&spans, mark(2, 0, 9000)), 1);
    }

    #[test]
    fn one_end_told_three_times_is_one_end_at_the_time_of_the_first() {
        let told = |pos, at| End { note: Some("t1 completed".into()), ..end(mark(1, pos, at), AgentStatus::Finished) };
        let ends = [told(30, 3000), told(10, 1000), told(20, 2000)];
        let spans = derive(&ends, &[], &[mark(2, 0, 0)]);
        assert_eq!(spans.len(), 1);
        assert_eq!(spans[0].end().and_then(|end| end.mark.at), Some(1000));
    }

    #[test]
    fn ends_without_a_time_stand_where_they_were_told() {
        let timeless = |pos, status| end(Mark { at: None, ..mark(1, pos, 0) }, status);
        let begin = Begin { mark: Mark { at: None, ..mark(1, 50, 0) }, run: None };
        let told = [end(mark(1, 90, 9000), AgentStatus::Failed), timeless(40, AgentStatus::Finished)];
        let spans = derive(&told, &[begin], &[mark(1, 10, 1000), mark(1, 20, 2000)]);
        assert_eq!(statuses(&spans), [Some(AgentStatus::Finished), Some(AgentStatus::Failed)]);
    }

    #[test]
    fn an_end_lands_on_the_run_that_it_names() {
        let begin = |pos, run: &str| Begin { mark: mark(1, pos, pos as Ms), run: Some(run.into()) };
        let late = End { run: Some("r1".into()), ..end(mark(1, 99, 99), AgentStatus::Failed) };
        let first = End { run: Some("r2".into()), ..end(mark(1, 60, 60), AgentStatus::Finished) };
        let spans = derive(&[first, late], &[begin(10, "r1"), begin(50, "r2")], &[]);
        assert_eq!(statuses(&spans), [Some(AgentStatus::Failed), Some(AgentStatus::Finished)]);
    }
}
