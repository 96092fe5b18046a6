//! Colours of code, asked of the server: those of one moment in one call, and each text once.

#[cfg(not(feature = "hydrate"))]
use leptos::prelude::RwSignal;

use crate::app::detail::Span;

/// The lines of a text, in spans.
pub type Lines = Vec<Vec<Span>>;

/// Gives `to` the colours of a text, at once where they are known. On the server it does nothing.
#[cfg(not(feature = "hydrate"))]
pub fn ask(_: &str, _: &str, _: RwSignal<Option<Lines>>) {}

#[cfg(feature = "hydrate")]
pub use browser::ask;

#[cfg(feature = "hydrate")]
mod browser {
    use std::cell::RefCell;
    use std::collections::HashMap;
    use std::time::Duration;

    use leptos::prelude::*;
    use leptos::task::spawn_local;

    use super::Lines;
    use crate::app::calls;

    type Snippet = (String, String);

    /// How many texts one call carries, and how many are kept.
    const CALL: usize = 24;
    const KEPT: usize = 200;

    #[derive(Default)]
    struct Desk {
        known: HashMap<Snippet, Lines>,
        waiting: Vec<(Snippet, RwSignal<Option<Lines>>)>,
    }

    thread_local! {
        static DESK: RefCell<Desk> = RefCell::default();
    }

    pub fn ask(language: &str, text: &str, to: RwSignal<Option<Lines>>) {
        let snippet = (language.to_owned(), text.to_owned());
        let known = DESK.with_borrow(|desk| desk.known.get(&snippet).cloned());
        if known.is_some() {
            return to.set(known);
        }
        let first = DESK.with_borrow_mut(|desk| {
            desk.waiting.push((snippet, to));
            desk.waiting.len() == 1
        });
        if first {
            set_timeout(|| spawn_local(send()), Duration::from_millis(30));
        }
    }

    async fn send() {
        let mut waiting = DESK.with_borrow_mut(|desk| std::mem::take(&mut desk.waiting));
        while !waiting.is_empty() {
            let now: Vec<_> = waiting.drain(..waiting.len().min(CALL)).collect();
            let snippets = now.iter().map(|(snippet, _)| snippet.clone()).collect();
            // Without an answer the text stays as it is.
            let Ok(lines) = calls::highlight(snippets).await else { return };
            for ((snippet, to), lines) in now.into_iter().zip(lines) {
                let _ = to.try_set(Some(lines.clone()));
                DESK.with_borrow_mut(|desk| {
                    if desk.known.len() >= KEPT {
                        desk.known.clear();
                    }
                    desk.known.insert(snippet, lines);
                });
            }
        }
    }
}
