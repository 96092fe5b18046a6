//! What DeerFlow keeps of a run: rows, in the order of their numbers.
//!
//! A step names no call: its results belong to its tools' calls in their order. Texts over 8,192 characters are cut in rows, so a
//! cut one never revises what the stream told.

use super::tasks::{ends, step};
use crate::dialect::chain::{Call, Message, Scribe, Voice, call, push};
use crate::dialect::json::Object;
use crate::dialect::langgraph::stream::Teller;
use crate::dialect::langgraph::{Came, Steps};
use crate::dialect::think;
use crate::model::{EntryState, Op, Who, parse_time};

/// Tasks whose steps have open calls, and open calls of one.
const OPEN: usize = 64;

impl Teller {
    pub fn row(&mut self, scribe: &mut Scribe, row: &Object<'_>) {
        let kind = row.word("event_type").unwrap_or_default();
        scribe.named(&kind);
        scribe.at = row.word("created_at").and_then(|at| parse_time(&at));
        scribe.id = row.number("seq").map(|seq| format!("row:{seq}"));
        let run = row.word("run_id").map(String::from);
        if kind == "run.start" {
            return self.begins(scribe, run);
        }
        self.own.run = run.or(self.own.run.take());
        let content = row.object("content");
        match (&*kind, &content) {
            ("run.end", _) => self.ends(scribe, None),
            ("run.error", _) => {
                let said = row.word("content").unwrap_or_default();
                self.fails(scribe, None, &said);
            }
            ("llm.human.input" | "llm.ai.response" | "ai_message" | "llm.tool.result", Some(_)) => self.kept(scribe, row),
            ("subagent.start", Some(content)) => {
                if let Some(task) = content.word("task_id") {
                    let who = self.introduce(scribe, &task, content);
                    scribe.say(Op::Begin { who, run: None, at: scribe.at });
                }
            }
            ("subagent.step", Some(content)) => self.step(scribe, content),
            ("subagent.end", Some(content)) => {
                if let Some(task) = content.word("task_id") {
                    self.introduce(scribe, &task, content);
                    let status = content.word("status").unwrap_or_default();
                    if ends(&status).is_some() {
                        self.task_end(scribe, &task, &status, content);
                    }
                    self.count(scribe, &task, content.object("usage").as_ref());
                }
            }
            ("llm.error", _) => {
                let said = row.word("content").unwrap_or_else(|| "The model reported an error.".into());
                scribe.notice(Who::Main, format!("row:{}", row.number("seq").unwrap_or(0)), "error", said, None);
            }
            (kind, _) if kind == "workspace_changes" || kind.starts_with("context:") || kind.starts_with("middleware:") => {}
            _ => scribe.opaque(),
        }
    }

    /// A message of the main agent. What others on the way say is not its own.
    fn kept(&mut self, scribe: &mut Scribe, row: &Object<'_>) {
        let caller = row.object("metadata").and_then(|metadata| metadata.word("caller").map(String::from));
        if caller.is_some_and(|caller| caller != "lead_agent") {
            return;
        }
        if let Some(message) = row.raw("content").and_then(Message::read) {
            self.tell(scribe, &Who::Main, &message, message.id.as_deref(), Came::Whole, None);
        }
    }

    fn step(&mut self, scribe: &mut Scribe, content: &Object<'_>) {
        let (Some(task), Some(index)) = (content.word("task_id"), content.number("message_index")) else { return scribe.opaque() };
        let who = self.introduce(scribe, &task, content);
        let text = content.text("text").unwrap_or_default();
        let at = self.own.steps.iter().position(|steps| steps.task == task).and_then(|at| self.own.steps.remove(at));
        let mut steps = at.unwrap_or_else(|| Steps { task: task.clone().into(), ..Steps::default() });
        if content.word("kind").as_deref() == Some("tool") {
            let name = content.word("tool_name").unwrap_or_default();
            let at = steps.open.iter().position(|(known, _)| *known == name);
            match at.and_then(|at| steps.open.remove(at)) {
                Some((_, id)) => {
                    let result = Ok(text.into());
                    scribe.say(Op::Result { who, call: id, result, images: Vec::new(), state: EntryState::Done });
                }
                None => scribe.notice(who, step(&task, index, 0), "result", format!("A result of {name}"), Some(text.into())),
            }
        } else {
            scribe.copy = content.flag("truncated");
            scribe.say_all(think::whole(&who, &Voice::text_base(&who, &format!("step:{index}")), &text, EntryState::Done));
            for (at, raw) in content.array("tool_calls").into_iter().enumerate() {
                let Some(one) = Object::of(raw) else { continue };
                let (name, id) = (one.word("name").unwrap_or_default(), step(&task, index, at));
                let args = one.raw("args").map_or_else(|| "{}".into(), |raw| raw.get().to_owned());
                let made = Call { id: id.clone(), name: name.clone().into(), args };
                let mut ops = call(&who, &made).0;
                if let Some(Op::Call { keys, .. }) = ops.first_mut() {
                    keys.push(id.clone());
                }
                scribe.say_all(ops);
                push(&mut steps.open, OPEN, (name.into(), id));
            }
        }
        push(&mut self.own.steps, OPEN, steps);
    }
}
