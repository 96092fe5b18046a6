//! What the translator remembers between two exports. Bounded: what does not fit any more is told as it is.

use std::collections::VecDeque;
use std::mem;

use serde::{Deserialize, Serialize};

use super::span::Span;
use crate::dialect::list::Known;
use crate::dialect::page::Page;

/// How much is held of spans whose root has not come, in bytes of their texts.
const HELD: usize = 512 << 10;
/// Spans whose parents are known, and how deep they may stand.
const SPANS: usize = 2_048;
const DEEPEST: usize = 64;

#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Otel {
    held: VecDeque<Span>,
    pub spans: Known<Bone, SPANS>,
    /// The session of each trace, once it is known or has been told.
    traces: Known<Trace, 128>,
}

/// What is remembered of a span to tell whose its children are.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Bone {
    pub parent: Option<String>,
    pub agent: bool,
    /// The call that a tool's span stands for.
    pub call: Option<String>,
    /// Where the agent was told.
    pub told: Option<u64>,
}

#[derive(Clone, Default, Serialize, Deserialize)]
struct Trace {
    session: Option<String>,
    /// True once its root has come.
    rooted: bool,
}

impl Otel {
    /// The session of a span: its conversation's, else its trace's.
    pub fn session_of(&self, span: &Span) -> String {
        let known = self.traces.get(&span.trace).and_then(|trace| trace.session.clone());
        known.or_else(|| span.conversation.clone()).unwrap_or_else(|| span.trace.clone())
    }

    /// Traces of which spans are held.
    pub fn waiting(&self) -> Vec<String> {
        let mut traces: Vec<String> = Vec::new();
        for span in &self.held {
            if !traces.contains(&span.trace) {
                traces.push(span.trace.clone());
            }
        }
        traces
    }

    /// Holds a span, and tells its trace if that is all there now.
    pub fn hold(&mut self, page: &mut Page, span: Span) {
        let call = (span.operation() == "execute_tool").then(|| span.call.clone().unwrap_or_else(|| span.id.clone()));
        let key = bone(&span.trace, &span.id);
        let known = self.spans.entry(&key);
        (known.parent, known.agent, known.call) = (span.parent.clone(), span.is_agent(), call);
        let trace = self.traces.entry(&span.trace);
        trace.session = trace.session.take().or_else(|| span.conversation.clone());
        trace.rooted |= span.parent.is_none() || span.remote;
        let (whole, name) = (trace.rooted, span.trace.clone());
        self.held.push_back(span);
        if whole {
            self.write(page, &name);
        }
        while self.held.iter().map(Span::weight).sum::<usize>() > HELD {
            let Some(oldest) = self.held.front().map(|span| span.trace.clone()) else { break };
            self.write(page, &oldest);
        }
    }

    /// Takes the held spans of a trace, in the order in which they began.
    pub fn take(&mut self, trace: &str) -> Vec<Span> {
        let (mut mine, others): (Vec<Span>, Vec<Span>) = mem::take(&mut self.held).into_iter().partition(|span| span.trace == trace);
        self.held = others.into();
        mine.sort_by(|a, b| (a.starts, &a.id).cmp(&(b.starts, &b.id)));
        mine
    }

    /// The session of a trace that is being told: from now on it stays.
    pub fn settle(&mut self, trace: &str) -> String {
        let known = self.traces.entry(trace);
        known.session.get_or_insert_with(|| trace.to_owned()).clone()
    }

    /// The nearest agent above a span, by its span, and the call nearest to the span on the way.
    pub fn above(&self, trace: &str, from: Option<&str>) -> (Option<String>, Option<String>) {
        let (mut at, mut call) = (from.map(String::from), None);
        for _ in 0..DEEPEST {
            let Some(id) = at else { break };
            let Some(known) = self.spans.get(&bone(trace, &id)) else { break };
            if known.agent {
                return (Some(id), call);
            }
            call = call.or_else(|| known.call.clone());
            at = known.parent.clone();
        }
        (None, call)
    }
}

pub fn bone(trace: &str, span: &str) -> String {
    format!("{trace}:{span}")
}

impl Span {
    /// Bytes, about.
    fn weight(&self) -> usize {
        let texts = [&self.args, &self.result, &self.input, &self.output, &self.description, &self.error];
        200 + texts.into_iter().flatten().map(String::len).sum::<usize>()
    }
}
