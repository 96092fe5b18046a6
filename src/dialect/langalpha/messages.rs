//! Messages: chunks of text and of reasoning, calls, results, turns of the person.

use crate::dialect::chain::{Block, Call, CallChunk, Scribe, call, hash, push, result, text_of};
use crate::dialect::json::Object;
use crate::dialect::langgraph::SPACES;
use crate::dialect::langgraph::stream::Teller;
use crate::model::{Body, Context, EntryState, Op, Usage, Who};

impl Teller {
    pub fn message_chunk(&mut self, scribe: &mut Scribe, event: &Object<'_>) {
        let who = self.speaker(scribe, event);
        let run = self.own.run();
        let id = event.word("id").map_or_else(|| "nameless".to_owned(), Into::into);
        let kind = event.word("content_type").unwrap_or_default();
        let content = event.word("content").unwrap_or_default();
        if who == Who::Main {
            self.runs(scribe);
        }
        let told = match (&*kind, &*content) {
            // A start tells nothing that the first words do not; what came before it goes on.
            ("reasoning_signal", "complete") => self.own.voice.pause(run, &who, &id),
            ("reasoning_signal", _) | (_, "") => Vec::new(),
            (kind, text) => {
                let block = Block { index: None, reasoning: kind == "reasoning", text: text.into() };
                self.own.voice.speak(run, &who, &id, block)
            }
        };
        scribe.say_all(told);
        if let Some(reason) = event.word("finish_reason") {
            let from = scribe.ops.len();
            let closing = self.own.voice.finish(run, &who, &id);
            scribe.say_all(closing);
            self.own_calls(scribe, &who, from);
            if who == Who::Main && reason != "tool_calls" {
                self.ends_turn(scribe);
            }
        }
    }

    /// Parts of calls: what they come to is told whole by the calls themselves.
    pub fn call_chunks(&mut self, scribe: &mut Scribe, event: &Object<'_>) {
        let who = self.speaker(scribe, event);
        let run = self.own.run();
        let Some(id) = event.word("id") else { return };
        for chunk in event.array("tool_call_chunks").into_iter().filter_map(Object::of) {
            let word = |name| chunk.word(name).map(String::from);
            let args = chunk.text("args").unwrap_or_default().into();
            let part = CallChunk { index: chunk.number("index"), id: word("id"), name: word("name"), args };
            let told = self.own.voice.grow(run, &who, &id, part);
            scribe.say_all(told);
        }
    }

    pub fn calls(&mut self, scribe: &mut Scribe, event: &Object<'_>) {
        let who = self.speaker(scribe, event);
        let run = self.own.run();
        if who == Who::Main {
            self.runs(scribe);
        }
        if let Some(id) = event.word("id") {
            let closing = self.own.voice.pause(run, &who, &id);
            scribe.say_all(closing);
        }
        let from = scribe.ops.len();
        for made in event.array("tool_calls").into_iter().filter_map(Call::read) {
            let mut ops = call(&who, &made).0;
            if let Some(Op::Call { keys, .. }) = ops.first_mut() {
                keys.push(format!("todos:{}", made.id));
            }
            scribe.say_all(ops);
        }
        self.own_calls(scribe, &who, from);
    }

    /// Remembers main's own calls, and those that start agents.
    fn own_calls(&mut self, scribe: &mut Scribe, who: &Who, from: usize) {
        if *who == Who::Main {
            let calls =
                scribe.ops.iter().skip(from).filter_map(|op| if let Op::Call { call, .. } = op { Some(hash(&[call])) } else { None });
            for made in calls.collect::<Vec<_>>() {
                push(&mut self.own.main_calls, 4 * SPACES, made);
            }
        }
        self.note_tasks(scribe, from);
    }

    pub fn call_result(&mut self, scribe: &mut Scribe, event: &Object<'_>) {
        let Some(id) = event.word("tool_call_id") else { return scribe.opaque() };
        let who = if self.own.main_calls.contains(&hash(&[&id])) { Who::Main } else { self.speaker(scribe, event) };
        let content = event.raw("content");
        scribe.say(result(&who, &id, content, false));
        let text = content.map(|raw| text_of(raw).0).unwrap_or_default();
        self.deployed(scribe, &id, &text);
        self.reported(scribe, &text);
    }

    /// The person's turn.
    pub fn turn(&mut self, scribe: &mut Scribe, event: &Object<'_>) {
        let text = event.word("content").unwrap_or_default();
        let turn = event.raw("turn_index").map_or_else(|| format!("{:?}", hash(&[&text])), |raw| raw.get().to_owned());
        self.runs(scribe);
        self.hear(scribe, &Who::Main, &format!("turn:{turn}"), &text);
    }

    /// Words that reach an agent while it works.
    pub fn steering(&mut self, scribe: &mut Scribe, event: &Object<'_>) {
        let who = self.speaker(scribe, event);
        let messages = event.array("messages").into_iter().filter_map(Object::of);
        let mut texts: Vec<String> = messages.filter_map(|message| message.word("content").map(Into::into)).collect();
        if texts.is_empty() {
            texts.extend(event.word("content").map(String::from));
        }
        let stamp = event.raw("timestamp").map_or("", |raw| raw.get());
        for (at, text) in texts.iter().enumerate() {
            self.hear(scribe, &who, &format!("steering:{stamp}:{at}:{:?}", hash(&[text])), text);
        }
    }

    fn hear(&mut self, scribe: &mut Scribe, who: &Who, id: &str, text: &str) {
        let run = self.own.run();
        if let Some(key) = self.own.voice.heard(run, who, id, text) {
            let body = Body::User { text: text.into(), images: Vec::new(), origin: None };
            scribe.say(Op::Entry { who: who.clone(), keys: vec![key], body, state: EntryState::Done, images: Vec::new() });
        }
    }

    /// The tokens of one call of a model; or the history was made shorter.
    pub fn context(&mut self, scribe: &mut Scribe, event: &Object<'_>) {
        let who = self.speaker(scribe, event);
        let action = event.word("action").unwrap_or_default();
        let whose = format!("{who:?}");
        if action == "token_usage" {
            let number = |name| event.number(name).unwrap_or(0);
            let usage = Usage { input: number("input_tokens"), output: number("output_tokens"), ..Usage::default() };
            let message = format!("context:{whose}:{}", self.counted(&format!("usage:{whose}")));
            scribe.say(Op::Usage { who, message, usage, context: Some(Context { used: usage.input, window: None }) });
        } else if event.word("signal").as_deref() == Some("complete") {
            let key = format!("context:{whose}:{action}:{}", self.counted(&format!("{action}:{whose}")));
            scribe.notice(who, key, "compaction", "The history was made shorter", Some(action.into()));
        }
    }
}
