//! Items: messages, reasoning, calls and results, as the model sees them.

use super::memory::{Call, Rollout};
use crate::dialect::json::{Object, string};
use crate::dialect::list::push;
use crate::dialect::page::Page;
use crate::dialect::{content, think, titles, todo};
use crate::model::{Ask, Blobbed, Body, EntryState, Op, ToolPatch, Who};

/// How words begin that Codex adds to a turn for the model.
const INJECTED: [&str; 9] = [
    "<environment_context",
    "<user_instructions",
    "<INSTRUCTIONS",
    "# AGENTS.md instructions",
    "<turn_aborted",
    "<permissions",
    "<skill",
    "<collaboration_mode",
    "<model_switch",
];
/// Calls without an id that wait for their result.
const NAMELESS: usize = 32;

impl Rollout {
    pub(super) fn item(&mut self, page: &mut Page, item: &Object<'_>) {
        let kind = item.id("type").unwrap_or_default();
        page.scribe.bookkeeping("response_item", Some(&kind));
        match &*kind {
            "message" => self.message(page, item),
            "" if item.has("role") => self.message(page, item),
            "reasoning" => {
                for part in item.array("summary").into_iter().chain(item.array("content")).filter_map(Object::of) {
                    if let Some(text) = part.word("text") {
                        self.reasoning(page, &text, true);
                    }
                }
            }
            "function_call" => self.call(page, item, "arguments"),
            "custom_tool_call" => self.call(page, item, "input"),
            "local_shell_call" | "web_search_call" => self.call(page, item, "action"),
            "tool_search_call" | "tool_call" => self.call(page, item, "arguments"),
            "image_generation_call" => self.image(page, item),
            "function_call_output" | "custom_tool_call_output" => self.output(page, item, "output"),
            "tool_search_output" => self.output(page, item, "tools"),
            "tool_result" => self.output(page, item, "result"),
            "agent_message" => self.letter(page, item),
            "ghost_snapshot" => {}
            _ => page.scribe.opaque(),
        }
    }

    pub(super) fn message(&mut self, page: &mut Page, item: &Object<'_>) {
        let (text, images) = item.raw("content").map(content::read).unwrap_or_default();
        match &*item.id("role").unwrap_or_default() {
            "assistant" => self.text(page, &text, true),
            "user" if text.trim_start().starts_with("<subagent_notification>") => self.notification(page, &text),
            "user" if INJECTED.iter().any(|start| text.trim_start().starts_with(start)) => {
                page.scribe.notice("context", "Words for the model", Some(text));
            }
            "user" => self.turn(page, text, images, true),
            _ => page.scribe.notice("context", "Words for the model", Some(text)),
        }
    }

    /// A turn addressed to the agent: the first to a child is its prompt.
    pub(super) fn turn(&mut self, page: &mut Page, text: String, images: Vec<Blobbed>, item: bool) {
        let found = self.said.key("user", &text, item, page.scribe.key());
        let who = page.scribe.who.clone();
        if found.again {
            // The item alone holds the images.
            if images.is_empty() || who != Who::Main {
                return;
            }
        } else if who != Who::Main && !std::mem::replace(&mut self.opened, true) {
            return page.scribe.entry_op(Op::Prompt { who, text, images, own: true, keys: vec![found.key] });
        }
        let body = Body::User { text: text.into(), images: Vec::new(), origin: None };
        page.scribe.entry_op(Op::Entry { who, keys: vec![found.key], body, state: EntryState::Done, images });
    }

    pub(super) fn text(&mut self, page: &mut Page, text: &str, item: bool) {
        let found = self.said.key("text", text, item, page.scribe.key());
        if !found.again && !text.is_empty() {
            let who = page.scribe.who.clone();
            think::whole(&who, &found.key, text, EntryState::Done).into_iter().for_each(|op| page.scribe.entry_op(op));
        }
    }

    pub(super) fn reasoning(&mut self, page: &mut Page, text: &str, item: bool) {
        let found = self.said.key("reasoning", text, item, page.scribe.key());
        if !found.again {
            let body = Body::Reasoning { text: text.into() };
            let op = Op::Entry { who: page.scribe.who.clone(), keys: vec![found.key], body, state: EntryState::Done, images: Vec::new() };
            page.scribe.entry_op(op);
        }
    }

    fn call(&mut self, page: &mut Page, item: &Object<'_>, field: &str) {
        let kind = item.id("type").unwrap_or_default();
        let function = item.object("function").and_then(|function| function.id("name").map(String::from));
        let name = item.id("name").map(String::from).or(function).unwrap_or_else(|| kind.trim_end_matches("_call").to_owned());
        let args = item.raw(field).map(|raw| string(raw).map_or_else(|| raw.get().to_owned(), Into::into)).unwrap_or_default();
        let given = item.id("call_id").or_else(|| item.id("id").filter(|_| kind == "web_search_call")).map(String::from);
        let call = given.unwrap_or_else(|| {
            let made = page.scribe.key();
            push(&mut self.nameless, NAMELESS, (name.clone(), made.clone()));
            made
        });
        let input = Object::parse(&args);
        let mut title = titles::title(&name, input.as_ref(), None);
        if name == "apply_patch" && input.is_none() {
            title = patched(&args).map_or(title, |path| titles::short(&format!("Edit {path}")));
        }
        let list = input.as_ref().and_then(|input| todo::written(&name, input));
        let instead = list
            .map(|items| Body::Todos { items, call: Some(call.clone()) })
            .or_else(|| question(&name, &call, input.as_ref()?).map(|ask| Body::Ask(Box::new(ask))));
        let spawns = self.about_agents(page, &name, &call, input.as_ref());
        let patch = ToolPatch { name: Some(name.clone()), title: Some(title), args: Some(args.clone()), instead, starts_agent: spawns };
        let key = format!("call:{call}");
        page.scribe.entry_op(Op::Call { who: page.scribe.who.clone(), call: call.clone(), keys: vec![key.clone()], patch });
        if spawns {
            self.spawn_call(page, &call, input.as_ref());
        }
        if kind == "web_search_call" {
            // What it found is not told.
            page.scribe.say(Op::Close { key, state: EntryState::Done });
        }
    }

    fn output(&mut self, page: &mut Page, item: &Object<'_>, field: &str) {
        let named = |(name, _): &(String, String)| item.id("name").is_some_and(|wanted| wanted == name.as_str());
        let nameless = self.nameless.iter().position(named);
        let call = item.id("call_id").map(String::from).or_else(|| self.nameless.remove(nameless?).map(|(_, call)| call));
        let Some(raw) = item.raw(field) else { return };
        let (text, images) = content::read(raw);
        let Some(call) = call else { return page.scribe.notice("opaque", "A tool's result that names no call.", Some(text)) };
        let known = self.calls.remove(&call);
        if let Some(known) = &known {
            self.answered(page, &call, known, &text);
        }
        let (text, failed) = printed(&text);
        let failed = failed || item.raw("success").is_some_and(|raw| raw.get() == "false");
        let result = if failed { Err(text) } else { Ok(text) };
        let state = if failed { EntryState::Failed } else { EntryState::Done };
        page.scribe.entry_op(Op::Result { who: page.scribe.who.clone(), call, result, images, state });
    }

    fn image(&mut self, page: &mut Page, item: &Object<'_>) {
        let call: String = item.id("id").map_or_else(|| page.scribe.key(), Into::into);
        let said = item.word("revised_prompt").unwrap_or_default();
        let title = titles::short(&format!("Draw {said}"));
        let patch = ToolPatch { name: Some("image_generation".into()), title: Some(title), ..ToolPatch::default() };
        let who = page.scribe.who.clone();
        page.scribe.entry_op(Op::Call { who: who.clone(), call: call.clone(), keys: Vec::new(), patch });
        let images = item.word("result").map(|data| Blobbed { media_type: "image/png".into(), data: data.into() }).into_iter().collect();
        let failed = item.id("status").as_deref() == Some("failed");
        let state = if failed { EntryState::Failed } else { EntryState::Done };
        page.scribe.entry_op(Op::Result { who, call, result: Ok(said.into()), images, state });
    }

    /// Words from one agent to another.
    pub(super) fn letter(&mut self, page: &mut Page, item: &Object<'_>) {
        let (text, _) = item.raw("content").map(content::read).unwrap_or_default();
        let word = |name| item.word(name).unwrap_or("?".into());
        page.scribe.notice("message", format!("{} to {}", word("author"), word("recipient")), Some(text));
    }

    /// A call that is open, for its result.
    pub(super) fn remember(&mut self, call: &str, name: &str, agent: Option<String>) {
        *self.calls.entry(call) = Call { name: name.into(), agent };
    }
}

/// What a command printed, of an output that says more; true if the command failed.
fn printed(text: &str) -> (String, bool) {
    let Some(object) = Object::parse(text) else { return (text.to_owned(), false) };
    let code = object.object("metadata").and_then(|facts| facts.raw("exit_code").map(|raw| raw.get() != "0"));
    match (object.text("output"), code) {
        (Some(output), Some(failed)) => (output.into_owned(), failed),
        _ => (text.to_owned(), false),
    }
}

/// The first file that a patch changes.
fn patched(patch: &str) -> Option<&str> {
    patch
        .lines()
        .find_map(|line| ["*** Update File: ", "*** Add File: ", "*** Delete File: "].iter().find_map(|head| line.strip_prefix(head)))
}

fn question(name: &str, call: &str, input: &Object<'_>) -> Option<Ask> {
    if name != "request_user_input" {
        return None;
    }
    let questions: Vec<Object<'_>> = input.array("questions").into_iter().filter_map(Object::of).collect();
    let texts: Vec<String> = questions.iter().filter_map(|one| one.text("question")).map(Into::into).collect();
    let options = questions.iter().flat_map(|one| one.array("options")).filter_map(Object::of);
    Some(Ask {
        ask: "question".into(),
        text: texts.join("\n").into(),
        fields: questions.iter().filter_map(|one| one.word("header")).map(Into::into).collect(),
        options: options.filter_map(|option| option.word("label").map(Into::into)).collect(),
        call: Some(call.into()),
        ..Ask::default()
    })
}
