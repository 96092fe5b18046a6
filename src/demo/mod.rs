//! The demo: a made-up session, played in real time by the road that every session takes (dialect, ledger, store, ring).
//!
//! Decision: a [`story`] is a list of moments, each some operations of Sidedeck's own dialect; the player writes them as lines when
//! their time has come. Each start of the server plays it once, as a new session.

mod story;
mod voice;

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::json;

use crate::api::door::random_name;
use crate::dialect::by_name;
use crate::ingest::{Feed, Sink};
use crate::model::Op;
use crate::store::StoreError;

/// The beginning of a demo session's id.
const PREFIX: &str = "demo-";

/// Some operations, and when they are due.
pub struct Moment {
    /// From the beginning.
    pub at: Duration,
    pub ops: Vec<Op>,
}

/// A demo that is being played, until it is dropped.
pub struct Demo {
    stop: Option<Sender<()>>,
    player: Option<JoinHandle<()>>,
}

impl Demo {
    /// Starts to play. `SIDEDECK_DEMO_SPEED` makes it faster or slower: 1 is real time.
    pub fn start(sink: Arc<dyn Sink>) -> Result<Self, StoreError> {
        let dialect = by_name("sidedeck").ok_or_else(|| StoreError::Other("The demo's dialect is missing.".into()))?;
        let session = format!("{PREFIX}{}", random_name(6).to_lowercase());
        let mut play = Play { feed: Feed::open(sink, dialect, "demo", &session)?, session };
        let (stop, stopped) = mpsc::channel();
        let speed = std::env::var("SIDEDECK_DEMO_SPEED").ok().and_then(|speed| speed.parse().ok()).filter(|speed| *speed > 0.0);
        let player = std::thread::spawn(move || {
            if let Err(error) = play.run(story::story(), speed.unwrap_or(1.0), &stopped) {
                tracing::warn!(%error, "the demo ended early");
            }
        });
        Ok(Self { stop: Some(stop), player: Some(player) })
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(player) = self.player.take() {
            let _ = player.join();
        }
    }
}

struct Play {
    feed: Feed,
    session: String,
}

impl Play {
    fn run(&mut self, story: Vec<Moment>, speed: f64, stopped: &Receiver<()>) -> Result<(), StoreError> {
        let begin = Instant::now();
        for moment in story {
            let due = begin + moment.at.div_f64(speed);
            match stopped.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Err(RecvTimeoutError::Timeout) => self.line(&moment.ops)?,
                Ok(()) | Err(RecvTimeoutError::Disconnected) => {
                    return self.line(&[Op::Exit { stopped: true, cause: Some("The server was stopped.".into()) }]);
                }
            }
        }
        Ok(())
    }

    /// Writes one line, as a program that pushes would.
    fn line(&mut self, ops: &[Op]) -> Result<(), StoreError> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
        let line = json!({ "session": self.session, "id": format!("{}.{}", self.session, self.feed.next()), "at": u64::try_from(now).unwrap_or(0), "ops": ops });
        let line = line.to_string();
        self.feed.push([line.as_bytes()]).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::{Bare, Book};
    use crate::model::{AgentStatus, Class, Line, Link, Session, SessionStatus};

    /// The story as a translator and a ledger see it.
    fn told() -> (Session, Vec<crate::model::Agent>, Vec<crate::model::Entry>) {
        let dialect = by_name("sidedeck").expect("the dialect");
        let facts = crate::dialect::Facts { session: "demo-test".into(), ..crate::dialect::Facts::default() };
        let mut translator = (dialect.open)(facts, None).expect("a translator");
        let mut book = Book::new(crate::model::SessionId { family: "sidedeck".into(), id: "demo-test".into() });
        let (mut session, mut agents, mut entries) =
            (Session::default(), std::collections::BTreeMap::new(), std::collections::BTreeMap::new());
        for (number, moment) in story::story().iter().enumerate() {
            let line = json!({ "id": number.to_string(), "at": moment.at.as_millis() as u64, "ops": moment.ops }).to_string();
            let lines: Vec<Line> = translator.record(crate::dialect::Record::whole(number as u64, line.as_bytes()));
            for line in lines {
                assert_ne!(line.class, Class::Opaque, "{line:?}");
                assert_ne!(book.line(&Bare, 0, line), Class::Opaque);
            }
        }
        for change in book.take(&Bare).changes {
            match change {
                crate::model::Change::Session(row) => session = *row,
                crate::model::Change::Agent(row) => drop(agents.insert(row.n, *row)),
                crate::model::Change::Entry(row) => drop(entries.insert(row.at_ref(), *row)),
                crate::model::Change::Append { .. } | crate::model::Change::Gone(_) => {}
            }
        }
        (session, agents.into_values().collect(), entries.into_values().collect())
    }

    #[test]
    fn the_story_has_all_that_the_page_can_show() {
        let (session, agents, entries) = told();
        assert_eq!(session.status, SessionStatus::Idle, "{agents:#?}");
        assert!(session.title.starts_with("Demo"), "{}", session.title);
        let mut statuses: Vec<_> = agents.iter().skip(1).map(|agent| agent.status.word()).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, ["failed", "finished", "finished", "finished"]);
        assert!(agents.iter().skip(1).all(|agent| agent.link == Link::Exact));
        let child = agents.iter().find(|agent| agent.parent.is_some_and(|parent| parent != 0)).expect("a child of a subagent");
        assert_eq!(child.status, AgentStatus::Finished);
        let prompts: Vec<_> = entries
            .iter()
            .filter(|entry| entry.agent != 0 && entry.seq == 1)
            .map(|entry| match &entry.body {
                crate::model::Body::User { text, .. } => text.text.clone(),
                other => panic!("no prompt: {other:?}"),
            })
            .collect();
        assert!(prompts.iter().any(|prompt| prompts.iter().filter(|other| *other == prompt).count() == 2), "two have equal prompts");
        let kinds: std::collections::BTreeSet<_> = entries.iter().filter(|entry| entry.agent == 0).map(|entry| entry.body.kind()).collect();
        assert!(["user", "text", "reasoning", "tool", "todos"].iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
        assert!(entries.iter().any(|entry| entry.state == crate::model::EntryState::Failed), "a tool that fails");
        assert!(entries.iter().all(|entry| entry.state != crate::model::EntryState::Open), "nothing stays open");
    }

    #[test]
    fn it_lasts_about_a_minute_and_a_half() {
        let story = story::story();
        let last = story.last().expect("a story").at.as_secs();
        assert!((55..=95).contains(&last), "{last} s");
        assert!(story.is_sorted_by_key(|moment| moment.at));
    }
}
