//! One agent's part of a story, told along its own clock.

use std::time::Duration;

use serde_json::Value;

use super::Moment;
use crate::model::{
    AgentPatch, AgentStatus, Body, Context, Ending, EntryState, Field, Link, Name, NameKind, Op, Todo, ToolPatch, Usage, Who,
};

/// Between two pieces of a text.
const TICK: u64 = 100;
/// The model that everybody in the demo is said to use: one that has a price.
pub const MODEL: &str = "claude-sonnet-4-5";
/// Characters in a piece: about 60 a second, as a model writes.
const PIECE: usize = 6;

/// An agent with its clock. What it says is added to its moments.
pub struct Voice {
    who: Who,
    name: String,
    now: u64,
    count: u32,
    tokens: u64,
    pub moments: Vec<Moment>,
}

impl Voice {
    /// The main agent, at the beginning.
    pub fn main() -> Self {
        Self { who: Who::Main, name: "main".into(), now: 0, count: 0, tokens: 4_200, moments: Vec::new() }
    }

    fn key(&mut self) -> String {
        self.count += 1;
        format!("{}-{}", self.name, self.count)
    }

    /// Adds operations at the clock's time.
    pub fn tell(&mut self, ops: Vec<Op>) {
        self.moments.push(Moment { at: Duration::from_millis(self.now), ops });
    }

    /// Lets time pass.
    pub fn wait(&mut self, millis: u64) {
        self.now += millis;
    }

    /// Thinks for a while, a piece at a time.
    pub fn think(&mut self, text: &str) {
        self.stream(text, Body::Reasoning { text: String::new().into() }, 2);
    }

    /// Says something in Markdown, a piece at a time.
    pub fn say(&mut self, text: &str) {
        self.stream(text, Body::Text { text: String::new().into() }, 1);
        self.tokens += text.len() as u64 / 4;
        let usage = Usage { input: 12, output: text.len() as u64 / 4 + 30, cache_read: self.tokens, cache_write: 400 };
        let context = Some(Context { used: self.tokens, window: Some(200_000) });
        let message = self.key();
        self.tell(vec![Op::Usage { who: self.who.clone(), message, usage, context }]);
    }

    fn stream(&mut self, text: &str, body: Body, pieces: usize) {
        let key = self.key();
        let letters: Vec<char> = text.trim().chars().collect();
        for piece in letters.chunks(PIECE * pieces) {
            let text = piece.iter().collect();
            self.tell(vec![Op::Append { who: self.who.clone(), key: key.clone(), body: Some(body.clone()), field: Field::Text, text }]);
            self.wait(TICK);
        }
        self.tell(vec![Op::Close { key, state: EntryState::Done }]);
    }

    /// Uses a tool that takes `millis`.
    pub fn uses(&mut self, name: &str, title: &str, args: Value, millis: u64, result: Result<&str, &str>) {
        let call = self.call(name, title, args);
        self.wait(millis);
        let state = if result.is_ok() { EntryState::Done } else { EntryState::Failed };
        let result = result.map(str::to_owned).map_err(str::to_owned);
        self.tell(vec![Op::Result { who: self.who.clone(), call, result, images: Vec::new(), state }]);
        self.wait(250);
    }

    fn call(&mut self, name: &str, title: &str, args: Value) -> String {
        let call = self.key();
        let patch = ToolPatch { name: Some(name.into()), title: Some(title.into()), args: Some(args.to_string()), ..ToolPatch::default() };
        self.tell(vec![Op::Call { who: self.who.clone(), call: call.clone(), keys: Vec::new(), patch }]);
        call
    }

    /// Writes the todo list anew.
    pub fn todos(&mut self, items: Vec<Todo>) {
        let key = self.key();
        let body = Body::Todos { items, call: None };
        self.tell(vec![Op::Entry { who: self.who.clone(), keys: vec![key], body, state: EntryState::Done, images: Vec::new() }]);
        self.wait(300);
    }

    /// Starts an agent; its voice begins at this one's time.
    pub fn starts(&mut self, id: &str, kind: &str, description: &str, prompt: &str) -> Voice {
        let call = self.key();
        let args = serde_json::json!({ "description": description, "prompt": prompt, "subagent_type": kind });
        let patch = ToolPatch {
            name: Some("Agent".into()),
            title: Some(description.into()),
            args: Some(args.to_string()),
            starts_agent: true,
            ..ToolPatch::default()
        };
        let child = Who::call(call.clone());
        let agent = AgentPatch {
            names: vec![Name { kind: NameKind::Runtime, id: id.into() }],
            link: Some(Link::Exact),
            description: Some(description.into()),
            kind: Some(kind.into()),
            model: Some(MODEL.into()),
            ..AgentPatch::default()
        };
        self.tell(vec![
            Op::Call { who: self.who.clone(), call: call.clone(), keys: Vec::new(), patch },
            Op::Agent { who: child.clone(), patch: agent },
            Op::Prompt { who: child.clone(), text: prompt.into(), images: Vec::new(), own: false, keys: Vec::new() },
            Op::Begin { who: child.clone(), run: None, at: None },
        ]);
        self.wait(200);
        Voice { who: child, name: call, now: self.now, count: 0, tokens: 2_600, moments: Vec::new() }
    }

    /// Hears an agent's report, or why it failed, and takes over what it has told.
    pub fn hears(&mut self, child: Voice, report: Result<&str, &str>) {
        self.now = self.now.max(child.now) + 200;
        let (status, state) =
            if report.is_ok() { (AgentStatus::Finished, EntryState::Done) } else { (AgentStatus::Failed, EntryState::Failed) };
        let result = report.map(|text| text.trim().to_owned()).map_err(str::to_owned);
        let ending = Ending { status, cause: "result".into(), at: None, run: None, note: None };
        self.tell(vec![
            Op::Result { who: self.who.clone(), call: child.name, result, images: Vec::new(), state },
            Op::End { who: child.who, ending },
        ]);
        self.moments.extend(child.moments);
    }
}
