//! `sidedeck push`.
//!
//! Decision: lines are kept until the server has acknowledged them, so a server that goes away and comes back misses nothing.
//! Invariant: what is read is passed on (`--tee`) before anything else happens to it.

mod backlog;
mod input;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Deserialize;

use super::server::Server;
use super::{Data, Failure, tell};
use crate::api::door::random_name;
use crate::dialect::{self, DIALECTS, Dialect};
use crate::model::segment;
use backlog::Backlog;
use input::Budget;

/// How long a line waits for company.
const COMPANY: Duration = Duration::from_millis(100);
/// How often an agent that says nothing is said to be there.
const BEAT: Duration = Duration::from_mins(2);
/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(30);
/// Between two tries to reach the server: at first, and at most.
const RETRY: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));
/// Lines that are looked at to recognise a dialect.
const HEAD: usize = 64;

/// Sends an agent's lines to the server, from standard input
///
/// As in `claude -p … --output-format stream-json --verbose | sidedeck push`. A server that goes away is waited for; once 256 MiB wait,
/// the agent waits too.
#[derive(Args)]
pub struct Push {
    /// The dialect of the lines [default: recognised]
    #[arg(long, env = "SIDEDECK_DIALECT", value_name = "NAME")]
    dialect: Option<String>,
    /// A name for the session [default: the lines' own]
    #[arg(long, env = "SIDEDECK_SESSION", value_name = "NAME")]
    session: Option<String>,
    /// Pass all that is read on to standard output
    #[arg(long)]
    tee: bool,
    /// How many seconds to wait for a lost server after the last line
    #[arg(long, env = "SIDEDECK_PATIENCE", default_value_t = 60, value_name = "SECONDS")]
    patience: u64,
    /// The server's address [default: that of the server of the data folder]
    #[arg(long, env = "SIDEDECK_SERVER", value_name = "ADDR")]
    server: Option<String>,
    #[command(flatten)]
    data: Data,
}

/// What the server said to a batch.
enum Reply {
    Taken,
    /// Not now.
    Later(String),
    Expects(u64),
    Refused(String),
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Problem {
    code: String,
    message: String,
    expected: Option<u64>,
}

impl Push {
    pub fn run(self) -> Result<(), Failure> {
        let given = match &self.dialect {
            Some(name) => Some(dialect::by_name(name).ok_or_else(|| unknown_dialect(name))?),
            None => None,
        };
        let server = Server { data: self.data.folder()?, given: self.server.clone() };
        let budget = Arc::new(Budget::default());
        let lines = input::read(self.tee, budget.clone());
        let mut backlog = Backlog::default();
        let done = self.send(given, &server, &lines, &mut backlog, &budget);
        if done.is_err() && self.tee {
            // The agent's reader is no concern of ours: it gets the rest.
            budget.open();
            while lines.recv().is_ok() {}
        }
        done
    }

    fn send(
        &self,
        given: Option<&'static Dialect>,
        server: &Server,
        lines: &Receiver<Vec<u8>>,
        backlog: &mut Backlog,
        budget: &Budget,
    ) -> Result<(), Failure> {
        let mut open = true;
        let dialect = loop {
            if let Some(dialect) = given.or_else(|| dialect::recognise(&backlog.head())).filter(|_| backlog.len() > 0) {
                break dialect;
            }
            if !open && backlog.len() == 0 {
                return Ok(());
            }
            if !open || backlog.len() >= HEAD {
                return Err(Failure::new("These lines are of no dialect that is known: name one with --dialect."));
            }
            match lines.recv() {
                Ok(line) => backlog.push(line),
                Err(_) => open = false,
            }
        };
        let named = || backlog.first(HEAD).find_map(|line| dialect.session_in(line));
        let session = self.session.clone().or_else(named).unwrap_or_else(|| format!("push-{}", random_name(9)));
        let path = format!("/api/v1/ingest/{}/{}", dialect.name, segment(&session));
        let producer = random_name(16);
        let (mut pause, mut lost, mut closed) = (RETRY.0, None::<Instant>, false);
        while open || backlog.len() > 0 || !closed {
            let mut silent = false;
            if open && lost.is_none() {
                let gathered = backlog.gather(lines, BEAT, COMPANY);
                (open, silent) = (gathered != Err(RecvTimeoutError::Disconnected), gathered == Err(RecvTimeoutError::Timeout));
            }
            while open && lost.is_some() {
                // What comes meanwhile is kept.
                match lines.try_recv() {
                    Ok(line) => backlog.push(line),
                    Err(error) => {
                        open = error == std::sync::mpsc::TryRecvError::Empty;
                        break;
                    }
                }
            }
            let (count, body) = backlog.batch();
            let last = !open && count == backlog.len();
            // An empty batch says that the agent is still there.
            if count == 0 && !last && !silent {
                continue;
            }
            let query = if last { "?close=exited" } else { "" };
            let headers = format!("Producer-Id: {producer}\r\nProducer-Epoch: {}\r\nProducer-Seq: {}\r\n", backlog.epoch, backlog.number);
            match reply(server.post(&format!("{path}{query}"), backlog.kind(), &headers, &body, ANSWER)) {
                Reply::Taken => {
                    budget.give(backlog.taken(count));
                    (closed, pause, lost) = (last, RETRY.0, None);
                }
                Reply::Expects(number) => budget.give(backlog.expects(number)),
                Reply::Refused(why) => return Err(Failure::new(why)),
                Reply::Later(why) => {
                    let since = *lost.get_or_insert_with(|| {
                        tell(&format!("sidedeck: waiting for the server at {}: {why}", server.address()));
                        Instant::now()
                    });
                    if !open && since.elapsed() > Duration::from_secs(self.patience) {
                        let left = backlog.len();
                        return Err(Failure::new(format!(
                            "The server did not come back: {left} lines were not taken. Is `sidedeck serve` running?"
                        )));
                    }
                    thread::sleep(pause);
                    pause = (pause * 2).min(RETRY.1);
                }
            }
        }
        Ok(())
    }
}

fn reply(answer: std::io::Result<(u16, String)>) -> Reply {
    let (status, body) = match answer {
        Ok((200, _)) => return Reply::Taken,
        Ok(answer) => answer,
        Err(error) => return Reply::Later(error.to_string()),
    };
    let problem: Problem = serde_json::from_str(&body).unwrap_or_default();
    match (status, problem.expected) {
        (409, Some(number)) if problem.code == "gap" => Reply::Expects(number),
        // It may be starting, stopping, full or busy; its token may be about to be made.
        (408 | 429 | 500.., _) => Reply::Later(problem.message),
        (401, _) => Reply::Refused("The server does not know this token: give its data folder with --data, or SIDEDECK_TOKEN.".into()),
        _ if problem.message.is_empty() => Reply::Refused(format!("The server refused the lines with status {status}.")),
        _ => Reply::Refused(problem.message),
    }
}

fn unknown_dialect(name: &str) -> Failure {
    let known: Vec<&str> = DIALECTS.iter().map(|dialect| dialect.name).collect();
    Failure::new(format!("There is no dialect {name}; there are {}.", known.join(", ")))
}
