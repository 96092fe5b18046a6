//! One entry, by its kind.

use leptos::prelude::*;

use super::ask::{AskView, NoticeView, TodosView};
use super::reasoning::Reasoning;
use super::said::{Said, Turn};
use super::scene::Scene;
use super::step::Step;
use crate::app::mirror::Item;
use crate::model::EntryState;

/// An entry. What the source took back is folded.
#[component]
pub fn EntryView(scene: Scene, item: Item) -> impl IntoView {
    let entry = item.entry.clone();
    let kind = Memo::new(move |_| entry.with(|entry| (entry.body.kind(), entry.state == EntryState::Withdrawn)));
    move || {
        let (kind, withdrawn) = kind.get();
        let body = body(kind, scene.clone(), item.clone());
        if withdrawn {
            view! {
                <details class="withdrawn">
                    <summary>{format!("Taken back: {}", noun(kind))}</summary>
                    {body}
                </details>
            }
            .into_any()
        } else {
            body
        }
    }
}

fn body(kind: &str, scene: Scene, item: Item) -> AnyView {
    match kind {
        "user" => view! { <Turn scene=scene item=item /> }.into_any(),
        "text" => view! { <Said scene=scene item=item /> }.into_any(),
        "reasoning" => view! { <Reasoning scene=scene item=item /> }.into_any(),
        "tool" => view! { <Step scene=scene item=item /> }.into_any(),
        "ask" => view! { <AskView scene=scene item=item /> }.into_any(),
        "todos" => view! { <TodosView scene=scene item=item /> }.into_any(),
        _ => view! { <NoticeView scene=scene item=item /> }.into_any(),
    }
}

fn noun(kind: &str) -> &'static str {
    match kind {
        "user" => "a turn",
        "text" => "an answer",
        "reasoning" => "a thought",
        "tool" => "a step",
        "ask" => "a question",
        "todos" => "a list",
        _ => "a notice",
    }
}
