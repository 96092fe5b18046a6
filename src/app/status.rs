//! States as shape, word and colour, and hues of agents.

use leptos::prelude::*;

use super::clean;
use super::clock::{Clock, elapsed};
use super::numbers::{ago, clip};
use crate::model::{Agent, AgentNo, AgentStatus, EntryState, MAIN, Ms, Session, SessionStatus, WaitingOn};

/// How much of a reason is shown, in characters.
const REASON: usize = 160;

/// A state, by its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Filled, with a halo.
    Run,
    /// Filled.
    Wait,
    /// A square.
    Fail,
    /// A ring.
    Ok,
    /// A dashed ring.
    Unknown,
}

impl Shape {
    /// Its class.
    pub fn class(self) -> &'static str {
        match self {
            Self::Run => "dot run",
            Self::Wait => "dot wait",
            Self::Fail => "dot fail",
            Self::Ok => "dot ok",
            Self::Unknown => "dot unknown",
        }
    }
}

impl From<AgentStatus> for Shape {
    fn from(status: AgentStatus) -> Self {
        match status {
            AgentStatus::Running | AgentStatus::Queued => Self::Run,
            AgentStatus::Waiting => Self::Wait,
            AgentStatus::Failed => Self::Fail,
            AgentStatus::Finished | AgentStatus::Cancelled => Self::Ok,
            AgentStatus::Unknown => Self::Unknown,
        }
    }
}

impl From<SessionStatus> for Shape {
    fn from(status: SessionStatus) -> Self {
        match status {
            SessionStatus::Running => Self::Run,
            SessionStatus::Waiting => Self::Wait,
            SessionStatus::Idle | SessionStatus::Stopped | SessionStatus::Exited => Self::Ok,
            SessionStatus::Unknown => Self::Unknown,
        }
    }
}

impl From<EntryState> for Shape {
    fn from(state: EntryState) -> Self {
        match state {
            EntryState::Open => Self::Run,
            EntryState::Failed => Self::Fail,
            EntryState::Unknown => Self::Unknown,
            EntryState::Done | EntryState::Cancelled | EntryState::Withdrawn => Self::Ok,
        }
    }
}

/// A state's dot. Its word stands beside it, so it is silent.
#[component]
pub fn Dot(#[prop(into)] shape: Signal<Shape>) -> impl IntoView {
    view! { <span class=Signal::derive(move || shape.get().class()) aria-hidden="true"></span> }.into_any()
}

/// What an agent is doing, in a word or two.
pub fn agent_word(agent: &Agent) -> &'static str {
    match (agent.status, agent.waiting_on) {
        (AgentStatus::Waiting, Some(WaitingOn::Person)) => "needs you",
        (AgentStatus::Waiting, Some(WaitingOn::Agents)) => "waiting for agents",
        (AgentStatus::Waiting, Some(WaitingOn::Limit)) => "waiting for a limit",
        (status, _) => status.word(),
    }
}

/// Why an agent has failed, was cancelled or is lost sight of, in words: what its source says, as far as it says something.
pub fn reason(agent: &Agent) -> Option<String> {
    if !matches!(agent.status, AgentStatus::Failed | AgentStatus::Cancelled | AgentStatus::Unknown) {
        return None;
    }
    let words = match agent.cause.as_deref()? {
        "" | "explicit" => return None,
        "result" => "its call came back with an error",
        "stop" => "it was stopped",
        "process exit" => "its process ended",
        "parent exit" => "the agent that started it ended",
        "restart" => "its source began anew",
        said => return Some(clip(&clean(said).replace('\n', " "), REASON)),
    };
    Some(words.to_owned())
}

/// What a session is doing, in a word or two.
pub fn session_word(session: &Session) -> &'static str {
    match (session.status, session.waiting_on) {
        (SessionStatus::Waiting, Some(WaitingOn::Person)) => "needs you",
        (SessionStatus::Waiting, Some(WaitingOn::Agents)) => "waiting for agents",
        (SessionStatus::Waiting, Some(WaitingOn::Limit)) => "waiting for a limit",
        (status, _) => status.word(),
    }
}

/// True for a session that needs the person.
pub fn asks(session: &Session) -> bool {
    session.status == SessionStatus::Waiting && session.waiting_on == Some(WaitingOn::Person)
}

/// Whether an agent runs, its beginning, and its end or what is last known of it.
type Span = (bool, Option<Ms>, Option<Ms>);

fn span(agent: &Agent) -> Span {
    let running = agent.status.is_running();
    (running, agent.started_at, agent.ended_at.or(agent.last_at).filter(|_| !running))
}

/// How long that is; tracks the clock only while the agent runs.
fn taken(clock: &Clock, span: Span) -> Option<String> {
    match span {
        (false, _, None) => None,
        (_, from, to) => elapsed(clock, from, to),
    }
}

/// How long an agent took, or has taken by now.
///
/// In two steps, since hundreds follow the clock: a row that changes while its agent runs does not leave it and come back.
pub fn agent_time(clock: Clock, row: ArcRwSignal<Agent>) -> Memo<Option<String>> {
    let clock = clock.of(row.with_untracked(|agent| agent.n));
    let span = Memo::new(move |_| row.with(span));
    Memo::new(move |_| taken(&clock, span.get()))
}

/// "running 2 m 10 s", "failed after 1 m 2 s", "needs you"; tracks the clock only while it runs.
pub fn agent_said(clock: &Clock, agent: &Agent) -> String {
    let word = agent_word(agent);
    match (agent.status, taken(clock, span(agent))) {
        (AgentStatus::Finished, Some(time)) => format!("{word} in {time}"),
        (AgentStatus::Failed | AgentStatus::Cancelled, Some(time)) => format!("{word} after {time}"),
        (AgentStatus::Running, Some(time)) => format!("{word} {time}"),
        _ => word.to_owned(),
    }
}

/// "quiet for 4 min" of a running agent from which nothing has come for two minutes; tracks the clock.
pub fn quiet(clock: &Clock, running: bool, last_at: Option<Ms>) -> Option<String> {
    let past = running.then_some(last_at?).map(|at| clock.now() - at).filter(|past| *past >= 120_000)?;
    Some(format!("quiet for {}", ago(past).trim_end_matches(" ago")))
}

/// A word as a sentence begins with it.
pub fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The class of an agent's hue.
pub fn hue(n: AgentNo) -> &'static str {
    const HUES: [&str; 6] = ["hue1", "hue2", "hue3", "hue4", "hue5", "hue6"];
    if n == MAIN { "hue0" } else { HUES[(n as usize - 1) % HUES.len()] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_says_why_and_a_good_end_needs_no_reason() {
        let ended = |status, cause: Option<&str>| reason(&Agent { status, cause: cause.map(str::to_owned), ..Agent::default() });
        assert_eq!(ended(AgentStatus::Failed, Some("result")).as_deref(), Some("its call came back with an error"));
        assert_eq!(ended(AgentStatus::Cancelled, Some("parent exit")).as_deref(), Some("the agent that started it ended"));
        assert_eq!(ended(AgentStatus::Failed, Some("no model\nof that name")).as_deref(), Some("no model of that name"));
        for (status, cause) in [(AgentStatus::Finished, Some("result")), (AgentStatus::Running, Some("stop")), (AgentStatus::Failed, None)]
        {
            assert_eq!(ended(status, cause), None, "{status:?} {cause:?}");
        }
    }
}
