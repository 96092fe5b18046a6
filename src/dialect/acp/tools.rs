//! Tool calls, plans and questions.

use super::memory::{Acp, Asked, Call, Request};
use crate::dialect::json::Object;
use crate::dialect::page::Page;
use crate::dialect::{content, titles, todo};
use crate::model::{AgentPatch, AgentStatus, Ask, AskState, Body, Ending, EntryState, Field, Link, Ms, Op, ToolPatch, WaitingOn, Who};

/// The longest question that is kept for its answer, in bytes.
const ASK: u64 = 8 << 10;

impl Acp {
    /// A call or more of it: fields that are there replace those that were.
    pub(super) fn tool(&mut self, page: &mut Page, update: &Object<'_>) {
        let Some(id) = update.id("toolCallId") else { return page.scribe.opaque() };
        let word = |name: &str| update.word(name).map(String::from);
        let named = update
            .object("_meta")
            .and_then(|meta| meta.names().iter().find_map(|name| meta.object(name)?.word("toolName").map(String::from)));
        let known = self.calls.entry(&id);
        known.name = named.or_else(|| word("kind")).unwrap_or_else(|| std::mem::take(&mut known.name));
        known.title = word("title").map_or_else(|| std::mem::take(&mut known.title), |title| titles::short(&title));
        let args = update.raw("rawInput").map(|raw| raw.get().to_owned());
        known.args |= args.is_some();
        let Call { name, title, .. } = known.clone();
        let title = if title.is_empty() { titles::title(&name, update.object("rawInput").as_ref(), None) } else { title };
        let who = page.scribe.who.clone();
        let patch = ToolPatch { name: Some(name), title: Some(title), args, instead: None, starts_agent: false };
        page.scribe.entry_op(Op::Call { who: who.clone(), call: id.to_string(), keys: vec![key(&id)], patch });
        let failed = match &*update.id("status").unwrap_or_default() {
            "completed" => false,
            "failed" => true,
            "cancelled" => true,
            _ => return,
        };
        let output = update.raw("content").filter(|raw| raw.get().len() > 2).or_else(|| update.raw("rawOutput"));
        let (text, images) = output.map(content::read).unwrap_or_default();
        let (result, state) = if failed { (Err(text), EntryState::Failed) } else { (Ok(text), EntryState::Done) };
        page.scribe.entry_op(Op::Result { who, call: id.to_string(), result, images, state });
        let status = if failed { AgentStatus::Failed } else { AgentStatus::Finished };
        self.calls.entry(&id).ended = Some(status);
        if let Some(running) = self.callers.get_mut(&id).filter(|running| **running) {
            *running = false;
            page.scribe.say(end(&id, status, page.scribe.at));
        }
    }

    /// More of what a call gives.
    pub(super) fn tool_chunk(&mut self, page: &mut Page, update: &Object<'_>) {
        let Some(id) = update.id("toolCallId") else { return page.scribe.opaque() };
        let (text, _) = update.raw("content").map(content::read).unwrap_or_default();
        let (who, key) = (page.scribe.who.clone(), key(&id));
        page.scribe.entry_op(Op::Append { who, key, body: None, field: Field::Result, text });
    }

    /// The agent that a call started, as an extension tells it.
    pub(super) fn child_of_call(&mut self, page: &mut Page, call: &str) -> Who {
        let who = Who::call(call);
        let news = self.callers.get(call).is_none();
        if !std::mem::replace(self.callers.entry(call), true) {
            let ended = self.calls.get(call).and_then(|call| call.ended).filter(|_| news);
            let description = self.calls.get(call).map(|call| call.title.clone()).filter(|title| !title.is_empty());
            let patch = AgentPatch { call: Some(call.into()), link: Some(Link::Exact), description, ..AgentPatch::default() };
            page.scribe.say(Op::Agent { who: who.clone(), patch });
            match ended {
                // What comes first of it comes behind its end, and begins nothing.
                Some(status) => [Op::Apart, end(call, status, None)].into_iter().for_each(|op| page.scribe.say(op)),
                None => page.scribe.say(Op::Begin { who: who.clone(), run: None, at: page.scribe.at }),
            }
        }
        who
    }

    /// A plan as it stands: each change of it is an entry.
    pub(super) fn plan(&mut self, page: &mut Page, entries: Vec<&serde_json::value::RawValue>) {
        let items = todo::items(entries);
        page.scribe.entry(Body::Todos { items, call: None }, EntryState::Done, Vec::new(), None);
    }

    pub(super) fn plan_update(&mut self, page: &mut Page, update: &Object<'_>) {
        let Some(plan) = update.object("plan") else { return page.scribe.opaque() };
        match &*plan.id("type").unwrap_or_default() {
            "items" => self.plan(page, plan.array("entries")),
            _ => {
                let said = plan.word("markdown").or_else(|| plan.word("content")).or_else(|| plan.word("path")).map(Into::into);
                page.scribe.notice("plan", "Plan", said);
            }
        }
    }

    /// The agent asks whether it may use a tool.
    pub(super) fn ask(&mut self, page: &mut Page, params: &Object<'_>, session: &str, request: &str) {
        let call = params.object("toolCall").unwrap_or_else(|| params.clone());
        let id = call.id("toolCallId");
        let known = id.as_ref().and_then(|id| self.calls.get(id)).map(|call| call.title.clone());
        let title = call.word("title").map(String::from).or(known).filter(|title| !title.is_empty());
        let options: Vec<Object<'_>> = params.array("options").into_iter().filter_map(Object::of).collect();
        let word = |name: &'static str| options.iter().filter_map(move |option| option.word(name)).map(String::from).collect::<Vec<_>>();
        let ask = Ask {
            ask: "permission".into(),
            text: title.unwrap_or_else(|| "May a tool be used?".into()).into(),
            options: word("name"),
            ..Ask::default()
        };
        *self.requests.entry(request) = Request { method: "session/request_permission".into(), session: session.into() };
        if ask.text.len() <= ASK {
            *self.asks.entry(request) = Asked { session: session.into(), ask: ask.clone(), options: word("optionId") };
        }
        put(page, session, request, &ask);
        self.waits(page, Some(WaitingOn::Person));
    }

    pub(super) fn answered(&mut self, page: &mut Page, outcome: Option<&Object<'_>>, session: &str, request: &str) {
        let Some(Asked { mut ask, options, .. }) = self.asks.remove(request) else { return };
        let chosen = outcome.and_then(|outcome| outcome.id("optionId")).map(String::from);
        let at = options.iter().position(|option| Some(option) == chosen.as_ref());
        let said = at.and_then(|at| ask.options.get(at).cloned()).or(chosen);
        ask.ask_state = match &said {
            None => AskState::Withdrawn,
            Some(said) if said.to_ascii_lowercase().contains("reject") || said.to_ascii_lowercase().contains("deny") => AskState::Denied,
            Some(_) => AskState::Answered,
        };
        ask.answer = said.map(Into::into);
        put(page, session, request, &ask);
        self.waits(page, None);
    }

    fn waits(&self, page: &mut Page, on: Option<WaitingOn>) {
        let who = page.scribe.who.clone();
        if who != Who::Main {
            page.scribe.say(Op::Waiting { who, on });
        }
        page.scribe.say(Op::Waiting { who: Who::Main, on });
    }
}

fn key(call: &str) -> String {
    format!("call:{call}")
}

fn put(page: &mut Page, session: &str, request: &str, ask: &Ask) {
    let state = if ask.ask_state == AskState::Open { EntryState::Open } else { EntryState::Done };
    let (who, keys) = (page.scribe.who.clone(), vec![format!("ask:{session}:{request}")]);
    page.scribe.entry_op(Op::Entry { who, keys, body: Body::Ask(Box::new(ask.clone())), state, images: Vec::new() });
}

/// The end of the agent that a call started, by the call's result.
fn end(call: &str, status: AgentStatus, at: Option<Ms>) -> Op {
    Op::End { who: Who::call(call), ending: Ending { status, cause: "result".into(), at, run: None, note: None } }
}
