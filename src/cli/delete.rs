//! `sidedeck delete`.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use futures::executor::block_on;
use serde::Deserialize;

use super::server::Server;
use super::{Data, Failure, answer, open};
use crate::ingest::settle_orphans;
use crate::model::{MAIN, segment};
use crate::store::StoreError;

const PATIENCE: Duration = Duration::from_secs(30);

/// Deletes Sidedeck's copy of a session, or of subagents' transcripts in it
///
/// All or nothing, and never what still runs. The source files stay as they are; what is deleted does not come back when they are
/// read again, unless by `sidedeck import --again PATH`.
#[derive(Args)]
pub struct Delete {
    /// The session's id, or another of its names
    session: String,
    /// Subagents whose transcripts go, by id or name; without any, the whole session goes
    agents: Vec<String>,
    #[command(flatten)]
    data: Data,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Problem {
    code: String,
    message: String,
}

impl Delete {
    pub fn run(self) -> Result<(), Failure> {
        let data = self.data.folder()?;
        // Makes no folder where there is nothing to delete.
        open::to_read(&data)?;
        match open::to_write(&data) {
            Ok(opened) => self.here(opened)?,
            Err(error) if !crate::store::is_written(&data) => return Err(error),
            Err(_) => self.by_server(&data)?,
        }
        let what = match self.agents.len() {
            0 => "the session".to_owned(),
            1 => "1 transcript".to_owned(),
            many => format!("{many} transcripts"),
        };
        answer(|out| writeln!(out, "Deleted {what}. The source files stay as they are."))
    }

    /// Without a server, nothing can be running that this knows of.
    fn here(&self, (writer, store): (crate::store::Writer, crate::store::Shared)) -> Result<(), Failure> {
        let sid = store.find(&self.session)?.ok_or_else(|| self.no_session())?;
        let mut agents = Vec::new();
        for name in &self.agents {
            match store.find_agent(sid, name)? {
                Some(MAIN) => return Err(Failure::new("The main agent goes only with its whole session: name no agent.")),
                Some(agent) => agents.push(agent),
                None => return Err(Failure::new(format!("The session has no agent {name:?}: `sidedeck export` lists them."))),
            }
        }
        settle_orphans(&writer, &[])?;
        let agents = Some(agents).filter(|agents| !agents.is_empty());
        let removed: Result<(), StoreError> = block_on(async {
            writer.remove(sid, agents).await?;
            writer.close().await
        });
        Ok(removed?)
    }

    fn by_server(&self, data: &Path) -> Result<(), Failure> {
        let server = Server { data: data.to_owned(), given: None };
        let path = format!("/api/v1/sessions/{}", segment(&self.session));
        let asked = if self.agents.is_empty() {
            server.call(&format!("{path}/delete"), b"{}", PATIENCE)
        } else {
            let body = serde_json::json!({ "ids": self.agents }).to_string();
            server.call(&format!("{path}/agents/delete"), body.as_bytes(), PATIENCE)
        };
        let (status, body) =
            asked.map_err(|error| Failure::new(format!("The server at {} does not answer: {error}.", server.address())))?;
        let Problem { code, message } = serde_json::from_str(&body).unwrap_or_default();
        match (status, message) {
            (200, _) => Ok(()),
            (404, _) if code == "no_such_session" => Err(self.no_session()),
            (404, sentence) if code == "no_such_agent" => Err(Failure::new(format!("{sentence} `sidedeck export` lists them."))),
            (401, _) => Err(Failure::new("The server does not know this token: give its SIDEDECK_TOKEN.")),
            (_, sentence) if sentence.is_empty() => Err(Failure::new(format!("The server refused with status {status}."))),
            (_, sentence) => Err(Failure::new(sentence)),
        }
    }

    fn no_session(&self) -> Failure {
        Failure::new(format!("There is no session {:?}: `sidedeck sessions` lists them.", self.session))
    }
}
