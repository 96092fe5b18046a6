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

/// A new link.
#[derive(Deserialize)]
pub struct Made {
    path: String,
    #[serde(default)]
    origin: String,
    #[serde(default)]
    phone: String,
    /// Of the server's own authority.
    #[serde(default)]
    pub fingerprint: Option<String>,
    /// Where it was asked for.
    #[serde(skip)]
    address: String,
}

impl Made {
    /// The link for this machine: where the server says that it is reached, else where it was asked.
    fn url(&self) -> String {
        let origin = if self.origin.is_empty() { format!("http://{}", self.address) } else { self.origin.clone() };
        format!("{origin}{}", self.path)
    }

    /// The link for a phone.
    pub fn for_phone(&self) -> String {
        if self.phone.is_empty() { self.url() } else { format!("{}{}", self.phone, self.path) }
    }

    /// Where the authority's certificate is to be had.
    pub fn authority(&self) -> String {
        format!("{}/authority.crt", self.phone)
    }

    /// True if that leads to the machine that follows it.
    pub fn is_local(&self) -> bool {
        let url = self.for_phone();
        let host = url.split_once("://").map_or(url.as_str(), |(_, host)| host);
        host.starts_with("127.") || host.starts_with("localhost") || host.starts_with("[::1]")
    }
}

impl Link {
    pub fn run(self) -> Result<(), Failure> {
        let url = self.ask()?.url();
        answer(|out| writeln!(out, "{url}"))
    }

    /// Asks the server for a link.
    pub fn ask(self) -> Result<Made, Failure> {
        let server = Server { data: self.data.folder()?, given: self.server };
        let address = server.address();
        let (status, body) = server.call("/api/v1/links", b"{}", PATIENCE).map_err(|_| {
            Failure::new(format!("No server answers at {address}: start one with `sidedeck serve`, or name it with --server."))
        })?;
        match (status, serde_json::from_str::<Made>(&body)) {
            (200, Ok(made)) => Ok(Made { address, ..made }),
            (401, _) => Err(Failure::new("The server does not know this token: use its data folder with --data, or its SIDEDECK_TOKEN.")),
            _ => Err(Failure::new(format!("What answers at {address} is no Sidedeck of this version (status {status})."))),
        }
    }
}
