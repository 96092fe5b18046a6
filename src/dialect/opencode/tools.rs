//! Tools: one entry from pending to its end; a task is the call that starts a child.

use super::memory::OpenCode;
use super::parts::key;
use crate::dialect::content::data_url;
use crate::dialect::json::Object;
use crate::dialect::page::Page;
use crate::dialect::{titles, todo};
use crate::model::{AgentPatch, AgentStatus, Body, Ending, EntryState, Hash64, Link, Op, ToolPatch, Who};

impl OpenCode {
    pub(super) fn tool(&mut self, page: &mut Page, part: &Object<'_>, id: &str, session: &str) {
        let Some(call) = part.id("callID") else { return page.scribe.opaque() };
        let name = part.id("tool").unwrap_or_default();
        let Some(state) = part.object("state") else { return page.scribe.opaque() };
        let input = state.object("input");
        let args = state.raw("input").map(|raw| raw.get().to_owned()).filter(|args| args != "{}");
        self.call(page, &call, &name, input.as_ref(), args, vec![key(id)], session);
        let metadata = state.object("metadata");
        let child = metadata.as_ref().and_then(|metadata| metadata.id("sessionId").or_else(|| metadata.id("sessionID")));
        if name == "task" {
            self.task(page, &call, input.as_ref(), child.as_deref(), session);
        }
        let failed = match &*state.id("status").unwrap_or_default() {
            "completed" => false,
            "error" => true,
            _ => return,
        };
        let files = state.array("attachments").into_iter().filter_map(Object::of);
        let images = files.filter_map(|file| data_url(&file.word("url")?)).filter(|image| image.media_type.starts_with("image/")).collect();
        let said = state.text(if failed { "error" } else { "output" }).unwrap_or_default().into_owned();
        if name == "task" && !metadata.is_some_and(|metadata| metadata.flag("background")) {
            let aborted = said.to_ascii_lowercase().contains("abort");
            let (status, cause) = match (failed, aborted) {
                (false, _) => (AgentStatus::Finished, "result"),
                (true, false) => (AgentStatus::Failed, "result"),
                (true, true) => (AgentStatus::Cancelled, "stop"),
            };
            let who = child.map_or_else(|| Who::call(call.as_ref()), Who::runtime);
            page.scribe.say(Op::End { who, ending: Ending { status, cause: cause.into(), at: page.scribe.at, run: None, note: None } });
        }
        let (result, state) = if failed { (Err(said), EntryState::Failed) } else { (Ok(said), EntryState::Done) };
        page.scribe.entry_op(Op::Result { who: page.scribe.who.clone(), call: call.into(), result, images, state });
    }

    /// A call, as far as it is known.
    #[expect(clippy::too_many_arguments)]
    pub(super) fn call(
        &mut self,
        page: &mut Page,
        call: &str,
        name: &str,
        input: Option<&Object<'_>>,
        args: Option<String>,
        keys: Vec<String>,
        session: &str,
    ) {
        let list = input.and_then(|input| todo::written(name, input));
        if let Some(list) = &list {
            self.sessions.entry(session).list = Hash64::of(format!("{list:?}").as_bytes());
        }
        let patch = ToolPatch {
            name: Some(name.into()),
            title: Some(titles::title(name, input, None)),
            args,
            instead: list.map(|items| Body::Todos { items, call: Some(call.into()) }),
            starts_agent: name == "task",
        };
        page.scribe.entry_op(Op::Call { who: page.scribe.who.clone(), call: call.into(), keys, patch });
    }

    /// What a call that starts a child says of it.
    pub(super) fn task(&mut self, page: &mut Page, call: &str, input: Option<&Object<'_>>, child: Option<&str>, session: &str) {
        let word = |name: &str| input.and_then(|input| input.word(name)).map(String::from);
        let who = Who::call(call);
        let patch = AgentPatch { description: word("description"), kind: word("subagent_type"), ..AgentPatch::default() };
        page.scribe.say(Op::Agent { who: who.clone(), patch });
        if let Some(text) = word("prompt") {
            page.scribe.say(Op::Prompt { who, text, images: Vec::new(), own: false, keys: Vec::new() });
        }
        if let Some(child) = child.filter(|child| *child != session) {
            self.sessions.entry(child).parent.get_or_insert_with(|| session.to_owned());
            let patch = AgentPatch { call: Some(call.into()), link: Some(Link::Exact), ..AgentPatch::default() };
            page.scribe.say(Op::Agent { who: Who::runtime(child), patch });
        }
    }
}
