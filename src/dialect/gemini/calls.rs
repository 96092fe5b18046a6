//! Calls in a message: their results, and the agents that they start.

use super::chat::Chat;
use crate::dialect::json::Object;
use crate::dialect::page::Page;
use crate::dialect::{content, titles, todo};
use crate::model::{AgentPatch, AgentStatus, Body, Ending, EntryState, Link, Op, ToolPatch, Who};

impl Chat {
    pub(super) fn call(&mut self, page: &mut Page, call: &Object<'_>) {
        let Some(id) = call.id("id") else { return };
        let (name, input) = (call.id("name").unwrap_or_default(), call.object("args"));
        let list = input.as_ref().and_then(|input| todo::written(&name, input));
        let agent = call.id("agentId");
        let patch = ToolPatch {
            title: Some(titles::title(&name, input.as_ref(), None)),
            name: Some(name.to_string()),
            args: call.raw("args").map(|raw| raw.get().into()),
            instead: list.map(|items| Body::Todos { items, call: Some(id.as_ref().into()) }),
            starts_agent: agent.is_some(),
        };
        let who = page.scribe.who.clone();
        page.scribe.entry_op(Op::Call { who: who.clone(), call: id.as_ref().into(), keys: vec![format!("call:{id}")], patch });
        let failed = match &*call.id("status").unwrap_or_default() {
            "success" => None,
            "error" => Some((EntryState::Failed, AgentStatus::Failed, "result")),
            "cancelled" => Some((EntryState::Cancelled, AgentStatus::Cancelled, "stop")),
            _ if call.has("result") => None,
            _ => return self.agent(page, agent.as_deref(), call, None),
        };
        self.agent(
            page,
            agent.as_deref(),
            call,
            Some(failed.map_or((AgentStatus::Finished, "result"), |(_, status, cause)| (status, cause))),
        );
        let text = output(call);
        let result = if failed.is_some() { Err(text) } else { Ok(text) };
        let state = failed.map_or(EntryState::Done, |(state, ..)| state);
        page.scribe.entry_op(Op::Result { who, call: id.into(), result, images: Vec::new(), state });
    }

    /// The agent that a call started, and its end, if it has come.
    fn agent(&mut self, page: &mut Page, agent: Option<&str>, call: &Object<'_>, end: Option<(AgentStatus, &str)>) {
        let (Some(agent), Some(id)) = (agent, call.id("id")) else { return };
        let who = Who::runtime(agent);
        let args = call.object("args");
        let word = |names: &[&str]| names.iter().find_map(|name| args.as_ref()?.word(name)).map(String::from);
        let kind =
            word(&["agent_name", "agent"]).or_else(|| call.word("displayName").map(Into::into)).or_else(|| call.id("name").map(Into::into));
        let patch = AgentPatch {
            call: Some(id.into()),
            link: Some(Link::Exact),
            kind,
            description: word(&["description"]),
            ..AgentPatch::default()
        };
        page.scribe.say(Op::Agent { who: who.clone(), patch });
        if let Some(text) = word(&["prompt", "task", "objective", "query", "input"]) {
            page.scribe.say(Op::Prompt { who: who.clone(), text, images: Vec::new(), own: false, keys: Vec::new() });
        }
        if let Some((status, cause)) = end {
            page.scribe.say(Op::End { who, ending: Ending { status, cause: cause.into(), at: page.scribe.at, run: None, note: None } });
        }
    }
}

/// What a call gave, as the model saw it; else as the person did.
fn output(call: &Object<'_>) -> String {
    let responses = call.array("result").into_iter().filter_map(|part| Object::of(part)?.object("functionResponse")?.object("response"));
    let texts: Vec<String> =
        responses.filter_map(|response| response.text("output").or_else(|| response.text("error")).map(Into::into)).collect();
    if !texts.is_empty() {
        return texts.join("\n");
    }
    let shown =
        call.raw("result").filter(|raw| raw.get().starts_with('"')).or_else(|| call.raw("resultDisplay")).or_else(|| call.raw("result"));
    shown.map(|raw| content::read(raw).0).unwrap_or_default()
}
