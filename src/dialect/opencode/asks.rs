//! Questions to the person: permissions and forms. One entry each, from the request to its answer.

use super::Event;
use super::memory::{Asked, OpenCode};
use crate::dialect::json::{Object, string};
use crate::dialect::page::Page;
use crate::model::{Ask, AskState, Body, EntryState, Op, WaitingOn, Who};

/// The longest question that is kept for its answer, in bytes.
const ASK: u64 = 8 << 10;

impl OpenCode {
    pub(super) fn asked(&mut self, page: &mut Page, event: &Event<'_>, session: &str) {
        let about = &event.about;
        let told = event.kind.rsplit('.').next().unwrap_or_default();
        let id = |names: &[&str]| names.iter().find_map(|name| about.id(name)).map(String::from);
        match told {
            "asked" | "updated" => {
                let Some(id) = id(&["id"]) else { return page.scribe.opaque() };
                let ask = if event.kind.starts_with("question") { question(about) } else { permission(about) };
                if ask.text.len() <= ASK {
                    *self.asks.entry(&id) = Asked { session: session.into(), ask: ask.clone() };
                }
                put(page, &id, &ask);
                wait(page, Some(WaitingOn::Person));
            }
            "replied" | "rejected" => {
                let Some(id) = id(&["requestID", "permissionID"]) else { return page.scribe.opaque() };
                let Some(Asked { mut ask, session }) = self.asks.remove(&id) else { return };
                page.scribe.who = self.sessions.who(&session);
                let said = about.word("reply").or_else(|| about.word("response")).map(String::from);
                let denied = told == "rejected" || said.as_deref() == Some("reject");
                ask.ask_state = if denied { AskState::Denied } else { AskState::Answered };
                let answers = about.array("answers").into_iter().map(|raw| {
                    let words: Vec<String> =
                        crate::dialect::json::array(raw).into_iter().flatten().filter_map(string).map(Into::into).collect();
                    words.join(", ")
                });
                let answers = answers.collect::<Vec<_>>().join("\n");
                ask.answer = said.or_else(|| Some(answers).filter(|text| !text.is_empty())).map(Into::into);
                put(page, &id, &ask);
                wait(page, None);
            }
            _ => {}
        }
    }
}

fn permission(about: &Object<'_>) -> Ask {
    let word = |names: &[&str]| names.iter().find_map(|name| about.word(name)).map(String::from);
    let kind = word(&["permission", "action", "type"]).unwrap_or_default();
    let patterns = about.array("patterns").into_iter().chain(about.array("resources")).filter_map(string);
    let patterns: Vec<String> = patterns.map(Into::into).chain(about.word("pattern").map(Into::into)).collect();
    let text = word(&["title"]).unwrap_or_else(|| format!("{kind} {}", patterns.join(", ")).trim().to_owned());
    Ask { ask: "permission".into(), text: text.into(), fields: vec![kind], ..Ask::default() }
}

fn question(about: &Object<'_>) -> Ask {
    let questions: Vec<Object<'_>> = about.array("questions").into_iter().filter_map(Object::of).collect();
    let texts: Vec<String> = questions.iter().filter_map(|one| one.text("question")).map(Into::into).collect();
    let options = questions.iter().flat_map(|one| one.array("options")).filter_map(Object::of);
    Ask {
        ask: "question".into(),
        text: texts.join("\n").into(),
        fields: questions.iter().filter_map(|one| one.word("header")).map(Into::into).collect(),
        options: options.filter_map(|option| option.word("label").map(Into::into)).collect(),
        ..Ask::default()
    }
}

fn put(page: &mut Page, id: &str, ask: &Ask) {
    let state = if ask.ask_state == AskState::Open { EntryState::Open } else { EntryState::Done };
    let (who, keys) = (page.scribe.who.clone(), vec![format!("ask:{id}")]);
    page.scribe.entry_op(Op::Entry { who, keys, body: Body::Ask(Box::new(ask.clone())), state, images: Vec::new() });
}

/// Whoever asks waits, and the session with it.
fn wait(page: &mut Page, on: Option<WaitingOn>) {
    let who = page.scribe.who.clone();
    if who != Who::Main {
        page.scribe.say(Op::Waiting { who, on });
    }
    page.scribe.say(Op::Waiting { who: Who::Main, on });
}
