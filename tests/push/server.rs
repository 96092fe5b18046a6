//! A server of the tests: started on a free port, stopped or killed, started again on the same data.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const BINARY: &str = env!("CARGO_BIN_EXE_sidedeck");

pub struct Server {
    child: Child,
    pub data: PathBuf,
    pub address: String,
}

impl Server {
    /// Starts a server and returns when it answers. `address` is `127.0.0.1:0` for a free port.
    pub fn start(data: &Path, address: &str) -> Self {
        let left = data.join("address");
        let _ = fs::remove_file(&left);
        let child = command(data)
            .args(["serve", "--no-watch", "--addr", address])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a server");
        let address = wait(|| fs::read_to_string(&left).ok().filter(|text| !text.is_empty()));
        wait(|| TcpStream::connect(&address).ok());
        Self { child, data: data.to_owned(), address }
    }

    /// Kills it as the system would.
    pub fn kill(mut self) {
        self.child.kill().expect("a kill");
        self.child.wait().expect("an end");
    }

    /// One request; gives the status and the body.
    pub fn request(&self, method: &str, path: &str, headers: &[&str], body: &[u8]) -> (u16, String) {
        let token = fs::read_to_string(self.data.join("token")).expect("a token");
        let mut all = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        if !headers.iter().any(|header| header.starts_with("Authorization")) {
            all += &format!("Authorization: Bearer {token}\r\n");
        }
        if method == "POST" && !headers.iter().any(|header| header.starts_with("Content-Length")) {
            all += &format!("Content-Length: {}\r\n", body.len());
        }
        headers.iter().for_each(|header| all += &format!("{header}\r\n"));
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        stream.write_all(all.as_bytes()).expect("sent");
        stream.write_all(b"\r\n").expect("sent");
        // A refused body may not be read to its end.
        let _ = stream.write_all(body);
        if headers.iter().any(|header| header.starts_with("Content-Length")) {
            // Less comes than was told.
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
        answer(stream)
    }

    pub fn push(&self, path: &str, headers: &[&str], body: &str) -> (u16, String) {
        let kind = ["Content-Type: application/x-ndjson"];
        self.request("POST", &format!("/api/v1/ingest/{path}"), &[&kind, headers].concat(), body.as_bytes())
    }

    /// The session as exported, once it is there.
    pub fn export(&self, session: &str) -> String {
        let (status, body) = self.request("GET", &format!("/api/v1/sessions/{session}/export?format=json"), &[], b"");
        assert_eq!(status, 200, "{body}");
        body
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What came back, without its chunks.
fn answer(mut stream: TcpStream) -> (u16, String) {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    (status, if chunked { unchunked(body) } else { body.to_owned() })
}

fn unchunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap_or(0);
        if size == 0 {
            break;
        }
        whole += &rest[..size];
        body = rest.get(size + 2..).unwrap_or("");
    }
    whole
}

/// The program on a data folder of its own, without what the environment says of another.
pub fn command(data: &Path) -> Command {
    let mut command = Command::new(BINARY);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SIDEDECK_")) {
        command.env_remove(name);
    }
    command.env("SIDEDECK_DATA", data);
    command
}

/// Waits for a state, half a minute at most.
pub fn wait<T>(mut state: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = state() {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "it did not come");
        std::thread::yield_now();
        std::thread::park_timeout(Duration::from_millis(5));
    }
}
