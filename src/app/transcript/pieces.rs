//! Entries of a chunk in pieces: each by itself, but starts of agents that follow one another as one group.

use leptos::prelude::*;

use super::entry::EntryView;
use super::scene::Scene;
use super::starts::Starts;
use crate::app::mirror::{Chunk, Item};

/// A single entry, or a run of entries that started agents.
#[derive(Clone, PartialEq)]
pub struct Piece {
    pub starts: bool,
    pub items: Vec<Item>,
}

impl Piece {
    fn key(&self) -> (u32, bool) {
        (self.items.first().map_or(0, |item| item.seq), self.starts)
    }
}

/// The pieces of these entries; tracks which of them started an agent.
fn pieces(items: &[Item]) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    for item in items {
        let starts = item.child.get().is_some();
        match out.last_mut() {
            Some(run) if starts && run.starts => run.items.push(item.clone()),
            _ => out.push(Piece { starts, items: vec![item.clone()] }),
        }
    }
    out
}

/// A chunk of a transcript.
#[component]
pub fn ChunkView(scene: Scene, chunk: Chunk) -> impl IntoView {
    let all = Memo::new(move |_| chunk.items.with(|items| pieces(items)));
    let piece = move |piece: Piece| {
        let scene = scene.clone();
        let key = piece.key();
        match piece.items.into_iter().next() {
            Some(item) if !piece.starts => view! { <EntryView scene=scene item=item /> }.into_any(),
            _ => {
                let members =
                    Memo::new(move |_| all.with(|all| all.iter().find(|p| p.key() == key).map(|p| p.items.clone()).unwrap_or_default()));
                view! { <Starts scene=scene items=members /> }.into_any()
            }
        }
    };
    view! {
        <div class="chunk">
            <For each=move || all.get() key=Piece::key children=piece />
        </div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::mirror::Window;
    use crate::model::{Body, EntriesPage, Entry, Tool};

    fn entry(seq: u32, child: Option<u32>) -> Entry {
        let body = Body::Tool(Box::new(Tool { child, ..Tool::default() }));
        Entry::finished(0, seq, body)
    }

    #[test]
    fn neighbours_that_started_agents_are_one_group() {
        let entries = [None, Some(1), Some(2), None, Some(3)].into_iter().zip(1..).map(|(child, seq)| entry(seq, child)).collect();
        let window = Window::new(EntriesPage { agent: 0, entries, more_before: false, more_after: false, rev: 1 });
        let items = window.chunks.get_untracked().into_iter().flat_map(|chunk| chunk.items.get_untracked()).collect::<Vec<_>>();
        let seqs: Vec<Vec<u32>> = pieces(&items).iter().map(|piece| piece.items.iter().map(|item| item.seq).collect()).collect();
        assert_eq!(seqs, [vec![1], vec![2, 3], vec![4], vec![5]]);
    }
}
