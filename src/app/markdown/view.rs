//! Nodes drawn.

use std::sync::Arc;

use leptos::html::Div;
use leptos::prelude::*;

use super::code::Code;
use super::doc::{Doc, hash};
use super::node::{Align, Block, Cell, Inline, Item};
#[cfg(feature = "hydrate")]
use super::selection;
use crate::app::icon::{Icon, icon};
use crate::app::live::{live, words};
use crate::app::{TURN, dom};

/// A Markdown text; `text` gives it with whether more is to come.
#[component]
pub fn Markdown(text: impl Fn() -> (String, bool) + Send + Sync + 'static) -> impl IntoView {
    let root = NodeRef::<Div>::new();
    let doc = Memo::new_owning(move |before: Option<Doc>| {
        let (text, open) = text();
        #[cfg(feature = "hydrate")]
        if before.is_some() {
            selection::keep(root);
        }
        Doc::next(before, &text, open)
    });
    view! {
        <div class="md" dir="auto" node_ref=root>
            <For each=move || 0..doc.with(|doc| doc.done.len()) key=|n| *n children=move |n| chunk(doc, n) />
            <For each=move || doc.with(open_blocks) key=|key| *key children=move |(n, _)| open_block(doc, n) />
        </div>
    }
    .into_any()
}

/// A chunk of finished blocks.
fn chunk(doc: Memo<Doc>, n: usize) -> AnyView {
    let blocks = Memo::new(move |_| doc.with(|doc| doc.done.get(n).cloned()).unwrap_or_default());
    view! { <For each=move || blocks.with(|blocks| blocks.to_vec()) key=|keyed| keyed.key children=|keyed| draw(&keyed.block, true) /> }
        .into_any()
}

/// The blocks of the tail: their numbers, and what of them makes a block another one.
fn open_blocks(doc: &Doc) -> Vec<(usize, u64)> {
    let kind = |block: &Block| match block {
        Block::Code { language, .. } => hash((1, language)),
        Block::List { start, .. } => hash((2, start)),
        _ => 0,
    };
    (doc.finished()..).zip(doc.tail.iter().map(|block| kind(block))).collect()
}

/// A block that still grows: what of it stays the same stays the same node, as far as a person could hold on to it.
fn open_block(doc: Memo<Doc>, n: usize) -> AnyView {
    let block = Memo::new(move |_| doc.with(|doc| doc.tail.get(n.checked_sub(doc.finished())?).cloned()));
    match block.get_untracked().as_deref() {
        Some(Block::Code { language, .. }) => {
            let text = Signal::derive(move || match block.get().as_deref() {
                Some(Block::Code { text, .. }) => text.clone(),
                _ => String::new(),
            });
            view! { <Code language=language.clone() text=text settled=false /> }.into_any()
        }
        Some(Block::List { start, .. }) => {
            let items = move |block: Option<Arc<Block>>| match block.as_deref() {
                Some(Block::List { items, .. }) => items.len(),
                _ => 0,
            };
            let item = move |n: usize| {
                let item = Memo::new(move |_| match block.get().as_deref() {
                    Some(Block::List { items, .. }) => items.get(n).cloned(),
                    _ => None,
                });
                live(move || item.with(|item| item.as_ref().map(|item| list(std::slice::from_ref(item), false))))
            };
            let items = view! { <For each=move || 0..items(block.get()) key=|n| *n children=item /> }.into_any();
            listed(*start, items)
        }
        _ => live(move || block.with(|block| block.as_ref().map(|block| draw(block, false)))).into_any(),
    }
}

/// A list around its items.
fn listed(start: Option<u64>, items: AnyView) -> AnyView {
    match start {
        Some(start) => view! { <ol start=(start != 1).then(|| start.to_string())>{items}</ol> }.into_any(),
        None => view! { <ul>{items}</ul> }.into_any(),
    }
}

/// A block; `settled` once nothing of it can change any more.
fn draw(block: &Block, settled: bool) -> AnyView {
    match block {
        Block::Paragraph(text) => view! { <p>{inlines(text)}</p> }.into_any(),
        Block::Heading(level, text) => heading(*level, text),
        Block::Code { language, text } => {
            view! { <Code language=language.clone() text=Signal::stored(text.clone()) settled=settled /> }.into_any()
        }
        Block::Quote(inner) => view! { <blockquote>{blocks(inner, settled)}</blockquote> }.into_any(),
        Block::List { start, items } => listed(*start, list(items, settled).into_any()),
        Block::Table { head, rows } => table(head, rows),
        Block::Rule => view! { <hr /> }.into_any(),
        Block::Footnote { label, blocks: inner } => {
            view! { <div class="footnote"><sup>{label.clone()}</sup><div>{blocks(inner, settled)}</div></div> }.into_any()
        }
    }
}

fn blocks(blocks: &[Block], settled: bool) -> Vec<AnyView> {
    blocks.iter().map(|block| draw(block, settled)).collect()
}

fn inlines(inlines: &[Inline]) -> Vec<AnyView> {
    inlines.iter().map(inline).collect()
}

/// A heading of a transcript stands below the page's own.
fn heading(level: u8, text: &[Inline]) -> AnyView {
    let text = inlines(text);
    match level {
        1 => view! { <h3 class="h1">{text}</h3> }.into_any(),
        2 => view! { <h3>{text}</h3> }.into_any(),
        3 => view! { <h4>{text}</h4> }.into_any(),
        4 => view! { <h5>{text}</h5> }.into_any(),
        _ => view! { <h6>{text}</h6> }.into_any(),
    }
}

fn list(items: &[Item], settled: bool) -> Vec<AnyView> {
    items
        .iter()
        .map(|item| match item.task {
            Some(done) => {
                let (class, word) = if done { ("task done", "Done: ") } else { ("task", "To do: ") };
                view! { <li class=class><span class="seen-not">{word}</span>{item_blocks(item, settled)}</li> }.into_any()
            }
            None => view! { <li>{item_blocks(item, settled)}</li> }.into_any(),
        })
        .collect()
}

/// An item of one paragraph is drawn tight.
fn item_blocks(item: &Item, settled: bool) -> Vec<AnyView> {
    match item.blocks.split_first() {
        Some((Block::Paragraph(text), rest)) => {
            let mut out = inlines(text);
            out.extend(blocks(rest, settled));
            out
        }
        _ => blocks(&item.blocks, settled),
    }
}

fn table(head: &[Cell], rows: &[Vec<Cell>]) -> AnyView {
    let class = |align: Align| match align {
        Align::Start => None,
        Align::Center => Some("center"),
        Align::End => Some("end"),
    };
    let head: Vec<_> = head.iter().map(|cell| view! { <th scope="col" class=class(cell.align)>{inlines(&cell.text)}</th> }).collect();
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            let cells: Vec<_> = row.iter().map(|cell| view! { <td class=class(cell.align)>{inlines(&cell.text)}</td> }).collect();
            view! { <tr>{cells}</tr> }
        })
        .collect();
    view! {
        <div class="wide" tabindex="0" role="group" aria-label="Table">
            <table>
                <thead><tr>{head}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn inline(inline: &Inline) -> AnyView {
    match inline {
        Inline::Text(text) => text.clone().into_any(),
        Inline::Code(text) => view! { <code>{text.clone()}</code> }.into_any(),
        Inline::Strong(inner) => view! { <strong>{inlines(inner)}</strong> }.into_any(),
        Inline::Emphasis(inner) => view! { <em>{inlines(inner)}</em> }.into_any(),
        Inline::Strike(inner) => view! { <s>{inlines(inner)}</s> }.into_any(),
        Inline::Link { href, host, text } => {
            let host = host.clone().map(|host| view! { <span class="host">{format!(" ({host})")}</span> });
            view! {
                <a href=href.clone() rel="noopener noreferrer nofollow external" target="_blank">{inlines(text)}{host}</a>
            }
            .into_any()
        }
        Inline::Address { text, address } => view! { <span class="address" title=address.clone()>{inlines(text)}</span> }.into_any(),
        Inline::Image { alt, address } => {
            view! { <span class="picture">{format!("Image: {alt} ")}<span class="host">{format!("({address})")}</span></span> }.into_any()
        }
        Inline::Note(label) => view! { <sup>{label.clone()}</sup> }.into_any(),
        Inline::Turn(code) => view! { <span class="turned" title=format!("A mark that turns the reading order (U+{code:04X}) stood here")>{TURN.to_string()}</span> }.into_any(),
        Inline::Break => view! { <br /> }.into_any(),
    }
}

/// A button that copies a text and says so.
#[component]
pub fn CopyButton(text: impl Fn() -> String + 'static, label: &'static str) -> impl IntoView {
    copy_button(label, move |done| {
        dom::copy(&text());
        done.set(true);
    })
}

/// A button that copies; `copy` is told where to say that it is done.
pub fn copy_button(label: &'static str, copy: impl Fn(RwSignal<bool>) + 'static) -> AnyView {
    let copied = RwSignal::new(false);
    Effect::new(move |_| {
        if copied.get() {
            set_timeout(move || _ = copied.try_set(false), std::time::Duration::from_millis(1_500));
        }
    });
    view! {
        <button type="button" class="copy" aria-label=move || if copied.get() { "Copied" } else { label } title=label on:click=move |_| copy(copied)>
            {icon(Icon::Copy)}
            <span aria-hidden="true">{words(move || if copied.get() { "Copied" } else { "" })}</span>
        </button>
    }
    .into_any()
}
