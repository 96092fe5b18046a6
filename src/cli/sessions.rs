//! `sidedeck sessions`.

use std::io::Write;

use clap::Args;

use super::{Data, Failure, answer, open};
use crate::model::{Session, SessionStatus, to_rfc3339};
use crate::store::is_written;

/// Lists the sessions that are kept, newest activity first
#[derive(Args)]
pub struct Sessions {
    /// Print an array of session rows
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: Data,
}

impl Sessions {
    pub fn run(&self) -> Result<(), Failure> {
        let data = self.data.folder()?;
        let store = open::to_read(&data)?;
        // Without a server nobody would know better.
        let served = is_written(&data);
        let mut rows = Vec::new();
        let mut after = None;
        loop {
            let page = store.sessions(after.as_deref(), 500)?;
            rows.extend(page.sessions.into_iter().map(|row| if served { row } else { last_known(row) }));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        answer(|out| if self.json { writeln!(out, "{}", serde_json::to_string_pretty(&rows)?) } else { table(out, &rows) })
    }
}

/// A row as it can be told when nothing follows it: what ran then may have ended since.
fn last_known(row: Session) -> Session {
    if row.status.is_live() { Session { status: SessionStatus::Unknown, waiting_on: None, ..row } } else { row }
}

fn table(out: &mut dyn Write, rows: &[Session]) -> std::io::Result<()> {
    for row in rows {
        let last = row.last_at.and_then(to_rfc3339).map_or_else(|| "-".into(), |time| time.chars().take(16).collect::<String>());
        let agents = format!("{}/{}", row.agents.running, row.agents.all);
        writeln!(out, "{}  {:<8} {:>9} agents  {last:<16}  {}", plain(&row.id), row.status.word(), agents, plain(&row.title))?;
    }
    Ok(())
}

/// What a transcript says must not drive the terminal.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') { '\u{fffd}' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_cannot_drive_the_terminal() {
        let row = Session { id: "s".into(), title: "\u{1b}]8;;http://evil\u{7}a\nb\u{202e}c".into(), ..Session::default() };
        let mut out = Vec::new();
        table(&mut out, &[row]).expect("a table");
        let text = String::from_utf8(out).expect("UTF-8");
        assert_eq!(text.lines().count(), 1);
        assert!(!text.trim_end().chars().any(|c| c.is_control() || c == '\u{202e}'), "{text:?}");
    }
}
