//! What is said aloud about agents: beginnings and ends, gathered so that it never becomes chatter. Pure.

use crate::app::numbers::{clip, count, duration};
use crate::model::{Agent, AgentStatus, Ms, WaitingOn};

/// The least time between two announcements, ms.
pub const QUIET: Ms = 3_000;
/// More news than this at once are told as counts.
const NAMED: usize = 2;

/// Something worth saying.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    Started(String),
    /// An end, in words: "Map every caller finished, 12 steps, 1 m 40 s".
    Ended(String),
    NeedsYou(String),
    /// An answer that is whole, in its own words.
    Answered(String),
}

/// News that wait to be said.
#[derive(Clone, Debug, Default)]
pub struct Speaker {
    waiting: Vec<News>,
    spoke_at: Option<Ms>,
}

/// True for an end that is told at once, once, and apart from the other news.
pub fn is_failure(before: Option<(AgentStatus, Option<WaitingOn>)>, agent: &Agent) -> bool {
    agent.status == AgentStatus::Failed && before.is_some_and(|(status, _)| status.is_running())
}

/// What has happened to an agent that was `before` and is `agent` now.
pub fn news(before: Option<(AgentStatus, Option<WaitingOn>)>, agent: &Agent) -> Option<News> {
    let now = (agent.status, agent.waiting_on);
    if before == Some(now) {
        return None;
    }
    let title = clip(&crate::app::clean(&agent.title), 60);
    let was_running = before.is_some_and(|(status, _)| status.is_running());
    match now {
        (AgentStatus::Waiting, Some(WaitingOn::Person)) => Some(News::NeedsYou(title)),
        (AgentStatus::Running, _) if !was_running => Some(News::Started(title)),
        (status, _) if status.is_end() && was_running => {
            let steps = count(agent.tool_calls, "step");
            let took = agent.started_at.zip(agent.ended_at).map(|(from, to)| format!(", {}", duration(to - from)));
            Some(News::Ended(format!("{title} {}, {steps}{}", status.word(), took.unwrap_or_default())))
        }
        _ => None,
    }
}

impl Speaker {
    pub fn hear(&mut self, news: News) {
        self.waiting.push(news);
    }

    /// What to say now, if there is something and it has been quiet for long enough.
    pub fn speak(&mut self, now: Ms) -> Option<String> {
        if self.waiting.is_empty() || self.spoke_at.is_some_and(|at| now - at < QUIET) {
            return None;
        }
        self.spoke_at = Some(now);
        let waiting = std::mem::take(&mut self.waiting);
        let answer = waiting.iter().rev().find(|news| matches!(news, News::Answered(_)));
        if let Some(answer) = answer {
            return Some(sentence(answer));
        }
        if waiting.len() <= NAMED {
            return Some(waiting.iter().map(sentence).collect::<Vec<_>>().join(" "));
        }
        let number = |is: fn(&News) -> bool| waiting.iter().filter(|news| is(news)).count() as u64;
        let parts = [
            (number(|news| matches!(news, News::NeedsYou(_))), "waiting for you"),
            (number(|news| matches!(news, News::Started(_))), "started"),
            (number(|news| matches!(news, News::Ended(_))), "ended"),
        ];
        let parts: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", count(*n, "agent"))).collect();
        Some(format!("{}.", parts.join(", ")))
    }
}

fn sentence(news: &News) -> String {
    match news {
        News::Started(title) => format!("{title} started."),
        News::Ended(words) => format!("{words}."),
        News::NeedsYou(title) => format!("{title} needs you."),
        News::Answered(words) => words.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_speaks_at_most_every_three_seconds() {
        let mut speaker = Speaker::default();
        assert_eq!(speaker.speak(0), None);
        let mut said = Vec::new();
        for at in (0..20_000).step_by(100) {
            speaker.hear(News::Started("A".into()));
            said.extend(speaker.speak(at).map(|_| at));
        }
        assert!(said.windows(2).all(|pair| pair[1] - pair[0] >= QUIET), "{said:?}");
        assert_eq!(said.len(), 7);
    }

    #[test]
    fn many_news_become_counts() {
        let mut speaker = Speaker::default();
        for title in ["A", "B"] {
            speaker.hear(News::Started(title.into()));
        }
        assert_eq!(speaker.speak(0).as_deref(), Some("A started. B started."));
        for title in ["C", "D"] {
            speaker.hear(News::Started(title.into()));
        }
        speaker.hear(News::NeedsYou("B".into()));
        assert_eq!(speaker.speak(3_000).as_deref(), Some("1 agent waiting for you, 2 agents started."));
    }

    #[test]
    fn only_beginnings_ends_and_needs_are_news() {
        let agent = Agent { title: "Map".into(), status: AgentStatus::Running, ..Agent::default() };
        assert_eq!(news(None, &agent), Some(News::Started("Map".into())));
        assert_eq!(news(Some((AgentStatus::Running, None)), &agent), None);
        assert_eq!(news(Some((AgentStatus::Waiting, Some(WaitingOn::Agents))), &agent), None);
        let ended = Agent { status: AgentStatus::Failed, tool_calls: 1, started_at: Some(0), ended_at: Some(100_000), ..agent.clone() };
        assert_eq!(news(Some((AgentStatus::Running, None)), &ended), Some(News::Ended("Map failed, 1 step, 1 m 40 s".into())));
        assert_eq!(news(None, &ended), None, "an old end is no news");
        let asks = Agent { status: AgentStatus::Waiting, waiting_on: Some(WaitingOn::Person), ..agent };
        assert_eq!(news(Some((AgentStatus::Running, None)), &asks), Some(News::NeedsYou("Map".into())));
    }
}
