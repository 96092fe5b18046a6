//! `sidedeck link`.

use std::time::Duration;

use clap::Args;
use serde::Deserialize;

use super::server::Server;
use super::{Data, Failure, answer};

const PATIENCE: Duration = Duration::from_secs(5);

/// Prints a new link to the running server, which logs one browser in
///
/// The link is good once, for five minutes. What it needs to ask the server is in the data folder, so it works for whoever may read
/// that, and for those who have SIDEDECK_TOKEN.
#[derive(Args)]
pub struct Link {
    /// The server's address [default: that of the server of the data folder]
    #[arg(long, env = "SIDEDECK_SERVER", value_name = "ADDR")]
    server: Option<String>,
    #[command(flatten)]
    data: Data,
}

#[derive(Deserialize)]
struct Answer {
    path: String,
}

impl Link {
    pub fn run(self) -> Result<(), Failure> {
        let server = Server { data: self.data.folder()?, given: self.server };
        let address = server.address();
        let (status, body) = server.call("/api/v1/links", b"{}", PATIENCE).map_err(|_| {
            Failure::new(format!("No server answers at {address}: start one with `sidedeck serve`, or name it with --server."))
        })?;
        match (status, serde_json::from_str(&body)) {
            (200, Ok(Answer { path })) => answer(|out| writeln!(out, "http://{address}{path}")),
            (401, _) => Err(Failure::new("The server does not know this token: use its data folder with --data, or its SIDEDECK_TOKEN.")),
            _ => Err(Failure::new(format!("What answers at {address} is no Sidedeck of this version (status {status})."))),
        }
    }
}
