//! Copies of a subagent's lines, which some versions wrote into the file of its parent.
//!
//! A copy is read by the rules of the line that it copies, but stands in a transcript of its own with keys of its own: the agent's
//! own file, if there is one, is told by itself.

use super::disk::Disk;
use super::scribe::{Scribe, time};
use crate::dialect::json::Object;
use crate::model::{Op, Who};

impl Disk {
    /// The line that `data` holds a copy of.
    pub(super) fn copied(&mut self, scribe: &mut Scribe, agent: &str, data: &Object<'_>) {
        let Some(inner) = data.object("message") else { return };
        let Some(uuid) = inner.word("uuid") else { return };
        scribe.at = scribe.at.or_else(|| time(&inner));
        let mut copy = Scribe::new(Who::copy_of(agent), format!("copy:{uuid}"), scribe.at);
        match inner.word("type").as_deref() {
            Some("user") => {
                let opens = !self.memory.copies(agent);
                self.user(&mut copy, &inner, opens);
            }
            Some("assistant") => {
                self.memory.copies(agent);
                self.assistant(&mut copy, &inner);
            }
            _ => {}
        }
        for mut op in copy.ops {
            match &mut op {
                // What a copy says of the session the session's own lines say.
                Op::Limited(_) => continue,
                Op::Entry { keys, .. } | Op::Prompt { keys, .. } | Op::Call { keys, .. } => {
                    keys.iter_mut().filter(|key| !key.starts_with("copy:")).for_each(|key| key.insert_str(0, "copy:"));
                }
                _ => {}
            }
            scribe.say(op);
        }
    }
}
