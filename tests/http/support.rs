//! A server, what is said to it, and what it says.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use sidedeck::api::State;
use sidedeck::api::door::Doors;
use sidedeck::dialect::by_name;
use sidedeck::ingest::{Feed, Intake, Sink};
use sidedeck::live::{Hub, Pace, Seats, Size};
use sidedeck::serve::{Limits, router, run};
use sidedeck::store::{Receipt, Writer};
use tokio_util::sync::CancellationToken;

pub const TOKEN: &str = "a-token-for-tests-0123456789";
pub const SESSION: &str = "s/1 ?#";
/// As it stands in a URL.
pub const SESSION_URL: &str = "s%2F1%20%3F%23";

/// A running server. Stops when dropped.
pub struct Server {
    pub addr: SocketAddr,
    pub state: State,
    pub writer: Writer,
    pub folder: tempfile::TempDir,
    runtime: Option<tokio::runtime::Runtime>,
    served: Option<tokio::task::JoinHandle<()>>,
}

/// How a test wants its server.
#[derive(Clone, Copy, Default)]
pub struct Wish {
    pub size: Size,
    pub pace: Pace,
    pub limits: Limits,
}

impl Server {
    pub fn start() -> Self {
        Self::with(Wish::default())
    }

    pub fn with(wish: Wish) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let hub = Arc::new(Hub::new(wish.size));
        let (writer, store) = Writer::open(&folder.path().join("data"), hub.clone()).expect("a store");
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().expect("a runtime");
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).expect("a port");
        let addr = listener.local_addr().expect("an address");
        let doors = Doors::open(addr, &[], &folder.path().join("data"), Some(TOKEN)).expect("doors");
        let state = State {
            store,
            hub,
            doors: Arc::new(doors),
            seats: Arc::new(Seats::default()),
            pace: wish.pace,
            writer: writer.clone(),
            prices: Arc::default(),
            intake: Arc::new(Intake::new(Arc::new(writer.clone()))),
            incoming: folder.path().join("data").into(),
            stop: CancellationToken::new(),
        };
        let served = runtime.spawn(run(listener, router(state.clone()), wish.limits, state.stop.clone()));
        Self { addr, state, writer, folder, runtime: Some(runtime), served: Some(served) }
    }

    /// A source of lines in Sidedeck's own dialect.
    pub fn feed(&self) -> Lines {
        let sink: Arc<dyn Sink> = Arc::new(self.writer.clone());
        Lines(Feed::open(sink, by_name("sidedeck").expect("the dialect"), "test", SESSION).expect("a feed"))
    }

    /// A server with one session: a user turn, a text, a subagent with a prompt and a text.
    pub fn with_session() -> Self {
        let server = Self::start();
        server.feed().push(&[
            json!({ "op": "turn", "ended": false }),
            entry("main", "u1", json!({ "kind": "user", "text": { "text": "Do it." } })),
            entry("main", "t1", json!({ "kind": "text", "text": { "text": "I will." } })),
            json!({ "op": "prompt", "who": runtime("a1"), "text": "Look.", "own": false }),
            entry("a1", "t2", json!({ "kind": "text", "text": { "text": "I looked." } })),
        ]);
        server
    }

    /// Waits until the accept loop has ended; false if that takes longer.
    pub fn ends_within(&mut self, time: Duration) -> bool {
        let (Some(runtime), Some(served)) = (&self.runtime, self.served.take()) else { return false };
        runtime.block_on(async { tokio::time::timeout(time, served).await.is_ok() })
    }

    /// Sends a request as it stands, and reads to the end.
    pub fn raw(&self, request: &str) -> Answer {
        let mut socket = self.connect();
        socket.write_all(request.as_bytes()).expect("a request");
        let mut bytes = Vec::new();
        socket.read_to_end(&mut bytes).expect("an answer");
        Answer::read(&bytes)
    }

    pub fn connect(&self) -> TcpStream {
        let socket = TcpStream::connect(self.addr).expect("a connection");
        socket.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        socket
    }

    /// A request of this server's own page or of a program, without a credential.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request += &format!("Host: {}\r\n", self.addr);
        }
        for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            request += &format!("{name}: {value}\r\n");
        }
        if !body.is_empty() || method == "POST" {
            request += &format!("Content-Length: {}\r\n", body.len());
        }
        self.raw(&format!("{request}\r\n{body}"))
    }

    /// GET with the token.
    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[("Authorization", &bearer())], "")
    }

    /// A session cookie, by way of a pairing code.
    pub fn cookie(&self) -> String {
        let answer = self.pair(&self.state.doors.pairing.code());
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.header("set-cookie").expect("a cookie").split(';').next().expect("a value").to_owned()
    }

    pub fn pair(&self, code: &str) -> Answer {
        let headers = [("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin")];
        self.ask("POST", "/api/pair", &headers, &json!({ "code": code }).to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.state.stop.cancel();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(5));
        }
    }
}

/// A source of lines.
pub struct Lines(Feed);

impl Lines {
    /// Pushes one line with these operations, and waits for its commit.
    pub fn push(&mut self, ops: &[Value]) -> Receipt {
        let line = json!({ "session": SESSION, "id": self.0.next().to_string(), "ops": ops }).to_string();
        let receipt = self.0.push([line.as_bytes()]).expect("a push");
        receipt.blocking_recv().expect("an answer").expect("a commit")
    }
}

/// An agent of that runtime id, `main` for the main agent.
pub fn runtime(id: &str) -> Value {
    if id == "main" { json!("main") } else { json!({ "named": { "kind": "runtime", "id": id } }) }
}

/// A whole entry.
pub fn entry(agent: &str, key: &str, body: Value) -> Value {
    json!({ "op": "entry", "who": runtime(agent), "keys": [key], "body": body, "state": "done" })
}

/// More of an open text.
pub fn append(agent: &str, key: &str, text: &str) -> Value {
    let body = json!({ "kind": "text", "text": { "text": "" } });
    json!({ "op": "append", "who": runtime(agent), "key": key, "body": body, "field": "text", "text": text })
}

pub fn bearer() -> String {
    format!("Bearer {TOKEN}")
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    fn read(bytes: &[u8]) -> Self {
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .unwrap_or_else(|| panic!("no head: {:?}", String::from_utf8_lossy(bytes)));
        let head = std::str::from_utf8(&bytes[..end]).expect("a head");
        let mut lines = head.split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|status| status.parse().ok()).expect("a status");
        let headers: Vec<_> =
            lines.filter_map(|line| line.split_once(": ")).map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
        let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
        let body = &bytes[end + 4..];
        Self { status, headers, body: if chunked { unchunk(body) } else { body.to_vec() } }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }
}

fn unchunk(mut bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    while let Some(end) = bytes.windows(2).position(|two| two == b"\r\n") {
        let len = std::str::from_utf8(&bytes[..end]).ok().and_then(|hex| usize::from_str_radix(hex, 16).ok()).expect("a chunk's length");
        let Some(chunk) = bytes.get(end + 2..end + 2 + len) else { break };
        out.extend_from_slice(chunk);
        bytes = bytes.get(end + 4 + len..).unwrap_or_default();
        if len == 0 {
            break;
        }
    }
    out
}
