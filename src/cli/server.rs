//! The running server, as the other commands reach it.
//!
//! Decision: a plain request by hand over a plain socket, one a connection: the server is on this machine, and what runs beside
//! an agent has to start at once.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::time::Duration;

const ADDRESS: &str = "address";
const FALLBACK: &str = "127.0.0.1:4180";
/// The longest answer that is read, in bytes.
const ANSWER: u64 = 1 << 20;

/// Leaves the address in the data folder. Without it the others try the usual one.
pub fn announce(data: &Path, addr: SocketAddr) {
    let ip = if addr.ip().is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { addr.ip() };
    if let Err(error) = fs::write(data.join(ADDRESS), SocketAddr::new(ip, addr.port()).to_string()) {
        tracing::warn!(%error, "the address could not be left in the data folder");
    }
}

/// The types of a body of lines, and of one of events.
pub const NDJSON: &str = "application/x-ndjson";
pub const EVENTS: &str = "text/event-stream";

/// Where the server is; asked anew for each request, since it may be started later than whoever asks.
pub struct Server {
    pub data: PathBuf,
    /// An address that the user gave.
    pub given: Option<String>,
}

impl Server {
    /// `host:port`.
    pub fn address(&self) -> String {
        let given = self.given.clone().or_else(|| fs::read_to_string(self.data.join(ADDRESS)).ok());
        let given = given.unwrap_or_else(|| FALLBACK.into());
        given.trim().trim_start_matches("http://").trim_end_matches('/').to_owned()
    }

    fn token(&self) -> Option<String> {
        let given = std::env::var("SIDEDECK_TOKEN").ok().filter(|token| !token.is_empty());
        given.or_else(|| fs::read_to_string(self.data.join("token")).ok()).map(|token| token.trim().to_owned())
    }

    /// Sends a body of that type and returns the status and the answer. `patience` bounds each wait for the other side.
    pub fn post(&self, path: &str, kind: &str, headers: &str, body: &[u8], patience: Duration) -> io::Result<(u16, String)> {
        self.send(path, kind, headers, body, patience)
    }

    /// Asks for something to be done; the answer as in [`Server::post`].
    pub fn call(&self, path: &str, body: &[u8], patience: Duration) -> io::Result<(u16, String)> {
        self.send(path, "application/json", "", body, patience)
    }

    /// A server that has just begun to listen may not have made its token when it was looked for: one refused is looked for again.
    fn send(&self, path: &str, kind: &str, headers: &str, body: &[u8], patience: Duration) -> io::Result<(u16, String)> {
        let token = self.token();
        let (status, answer) = self.ask(path, kind, token.as_deref(), headers, body, patience)?;
        let now = self.token();
        if status == 401 && now != token {
            return self.ask(path, kind, now.as_deref(), headers, body, patience);
        }
        Ok((status, answer))
    }

    fn ask(
        &self,
        path: &str,
        kind: &str,
        token: Option<&str>,
        headers: &str,
        body: &[u8],
        patience: Duration,
    ) -> io::Result<(u16, String)> {
        let address = self.address();
        let peer = address.to_socket_addrs()?.next().ok_or_else(|| io::Error::from(io::ErrorKind::AddrNotAvailable))?;
        let mut stream = TcpStream::connect_timeout(&peer, patience)?;
        stream.set_read_timeout(Some(patience))?;
        stream.set_write_timeout(Some(patience))?;
        let token = token.unwrap_or_default();
        let mut request = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Type: {kind}\r\n\
             Content-Length: {}\r\nConnection: close\r\n{headers}\r\n",
            body.len()
        )
        .into_bytes();
        request.extend_from_slice(body);
        stream.write_all(&request)?;
        let mut answer = Vec::new();
        // A server that closes early may have answered before.
        let read = stream.take(ANSWER).read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer);
        let status = text.split(' ').nth(1).and_then(|word| word.parse().ok());
        match (status, text.split_once("\r\n\r\n"), read) {
            (Some(status), Some((_, body)), _) => Ok((status, body.to_owned())),
            (_, _, Err(error)) => Err(error),
            _ => Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
        }
    }
}
