//! `sidedeck import`.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{FalseyValueParser, PossibleValuesParser};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{Data, Failure, answer, open, tell};
use crate::dialect::{DIALECTS, by_name};
use crate::ingest::{self, Options, Progress, STDIN, Summary};
use crate::model::{Classes, EntryRef, MAIN};
use crate::store::{Shared, StoreError, Window, is_written};

/// How many skipped paths are told one by one.
const SKIPPED: usize = 20;

/// Reads transcripts that are already there
///
/// A path is a transcript file, the folder of one project, a folder of projects (as ~/.claude/projects), or a folder that holds one
/// (as ~/.claude); a file packed with gzip or zstd, or a zip archive of such files; or - for standard input. Files are only read. What
/// was read before is not read again, unless with --again.
#[derive(Args)]
pub struct Import {
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Take every file for this dialect instead of recognising it
    #[arg(long, env = "SIDEDECK_DIALECT", value_name = "NAME", value_parser = PossibleValuesParser::new(DIALECTS.iter().map(|dialect| dialect.name)))]
    dialect: Option<String>,
    /// Read everything from the start, and bring sessions back that were deleted here
    #[arg(long, env = "SIDEDECK_AGAIN", value_parser = FalseyValueParser::new())]
    again: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: Data,
}

impl Import {
    pub fn run(&self) -> Result<(), Failure> {
        let dialect = self.dialect.as_deref().and_then(by_name);
        if let Some(path) = self
            .paths
            .iter()
            .find(|path| path.as_os_str() != STDIN && path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound))
        {
            return Err(Failure::new(format!("There is no {}: nothing was imported. Check the path.", path.display())));
        }
        let data = self.data.folder()?;
        let (writer, store) = open::to_write(&data).map_err(|failure| match is_written(&data) {
            true => Failure::new(
                "A server is running on this data folder: give it the files by \"Add files\" on its page, or stop it, or choose another folder with --data.",
            ),
            false => failure,
        })?;
        ingest::sweep(&data);
        let bar = bar();
        let options = Options { dialect, again: self.again, room: Some(&data) };
        let imported = ingest::import(&self.paths, &options, &writer, &mut |progress| show(&bar, progress));
        bar.finish_and_clear();
        let mut summary = imported?;
        count(&store, &mut summary)?;
        for skipped in summary.skipped.iter().take(SKIPPED) {
            tell(&format!("skipped {}: {}", skipped.path, skipped.why));
        }
        if let Some(more) = summary.skipped.len().checked_sub(SKIPPED).filter(|more| *more > 0) {
            tell(&format!("skipped {more} more: --json lists them all"));
        }
        answer(|out| if self.json { writeln!(out, "{}", serde_json::to_string_pretty(&summary)?) } else { write_summary(out, &summary) })?;
        match summary.skipped.first() {
            Some(_) if summary.sessions == 0 => Err(Failure::new("Nothing was imported: none of these could be read.")),
            _ if summary.sessions == 0 && summary.files == 0 => {
                Err(Failure::new("Nothing was imported: there is no transcript in these paths."))
            }
            _ => Ok(()),
        }
    }
}

/// Counts subagents and entries of the imported sessions, as they stand now.
fn count(store: &Shared, summary: &mut Summary) -> Result<(), StoreError> {
    for id in &summary.ids {
        let Some(sid) = store.find(id)? else {
            summary.deleted += 1;
            continue;
        };
        let Some(page) = store.session_page(sid, MAIN, Window::Newest, 1)? else { continue };
        summary.agents += u64::from(page.session.agents.all);
        for agent in page.agents.iter().filter(|agent| agent.last_seq > 0) {
            // The first place of a subagent is kept for its prompt, and empty where none is known.
            let bare = agent.n != MAIN && store.entry(sid, EntryRef { agent: agent.n, seq: 1 })?.is_none();
            summary.entries += u64::from(agent.last_seq) - u64::from(bare);
        }
    }
    Ok(())
}

fn write_summary(out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
    let Summary { sessions, deleted, agents, entries, files, bytes, seconds, .. } = summary;
    #[expect(clippy::cast_precision_loss, reason = "a number for a person")]
    let megabytes = *bytes as f64 / 1e6;
    let [sessions, agents] = [(sessions - deleted, "session"), (*agents, "subagent")].map(counted);
    writeln!(out, "{sessions}, {agents}, {entries} {}", if *entries == 1 { "entry" } else { "entries" })?;
    writeln!(out, "{}, {megabytes:.1} MB in {seconds:.1} s ({:.0} MB/s)", counted((*files, "file")), megabytes / seconds.max(0.001))?;
    let lines = in_words(&summary.lines);
    writeln!(out, "{}{}{lines}", counted((summary.lines.total(), "line")), if lines.is_empty() { "" } else { ": " })?;
    match deleted {
        0 => Ok(()),
        1 => writeln!(out, "1 session was deleted here and stays so: import it with --again to bring it back"),
        _ => writeln!(out, "{deleted} sessions were deleted here and stay so: import them with --again to bring them back"),
    }
}

/// What became of the lines, for a person; `--json` names the classes.
fn in_words(lines: &Classes) -> String {
    let of = |name: &str| lines.0.iter().filter(|(class, _)| class.split(':').next() == Some(name)).map(|(_, count)| count).sum::<u64>();
    let kinds = [
        ("entry", "shown"),
        ("opaque", "not understood, kept as they are"),
        ("duplicate", "known already"),
        ("bookkeeping", "with notes of the program alone"),
        ("continuation", "that go on with a line before"),
        ("blank", "empty"),
        ("incomplete", "not finished yet"),
    ];
    let told = kinds.into_iter().map(|(class, words)| (of(class), words)).filter(|(count, _)| *count > 0);
    told.map(|(count, words)| format!("{count} {words}")).collect::<Vec<_>>().join(", ")
}

/// A number of things of which there may be one.
fn counted((count, thing): (u64, &str)) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// Drawn on a terminal, and nowhere else.
fn bar() -> ProgressBar {
    let target = if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(0), target);
    if let Ok(style) = ProgressStyle::with_template("{bar:32} {bytes}/{total_bytes}  {bytes_per_sec}  {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn show(bar: &ProgressBar, progress: Progress) {
    bar.set_length(progress.bytes_all);
    bar.set_position(progress.bytes);
    bar.set_message(format!("{} of {} files", progress.files, progress.files_all));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_says_in_plain_words_what_was_read_and_what_stays_deleted() {
        let classes = [("entry", 40), ("opaque", 3), ("bookkeeping:mode", 2), ("bookkeeping:summary", 5)];
        let lines = Classes(classes.into_iter().map(|(class, count)| (class.to_owned(), count)).collect());
        let summary = Summary { sessions: 2, deleted: 1, agents: 1, entries: 40, files: 2, lines, ..Summary::default() };
        let mut out = Vec::new();
        write_summary(&mut out, &summary).expect("written");
        let told = String::from_utf8(out).expect("text");
        assert!(told.starts_with("1 session, 1 subagent, 40 entries\n"), "{told}");
        assert!(told.contains("\n50 lines: 40 shown, 3 not understood, kept as they are, 7 with notes of the program alone\n"), "{told}");
        assert!(told.ends_with("1 session was deleted here and stays so: import it with --again to bring it back\n"), "{told}");
    }
}
