//! Lines about the session: turns begin and end, limits are met and lifted.

use super::Teller;
use crate::dialect::claude::assistant::speak;
use crate::dialect::claude::scribe::Scribe;
use crate::dialect::json::{Object, string};
use crate::model::{AgentPatch, Limit, Ms, Op, SessionPatch, WaitingOn, Who};

impl Teller {
    /// Repeats at the start of every turn.
    pub(super) fn init(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        let cwd = object.word("cwd").map(String::from);
        if let Some(cwd) = cwd.filter(|_| self.disk.memory.cwd.is_none()) {
            self.disk.memory.cwd = Some(cwd.clone());
            scribe.say(Op::Session(SessionPatch { cwd: Some(cwd), ..SessionPatch::default() }));
        }
        if let Some(model) = object.word("model") {
            let patch = AgentPatch { model: Some(model.into()), ..AgentPatch::default() };
            scribe.say(Op::Agent { who: Who::Main, patch });
        }
        self.own.in_turn = false;
        self.turn_begins(scribe);
    }

    pub(super) fn state(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        match &*object.word("state").unwrap_or_default() {
            "running" => {
                self.own.in_turn = false;
                scribe.say(Op::Waiting { who: Who::Main, on: None });
                self.turn_begins(scribe);
            }
            "requires_action" => scribe.say(Op::Waiting { who: Who::Main, on: Some(WaitingOn::Person) }),
            "idle" => self.turn_ends(scribe),
            _ => {}
        }
    }

    fn turn_ends(&mut self, scribe: &mut Scribe) {
        self.ask_no_more(scribe);
        self.own.in_turn = false;
        scribe.say(Op::Waiting { who: Who::Main, on: None });
        scribe.say(Op::Turn { ended: true });
    }

    /// The end of a turn. Its text is the last answer, and shown only where no line has said it.
    pub(super) fn result(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        for denial in object.array("permission_denials").into_iter().filter_map(Object::of) {
            self.denied(scribe, &denial);
        }
        let said = object.word("result").map(String::from);
        let errors: Vec<String> = object.array("errors").into_iter().filter_map(string).map(Into::into).collect();
        let subtype = object.word("subtype").unwrap_or_default();
        let failed = object.flag("is_error") || subtype.starts_with("error");
        let spoke = std::mem::replace(&mut self.own.spoke, false);
        if failed {
            let text = if errors.is_empty() { said.filter(|_| !spoke) } else { Some(errors.join("\n")) };
            let plain = || (!spoke).then(|| format!("The turn ended with an error: {}.", subtype.replace('_', " ")));
            if let Some(text) = text.or_else(plain) {
                scribe.notice("error", text, None);
            }
        } else if let Some(text) = said.filter(|_| !spoke) {
            speak(scribe, &text, None);
        }
        self.turn_ends(scribe);
        scribe.bookkeeping("result", Some(&subtype));
    }

    pub(super) fn rate_limit(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        scribe.bookkeeping("rate_limit_event", None);
        let Some(info) = object.object("rate_limit_info") else { return };
        let rejected = info.word("status").as_deref() == Some("rejected");
        if rejected {
            let kind = info.word("rateLimitType").map_or_else(|| "rate_limit".to_owned(), Into::into);
            let resets_at = info.number("resetsAt").and_then(|at| Ms::try_from(at).ok()).and_then(|at| at.checked_mul(1_000));
            if !self.own.rejected {
                scribe.notice("limit", format!("The account's limit is reached: {}.", kind.replace('_', " ")), None);
            }
            scribe.say(Op::Limited(Some(Limit { kind, resets_at })));
        } else if info.raw("status").is_some() && (self.own.rejected || self.disk.memory.limited) {
            self.disk.memory.limited = false;
            scribe.say(Op::Limited(None));
        }
        self.own.rejected = rejected;
    }
}

pub(super) fn compaction(scribe: &mut Scribe, object: &Object<'_>) {
    let before = object.object("compact_metadata").and_then(|facts| facts.number("pre_tokens"));
    scribe.notice("compaction", "Conversation compacted", before.map(|tokens| format!("{tokens} tokens before")));
}

/// A line with words for a person.
pub(super) fn remark(scribe: &mut Scribe, object: &Object<'_>, subtype: &str) {
    let kind = match subtype {
        "local_command_output" => "command",
        "model_refusal_fallback" | "mirror_error" | "session_writes_lost" => "error",
        other => other,
    };
    let said = ["content", "message", "text", "error"].into_iter().find_map(|name| object.word(name));
    if let Some(said) = said {
        scribe.notice(kind, said, None);
    }
}
