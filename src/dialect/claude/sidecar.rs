//! The two files beside transcripts: what a sidecar says of its agent, and a workflow's journal.

use super::disk::Disk;
use super::scribe::Scribe;
use crate::dialect::json::Object;
use crate::model::{AgentPatch, AgentStatus, Ending, Link, Op, Who};

impl Disk {
    /// `agent-<id>.meta.json`: kind, description and call of the agent beside it.
    pub(super) fn sidecar(&mut self, scribe: &mut Scribe, object: &Object<'_>) {
        let word = |name| object.word(name).map(String::from);
        let call = word("toolUseId");
        let link = call.is_some().then_some(Link::Sidecar);
        let patch = AgentPatch { call, link, description: word("description"), kind: word("agentType"), ..AgentPatch::default() };
        scribe.say(Op::Agent { who: scribe.who.clone(), patch });
        if object.flag("stoppedByUser") {
            let note = Some("stopped by the user".into());
            let ending = Ending { status: AgentStatus::Cancelled, cause: "stop".into(), at: None, run: None, note };
            scribe.say(Op::End { who: scribe.who.clone(), ending });
        }
        scribe.bookkeeping("meta", None);
    }

    /// `journal.jsonl`: a result is the end of the agent that it names.
    pub(super) fn journal(&mut self, scribe: &mut Scribe, object: &Object<'_>, kind: &str) {
        if let ("result", Some(agent)) = (kind, object.word("agentId")) {
            let ending = Ending { status: AgentStatus::Finished, cause: "result".into(), at: scribe.at, run: None, note: None };
            scribe.say(Op::End { who: Who::runtime(agent), ending });
        }
        scribe.bookkeeping("journal", Some(kind));
    }
}
