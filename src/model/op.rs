//! Operations: what a translator says about its lines, and all that the ledger ever hears.

use serde::{Deserialize, Serialize};

use super::{
    AgentStatus, Body, Class, Context, EntryState, Field, Hash64, Limit, Link, Ms, Origin, SessionId, TitleFrom, Usage, WaitingOn,
};

/// One physical line (or one record spread over several), translated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub session: SessionId,
    /// Byte offset in its source, or the producer's number.
    pub offset: u64,
    /// Its own id, unique in the session. Without one, source + offset + hash stand for it.
    pub id: Option<String>,
    /// Of what counts as its content: without what a rewrite of the same record may change (its tree parent).
    pub hash: Hash64,
    /// The id of the line above it in the source's tree.
    pub parent: Option<String>,
    /// True for a user turn: where it branches off beside an earlier turn, the earlier branch is withdrawn.
    pub turn: bool,
    /// True for a copy of a line that has its home elsewhere: it never revises the original.
    pub copy: bool,
    pub at: Option<Ms>,
    pub class: Class,
    pub ops: Vec<Op>,
}

/// An agent, as a translator can name it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    Main,
    Named(Name),
}

/// A foreign id of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Name {
    pub kind: NameKind,
    pub id: String,
}

/// What a foreign id names; the best one is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NameKind {
    /// A copy of what the agent of that runtime id says, told by another source: a transcript of its own, which counts only while
    /// the agent has none.
    Copy,
    /// The tool call that started it.
    Call,
    /// A file or a position in one.
    File,
    /// A namespace path.
    Namespace,
    /// The id that the runtime gave it.
    Runtime,
}

/// One thing that a line says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Op {
    /// Facts about the session.
    Session(SessionPatch),
    /// Facts about an agent; makes it on first sight.
    Agent { who: Who, patch: AgentPatch },
    /// The prompt of a subagent: `seq` 1. `own` if it stands in the agent's own transcript: it replaces a stand-in.
    Prompt {
        who: Who,
        text: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<Blobbed>,
        own: bool,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        keys: Vec<String>,
    },
    /// An entry, whole: made where no key is known, else it takes this state. Texts replace, they never double.
    Entry {
        who: Who,
        /// Foreign keys, unique in the session; the first that is known decides.
        keys: Vec<String>,
        body: Body,
        state: EntryState,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<Blobbed>,
    },
    /// More of an open text; makes the entry (text or reasoning by `body`) where the key is unknown.
    Append { who: Who, key: String, body: Option<Body>, field: Field, text: String },
    /// A tool call's facts: made on first sight, merged into what is known of the call.
    Call { who: Who, call: String, keys: Vec<String>, patch: ToolPatch },
    /// A tool call's result, which may come before the call. `who` is the agent in whose transcript it stands.
    Result {
        who: Who,
        call: String,
        /// `Ok` or the error's text.
        result: Result<String, String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<Blobbed>,
        state: EntryState,
    },
    /// A tool call's whole output stands in a file of its own beside the source, of this name; the result shows a part of it.
    /// `text` is what the file holds, added by whoever reads files; without it nothing is known of the whole.
    Spilled { who: Who, call: String, file: String, text: Option<String> },
    /// The end of an open entry.
    Close { key: String, state: EntryState },
    /// A beginning: an explicit start or resume, or a turn addressed to the agent.
    Begin { who: Who, run: Option<String>, at: Option<Ms> },
    /// An end, at the time that its own source gives it. `note` makes repeated tellings one.
    End { who: Who, ending: Ending },
    /// The tokens of one API message: repeated under one id, the last wins.
    Usage { who: Who, message: String, usage: Usage, context: Option<Context> },
    /// A cumulative counter of an agent, which merges by maximum.
    Total { who: Who, usage: Option<Usage>, tool_calls: Option<u64> },
    /// The main agent's turn has begun (`false`) or ended (`true`).
    Turn { ended: bool },
    /// The session or agent waits, or (`None`) no longer does.
    Waiting { who: Who, on: Option<WaitingOn> },
    /// A limit was met, or (`None`) is lifted.
    Limited(Option<Limit>),
    /// A process of the session has begun, and the source is its stream; said first on its line. Agents that ran in an earlier
    /// process, and have no end, are unknown.
    Process,
    /// What this line says of the beginnings and ends of agents is told in another stream than theirs, although one source carries
    /// both: its place among their lines tells nothing. Said before them.
    Apart,
    /// The session's process has ended, or somebody stopped it: running children end with cause "parent exit".
    Exit { stopped: bool, cause: Option<String> },
    /// `who` has started the workflow of this run, whose agents name it alone.
    Workflow { who: Who, run: String },
    /// The source ends in a line that is not whole, or (`None`) does so no longer.
    Incomplete { who: Who, text: Option<String> },
    /// A person says who started an agent, or (`None`) takes that back. Evidence wins over it.
    Assign { who: Who, parent: Option<Who> },
    /// The source took entries back.
    Withdraw { keys: Vec<String> },
    /// The source has been read to its end: inferences may be drawn.
    EndOfInput,
    /// No file of the session has grown for a while: what runs becomes unknown until the next line.
    NoNews,
}

/// A binary that came with a line, to be kept as a blob.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blobbed {
    pub media_type: String,
    /// Base64, as it came.
    pub data: String,
}

/// Facts about a session; what is `None` says nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionPatch {
    pub title: Option<(TitleFrom, String)>,
    pub dialect: Option<String>,
    pub cwd: Option<String>,
    pub names: Vec<String>,
    pub origin: Option<Origin>,
}

/// Facts about an agent; what is `None` says nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentPatch {
    /// Further names of the same agent: two agents that share one are merged.
    pub names: Vec<Name>,
    /// The agent that started it, where that is known otherwise than by the call.
    pub parent: Option<Who>,
    /// The call that started it.
    pub call: Option<String>,
    /// The run of the workflow that started it.
    pub workflow: Option<String>,
    /// The grade of the evidence for parent or call.
    pub link: Option<Link>,
    /// The call's description.
    pub description: Option<String>,
    pub kind: Option<String>,
    pub model: Option<String>,
    pub context: Option<Context>,
    /// True: a helper that no person started.
    pub hidden: Option<bool>,
}

/// Facts about a tool call; what is `None` says nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolPatch {
    pub name: Option<String>,
    pub title: Option<String>,
    /// JSON as it came, whole.
    pub args: Option<String>,
    /// The body that stands in the call's place instead of a tool step: a todo list or a question.
    pub instead: Option<Body>,
    /// True if the call starts an agent: it is made under the call's name.
    pub starts_agent: bool,
}

/// An end of an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ending {
    pub status: AgentStatus,
    /// "explicit", "result", "process exit", "parent exit" or "stop".
    pub cause: String,
    pub at: Option<Ms>,
    /// The run that it names, where it names one.
    pub run: Option<String>,
    /// What repeated tellings of the same end share.
    pub note: Option<String>,
}

impl Line {
    /// Words of the ingest side about a session that stand in no source: [`Op::EndOfInput`], [`Op::NoNews`].
    ///
    /// Such a line is no physical line: it is neither counted, remembered nor found to be a duplicate.
    pub fn control(session: SessionId, ops: Vec<Op>) -> Self {
        Self {
            session,
            offset: u64::MAX,
            id: None,
            hash: Hash64::default(),
            parent: None,
            turn: false,
            copy: false,
            at: None,
            class: Class::Bookkeeping("control".into()),
            ops,
        }
    }

    /// True for a line made by [`Line::control`].
    pub fn is_control(&self) -> bool {
        self.offset == u64::MAX
    }
}

impl Who {
    /// An agent by its call.
    pub fn call(id: impl Into<String>) -> Self {
        Self::Named(Name { kind: NameKind::Call, id: id.into() })
    }

    /// The copies of what an agent says, by its runtime id.
    pub fn copy_of(id: impl Into<String>) -> Self {
        Self::Named(Name { kind: NameKind::Copy, id: id.into() })
    }

    /// An agent by its runtime id.
    pub fn runtime(id: impl Into<String>) -> Self {
        Self::Named(Name { kind: NameKind::Runtime, id: id.into() })
    }
}
