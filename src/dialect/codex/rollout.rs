//! Rollout files: one thread's lines, `{timestamp, type, payload}` each; before that, bare items.
//!
//! Invariants: the first head owns the file; what another thread's lines repeat in it is bookkeeping.

use super::memory::Rollout;
use crate::dialect::Place;
use crate::dialect::json::Object;
use crate::dialect::page::Page;
use crate::dialect::teller::Teller;

/// Types of items, as the model sees them.
const ITEMS: [&str; 15] = [
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "local_shell_call",
    "web_search_call",
    "tool_search_call",
    "tool_search_output",
    "image_generation_call",
    "agent_message",
    "tool_call",
    "tool_result",
    "ghost_snapshot",
];

/// The id in the file's name: of `rollout-<time>-<id>.jsonl`, plain or packed.
pub fn place(path: &[&str]) -> Place {
    let name = path.last().copied().unwrap_or_default();
    let stem = name.strip_suffix(".zst").unwrap_or(name);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let id = stem.strip_prefix("rollout-").and_then(|rest| rest.get(rest.len().checked_sub(36)?..)).filter(|id| is_uuid(id));
    Place { session: Some(id.unwrap_or(stem).to_owned()), ..Place::default() }
}

/// True for 36 characters of hex digits and four dashes in their places.
pub(super) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| if matches!(at, 8 | 13 | 18 | 23) { byte == b'-' } else { byte.is_ascii_hexdigit() })
}

impl Teller for Rollout {
    const FAMILY: &'static str = "codex";
    const NAME: &'static str = "codex";

    fn sure(object: &Object<'_>) -> u8 {
        let payload = object.raw("payload").is_some_and(|raw| raw.get().starts_with('{'));
        match &*object.id("type").unwrap_or_default() {
            "session_meta" if payload => 98,
            "response_item" | "event_msg" | "turn_context" if payload => 90,
            "compacted" | "world_state" if payload => 60,
            "function_call" | "function_call_output" if object.has("call_id") => 60,
            "tool_call" | "tool_result" if object.has("timestamp") => 30,
            "message" if object.has("role") && object.raw("content").is_some_and(|raw| raw.get().starts_with('[')) => 40,
            "" if object.word("record_type").as_deref() == Some("state") => 60,
            "" if object.has("instructions") && object.has("id") && object.has("timestamp") => 60,
            "" if object.has("role") && object.has("content") && object.has("timestamp") && !object.has("id") => 30,
            _ => 0,
        }
    }

    fn session(&self, object: &Object<'_>) -> Option<String> {
        if let Some(owner) = &self.owner {
            return Some(owner.session.clone());
        }
        self.owner_of(object).map(|owner| owner.session)
    }

    fn stream(&self, object: &Object<'_>) -> String {
        let named = || self.owner_of(object).map(|owner| owner.thread);
        self.owner.as_ref().map(|owner| owner.thread.clone()).or_else(named).unwrap_or_default()
    }

    fn tell(&mut self, page: &mut Page, object: &Object<'_>) {
        let kind = object.id("type").unwrap_or_default();
        page.scribe.who = self.me();
        if self.is_copied(object, &kind, page.scribe.at) {
            return page.scribe.bookkeeping("replayed", Some(&kind));
        }
        page.scribe.bookkeeping(&kind, None);
        let payload = object.object("payload");
        match (&*kind, &payload) {
            ("session_meta", Some(meta)) => self.meta(page, object, meta),
            ("turn_context", Some(context)) => self.context(page, context),
            ("response_item", Some(item)) => self.item(page, item),
            ("event_msg", Some(event)) => self.event(page, event),
            ("compacted", Some(compacted)) => {
                page.scribe.notice("compaction", "Conversation compacted", compacted.word("message").map(String::from));
            }
            ("inter_agent_communication", Some(message)) => self.letter(page, message),
            ("world_state" | "inter_agent_communication_metadata", _) => {}
            ("", None) if object.has("record_type") => page.scribe.bookkeeping("state", None),
            ("", None) if object.has("instructions") && object.has("id") => self.meta(page, object, object),
            ("", None) if object.has("role") => self.message(page, object),
            (kind, None) if ITEMS.contains(&kind) => self.item(page, object),
            _ => page.scribe.opaque(),
        }
    }
}
