//! `codex exec --json`: the items of one process, each told anew as it changes.
//!
//! Decision: items are numbered anew in every process of a thread, so an item's key also hangs on all that the process printed
//! before it. What a child says is not printed: of it there are its prompt, its state and its last words.

use serde::{Deserialize, Serialize};

use super::events::usage_of;
use crate::dialect::json::{Object, string};
use crate::dialect::list::Known;
use crate::dialect::page::Page;
use crate::dialect::teller::Teller;
use crate::dialect::texts::Texts;
use crate::dialect::{content, titles, todo};
use crate::model::{AgentPatch, AgentStatus, Body, Ending, EntryState, Hash64, Link, Op, ToolPatch, Who};

#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Exec {
    thread: Option<String>,
    /// Hash of all that was printed so far.
    before: Hash64,
    turns: u64,
    /// The keys of items, by their ids.
    items: Known<String, 1024>,
    texts: Texts,
}

impl Teller for Exec {
    const FAMILY: &'static str = "codex-exec";
    const NAME: &'static str = "codex-exec";

    fn sure(object: &Object<'_>) -> u8 {
        match &*object.id("type").unwrap_or_default() {
            "thread.started" | "thread.resumed" if object.has("thread_id") => 95,
            "item.started" | "item.updated" | "item.completed" | "item.created" if object.has("item") || object.has("item_type") => 90,
            "turn.started" | "turn.completed" | "turn.failed" => 70,
            _ => 0,
        }
    }

    fn session(&self, object: &Object<'_>) -> Option<String> {
        object.id("thread_id").filter(|_| Self::sure(object) > 0).map(String::from).or_else(|| self.thread.clone())
    }

    fn tell(&mut self, page: &mut Page, object: &Object<'_>) {
        let kind = object.id("type").unwrap_or_default();
        page.scribe.bookkeeping(&kind.replace('.', "-"), None);
        self.before = Hash64::of_parts(&[&self.before.0.to_le_bytes(), page.scribe.base.as_bytes()]);
        match &*kind {
            "thread.started" | "thread.resumed" => {
                if self.thread.is_none() {
                    page.scribe.ops.insert(0, Op::Process);
                }
                self.thread = object.id("thread_id").map(String::from);
            }
            "turn.started" => {
                self.turns += 1;
                page.scribe.say(Op::Turn { ended: false });
                if let Some(text) = object.word("input_text") {
                    let body = Body::User { text: text.into_owned().into(), images: Vec::new(), origin: None };
                    page.scribe.entry(body, EntryState::Done, Vec::new(), None);
                }
            }
            "turn.completed" => {
                if let Some(usage) = object.object("usage") {
                    let message = format!("turn:{}:{:016x}", self.turns, self.before.0);
                    page.scribe.say(Op::Usage { who: Who::Main, message, usage: usage_of(&usage), context: None });
                }
                page.scribe.say(Op::Turn { ended: true });
            }
            "turn.failed" => {
                let error = object.object("error");
                let said = error.as_ref().and_then(|error| error.word("message")).or_else(|| object.word("message"));
                page.scribe.notice("error", said.unwrap_or("The turn failed.".into()), None);
                page.scribe.say(Op::Turn { ended: true });
            }
            "error" => page.scribe.notice("error", object.word("message").unwrap_or("Codex reported an error.".into()), None),
            "item.created" | "item.started" | "item.updated" | "item.completed" => {
                let item = object.object("item");
                self.item(page, item.as_ref().unwrap_or(object), &kind);
            }
            "item.delta" => self.delta(page, object),
            "item.plan.delta" => {}
            _ => page.scribe.opaque(),
        }
    }
}

impl Exec {
    fn key(&mut self, id: &str) -> String {
        let before = self.before.0;
        let key = self.items.entry(id);
        if key.is_empty() {
            *key = format!("item:{id}:{before:016x}");
        }
        key.clone()
    }

    fn delta(&mut self, page: &mut Page, object: &Object<'_>) {
        let Some(id) = object.id("item_id") else { return page.scribe.opaque() };
        let key = self.key(&id);
        let delta = object.object("delta");
        let text = delta.as_ref().and_then(|delta| delta.word("text_delta").or_else(|| delta.word("text")));
        if let Some(text) = text.filter(|_| matches!(object.id("item_type").as_deref(), Some("agent_message" | "assistant_message"))) {
            self.texts.more(&mut page.scribe, &key, &text);
        }
    }

    fn item(&mut self, page: &mut Page, item: &Object<'_>, told: &str) {
        let word = |names: &[&str]| names.iter().find_map(|name| item.id(name)).map(String::from);
        let (Some(id), Some(kind)) = (word(&["id", "item_id"]), word(&["type", "item_type"]).filter(|kind| !kind.starts_with("item.")))
        else {
            // At the top of a line `type` is the event's.
            return match (word(&["item_id"]), word(&["item_type"])) {
                (Some(id), Some(kind)) => self.put(page, item, &id, &kind, told),
                _ => page.scribe.opaque(),
            };
        };
        self.put(page, item, &id, &kind, told);
    }

    fn put(&mut self, page: &mut Page, item: &Object<'_>, id: &str, kind: &str, told: &str) {
        let key = self.key(id);
        let said = item.raw("text").or_else(|| item.raw("content")).or_else(|| item.raw("message"));
        let said = said.map(content::read).map(|(text, _)| text).unwrap_or_default();
        let who = Who::Main;
        let status = item.id("status").unwrap_or_default();
        let open = told != "item.completed" && !matches!(&*status, "completed" | "failed" | "declined");
        let state = if open { EntryState::Open } else { EntryState::Done };
        let mut entry =
            |body| page.scribe.entry_op(Op::Entry { who: who.clone(), keys: vec![key.clone()], body, state, images: Vec::new() });
        match kind {
            "agent_message" | "assistant_message" if open => self.texts.more(&mut page.scribe, &key, &said),
            "agent_message" | "assistant_message" => self.texts.whole(&mut page.scribe, &key, &said, EntryState::Done),
            "reasoning" => entry(Body::Reasoning { text: said.into() }),
            "todo_list" if item.has("items") => entry(Body::Todos { items: todo::items(item.array("items")), call: None }),
            "todo_list" | "plan" => page.scribe.notice_as("plan", "Plan", Some(said), Some(key)),
            "error" => page.scribe.notice_as("error", said, None, Some(key)),
            "command_execution" | "file_change" | "mcp_tool_call" | "web_search" | "collab_tool_call" => {
                self.tool(page, item, kind, &key, open);
            }
            _ => page.scribe.opaque(),
        }
    }

    fn tool(&mut self, page: &mut Page, item: &Object<'_>, kind: &str, key: &str, open: bool) {
        let word = |name: &str| item.word(name).map(String::from);
        let tool = word("tool").unwrap_or_else(|| kind.to_owned());
        let name = match (kind, word("server")) {
            ("mcp_tool_call", Some(server)) => format!("mcp__{server}__{tool}"),
            _ => tool.clone(),
        };
        let args = match kind {
            "command_execution" => json("command", &word("command").or_else(|| word("content")).unwrap_or_default()),
            "web_search" => json("query", &word("query").or_else(|| word("content")).unwrap_or_default()),
            "file_change" => item.raw("changes").map(|raw| raw.get().to_owned()).unwrap_or_default(),
            "collab_tool_call" => json("prompt", &word("prompt").unwrap_or_default()),
            _ => item.raw("arguments").or_else(|| item.raw("input")).map(|raw| raw.get().to_owned()).unwrap_or_default(),
        };
        let title = match kind {
            "file_change" => {
                let changes = item.array("changes").into_iter().filter_map(Object::of);
                let paths: Vec<String> = changes.filter_map(|change| change.word("path").map(Into::into)).collect();
                titles::short(&format!("Edit {}", if paths.is_empty() { word("content").unwrap_or_default() } else { paths.join(", ") }))
            }
            _ => titles::title(&name, Object::parse(&args).as_ref(), None),
        };
        let spawns = kind == "collab_tool_call" && tool == "spawn_agent";
        let call = key.to_owned();
        let patch = ToolPatch { name: Some(name), title: Some(title), args: Some(args), instead: None, starts_agent: spawns };
        page.scribe.entry_op(Op::Call { who: Who::Main, call: call.clone(), keys: Vec::new(), patch });
        if kind == "collab_tool_call" {
            self.agents(page, item, &call, &tool);
        }
        if open {
            return;
        }
        let output = item.raw("aggregated_output").or_else(|| item.raw("output")).or_else(|| item.raw("result")).map(content::read);
        let (text, images) = output.unwrap_or_else(|| (last_words(item), Vec::new()));
        let error = item
            .raw("error")
            .map(|raw| Object::of(raw).and_then(|error| error.word("message").map(String::from)).unwrap_or_else(|| raw.get().into()));
        let failed = item.id("status").as_deref() == Some("failed") || error.is_some();
        let result = if failed { Err(error.unwrap_or(text)) } else { Ok(text) };
        let state = if failed { EntryState::Failed } else { EntryState::Done };
        page.scribe.entry_op(Op::Result { who: Who::Main, call, result, images, state });
    }

    /// What a call about agents says of them.
    fn agents(&mut self, page: &mut Page, item: &Object<'_>, call: &str, tool: &str) {
        let threads: Vec<String> = item.array("receiver_thread_ids").into_iter().filter_map(string).map(Into::into).collect();
        for thread in &threads {
            let who = Who::runtime(thread);
            if tool == "spawn_agent" {
                // One call may start several: then it names none of them alone.
                let call = Some(call.to_owned()).filter(|_| threads.len() == 1);
                let patch = AgentPatch { parent: Some(Who::Main), call, link: Some(Link::Exact), ..AgentPatch::default() };
                page.scribe.say(Op::Agent { who: who.clone(), patch });
                if let Some(text) = item.word("prompt") {
                    let text = text.into();
                    page.scribe.say(Op::Prompt { who: who.clone(), text, images: Vec::new(), own: false, keys: Vec::new() });
                }
            }
            if matches!(tool, "spawn_agent" | "send_input" | "resume_agent") && item.id("status").as_deref() != Some("in_progress") {
                page.scribe.say(Op::Begin { who, run: None, at: page.scribe.at });
            }
        }
        let states = item.object("agents_states");
        for (thread, state) in states
            .iter()
            .flat_map(|states| states.names().into_iter().filter_map(|name| Some((states.object(&name)?, name))))
            .map(|(state, name)| (name, state))
        {
            let (status, cause) = match &*state.id("status").unwrap_or_default() {
                "completed" => (AgentStatus::Finished, "result"),
                "errored" | "failed" => (AgentStatus::Failed, "result"),
                "interrupted" | "shutdown" => (AgentStatus::Cancelled, "stop"),
                _ => continue,
            };
            let ending = Ending { status, cause: cause.into(), at: page.scribe.at, run: None, note: None };
            page.scribe.say(Op::End { who: Who::runtime(thread), ending });
        }
    }
}

/// What agents said last, where the call that waited for them tells it.
fn last_words(item: &Object<'_>) -> String {
    let states = item.object("agents_states");
    let said = states
        .iter()
        .flat_map(|states| states.names().into_iter().filter_map(|name| states.object(&name)?.word("message").map(String::from)));
    said.collect::<Vec<_>>().join("\n\n")
}

fn json(name: &str, text: &str) -> String {
    serde_json::to_string(&std::collections::BTreeMap::from([(name, text)])).unwrap_or_default()
}
