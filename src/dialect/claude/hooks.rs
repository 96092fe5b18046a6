//! Claude Code's hooks: hints, never evidence.
//!
//! Decision: a hook may say that an agent is there and of what kind, and where the session works. It neither begins nor ends
//! anything, and it may name a file that is worth a look: hooks are not fired for every end, and another hook may let a stopped agent go on. Invariant: a hint about a
//! session that nobody has heard of makes none.

use super::FAMILY;
use crate::dialect::json::Object;
use crate::dialect::{Facts, Record, Translator};
use crate::model::{AgentPatch, Line, Op, SessionId, SessionPatch, Who};

pub fn open(facts: Facts, _memory: Option<&str>) -> Result<Box<dyn Translator>, String> {
    Ok(Box::new(Hooks { facts }))
}

/// The transcripts that a hook speaks of: they have grown, or are about to.
pub fn hints(record: &[u8]) -> Vec<String> {
    let object = std::str::from_utf8(record).ok().and_then(Object::parse);
    let path = |name| object.as_ref().and_then(|object| object.word(name)).map(String::from);
    ["transcript_path", "agent_transcript_path"].into_iter().filter_map(path).collect()
}

struct Hooks {
    facts: Facts,
}

impl Translator for Hooks {
    fn record(&mut self, record: Record<'_>) -> Vec<Line> {
        let object = std::str::from_utf8(record.bytes).ok().and_then(Object::parse);
        let word = |name: &str| object.as_ref().and_then(|object| object.word(name)).map(String::from);
        let session = SessionId { family: FAMILY.into(), id: word("session_id").unwrap_or_else(|| self.facts.session.clone()) };
        let mut ops = Vec::new();
        if let Some(agent) = word("agent_id") {
            let patch = AgentPatch { kind: word("agent_type"), ..AgentPatch::default() };
            ops.push(Op::Agent { who: Who::runtime(agent), patch });
        }
        if let Some(cwd) = word("cwd") {
            ops.push(Op::Session(SessionPatch { cwd: Some(cwd), ..SessionPatch::default() }));
        }
        vec![Line::control(session, ops)]
    }

    fn memory(&self) -> String {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_hints_and_decides_nothing() {
        let mut hooks = open(Facts::default(), None).expect("a translator");
        let text = r#"{"session_id":"s","cwd":"/p","hook_event_name":"SubagentStop","agent_id":"a1","agent_type":"Explore"}"#;
        let lines = hooks.record(Record::whole(0, text.as_bytes()));
        assert!(lines[0].is_control() && lines[0].session.id == "s");
        assert!(matches!(&lines[0].ops[..], [Op::Agent { .. }, Op::Session(_)]), "{:?}", lines[0].ops);
        let text = r#"{"session_id":"s","transcript_path":"/p/s.jsonl","agent_transcript_path":"/p/s/subagents/agent-a1.jsonl"}"#;
        assert_eq!(hints(text.as_bytes()), ["/p/s.jsonl", "/p/s/subagents/agent-a1.jsonl"]);
        for text in ["", "7", "no json", "[]"] {
            assert!(hints(text.as_bytes()).is_empty());
            assert!(hooks.record(Record::whole(0, text.as_bytes()))[0].ops.is_empty());
        }
    }
}
