//! Todo lists in their many spellings.

use serde_json::value::RawValue;

use super::json::{Object, string};
use crate::model::{Todo, TodoStatus};

/// The items of a list that is an array of items.
pub fn items(raws: Vec<&RawValue>) -> Vec<Todo> {
    raws.into_iter().filter_map(item).collect()
}

fn item(raw: &RawValue) -> Option<Todo> {
    if let Some(text) = string(raw) {
        return Some(Todo { text: text.into_owned(), status: TodoStatus::Pending });
    }
    let item = Object::of(raw)?;
    let text = ["content", "text", "step", "title", "description", "name"].iter().find_map(|name| item.word(name))?;
    let done = ["completed", "done"].iter().any(|name| item.flag(name));
    let status = match &*item.text("status").unwrap_or_default() {
        _ if done => TodoStatus::Completed,
        "in_progress" | "inProgress" | "in-progress" | "running" => TodoStatus::InProgress,
        "completed" | "complete" | "done" => TodoStatus::Completed,
        "cancelled" | "canceled" => TodoStatus::Cancelled,
        _ => TodoStatus::Pending,
    };
    Some(Todo { text: text.into_owned(), status })
}

/// The list that a call of this name writes.
pub fn written(name: &str, input: &Object<'_>) -> Option<Vec<Todo>> {
    let field = match name.rsplit(['.', '/', ':']).next()?.to_ascii_lowercase().as_str() {
        "todowrite" | "write_todos" | "todo_write" => "todos",
        "update_plan" => "plan",
        _ => return None,
    };
    input.raw(field).filter(|raw| raw.get().starts_with('[')).map(|_| items(input.array(field)))
}
