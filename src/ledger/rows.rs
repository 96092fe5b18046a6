//! Rows derived from facts: an agent's row from its own facts and those of what was merged into it, the session's from all.

use super::Book;
use super::facts::{AgentFacts, earliest, latest};
use super::runs::Span;
use crate::model::{
    Agent, AgentCounts, AgentNo, AgentStatus, Body, EntryRef, EntryState, Link, MAIN, Ms, NameKind, Run, SessionStatus, TitleFrom, Usage,
    WaitingOn, fit, to_rfc3339,
};

/// How much of a title is kept, in characters.
const TITLE_CHARS: usize = 200;

impl Book {
    /// What the session does, from its facts and the number of children whose run is open.
    pub(super) fn session_status(&self) -> (SessionStatus, Option<WaitingOn>) {
        let facts = &self.facts;
        if let Some(exit) = &facts.exit {
            return (if exit.stopped { SessionStatus::Stopped } else { SessionStatus::Exited }, None);
        }
        if let Some(on) = facts.waiting {
            return (SessionStatus::Waiting, Some(on));
        }
        match facts.turn_ended {
            Some(true) if !self.any_open_child() => (SessionStatus::Idle, None),
            _ if facts.no_news || self.agents.is_empty() => (SessionStatus::Unknown, None),
            Some(true) => (SessionStatus::Waiting, Some(WaitingOn::Agents)),
            _ => (SessionStatus::Running, None),
        }
    }

    fn any_open_child(&self) -> bool {
        !self.open_children.is_empty()
    }

    /// Derives the row of agent `n`; `rev` stays 0.
    pub(super) fn agent_row(&self, n: AgentNo) -> Option<Agent> {
        let own = self.agents.get(n as usize)?;
        if own.merged_into.is_some() {
            // Only a signpost: all that is known of it stands on the row that it shows.
            let id = self.names_of(n).next().map(|name| name.id.clone()).unwrap_or_default();
            return Some(Agent { n, id, merged_into: own.merged_into, last_seq: own.facts.last_seq, ..Agent::default() });
        }
        let family = self.family(n);
        let mut names: Vec<_> = family.iter().flat_map(|mate| self.names_of(*mate)).filter(|name| name.kind != NameKind::Copy).collect();
        names.sort();
        let best = names.iter().rev().max_by_key(|name| name.kind);
        let facts_of = |mate: &AgentNo| self.agents.get(*mate as usize).map(|agent| &agent.facts);
        let mut facts: Vec<&AgentFacts> = family.iter().filter_map(facts_of).collect();
        // Of several transcripts the first in time is asked first, whichever was read first.
        facts.sort_by_key(|facts| facts.first_at.unwrap_or(Ms::MAX));
        let mut content: Vec<&AgentFacts> = family.iter().filter(|mate| !self.is_aside_copy(**mate)).filter_map(facts_of).collect();
        content.sort_by_key(|facts| facts.first_at.unwrap_or(Ms::MAX));
        let first = |f: &dyn Fn(&AgentFacts) -> Option<String>| content.iter().find_map(|facts| f(facts));
        let kind = best_ranked(&facts, |facts| facts.kind.as_ref());
        let mut row = Agent {
            n,
            id: if n == MAIN { "main".into() } else { best.map_or_else(|| format!("agent-{n}"), |name| fit(&name.id).into_owned()) },
            title: self.agent_title(n, &facts, kind.as_deref()),
            kind,
            model: first(&|facts| facts.model.clone()),
            context: content.iter().find_map(|facts| facts.context),
            incomplete: content.iter().find_map(|facts| facts.incomplete.as_ref()).map(|(_, text)| text.clone()),
            hidden: own.facts.hidden || self.is_aside_copy(n),
            part_of: own.part_of,
            last_seq: own.facts.last_seq,
            ..Agent::default()
        };
        row.names = names.into_iter().map(|name| name.id.clone()).collect();
        row.names.dedup();
        for facts in &content {
            row.tool_calls = row.tool_calls.saturating_add(facts.tool_entries);
            row.compactions = row.compactions.saturating_add(facts.compactions);
            row.usage = row.usage.plus(if facts.counted.is_zero() { facts.total } else { facts.counted });
            latest(&mut row.last_at, facts.last_at);
        }
        row.tool_calls = row.tool_calls.max(facts.iter().map(|facts| facts.reported_calls).max().unwrap_or(0));
        let last = content.iter().filter(|facts| facts.last_text.is_some()).max_by_key(|facts| facts.last_at);
        let text = last.and_then(|facts| facts.last_text).map(|(_, hash)| hash);
        row.same_report = text.is_some() && facts.iter().any(|facts| facts.report == text);
        if n == MAIN {
            self.main_state(&mut row);
        } else {
            (row.call, row.parent, row.link) = self.linked(n);
            self.child_state(&mut row, &facts, &content);
        }
        row.current_tool = if row.status.is_running() { self.open_tool(n) } else { None };
        Some(row)
    }

    fn agent_title(&self, n: AgentNo, facts: &[&AgentFacts], kind: Option<&str>) -> String {
        if n == MAIN {
            return "Main".into();
        }
        let description = best_ranked(facts, |facts| facts.description.as_ref());
        let found = description
            .or_else(|| facts.iter().find_map(|facts| facts.prompt_line.clone()))
            .or_else(|| kind.map(Into::into))
            .or_else(|| facts.iter().find_map(|facts| facts.tool_name.clone()));
        found.and_then(|text| first_line(&text)).unwrap_or_else(|| "Subagent".into())
    }

    /// The main agent repeats its session's status.
    fn main_state(&self, row: &mut Agent) {
        let (status, waiting_on) = self.session_status();
        row.link = Link::Exact;
        row.status = match status {
            SessionStatus::Running => AgentStatus::Running,
            SessionStatus::Waiting => AgentStatus::Waiting,
            SessionStatus::Idle | SessionStatus::Exited => AgentStatus::Finished,
            SessionStatus::Stopped => AgentStatus::Cancelled,
            SessionStatus::Unknown => AgentStatus::Unknown,
        };
        row.waiting_on = waiting_on;
        row.cause = self.facts.exit.as_ref().and_then(|exit| exit.cause.clone());
        row.started_at = self.agents.first().and_then(|agent| agent.facts.first_at);
        row.ended_at = self.facts.exit.as_ref().and_then(|exit| exit.at);
        row.runs = vec![Run { run: 1, status: row.status, cause: row.cause.clone(), started_at: row.started_at, ended_at: row.ended_at }];
    }

    fn child_state(&self, row: &mut Agent, facts: &[&AgentFacts], content: &[&AgentFacts]) {
        let spans = self.spans(self.whole(row.n));
        let (session, _) = self.session_status();
        for (index, span) in spans.iter().enumerate() {
            let (status, cause) = match span.end() {
                Some(end) => (end.status, Some(end.cause.clone())),
                None => (self.open_status(session, facts), None),
            };
            let mut started_at = span.first.and_then(|mark| mark.at);
            if index == 0 {
                for facts in content {
                    earliest(&mut started_at, facts.first_at);
                }
                started_at = started_at.or_else(|| facts.iter().filter_map(|facts| facts.called_at).min());
            }
            let ended_at = span.end().and_then(|end| end.mark.at);
            let run = u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1);
            row.runs.push(Run { run, status, cause, started_at, ended_at });
        }
        row.started_at = row.runs.first().and_then(|run| run.started_at);
        if let Some(last) = row.runs.last() {
            (row.status, row.cause, row.ended_at) = (last.status, last.cause.clone(), last.ended_at);
        }
        if row.part_of.is_some() {
            row.started_at = content.iter().filter_map(|facts| facts.first_at).min();
        }
        if row.status == AgentStatus::Waiting {
            row.waiting_on = facts.iter().find_map(|facts| facts.waiting);
        }
    }

    /// The status of a run without an end.
    fn open_status(&self, session: SessionStatus, facts: &[&AgentFacts]) -> AgentStatus {
        if self.facts.no_news || !session.is_live() {
            AgentStatus::Unknown
        } else if facts.iter().any(|facts| facts.waiting.is_some()) {
            AgentStatus::Waiting
        } else if facts.iter().any(|facts| !facts.lines.is_empty() || !facts.begins.is_empty()) {
            AgentStatus::Running
        } else {
            AgentStatus::Queued
        }
    }

    /// The title of the newest open tool entry.
    fn open_tool(&self, n: AgentNo) -> Option<String> {
        let all = EntryRef { agent: n, seq: 0 }..=EntryRef { agent: n, seq: u32::MAX };
        self.open.range(all).rev().find_map(|(_, entry)| match &entry.body {
            Body::Tool(tool) if entry.state == EntryState::Open => Some(tool.title.clone()),
            _ => None,
        })
    }

    /// Derives the session's row; `rev` and `grev` stay 0.
    pub(super) fn session_row(&self) -> crate::model::Session {
        let (status, waiting_on) = self.session_status();
        let mut row = self.session.clone();
        let facts = &self.facts;
        row.id.clone_from(&self.id.id);
        row.family.clone_from(&self.id.family);
        row.names.clone_from(&facts.names);
        if let Some((from, title)) = facts.titles.iter().next_back() {
            row.title = first_line(title).unwrap_or_default();
            row.title_from = *from;
        }
        if row.title.is_empty() {
            // By its time a person knows it; by the beginning of an id, nobody.
            let began = facts.started_at.and_then(to_rfc3339).and_then(|iso| Some(format!("{}, {}", iso.get(..10)?, iso.get(11..16)?)));
            row.title = match began {
                Some(began) => format!("Session of {began} UTC"),
                None => format!("Session {}", self.id.id.chars().take(8).collect::<String>()),
            };
            row.title_from = TitleFrom::None;
        }
        row.dialect = facts.dialect.clone().unwrap_or_else(|| self.id.family.clone());
        row.cwd = facts.cwd.clone().or_else(|| facts.cwd_aside.clone());
        row.project = row.cwd.as_deref().and_then(|cwd| cwd.rsplit(['/', '\\']).find(|part| !part.is_empty())).map(Into::into);
        row.status = status;
        row.waiting_on = waiting_on;
        row.cause = facts.exit.as_ref().and_then(|exit| exit.cause.clone());
        row.limit.clone_from(&facts.limit);
        row.agents = self.counts;
        row.usage = self.usage;
        row.started_at = facts.started_at;
        row.ended_at = facts.exit.as_ref().and_then(|exit| exit.at);
        row.last_at = facts.last_at;
        row.origin.clone_from(&facts.origin);
        (row.rev, row.grev) = (0, 0);
        row
    }

    /// Moves the session's counts from an agent's old row to its new one.
    pub(super) fn recount(&mut self, old: &Agent, new: &Agent) {
        let count = |row: &Agent| u32::from(row.n != MAIN && !row.is_aside());
        let running = |row: &Agent| if row.status.is_running() { count(row) } else { 0 };
        let usage = |row: &Agent| if row.is_aside() { Usage::default() } else { row.usage };
        self.counts = AgentCounts {
            all: (self.counts.all + count(new)).saturating_sub(count(old)),
            running: (self.counts.running + running(new)).saturating_sub(running(old)),
        };
        self.usage = self.usage.plus(usage(new)).minus(usage(old));
    }
}

/// True if the last run has no end.
pub(super) fn is_open(spans: &[Span]) -> bool {
    spans.last().is_none_or(|span| span.end().is_none())
}

/// The first line with something on it, cut to a title's length.
pub(super) fn first_line(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().take(TITLE_CHARS).collect())
}

fn best_ranked(facts: &[&AgentFacts], pick: impl Fn(&AgentFacts) -> Option<&super::facts::Ranked>) -> Option<String> {
    let ranked = facts.iter().filter_map(|facts| pick(facts));
    // Of equal ones the first.
    ranked.min_by_key(|value| std::cmp::Reverse(value.rank)).map(|value| value.text.clone())
}
