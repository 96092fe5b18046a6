//! Runs: the turns of a thread, and the questions that interrupt them.

use super::AgUi;
use super::memory::{Asked, who};
use super::messages::text_key;
use crate::dialect::json::{Object, string};
use crate::dialect::page::Page;
use crate::model::{AgentStatus, Ask, AskState, Body, EntryState, Long, Op, Usage, WaitingOn, Who};

/// The longest question that is kept for its answer, in bytes.
const ASK: u64 = 8 << 10;

impl AgUi {
    pub(super) fn run_started(&mut self, page: &mut Page, object: &Object<'_>) {
        if self.in_run {
            // The run before has told no end: of what ran in it nothing is known.
            self.end_all(page, AgentStatus::Unknown, "restart");
        }
        if let Some(thread) = object.id("threadId") {
            self.thread = Some(thread.into());
        }
        self.run = object.id("runId").map(String::from);
        self.in_run = true;
        page.scribe.say(Op::Turn { ended: false });
        page.scribe.say(Op::Waiting { who: Who::Main, on: None });
        if let Some(input) = object.object("input") {
            self.snapshot(page, &input, "messages");
            for entry in input.array("resume").into_iter().filter_map(Object::of) {
                self.answer(page, &entry);
            }
        }
    }

    pub(super) fn run_finished(&mut self, page: &mut Page, object: &Object<'_>) {
        let outcome = object.object("outcome");
        let kind = outcome.as_ref().and_then(|outcome| outcome.id("type")).unwrap_or_default();
        self.close(page, object, EntryState::Done);
        match &*kind {
            "interrupt" => {
                for interrupt in outcome.iter().flat_map(|outcome| outcome.array("interrupts")).filter_map(Object::of) {
                    self.ask(page, &interrupt);
                }
                page.scribe.say(Op::Waiting { who: Who::Main, on: Some(WaitingOn::Person) });
            }
            "cancelled" => {
                page.scribe.notice("cancelled", "The run was cancelled.", None);
                self.end_all(page, AgentStatus::Cancelled, "stop");
            }
            _ => {}
        }
    }

    pub(super) fn run_error(&mut self, page: &mut Page, object: &Object<'_>) {
        let text = object.word("message").unwrap_or("The run failed.".into());
        page.scribe.notice("error", text, object.word("code").map(String::from));
        self.end_all(page, AgentStatus::Cancelled, "parent exit");
        self.close(page, object, EntryState::Unknown);
    }

    /// The end of a run: what was being written is written, and the tokens are counted.
    fn close(&mut self, page: &mut Page, object: &Object<'_>, state: EntryState) {
        self.in_run = false;
        for (id, message) in self.messages.drain().collect::<Vec<_>>() {
            page.scribe.who = who(message.agent.as_deref());
            if message.is_said() {
                self.texts.end(&mut page.scribe, &text_key(&id), state);
            }
        }
        page.scribe.who = Who::Main;
        for (at, usage) in object.array("usage").into_iter().filter_map(Object::of).enumerate() {
            let message = format!("run:{}/{at}", self.run.as_deref().unwrap_or_default());
            page.scribe.say(Op::Usage { who: Who::Main, message, usage: tokens(&usage), context: None });
        }
        page.scribe.say(Op::Turn { ended: true });
    }

    /// Something that the run waits for.
    fn ask(&mut self, page: &mut Page, interrupt: &Object<'_>) {
        let Some(id) = interrupt.id("id") else { return };
        let reason = interrupt.id("reason").unwrap_or("question".into());
        let fields = interrupt.object("responseSchema").and_then(|schema| schema.object("properties"));
        let ask = Ask {
            ask: reason.to_string(),
            text: interrupt.word("message").unwrap_or(reason).into_owned().into(),
            fields: fields.map(|fields| fields.names()).unwrap_or_default(),
            ..Ask::default()
        };
        let agent = interrupt.id("subagentRunId").map(String::from);
        if let Some(agent) = &agent {
            page.scribe.say(Op::Waiting { who: Who::runtime(agent), on: Some(WaitingOn::Person) });
        }
        put(page, &id, agent.as_deref(), &ask);
        if ask.text.len() <= ASK {
            *self.asks.entry(&id) = Asked { agent, ask };
        }
    }

    fn answer(&mut self, page: &mut Page, entry: &Object<'_>) {
        let Some(id) = entry.id("interruptId") else { return };
        let Some(Asked { agent, mut ask }) = self.asks.remove(&id) else { return };
        let cancelled = entry.id("status").as_deref() == Some("cancelled");
        ask.ask_state = if cancelled { AskState::Withdrawn } else { AskState::Answered };
        ask.answer = entry.raw("payload").map(|raw| string(raw).map_or_else(|| raw.get().to_owned(), Into::into)).map(Long::from);
        if let Some(agent) = &agent {
            page.scribe.say(Op::Waiting { who: Who::runtime(agent), on: None });
        }
        put(page, &id, agent.as_deref(), &ask);
    }

    /// An event of the application's own: an interrupt as front ends had it before there was an outcome.
    pub(super) fn custom(&mut self, page: &mut Page, object: &Object<'_>) {
        if object.id("name").as_deref() != Some("on_interrupt") {
            return;
        }
        let said = object.raw("value").map(|raw| string(raw).map_or_else(|| raw.get().to_owned(), Into::into)).unwrap_or_default();
        let ask = Ask { ask: "question".into(), text: said.into(), ..Ask::default() };
        let key = page.scribe.key();
        put(page, &key, None, &ask);
        page.scribe.say(Op::Waiting { who: Who::Main, on: Some(WaitingOn::Person) });
    }
}

fn put(page: &mut Page, id: &str, agent: Option<&str>, ask: &Ask) {
    let state = if ask.ask_state == AskState::Open { EntryState::Open } else { EntryState::Done };
    let body = Body::Ask(Box::new(ask.clone()));
    page.scribe.entry_op(Op::Entry { who: who(agent), keys: vec![format!("ask:{id}")], body, state, images: Vec::new() });
}

/// What is read from and written to a cache is a part of what went in.
fn tokens(usage: &Object<'_>) -> Usage {
    let number = |name| usage.number(name).unwrap_or(0);
    let (cache_read, cache_write) = (number("cachedInputTokens"), number("cacheWriteInputTokens"));
    let input = number("inputTokens").saturating_sub(cache_read).saturating_sub(cache_write);
    Usage { input, output: number("outputTokens"), cache_read, cache_write }
}
