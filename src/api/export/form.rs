//! The shapes of the document, key by key.

use serde::Serialize;
use serde_json::value::RawValue;

use super::content::{base64, raw, whole};
use super::order::Cast;
use crate::model::{
    self, AgentStatus, AskState, Body, EntryState, Image, Link, Long, MAIN, Ms, Origin, SessionStatus, Todo, Usage, to_rfc3339,
};
use crate::store::{Shared, Sid, StoreError};

#[derive(Serialize)]
pub(super) struct Session<'a> {
    id: &'a str,
    title: &'a str,
    dialect: &'a str,
    cwd: Option<&'a str>,
    status: SessionStatus,
    cause: Option<&'a str>,
    started_at: Option<String>,
    ended_at: Option<String>,
    last_at: Option<String>,
    origin: Option<&'a Origin>,
}

#[derive(Serialize)]
pub(super) struct Agent<'a> {
    n: u32,
    id: &'a str,
    names: Vec<&'a str>,
    parent: Option<&'a str>,
    call: Option<&'a str>,
    link: Link,
    title: &'a str,
    kind: Option<&'a str>,
    model: Option<&'a str>,
    status: AgentStatus,
    cause: Option<&'a str>,
    runs: Vec<Run<'a>>,
    tool_calls: u64,
    usage: Usage,
    started_at: Option<String>,
    ended_at: Option<String>,
    last_seq: u32,
}

#[derive(Serialize)]
struct Run<'a> {
    run: u32,
    status: AgentStatus,
    cause: Option<&'a str>,
    started_at: Option<String>,
    ended_at: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Entry<'a> {
    agent: &'a str,
    seq: u32,
    run: u32,
    at: Option<String>,
    ended_at: Option<String>,
    state: EntryState,
    kind: &'static str,
    #[serde(flatten)]
    fields: Fields<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Fields<'a> {
    User {
        text: String,
        images: Vec<Picture>,
        origin: Option<String>,
    },
    Text {
        text: String,
    },
    Tool {
        call: Option<String>,
        name: String,
        title: String,
        args: Option<Box<RawValue>>,
        result: Option<String>,
        error: Option<String>,
        images: Vec<Picture>,
        child: Option<&'a str>,
    },
    Ask {
        ask: String,
        text: String,
        fields: Vec<String>,
        options: Vec<String>,
        ask_state: AskState,
        answer: Option<String>,
        call: Option<String>,
    },
    Todos {
        items: Vec<Todo>,
        call: Option<String>,
    },
    Notice {
        notice: String,
        text: String,
        detail: Option<String>,
    },
}

#[derive(Serialize)]
struct Picture {
    media_type: String,
    data: String,
}

impl<'a> Session<'a> {
    pub(super) fn of(session: &'a model::Session) -> Self {
        Self {
            id: &session.id,
            title: &session.title,
            dialect: &session.dialect,
            cwd: session.cwd.as_deref(),
            status: session.status,
            cause: session.cause.as_deref(),
            started_at: time(session.started_at),
            ended_at: time(session.ended_at),
            last_at: time(session.last_at),
            origin: session.origin.as_ref(),
        }
    }
}

impl<'a> Agent<'a> {
    pub(super) fn of(agent: &'a model::Agent, cast: &'a Cast) -> Self {
        let mut names: Vec<_> = agent.names.iter().map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        let run = |run: &'a model::Run| Run {
            run: run.run,
            status: run.status,
            cause: run.cause.as_deref(),
            started_at: time(run.started_at),
            ended_at: time(run.ended_at),
        };
        Self {
            n: agent.n,
            id: &agent.id,
            names,
            parent: cast.parent_id(agent.n),
            call: agent.call.as_deref(),
            link: if agent.n == MAIN || cast.parent_id(agent.n).is_some() { agent.link } else { Link::Unlinked },
            title: &agent.title,
            kind: agent.kind.as_deref(),
            model: agent.model.as_deref(),
            status: agent.status,
            cause: agent.cause.as_deref(),
            runs: agent.runs.iter().map(run).collect(),
            tool_calls: agent.tool_calls,
            usage: agent.usage,
            started_at: time(agent.started_at),
            ended_at: time(agent.ended_at),
            last_seq: cast.last_seq(agent),
        }
    }
}

impl<'a> Entry<'a> {
    pub(super) fn of(store: &Shared, sid: Sid, agent: &'a model::Agent, entry: model::Entry, cast: &'a Cast) -> Result<Self, StoreError> {
        Ok(Self {
            agent: &agent.id,
            seq: entry.seq,
            run: entry.run,
            at: time(entry.at),
            ended_at: time(entry.ended_at),
            state: agent.entry_state(&entry),
            kind: entry.body.kind(),
            fields: Fields::of(store, sid, entry.body, cast)?,
        })
    }
}

impl<'a> Fields<'a> {
    fn of(store: &Shared, sid: Sid, body: Body, cast: &'a Cast) -> Result<Self, StoreError> {
        let text = |long: Long| whole(store, sid, long);
        let pictures = |images: Vec<Image>| -> Result<Vec<Picture>, StoreError> {
            let picture = |image: Image| Ok(Picture { data: base64(store, sid, &image.blob)?, media_type: image.media_type });
            images.into_iter().map(picture).collect()
        };
        Ok(match body {
            Body::User { text: said, images, origin } => Self::User { text: text(said)?, images: pictures(images)?, origin },
            Body::Text { text: said } | Body::Reasoning { text: said } => Self::Text { text: text(said)? },
            Body::Tool(tool) => {
                let repeated = |result: &String| tool.child.is_some_and(|child| cast.repeats(child, result));
                Self::Tool {
                    call: Some(tool.call).filter(|call| !call.is_empty()),
                    name: tool.name,
                    title: tool.title,
                    args: raw(text(tool.args)?),
                    result: tool.spilled.or(tool.result).map(text).transpose()?.filter(|result| !repeated(result)),
                    error: tool.error.map(text).transpose()?,
                    images: pictures(tool.images)?,
                    child: tool.child.and_then(|child| cast.id(child)),
                }
            }
            Body::Ask(ask) => Self::Ask {
                ask: ask.ask,
                text: text(ask.text)?,
                fields: ask.fields,
                options: ask.options,
                ask_state: ask.ask_state,
                answer: ask.answer.map(text).transpose()?,
                call: ask.call,
            },
            Body::Todos { items, call } => Self::Todos { items, call },
            Body::Notice(notice) => {
                Self::Notice { notice: notice.notice, text: text(notice.text)?, detail: notice.detail.map(text).transpose()? }
            }
        })
    }
}

fn time(at: Option<Ms>) -> Option<String> {
    at.and_then(to_rfc3339)
}
