//! `sidedeck hook`.

use std::io::{self, Read};
use std::sync::mpsc;
use std::time::Duration;

use clap::Args;

use super::server::{NDJSON, Server};
use super::{Data, Failure, answer};
use crate::dialect;
use crate::model::segment;

/// How long the agent waits for us at most; starting and ending take the rest of its 50 ms.
const PATIENCE: Duration = Duration::from_millis(25);
/// The longest payload that is read, in bytes.
const PAYLOAD: u64 = 1 << 20;

/// `{}` is the command, as a JSON string.
const SETTINGS: &str = r#"{
  "hooks": {
    "SubagentStart": [{ "hooks": [{ "type": "command", "command": {}, "timeout": 5 }] }],
    "SubagentStop": [{ "hooks": [{ "type": "command", "command": {}, "timeout": 5 }] }]
  }
}
"#;

/// Tells the server about a subagent, as a hook of Claude Code
///
/// Reads a hook's payload from standard input and returns at once, whether or not a server runs; it never fails the agent. What it
/// says is a hint alone: transcripts decide.
#[derive(Args)]
pub struct Hook {
    /// Print what to put into Claude Code's settings.json
    #[arg(long)]
    install: bool,
    /// The server's address [default: that of the server of the data folder]
    #[arg(long, env = "SIDEDECK_SERVER", value_name = "ADDR")]
    server: Option<String>,
    #[command(flatten)]
    data: Data,
}

impl Hook {
    pub fn run(self) -> Result<(), Failure> {
        if self.install {
            let command = serde_json::Value::from(self.command()).to_string();
            return answer(|out| out.write_all(SETTINGS.replace("{}", &command).as_bytes()));
        }
        let (told, done) = mpsc::channel();
        // Left behind if it is slow: it ends with the process.
        std::thread::spawn(move || {
            self.hint();
            // Nobody may be waiting any more.
            let _ = told.send(());
        });
        let _ = done.recv_timeout(PATIENCE);
        Ok(())
    }

    /// What the hook is to run: the folder and the address that were given here are not known there.
    fn command(&self) -> String {
        let data = self.data.data.as_ref().map(|data| std::path::absolute(data).unwrap_or_else(|_| data.clone()).display().to_string());
        let given = [("--data", data), ("--server", self.server.clone())];
        let flags = given.into_iter().filter_map(|(flag, value)| Some(format!(" {flag} {}", quoted(&value?))));
        format!("sidedeck hook{}", flags.collect::<String>())
    }

    fn hint(&self) {
        let mut payload = Vec::new();
        let Ok(data) = self.data.folder() else { return };
        if io::stdin().take(PAYLOAD).read_to_end(&mut payload).is_err() {
            return;
        }
        payload.retain(|byte| !matches!(byte, b'\n' | b'\r'));
        let session = dialect::by_name("claude-hook").and_then(|hook| (hook.session_of)(&payload));
        if let Some(session) = session {
            payload.push(b'\n');
            let path = format!("/api/v1/ingest/claude-hook/{}", segment(&session));
            // A hint that does not arrive is none.
            let _ = Server { data, given: self.server.clone() }.post(&path, NDJSON, "", &payload, PATIENCE);
        }
    }
}

/// A word of a shell's line.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-:".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}
