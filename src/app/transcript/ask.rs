//! Questions, todo lists and notices.

use leptos::prelude::*;

use super::about::About;
use super::part::{Cap, LongText, Pick};
use super::said::text_of;
use super::scene::Scene;
use super::words::middle;
use crate::app::clean;
use crate::app::icon::{Icon, icon};
use crate::app::live::{live, words};
use crate::app::mirror::Item;
use crate::model::{Ask, AskState, Body, Entry, Todo, TodoStatus};

const ANSWER: Pick = |entry| match &entry.body {
    Body::Ask(ask) => ask.answer.as_ref(),
    _ => None,
};
const DETAIL: Pick = |entry| match &entry.body {
    Body::Notice(notice) => notice.detail.as_ref(),
    _ => None,
};

/// A question, and what became of it. It is shown, not answered, here.
#[component]
pub fn AskView(scene: Scene, item: Item) -> impl IntoView {
    let seq = item.seq;
    let (entry, row) = (item.entry.clone(), item.entry.clone());
    let about = scene.clone();
    let ask = Memo::new(move |_| {
        entry.with(|entry| match &entry.body {
            Body::Ask(ask) => ask.as_ref().clone(),
            _ => Ask::default(),
        })
    });
    let open = Memo::new(move |_| ask.with(|ask| ask.ask_state == AskState::Open));
    let options = move || {
        let options: Vec<_> =
            ask.with(|ask| ask.fields.iter().chain(&ask.options).map(|option| view! { <li>{clean(option).into_owned()}</li> }).collect());
        (!options.is_empty()).then(|| view! { <ul>{options}</ul> })
    };
    let answer = row.clone();
    view! {
        <section class="ask" class:open=open data-seq=seq data-kind="ask" aria-label="Question">
            <div class="head">{icon(Icon::Ask)}<b>{words(move || ask.with(|ask| ask_word(&ask.ask)))}</b><span class="t">{words(move || ask.with(|ask| state_word(ask.ask_state)))}</span></div>
            <LongText scene=scene.clone() entry=row pick=text_of cap=Cap::Step />
            {options}
            {live(move || ask.with(|ask| ask.answer.is_some()).then(|| view! {
                <div class="answer"><h4>"Answer"</h4><LongText scene=scene.clone() entry=answer.clone() pick=ANSWER cap=Cap::Step /></div>
            }))}
            <About scene=about item=item />
        </section>
    }
    .into_any()
}

fn ask_word(ask: &str) -> String {
    match ask {
        "permission" => "Asks for permission".into(),
        "question" => "Asks a question".into(),
        "form" => "Asks to fill in a form".into(),
        "plan" => "Asks to approve a plan".into(),
        other => format!("Asks: {}", middle(&clean(other), 40)),
    }
}

fn state_word(state: AskState) -> &'static str {
    match state {
        AskState::Open => "open",
        AskState::Answered => "answered",
        AskState::Denied => "denied",
        AskState::Withdrawn => "withdrawn",
    }
}

/// A todo list as it stood after one change: how far it has come and what is being done, the items behind it.
#[component]
pub fn TodosView(scene: Scene, item: Item) -> impl IntoView {
    let seq = item.seq;
    let entry = item.entry.clone();
    let items = Memo::new(move |_| entry.with(todos));
    let done = move || items.with(|items| items.iter().filter(|todo| todo.status == TodoStatus::Completed).count());
    let now = move || {
        items.with(|items| items.iter().find(|todo| todo.status == TodoStatus::InProgress).map(|todo| clean(&todo.text).into_owned()))
    };
    view! {
        <div class="step" data-seq=seq data-kind="todos">
            <details>
                <summary class="line">
                    {icon(Icon::List)}
                    <b>"To do"</b>
                    <span class="num">{words(move || format!("{} of {}", done(), items.with(Vec::len)))}</span>
                    <span class="now">{now}</span>
                </summary>
                <ul class="items">
                    {live(move || items.with(|items| items.iter().map(|todo| {
                        let (class, word) = match todo.status {
                            TodoStatus::Pending => ("todo", "To do: "),
                            TodoStatus::InProgress => ("todo now", "Now: "),
                            TodoStatus::Completed => ("todo done", "Done: "),
                            TodoStatus::Cancelled => ("todo off", "Cancelled: "),
                        };
                        view! { <li class=class><i aria-hidden="true"></i><span><span class="seen-not">{word}</span>{clean(&todo.text).into_owned()}</span></li> }
                    }).collect_view()))}
                </ul>
                <About scene=scene item=item />
            </details>
        </div>
    }
    .into_any()
}

fn todos(entry: &Entry) -> Vec<Todo> {
    match &entry.body {
        Body::Todos { items, .. } => items.clone(),
        _ => Vec::new(),
    }
}

/// Something that the source or we have to say.
#[component]
pub fn NoticeView(scene: Scene, item: Item) -> impl IntoView {
    let seq = item.seq;
    let (entry, row) = (item.entry.clone(), item.entry.clone());
    let about = scene.clone();
    let notice = Memo::new(move |_| {
        entry.with(|entry| match &entry.body {
            Body::Notice(notice) => (notice.notice.clone(), clean(&notice.text.text).into_owned(), notice.detail.is_some()),
            _ => Default::default(),
        })
    });
    let loud = move || notice.with(|(kind, ..)| matches!(kind.as_str(), "error" | "limit"));
    view! {
        <div class="notice" class:loud=loud data-seq=seq data-kind="notice">
            {icon(Icon::Note)}
            <div class="words">
                <span class="plain" dir="auto">{words(move || notice.with(|(kind, text, _)| if text.trim().is_empty() { notice_word(kind) } else { text.clone() }))}</span>
                {live(move || notice.with(|(.., detail)| *detail).then(|| view! {
                    <details><summary>"Detail"</summary><LongText scene=scene.clone() entry=row.clone() pick=DETAIL cap=Cap::Step /></details>
                }))}
            </div>
            <About scene=about item=item />
        </div>
    }
    .into_any()
}

fn notice_word(kind: &str) -> String {
    match kind {
        "error" => "An error".into(),
        "limit" => "A limit was met".into(),
        "compaction" => "The context was compacted".into(),
        "cancelled" => "Cancelled".into(),
        "opaque" => "A line that could not be read".into(),
        other => middle(&clean(other), 60),
    }
}
