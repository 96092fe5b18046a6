//! Whether a file is a transcript of Claude Code, and whose.

use crate::dialect::Head;
use crate::dialect::json::Object;

/// How sure the first lines make it, torn ones as well: ids in the camel case of files are certain, a type with a message is likely.
pub fn recognise(head: &Head<'_>) -> u8 {
    let best = |objects: &[Object<'_>]| objects.iter().map(record).max().unwrap_or(0);
    best(head.objects()).max(best(head.torn()))
}

fn record(object: &Object<'_>) -> u8 {
    let kind = object.word("type").unwrap_or_default();
    let ids = ["sessionId", "parentUuid", "isSidechain", "agentId", "leafUuid"].iter().any(|name| object.raw(name).is_some());
    match &*kind {
        _ if object.raw("session_id").is_some() => 0,
        "" if ids && object.raw("message").is_some() => 70,
        "" => 0,
        _ if ids => 95,
        "user" | "assistant" if object.raw("message").is_some() => 80,
        "summary" if object.raw("summary").is_some() => 80,
        "system" | "attachment" if object.raw("uuid").is_some() => 60,
        "progress" if object.object("data").is_some_and(|data| data.raw("type").is_some()) => 60,
        "custom-title" | "ai-title" | "agent-name" | "file-history-snapshot" | "queue-operation" | "permission-mode" => 50,
        "started" | "result" if object.raw("key").is_some() => 50,
        _ => 0,
    }
}

/// The session that a line says it belongs to.
pub fn session_of(record: &[u8]) -> Option<String> {
    let object = std::str::from_utf8(record).ok().and_then(Object::parse)?;
    object.word("sessionId").map(Into::into)
}
