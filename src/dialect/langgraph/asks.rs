//! Questions to the person: interrupts. One entry each, from the interrupt to the run that goes on behind it.

use serde_json::value::RawValue;

use super::memory::{ASKS, Asked};
use super::stream::Teller;
use crate::dialect::chain::{Scribe, push};
use crate::dialect::json::{Object, array, string};
use crate::model::{Ask, AskState, Body, EntryState, Op, WaitingOn, Who};

impl Teller {
    /// `__interrupt__`: a list of values to be answered.
    pub fn interrupts(&mut self, scribe: &mut Scribe, who: &Who, list: &RawValue) {
        for (at, raw) in array(list).unwrap_or_default().into_iter().enumerate() {
            let Some(interrupt) = Object::of(raw) else { continue };
            let value = interrupt.raw("value");
            let id = interrupt.word("id").or_else(|| interrupt.word("interrupt_id")).map(String::from);
            let id = id.unwrap_or_else(|| format!("{}:{at}", self.own.run.as_deref().unwrap_or_default()));
            self.ask(scribe, who, id, value.map(ask).unwrap_or_default());
        }
    }

    /// Puts a question.
    pub fn ask(&mut self, scribe: &mut Scribe, who: &Who, id: String, body: Ask) {
        if self.own.asks.iter().any(|asked| asked.id == id) {
            return;
        }
        let asked = Asked { id, who: who.clone(), run: self.own.run.clone(), body };
        put(scribe, &asked, AskState::Open);
        for who in [Some(who.clone()), Some(Who::Main).filter(|main| main != who)].into_iter().flatten() {
            scribe.say(Op::Waiting { who, on: Some(WaitingOn::Person) });
        }
        push(&mut self.own.asks, ASKS, asked);
    }

    /// A later run says something: what was asked before it has its answer, or (`Withdrawn`) never gets one.
    pub fn settle(&mut self, scribe: &mut Scribe, state: AskState) {
        let run = self.own.run.clone();
        let earlier = self.own.asks.iter().position(|asked| asked.run != run);
        if earlier.is_none() {
            return;
        }
        let (old, new) = std::mem::take(&mut self.own.asks).into_iter().partition(|asked| asked.run != run);
        self.own.asks = new;
        let old: std::collections::VecDeque<Asked> = old;
        for asked in old {
            put(scribe, &asked, state);
            scribe.say(Op::Waiting { who: asked.who.clone(), on: None });
        }
        if self.own.asks.is_empty() {
            scribe.say(Op::Waiting { who: Who::Main, on: None });
        }
    }
}

fn put(scribe: &mut Scribe, asked: &Asked, state: AskState) {
    let body = Ask { ask_state: state, ..asked.body.clone() };
    let state = if state == AskState::Open { EntryState::Open } else { EntryState::Done };
    let keys = vec![format!("ask:{}", asked.id)];
    scribe.say(Op::Entry { who: asked.who.clone(), keys, body: Body::Ask(Box::new(body)), state, images: Vec::new() });
}

/// What an interrupt asks: whether tools may be used, a question, or whatever the graph has put there.
pub fn ask(value: &RawValue) -> Ask {
    let plain = |text: String| Ask { ask: "question".into(), text: text.into(), ..Ask::default() };
    if let Some(text) = string(value) {
        return plain(text.into());
    }
    let Some(object) = Object::of(value) else { return plain(value.get().to_owned()) };
    let either = |a, b| object.raw(a).or_else(|| object.raw(b)).and_then(array).unwrap_or_default();
    let requests: Vec<Object<'_>> = either("action_requests", "actionRequests").into_iter().filter_map(Object::of).collect();
    if requests.is_empty() {
        let said = ["question", "message", "prompt", "text"].into_iter().find_map(|name| object.word(name));
        let option = |raw| string(raw).or_else(|| Object::of(raw)?.text("label")).map(Into::into);
        let options = object.array("options").into_iter().filter_map(option).collect();
        return Ask { options, ..plain(said.map_or_else(|| value.get().to_owned(), Into::into)) };
    }
    let texts: Vec<String> = requests
        .iter()
        .map(|request| {
            let named = || format!("May {} be used?", request.word("name").unwrap_or_else(|| "a tool".into()));
            request.word("description").map_or_else(named, Into::into)
        })
        .collect();
    let decisions = either("review_configs", "reviewConfigs").into_iter().filter_map(Object::of);
    let mut options: Vec<String> = decisions
        .flat_map(|config| [config.array("allowed_decisions"), config.array("allowedDecisions")].concat())
        .filter_map(string)
        .map(Into::into)
        .collect();
    let mut seen = Vec::new();
    options.retain(|option| {
        !seen.contains(option) && {
            seen.push(option.clone());
            true
        }
    });
    let fields = requests.iter().filter_map(|request| request.word("name")).map(Into::into).collect();
    Ask { ask: "permission".into(), text: texts.join("\n\n").into(), fields, options, ..Ask::default() }
}

/// A form that a tool asks to be filled in. What its version says beyond these words stays out of it.
pub fn form(input: &Object<'_>) -> Ask {
    let request = input.object("request").or_else(|| input.object("payload"));
    let inner = request.as_ref().unwrap_or(input);
    let said = ["question", "prompt", "message", "title", "text"].into_iter().find_map(|name| inner.word(name));
    let label = |raw| {
        let object = Object::of(raw);
        let named = object.and_then(|object| ["label", "name", "value", "id"].into_iter().find_map(|name| object.word(name)));
        named.or_else(|| string(raw)).map(String::from)
    };
    let list = |name| inner.array(name).into_iter().filter_map(label).collect::<Vec<_>>();
    let fields = list("fields");
    let kind = if fields.is_empty() { "question" } else { "form" };
    Ask {
        ask: kind.into(),
        text: said.unwrap_or_else(|| "Your answer is asked for.".into()).into_owned().into(),
        fields,
        options: list("options"),
        ..Ask::default()
    }
}
