//! Shared state and activities: documents that snapshots replace and patches change. Each is one entry, as it stands now.

use serde_json::Value;
use serde_json::value::RawValue;

use super::AgUi;
use super::messages::agent_id;
use super::patch;
use crate::dialect::json::Object;
use crate::dialect::page::Page;
use crate::dialect::todo;
use crate::model::{Body, EntryState, Hash64, Notice, Op, TodoStatus};

/// The longest document that patches are applied to, in bytes.
const LONGEST: usize = 32 << 10;

impl AgUi {
    pub(super) fn state_snapshot(&mut self, page: &mut Page, object: &Object<'_>) {
        let key = self.state_key(page);
        self.put(page, &key, "state", "State", object.raw("snapshot"));
    }

    pub(super) fn state_delta(&mut self, page: &mut Page, object: &Object<'_>) {
        let key = self.state_key(page);
        self.change(page, &key, "state", "State", object.array("delta"));
    }

    pub(super) fn activity_snapshot(&mut self, page: &mut Page, object: &Object<'_>) {
        let Some(id) = object.id("messageId") else { return page.scribe.opaque() };
        let replaces = object.raw("replace").is_none_or(|raw| raw.get() != "false");
        let kind = object.id("activityType").unwrap_or_default();
        self.activity(page, &id, &kind, object.raw("content"), replaces);
    }

    /// An activity as it stands. If it does not replace, one that is there already stays.
    pub(super) fn activity(&mut self, page: &mut Page, id: &str, kind: &str, content: Option<&RawValue>, replaces: bool) {
        let key = format!("activity:{id}");
        if replaces || self.docs.get(&key).is_none() {
            self.put(page, &key, "activity", title(kind), content);
        }
    }

    pub(super) fn activity_delta(&mut self, page: &mut Page, object: &Object<'_>) {
        let Some(id) = object.id("messageId") else { return page.scribe.opaque() };
        let kind = object.id("activityType").unwrap_or_default();
        self.change(page, &format!("activity:{id}"), "activity", title(&kind), object.array("patch"));
    }

    fn state_key(&self, page: &Page) -> String {
        format!("state:{}:{}", self.run.as_deref().unwrap_or_default(), agent_id(&page.scribe.who).unwrap_or_default())
    }

    fn put(&mut self, page: &mut Page, key: &str, notice: &str, title: &str, content: Option<&RawValue>) {
        let json = content.map_or("null", RawValue::get);
        let value = serde_json::from_str::<Value>(json).ok();
        let detail = value.as_ref().and_then(|value| serde_json::to_string_pretty(value).ok()).unwrap_or_else(|| json.to_owned());
        self.docs.entry(key).value = value.filter(|_| json.len() <= LONGEST);
        entry(page, key, notice, title, detail);
        self.list(page, key);
    }

    fn change(&mut self, page: &mut Page, key: &str, notice: &str, title: &str, operations: Vec<&RawValue>) {
        let operations: Option<Vec<Value>> = operations.into_iter().map(|raw| serde_json::from_str(raw.get()).ok()).collect();
        let doc = self.docs.entry(key);
        // A document that was not seen, or is too long, cannot be changed: its next snapshot brings it.
        let Some(new) = doc.value.clone().and_then(|value| patch::apply(value, &operations?)) else { return };
        let detail = serde_json::to_string_pretty(&new).unwrap_or_default();
        doc.value = Some(new).filter(|_| detail.len() <= LONGEST);
        entry(page, key, notice, title, detail);
        self.list(page, key);
    }

    /// The todo list in a document: each change of it is an entry.
    fn list(&mut self, page: &mut Page, key: &str) {
        let doc = self.docs.entry(key);
        let Some(list) = doc.value.as_ref().and_then(|value| value.get("todos")).filter(|list| list.is_array()) else { return };
        let (json, old) = (list.to_string(), doc.list);
        doc.list = Hash64::of(json.as_bytes());
        if doc.list == old {
            return;
        }
        let raws: Vec<&RawValue> = serde_json::from_str(&json).unwrap_or_default();
        let items = todo::items(raws);
        if items.iter().all(|item| item.status == TodoStatus::Pending && item.text.is_empty()) {
            return;
        }
        self.lists += 1;
        let (who, keys) = (page.scribe.who.clone(), vec![format!("{key}:list:{}", self.lists)]);
        page.scribe.entry_op(Op::Entry { who, keys, body: Body::Todos { items, call: None }, state: EntryState::Done, images: Vec::new() });
    }
}

fn title(kind: &str) -> &str {
    if kind.is_empty() { "Activity" } else { kind }
}

fn entry(page: &mut Page, key: &str, notice: &str, title: &str, detail: String) {
    let body = Body::Notice(Notice { notice: notice.into(), text: title.into(), detail: Some(detail.into()) });
    let (who, keys) = (page.scribe.who.clone(), vec![key.to_owned()]);
    page.scribe.entry_op(Op::Entry { who, keys, body, state: EntryState::Done, images: Vec::new() });
}
