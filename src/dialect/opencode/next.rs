//! The newer events of a server: `session.next.…`, one for each beginning, delta and end.

use super::Event;
use super::memory::OpenCode;
use super::parts::{key, think};
use crate::dialect::content;
use crate::dialect::json::{Object, string};
use crate::dialect::page::Page;
use crate::model::{AgentPatch, AgentStatus, EntryState, Field, Op, ToolPatch};

impl OpenCode {
    pub(super) fn next(&mut self, page: &mut Page, event: &Event<'_>, session: &str) {
        let about = &event.about;
        let word = |name: &str| about.id(name).map(String::from);
        let text = || about.text("text").map(String::from).unwrap_or_default();
        let delta = || about.text("delta").map(String::from).unwrap_or_default();
        let id =
            word("textID").or_else(|| word("reasoningID")).map(|id| format!("{}:{id}", word("assistantMessageID").unwrap_or_default()));
        let call = word("callID");
        match (event.kind.trim_start_matches("session.next."), id, call) {
            ("prompted", ..) => {
                let said = about.object("prompt").and_then(|prompt| prompt.text("text").map(String::from));
                let id = word("messageID").unwrap_or_else(|| page.scribe.key());
                self.turn(page, &id, said.unwrap_or_default(), Vec::new(), session);
            }
            ("synthetic" | "context.updated", ..) => page.scribe.notice("context", "Words for the model", Some(text())),
            ("step.started", ..) => {
                self.works(page, session);
                let model = about.object("model").and_then(|model| model.id("id").or_else(|| model.id("modelID")).map(String::from));
                page.scribe.say(Op::Agent { who: page.scribe.who.clone(), patch: AgentPatch { model, ..AgentPatch::default() } });
            }
            ("step.ended", ..) => {
                self.counted(page, about, &word("assistantMessageID").unwrap_or_default());
                if word("finish").is_some_and(|finish| finish != "tool-calls") {
                    self.rests(page, session, AgentStatus::Finished, "explicit");
                }
            }
            ("step.failed", ..) => self.error(page, about.object("error").as_ref(), session),
            ("text.delta", Some(id), _) => self.texts.more(&mut page.scribe, &key(&id), &delta()),
            ("text.ended", Some(id), _) => self.texts.whole(&mut page.scribe, &key(&id), &text(), EntryState::Done),
            ("reasoning.delta", Some(id), _) => think(page, &key(&id), &delta()),
            ("reasoning.ended", Some(id), _) => self.reasoning(page, &key(&id), &text(), None, false),
            ("tool.input.started", _, Some(call)) => {
                let name = word("name").unwrap_or_default();
                let patch = ToolPatch { title: Some(name.clone()), name: Some(name), ..ToolPatch::default() };
                page.scribe.entry_op(Op::Call { who: page.scribe.who.clone(), keys: vec![key(&call)], call, patch });
            }
            ("tool.input.delta", _, Some(call)) => {
                let who = page.scribe.who.clone();
                page.scribe.entry_op(Op::Append { who, key: key(&call), body: None, field: Field::Args, text: delta() });
            }
            ("tool.called", _, Some(call)) => {
                let (name, input) = (word("tool").unwrap_or_default(), about.object("input"));
                let args = about.raw("input").map(|raw| raw.get().to_owned());
                self.call(page, &call, &name, input.as_ref(), args, vec![key(&call)], session);
                if name == "task" {
                    self.task(page, &call, input.as_ref(), None, session);
                }
            }
            ("tool.progress", _, Some(call)) => self.child(page, about, &call, session),
            ("tool.success" | "tool.failed", _, Some(call)) => {
                self.child(page, about, &call, session);
                let failed = event.kind.ends_with("failed");
                let error = about.object("error").and_then(|error| error.word("message").map(String::from));
                let said = about.raw("content").or_else(|| about.raw("result")).map(content::read);
                let (said, images) = said.unwrap_or_default();
                let (result, state) = if failed { (Err(error.unwrap_or(said)), EntryState::Failed) } else { (Ok(said), EntryState::Done) };
                page.scribe.entry_op(Op::Result { who: page.scribe.who.clone(), call, result, images, state });
            }
            ("shell.started", _, Some(call)) => {
                let args =
                    about.word("command").map(|command| format!("{{\"command\":{}}}", serde_json::to_string(&command).unwrap_or_default()));
                let input = args.as_deref().and_then(Object::parse);
                self.call(page, &call, "bash", input.as_ref(), args.clone(), vec![key(&call)], session);
            }
            ("shell.ended", _, Some(call)) => {
                let result = Ok(about.raw("output").and_then(string).unwrap_or_default().into());
                page.scribe.entry_op(Op::Result {
                    who: page.scribe.who.clone(),
                    call,
                    result,
                    images: Vec::new(),
                    state: EntryState::Done,
                });
            }
            ("compaction.ended", ..) => page.scribe.notice("compaction", "Conversation compacted", about.word("text").map(Into::into)),
            ("retried", ..) => page.scribe.notice("error", "The model is asked again.", None),
            _ => {}
        }
    }

    /// The child that a call says it started.
    fn child(&mut self, page: &mut Page, about: &Object<'_>, call: &str, session: &str) {
        let told = about.object("structured");
        let child = told.as_ref().and_then(|told| told.id("sessionId").or_else(|| told.id("sessionID")));
        if let Some(child) = child {
            self.task(page, call, None, Some(&child), session);
        }
    }
}
