//! Questions to the person: whether a tool may be used. One entry each, from the request to its answer.

use super::Teller;
use super::memory::{Asked, ask};
use crate::dialect::claude::scribe::Scribe;
use crate::dialect::json::Object;
use crate::dialect::titles;
use crate::model::{Ask, AskState, Body, EntryState, Op, WaitingOn, Who};

/// How much of a call's arguments is kept with a question, in bytes.
const ARGS: usize = 16 << 10;

impl Teller {
    pub(super) fn asked(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        let request = object.object("request");
        let subtype = request.as_ref().and_then(|request| request.word("subtype")).unwrap_or_default();
        scribe.bookkeeping("control_request", Some(&subtype));
        let (Some(request), Some(id), "can_use_tool") = (request, object.word("request_id"), &*subtype) else { return };
        let call = request.word("tool_use_id").map(String::from);
        let who = match request.word("agent_id") {
            Some(agent) => self.own.known(&agent).and_then(super::memory::Task::who).unwrap_or_else(|| Who::runtime(agent)),
            None => scribe.who.clone(),
        };
        let asked = Asked { request: id.into(), call, who, ..about(&request, "input") };
        self.put(scribe, &asked, AskState::Open, None);
        for who in [Some(asked.who.clone()), Some(Who::Main).filter(|main| *main != asked.who)].into_iter().flatten() {
            scribe.say(Op::Waiting { who, on: Some(WaitingOn::Person) });
        }
        ask(&mut self.own.asks, asked);
    }

    pub(super) fn answered(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        scribe.bookkeeping("control_response", None);
        let Some(response) = object.object("response") else { return };
        let answer = response.object("response");
        let word = |name| answer.as_ref().and_then(|answer| answer.word(name)).map(String::from);
        let denied = response.word("subtype").as_deref() == Some("error") || word("behavior").as_deref() == Some("deny");
        let state = if denied { AskState::Denied } else { AskState::Answered };
        let said = word("message").or_else(|| response.word("error").map(String::from));
        self.settle(scribe, response.word("request_id").as_deref(), state, said);
    }

    pub(super) fn withdrawn(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        scribe.bookkeeping("control_cancel_request", None);
        self.settle(scribe, object.word("request_id").as_deref(), AskState::Withdrawn, None);
    }

    /// A tool was refused without a question: by a rule, or because nobody could be asked.
    pub(super) fn denied(&mut self, scribe: &mut Scribe, denial: &Object<'_>) {
        let call = denial.word("tool_use_id").map(String::from);
        let known = self.own.asks.iter().find(|asked| call.is_some() && asked.call == call).map(|asked| asked.request.clone());
        if call.as_deref().is_some_and(|call| self.own.is_settled(call)) {
            return;
        }
        let said = denial.word("message").or_else(|| denial.word("reason")).map(String::from);
        if known.is_some() {
            return self.settle(scribe, known.as_deref(), AskState::Denied, said);
        }
        let caller = call.as_deref().map_or(Who::Main, |call| self.own.caller(call));
        let who = if scribe.who == Who::Main { caller } else { scribe.who.clone() };
        if let Some(call) = &call {
            self.own.settle(call);
        }
        let asked = Asked { call, who, ..about(denial, "tool_input") };
        self.put(scribe, &asked, AskState::Denied, said);
    }

    /// Gives an open question its answer; whoever waited for it goes on.
    fn settle(&mut self, scribe: &mut Scribe, request: Option<&str>, state: AskState, said: Option<String>) {
        let at = self.own.asks.iter().position(|asked| Some(asked.request.as_str()) == request);
        let Some(asked) = at.and_then(|at| self.own.asks.remove(at)) else { return };
        self.put(scribe, &asked, state, said);
        if let Some(call) = &asked.call {
            self.own.settle(call);
        }
        for who in [asked.who.clone(), Who::Main] {
            let open = self.own.asks.iter().any(|other| who == Who::Main || other.who == who);
            if !open {
                scribe.say(Op::Waiting { who, on: None });
            }
        }
    }

    /// Nobody is waited for any more.
    pub(super) fn ask_no_more(&mut self, scribe: &mut Scribe) {
        while let Some(request) = self.own.asks.front().map(|asked| asked.request.clone()) {
            self.settle(scribe, Some(&request), AskState::Withdrawn, None);
        }
    }

    fn put(&mut self, scribe: &mut Scribe, asked: &Asked, state: AskState, said: Option<String>) {
        let input = Object::parse(&asked.args);
        let title = titles::title(&asked.tool, input.as_ref(), None);
        let text = if title.is_empty() { "May a tool be used?".to_owned() } else { title };
        let fields = Some(asked.tool.clone()).filter(|tool| !tool.is_empty()).into_iter().collect();
        let body =
            Ask { ask: "permission".into(), text: text.into(), fields, ask_state: state, answer: said.map(Into::into), ..Ask::default() };
        let named = [Some(&asked.request).filter(|request| !request.is_empty()), asked.call.as_ref()];
        let mut keys: Vec<String> = named.into_iter().flatten().map(|id| format!("ask:{id}")).collect();
        if keys.is_empty() {
            keys.push(scribe.key());
        }
        let state = if state == AskState::Open { EntryState::Open } else { EntryState::Done };
        scribe.entry_op(Op::Entry { who: asked.who.clone(), keys, body: Body::Ask(Box::new(body)), state, images: Vec::new() });
    }
}

/// What a request or a denial says of the tool.
fn about(object: &Object<'_>, input: &str) -> Asked {
    let args = object.raw(input).map(|raw| raw.get()).filter(|args| args.len() <= ARGS).unwrap_or("{}");
    let tool = object.word("tool_name").unwrap_or_default().into();
    Asked { request: String::new(), call: None, who: Who::Main, tool, args: args.into() }
}
