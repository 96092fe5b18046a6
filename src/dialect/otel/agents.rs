//! Spans told: agents, their calls, their model's answers.

use super::memory::{Otel, bone};
use super::span::Span;
use crate::dialect::json::Object;
use crate::dialect::page::Page;
use crate::dialect::titles;
use crate::model::{AgentPatch, AgentStatus, Ending, EntryState, Link, Ms, Op, ToolPatch, Who};

impl Otel {
    /// Tells what is held of a trace.
    pub fn write(&mut self, page: &mut Page, trace: &str) {
        let spans = self.take(trace);
        let session = self.settle(trace);
        let here = page.offset;
        // Beginnings and ends in the order of their times; what ends then ends last.
        let begins = spans.iter().map(|span| (span.starts, false, span));
        let ends = spans.iter().filter(|span| span.has_end()).map(|span| (span.ends.or(span.starts), true, span));
        let mut moments: Vec<(Option<Ms>, bool, &Span)> = begins.chain(ends).collect();
        moments.sort_by_key(|(at, ends, _)| (*at, *ends));
        for (at, ends, span) in moments {
            let (who, agent) = self.who(span);
            // What comes behind the end of its agent was said before it.
            let offset = agent.as_ref().and_then(|agent| self.spans.get(&bone(trace, agent))?.told).unwrap_or(here);
            let end = if ends { ":end" } else { "" };
            page.next(session.clone(), offset, format!("span:{trace}:{}{end}", span.id), who, at);
            page.scribe.bookkeeping("span", Some(span.operation()));
            match span.operation() {
                _ if ends => self.ends(page, span),
                "invoke_agent" => self.agent(page, span),
                "execute_tool" => self.tool(page, span),
                "chat" | "text_completion" | "generate_content" => self.chat(page, span),
                _ => {}
            }
        }
        for span in spans.iter().filter(|span| span.is_agent()) {
            self.spans.entry(&bone(trace, &span.id)).told.get_or_insert(here);
        }
    }

    /// In whose transcript a span stands, and the span of that agent: an agent's own is its own, the agent at the top is the main one.
    fn who(&self, span: &Span) -> (Who, Option<String>) {
        let mine = if span.is_agent() { Some(span.id.clone()) } else { self.above(&span.trace, span.parent.as_deref()).0 };
        let who = mine.as_ref().map_or(Who::Main, |mine| self.named(&span.trace, mine));
        (who, mine)
    }

    /// An agent by its span.
    fn named(&self, trace: &str, agent: &str) -> Who {
        let parent = self.spans.get(&bone(trace, agent)).and_then(|bone| bone.parent.clone());
        if self.above(trace, parent.as_deref()).0.is_some() { Who::runtime(agent) } else { Who::Main }
    }

    fn agent(&mut self, page: &mut Page, span: &Span) {
        if page.scribe.who == Who::Main {
            page.scribe.say(Op::Turn { ended: false });
            let patch = AgentPatch { model: span.model.clone(), ..AgentPatch::default() };
            page.scribe.say(Op::Agent { who: Who::Main, patch });
        } else {
            let (outer, call) = self.above(&span.trace, span.parent.as_deref());
            let parent = outer.map(|outer| self.named(&span.trace, &outer));
            let patch = AgentPatch {
                parent,
                call,
                link: Some(Link::Exact),
                description: span.description.clone(),
                kind: span.agent.clone().or_else(|| span.name.split_once(' ').map(|(_, name)| name.to_owned())),
                model: span.model.clone(),
                ..AgentPatch::default()
            };
            let who = page.scribe.who.clone();
            page.scribe.say(Op::Agent { who: who.clone(), patch });
            page.scribe.say(Op::Begin { who, run: None, at: span.starts });
        }
        self.input(page, span);
        // Chats count their own tokens: these are all of them.
        let usage = Some(span.tokens()).filter(|usage| !usage.is_zero());
        page.scribe.say(Op::Total { who: page.scribe.who.clone(), usage, tool_calls: None });
    }

    fn tool(&mut self, page: &mut Page, span: &Span) {
        let name = span.tool.clone().or_else(|| span.name.split_once(' ').map(|(_, name)| name.to_owned())).unwrap_or_default();
        let input = span.args.as_deref().and_then(Object::parse);
        let patch = ToolPatch {
            title: Some(titles::title(&name, input.as_ref(), None)),
            name: Some(name),
            args: span.args.clone(),
            instead: None,
            starts_agent: false,
        };
        let call = span.call.clone().unwrap_or_else(|| span.id.clone());
        page.scribe.entry_op(Op::Call { who: page.scribe.who.clone(), call, keys: Vec::new(), patch });
    }

    fn ends(&mut self, page: &mut Page, span: &Span) {
        let who = page.scribe.who.clone();
        if !span.is_agent() {
            let call = span.call.clone().unwrap_or_else(|| span.id.clone());
            let (result, state) = match &span.error {
                Some(error) => (Err(error.clone()), EntryState::Failed),
                None => (Ok(span.result.clone().unwrap_or_default()), EntryState::Done),
            };
            return page.scribe.entry_op(Op::Result { who, call, result, images: Vec::new(), state });
        }
        self.output(page, span);
        if let Some(error) = &span.error {
            page.scribe.notice("error", error.clone(), None);
        }
        page.scribe.say(match who {
            Who::Main => Op::Turn { ended: true },
            who => {
                let status = if span.error.is_some() { AgentStatus::Failed } else { AgentStatus::Finished };
                Op::End { who, ending: Ending { status, cause: "explicit".into(), at: span.ends, run: None, note: None } }
            }
        });
    }

    fn chat(&mut self, page: &mut Page, span: &Span) {
        self.input(page, span);
        self.output(page, span);
        if let Some(error) = &span.error {
            page.scribe.notice("error", error.clone(), None);
        }
        let usage = span.tokens();
        if !usage.is_zero() {
            page.scribe.say(Op::Usage { who: page.scribe.who.clone(), message: format!("span:{}", span.id), usage, context: None });
        }
    }
}
