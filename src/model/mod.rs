//! The words that server and browser share: sessions, agents, entries, and the changes to them.
//!
//! Decision: one set of row types serves storage, wire and screen, so nothing is translated twice.
//! Invariant: this module does no I/O, keeps no state and names no framework.

mod address;
mod agent;
mod body;
mod change;
mod class;
mod cursor;
mod entry;
mod frame;
mod key;
mod kind;
mod op;
mod price;
mod secret;
mod seen;
mod session;
mod time;
mod usage;

pub use address::{ID_BYTES, escaped, fit, read_segment, segment};
pub use agent::{Agent, AgentNo, AgentStatus, Link, MAIN, Run};
pub use body::{Ask, AskState, Blob, Body, Image, Long, Notice, OPEN_BYTES, PREVIEW_BYTES, Todo, TodoStatus, Tool};
pub use change::{Change, Field, Gone};
pub use class::{Class, Classes};
pub use cursor::Cursor;
pub use entry::{Entry, EntryRef, EntryState, SourceRef};
pub use frame::{EntriesPage, Frame, GapReason, SessionPage};
pub use key::{Hash64, Key};
pub use kind::{COMMAND, ToolKind, server_and_tool};
pub use op::{AgentPatch, Blobbed, Ending, Line, Name, NameKind, Op, SessionPatch, ToolPatch, Who};
pub use price::{Price, Prices};
pub use secret::Secret;
pub use seen::{Reading, Seen, beyond};
pub use session::{AgentCounts, Limit, Origin, Session, SessionId, SessionStatus, TitleFrom, WaitingOn};
pub use time::{Ms, parse_time, to_rfc3339};
pub use usage::{Context, Usage};
