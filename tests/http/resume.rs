//! However a reader is cut off and comes back, it ends with the same rows.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use sidedeck::dialect::by_name;
use sidedeck::ingest::{Feed, Sink};
use sidedeck::live::{Hub, Pace, Seats, Size, Start, Stream};
use sidedeck::model::{AgentNo, Body, Change, Cursor, Field};
use sidedeck::store::{Published, Shared, Sid, Writer};
use tokio_util::sync::CancellationToken;

use crate::support::{append, entry, runtime};

/// What happens between two looks at the stream.
#[derive(Clone, Debug)]
enum Step {
    Append {
        agent: usize,
        key: usize,
        text: String,
    },
    Whole {
        agent: usize,
        key: usize,
        text: String,
    },
    Close {
        key: usize,
    },
    Call {
        agent: usize,
        call: usize,
    },
    Result {
        agent: usize,
        call: usize,
    },
    Begin {
        agent: usize,
    },
    /// The reader takes so many chunks.
    Read(usize),
    /// The reader is cut off; `restart`: the rings are lost, too.
    Cut {
        restart: bool,
    },
}

const AGENTS: [&str; 3] = ["main", "a1", "a2"];

fn step() -> impl Strategy<Value = Step> {
    let (agent, key) = (0..AGENTS.len(), 0..4_usize);
    let text = prop_oneof!["[a-zé€😀]{1,9}", Just("\n\n: event\r\n".to_owned()), Just("x".repeat(300))];
    prop_oneof![
        6 => (agent.clone(), key.clone(), text.clone()).prop_map(|(agent, key, text)| Step::Append { agent, key, text }),
        2 => (agent.clone(), key.clone(), text).prop_map(|(agent, key, text)| Step::Whole { agent, key, text }),
        1 => key.clone().prop_map(|key| Step::Close { key }),
        1 => (agent.clone(), key.clone()).prop_map(|(agent, call)| Step::Call { agent, call }),
        1 => (agent.clone(), key).prop_map(|(agent, call)| Step::Result { agent, call }),
        1 => agent.prop_map(|agent| Step::Begin { agent }),
        3 => (1..3_usize).prop_map(Step::Read),
        2 => any::<bool>().prop_map(|restart| Step::Cut { restart }),
    ]
}

impl Step {
    fn op(&self) -> Option<Value> {
        let key = |agent: usize, key: usize| format!("{}-{key}", AGENTS[agent]);
        Some(match self {
            Self::Append { agent, key: at, text } => append(AGENTS[*agent], &key(*agent, *at), text),
            Self::Whole { agent, key: at, text } => {
                entry(AGENTS[*agent], &key(*agent, *at), json!({ "kind": "text", "text": { "text": text } }))
            }
            Self::Close { key: at } => json!({ "op": "close", "key": key(0, *at), "state": "done" }),
            Self::Call { agent, call } => {
                let call = format!("call-{}", key(*agent, *call));
                json!({ "op": "call", "who": runtime(AGENTS[*agent]), "call": call, "keys": [], "patch": { "name": "Bash", "args": "{}" } })
            }
            Self::Result { agent, call } => {
                let call = format!("call-{}", key(*agent, *call));
                json!({ "op": "result", "who": runtime(AGENTS[*agent]), "call": call, "result": { "Ok": "done" }, "state": "done" })
            }
            Self::Begin { agent } => json!({ "op": "begin", "who": runtime(AGENTS[*agent]) }),
            Self::Read(_) | Self::Cut { .. } => return None,
        })
    }
}

/// The rows as a browser holds them, by the rules of the wire.
#[derive(Debug, Default, PartialEq)]
struct Mirror {
    rows: BTreeMap<String, (u64, Value)>,
    cursor: Option<Cursor>,
}

impl Mirror {
    fn take(&mut self, chunk: &[u8]) -> Result<bool, TestCaseError> {
        let text = std::str::from_utf8(chunk).expect("UTF-8");
        let mut caught_up = false;
        for event in text.split_terminator("\n\n") {
            let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
            let (name, data) = (field("event: ").unwrap_or("retry"), field("data: ").unwrap_or("null"));
            match name {
                "put" | "append" | "gone" => self.apply(&serde_json::from_str(data).expect("a change"))?,
                "uptodate" => caught_up = true,
                "gap" => return Err(TestCaseError::fail(format!("a gap: {data}"))),
                _ => {}
            }
            if let Some(id) = field("id: ") {
                let id: Cursor = id.parse().expect("a cursor");
                let back = self.cursor.is_some_and(|last| id.rev < last.rev || id.grev < last.grev);
                prop_assert!(!back, "the cursor never goes back");
                self.cursor = Some(id);
            }
        }
        Ok(caught_up)
    }

    fn apply(&mut self, change: &Change) -> Result<(), TestCaseError> {
        let key = match change {
            Change::Session(_) => "session".to_owned(),
            Change::Agent(row) => format!("agent {}", row.n),
            Change::Entry(row) => format!("entry {} {}", row.agent, row.seq),
            Change::Append { agent, seq, .. } => format!("entry {agent} {seq}"),
            Change::Gone(_) => return Ok(()),
        };
        let known = self.rows.get(&key).map_or(0, |(rev, _)| *rev);
        if change.rev() <= known {
            return Ok(());
        }
        let row = match change {
            Change::Append { field, from, text, .. } => {
                prop_assert_eq!(*field, Field::Text);
                let (_, row) = self.rows.get(&key).ok_or_else(|| TestCaseError::fail("an append without its row"))?;
                let mut entry: sidedeck::model::Entry = serde_json::from_value(row.clone()).expect("an entry");
                let Body::Text { text: whole } = &mut entry.body else { return Err(TestCaseError::fail("no text")) };
                prop_assert_eq!(whole.len(), *from, "an append fits");
                whole.text.push_str(text);
                entry.rev = change.rev();
                serde_json::to_value(&entry).expect("JSON")
            }
            Change::Session(row) => {
                let mut row = row.clone();
                row.grev = 0;
                serde_json::to_value(&row).expect("JSON")
            }
            Change::Agent(row) => serde_json::to_value(row).expect("JSON"),
            Change::Entry(row) => serde_json::to_value(row).expect("JSON"),
            Change::Gone(_) => return Ok(()),
        };
        self.rows.insert(key, (change.rev(), row));
        Ok(())
    }
}

/// Publishes to whichever hub is there at the moment.
struct Behind(std::sync::Mutex<Arc<Hub>>);

impl Behind {
    fn hub(&self) -> Arc<Hub> {
        self.0.lock().expect("a hub").clone()
    }
}

impl Published for Behind {
    fn session(&self, sid: Sid, changes: &[Change], rev: u64) {
        Published::session(&*self.hub(), sid, changes, rev);
    }

    fn list(&self, change: &Change, grev: u64) {
        self.hub().list(change, grev);
    }
}

struct House {
    hub: Arc<Behind>,
    store: Shared,
    seats: Arc<Seats>,
}

impl House {
    fn stream(&self, after: Option<Cursor>, sid: Sid, agents: Option<Vec<AgentNo>>) -> Stream {
        let seat = self.seats.take("test").expect("a seat");
        let pace = Pace { tail: Duration::from_millis(20), ..Pace::default() };
        let start = Start { after: after.map(Ok), session: Some(sid), agents };
        Stream::new(&self.hub.hub(), self.store.clone(), start, pace, CancellationToken::new(), seat)
    }

    /// All rows, by a stream that begins with everything.
    async fn reload(&self, sid: Sid, agents: Option<Vec<AgentNo>>) -> Result<Mirror, TestCaseError> {
        let (mut stream, mut mirror) = (self.stream(None, sid, agents), Mirror::default());
        while !mirror.take(&stream.next().await.expect("a chunk"))? {}
        Ok(mirror)
    }
}

async fn check(steps: Vec<Step>, frames: usize, agents: Option<Vec<AgentNo>>) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().expect("a folder");
    let size = Size { frames, ..Size::default() };
    let hub = Arc::new(Behind(std::sync::Mutex::new(Arc::new(Hub::new(size)))));
    let (writer, store) = Writer::open(&folder.path().join("data"), hub.clone()).expect("a store");
    let house = House { hub, store: store.clone(), seats: Arc::default() };
    let sink: Arc<dyn Sink> = Arc::new(writer);
    let mut feed = tokio::task::block_in_place(|| Feed::open(sink, by_name("sidedeck").expect("the dialect"), "t", "s")).expect("a feed");
    let mut number = 0;
    let mut push = |op: Value| {
        number += 1;
        let line = json!({ "id": number.to_string(), "ops": [op] }).to_string();
        tokio::task::block_in_place(|| feed.push([line.as_bytes()]).expect("a push").blocking_recv()).expect("an answer").expect("a commit")
    };
    push(json!({ "op": "turn", "ended": false }));
    let sid = store.find("s").expect("a store").expect("a session");

    let mut mirror = Mirror::default();
    let mut stream = house.stream(None, sid, agents.clone());
    for step in steps {
        match step {
            Step::Read(chunks) => {
                for _ in 0..chunks {
                    // A stream that has nothing to say waits; that is no chunk.
                    tokio::select! {
                        biased;
                        chunk = stream.next() => drop(mirror.take(&chunk.expect("a chunk"))?),
                        () = tokio::time::sleep(Duration::from_millis(1)) => break,
                    }
                }
            }
            Step::Cut { restart } => {
                if restart {
                    *house.hub.0.lock().expect("a hub") = Arc::new(Hub::new(size));
                }
                stream = house.stream(mirror.cursor, sid, agents.clone());
            }
            other => drop(other.op().map(&mut push)),
        }
    }
    let rev = push(json!({ "op": "turn", "ended": true })).sessions[0].1;
    while mirror.cursor.and_then(|cursor| cursor.rev).unwrap_or(0) < rev {
        mirror.take(&stream.next().await.expect("a chunk"))?;
    }
    let reloaded = house.reload(sid, agents).await?;
    prop_assert_eq!(&mirror.rows, &reloaded.rows);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_cut_of_any_stream_gives_the_same_rows(
        steps in prop::collection::vec(step(), 1..60),
        frames in prop_oneof![Just(2_usize), Just(8), Just(4_096)],
        agents in prop_oneof![Just(None), Just(Some(vec![0])), Just(Some(vec![1, 2])), Just(Some(vec![]))],
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
        runtime.block_on(check(steps, frames, agents))?;
    }
}
