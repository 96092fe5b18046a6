//! The command line.
//!
//! Decision: flags have mirrors in the environment, so that a service is configured without a shell. Exit codes: 0 done, 1 it could
//! not be done, 2 the command was not understood. What is asked for goes to stdout, everything about it to stderr.

mod delete;
mod export;
mod hook;
mod import;
mod link;
mod open;
mod pair;
mod push;
mod reach;
mod serve;
mod server;
mod sessions;

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use etcetera::{BaseStrategy, choose_base_strategy};
use tracing_subscriber::EnvFilter;

/// Every agent of a run on one table: live transcripts, one card per subagent.
#[derive(Parser)]
#[command(name = "sidedeck", version, arg_required_else_help = true, after_help = AFTER)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const AFTER: &str = "\
Begin with `sidedeck serve`: it prints a link that logs your browser in. Without agents of your own, try `sidedeck serve --demo`.

Each flag has a mirror in the environment: --data is SIDEDECK_DATA, --no-watch is SIDEDECK_NO_WATCH=true, and so on.
SIDEDECK_LOG sets what is logged (error, warn, info, debug).";

#[derive(Subcommand)]
enum Command {
    Serve(serve::Serve),
    Import(import::Import),
    Push(push::Push),
    Hook(hook::Hook),
    Sessions(sessions::Sessions),
    Export(export::Export),
    Delete(delete::Delete),
    Link(link::Link),
    Pair(pair::Pair),
}

/// Where everything is kept.
#[derive(Args)]
struct Data {
    /// The data folder [default: sidedeck in the platform's folder for data]
    #[arg(long, env = "SIDEDECK_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Why a command could not be done: one sentence, and what to do.
#[derive(Debug)]
struct Failure(String);

impl Failure {
    fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

impl<T: Display> From<T> for Failure {
    fn from(sentence: T) -> Self {
        Self(sentence.to_string())
    }
}

/// Reads the command line and does what it says.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let filter = EnvFilter::try_from_env("SIDEDECK_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(io::stderr().is_terminal()).init();
    let done = match cli.command {
        Command::Serve(serve) => serve.run(),
        Command::Import(import) => import.run(),
        Command::Push(push) => push.run(),
        Command::Hook(hook) => hook.run(),
        Command::Sessions(sessions) => sessions.run(),
        Command::Export(export) => export.run(),
        Command::Delete(delete) => delete.run(),
        Command::Link(link) => link.run(),
        Command::Pair(pair) => pair.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(sentence)) => {
            tell(&format!("sidedeck: {sentence}"));
            ExitCode::FAILURE
        }
    }
}

impl Data {
    /// True if somebody has chosen a folder.
    fn is_given(&self) -> bool {
        self.data.is_some()
    }

    fn folder(&self) -> Result<PathBuf, Failure> {
        let own = || choose_base_strategy().ok().map(|base| base.data_dir().join("sidedeck"));
        self.data.clone().or_else(own).ok_or_else(|| Failure::new("There is no home folder to keep data in: choose one with --data DIR."))
    }
}

/// Writes a line to stderr; nobody may be listening.
fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes to stdout what was asked for. A reader that has seen enough is no failure.
fn answer(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::new(format!("The answer cannot be written: {error}."))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
