//! The todo card: the newest list of the main agent, live.

use leptos::prelude::*;

use super::state::Cards;
use crate::app::clean;
use crate::app::mirror::Item;
use crate::model::{Body, MAIN, Todo, TodoStatus};

/// The newest list, and whether anybody is still at it; tracks.
pub fn newest(cards: Cards) -> Option<(Vec<Todo>, bool)> {
    let mirror = cards.mirror();
    let window = mirror.window(MAIN)?;
    let item = window.chunks.with(|chunks| {
        chunks.iter().rev().find_map(|chunk| {
            let is_list = |item: &&Item| item.entry.with_untracked(|entry| matches!(entry.body, Body::Todos { .. }));
            chunk.items.with(|items| items.iter().rev().find(is_list).cloned())
        })
    })?;
    let items = item.entry.with(|entry| match &entry.body {
        Body::Todos { items, .. } => items.clone(),
        _ => Vec::new(),
    });
    let live = mirror.session().with(|session| session.status.is_live());
    Some((items, live))
}

/// "3 of 7".
pub fn progress(items: &[Todo]) -> String {
    format!("{} of {}", done(items), items.len())
}

fn done(items: &[Todo]) -> usize {
    items.iter().filter(|item| item.status == TodoStatus::Completed).count()
}

/// The list with its progress. What is open when the session has ended is shown as not finished.
#[component]
pub fn TodoList(cards: Cards) -> impl IntoView {
    let list = Memo::new(move |_| newest(cards));
    move || match list.get() {
        None => view! { <div class="todo-list"><p>"No list yet."</p></div> }.into_any(),
        Some((items, live)) => {
            let (done, all) = (done(&items), items.len());
            let open = items.iter().filter(|item| matches!(item.status, TodoStatus::Pending | TodoStatus::InProgress)).count();
            let left = (!live && open > 0).then(|| view! { <p class="left">{format!("{open} not finished")}</p> });
            let items = items.into_iter().map(|item| {
                let (class, word) = match (item.status, live) {
                    (TodoStatus::Completed, _) => ("todo done", "done"),
                    (TodoStatus::Cancelled, _) => ("todo gone", "cancelled"),
                    (TodoStatus::InProgress, true) => ("todo now", "now"),
                    (TodoStatus::Pending, true) => ("todo", "open"),
                    (_, false) => ("todo left", "not finished"),
                };
                view! { <li class=class><i aria-hidden="true"></i><span>{clean(&item.text).into_owned()}<span class="seen-not">{format!(", {word}")}</span></span></li> }
            });
            view! {
                <div class="todo-list" tabindex="0">
                    <progress max=all.max(1).to_string() value=done.to_string() aria-label="Done"></progress>
                    {left}
                    <ul>{items.collect_view()}</ul>
                </div>
            }
            .into_any()
        }
    }
}
