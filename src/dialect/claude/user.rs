//! Lines under the name of the user: turns of a person, prompts of subagents, results of tools, and much that is none of these.

use serde_json::value::RawValue;

use super::assistant::blocks;
use super::disk::Disk;
use super::results::image;
use super::scribe::Scribe;
use super::words::{self, Said};
use crate::dialect::json::{Object, string};
use crate::model::{AgentPatch, AgentStatus, Blobbed, Body, Ending, EntryState, Op, Who};

impl Disk {
    /// `opens` is true for the line that opens the transcript of a subagent.
    pub(super) fn user(&mut self, scribe: &mut Scribe, object: &Object<'_>, opens: bool) {
        let details = object.raw("toolUseResult").or_else(|| object.raw("tool_use_result"));
        let message = object.object("message");
        let content = message.as_ref().map(blocks).or_else(|| object.raw("message").map(|raw| vec![raw])).unwrap_or_default();
        let (mut texts, mut images) = (Vec::new(), Vec::new());
        for raw in content {
            let block = Object::of(raw);
            match block.as_ref().map(|block| (block, block.text("type").unwrap_or_default())) {
                Some((block, kind)) if kind.ends_with("tool_result") => self.tool_result(scribe, block, details),
                Some((block, kind)) if kind == "image" => match image(block) {
                    Some(image) => images.push(image),
                    None => texts.push("[image]".to_owned()),
                },
                Some((block, _)) => texts.push(block.text("text").map_or_else(|| raw.get().to_owned(), String::from)),
                None => texts.extend(string(raw).map(String::from)),
            }
        }
        texts.retain(|text| !text.trim().is_empty());
        if !texts.is_empty() || !images.is_empty() {
            self.words_of_user(scribe, object, texts, images, opens);
        }
        scribe.bookkeeping("user", None);
    }

    fn words_of_user(&mut self, scribe: &mut Scribe, object: &Object<'_>, texts: Vec<String>, images: Vec<Blobbed>, opens: bool) {
        if object.flag("isCompactSummary") {
            return scribe.notice("compaction", "Summary of the conversation so far", Some(texts.join("\n\n")));
        }
        if let Some(summary) = texts.iter().find_map(|text| words::summary(text)).filter(|_| opens) {
            // The words of the call that started a teammate stand beside what it was told first.
            let patch = AgentPatch { description: Some(summary.to_owned()), ..AgentPatch::default() };
            scribe.say(Op::Agent { who: scribe.who.clone(), patch });
        }
        let mut said = Vec::new();
        for text in texts {
            match words::read(&text) {
                Said::Task => self.task_note(scribe, &text),
                Said::Interrupt => interrupt(scribe, &text),
                Said::Output(inner) => {
                    scribe.notice("command", inner, None);
                    if scribe.who == Who::Main {
                        scribe.say(Op::Turn { ended: true });
                    }
                }
                Said::Context => scribe.notice("context", "Words for the model", Some(text)),
                _ if object.flag("isMeta") || object.flag("isSynthetic") => scribe.notice("context", "Words for the model", Some(text)),
                Said::Turn(turn) => said.push((turn, None)),
                Said::Command(turn) => said.push((turn, Some("command"))),
                Said::Teammate(turn) => said.push((turn.to_owned(), Some("teammate"))),
            }
        }
        if !said.is_empty() || !images.is_empty() {
            let origin = said.iter().find_map(|(_, origin)| *origin);
            let text = said.into_iter().map(|(text, _)| text).collect::<Vec<_>>().join("\n\n");
            self.turn(scribe, text, images, origin, opens);
        }
    }

    /// A turn addressed to the agent: the first of a subagent is its prompt, a later one begins it anew.
    pub(super) fn turn(&mut self, scribe: &mut Scribe, text: String, images: Vec<Blobbed>, origin: Option<&str>, opens: bool) {
        let who = scribe.who.clone();
        if opens {
            if text == "Warmup" {
                let patch = AgentPatch { hidden: Some(true), ..AgentPatch::default() };
                scribe.say(Op::Agent { who: who.clone(), patch });
            }
            let keys = vec![scribe.key()];
            return scribe.entry_op(Op::Prompt { who, text, images, own: true, keys });
        }
        scribe.turn = true;
        scribe.say(match who {
            Who::Main => Op::Turn { ended: false },
            who => Op::Begin { who, run: None, at: scribe.at },
        });
        scribe.entry(Body::User { text: text.into(), images: Vec::new(), origin: origin.map(Into::into) }, EntryState::Done, images, None);
    }

    /// What a person typed while the agent worked, or a task's note, put into the turn that was running.
    pub(super) fn queued(&mut self, scribe: &mut Scribe, attachment: &Object<'_>) {
        let (text, images) = attachment.raw("prompt").map(super::results::read).unwrap_or_default();
        match words::read(&text) {
            Said::Task => self.task_note(scribe, &text),
            _ if text.trim().is_empty() && images.is_empty() => {}
            _ => self.turn(scribe, text, images, Some("queued"), false),
        }
    }
}

/// The person stopped the agent: on the main agent's side its turn has ended, a subagent has.
fn interrupt(scribe: &mut Scribe, text: &str) {
    scribe.notice("cancelled", text.trim().trim_matches(['[', ']']), None);
    match scribe.who.clone() {
        Who::Main => scribe.say(Op::Turn { ended: true }),
        who => {
            let ending = Ending { status: AgentStatus::Cancelled, cause: "stop".into(), at: scribe.at, run: None, note: None };
            scribe.say(Op::End { who, ending });
        }
    }
}

/// The text of a queue operation, if it enqueues a task's note.
pub fn queued_note<'a>(object: &Object<'a>) -> Option<std::borrow::Cow<'a, str>> {
    let raw: Option<&RawValue> = object.raw("content").filter(|_| object.text("operation").as_deref() == Some("enqueue"));
    raw.and_then(string).filter(|text| words::read(text) == Said::Task)
}
