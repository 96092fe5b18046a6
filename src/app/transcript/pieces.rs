//! Entries of a chunk in pieces: each by itself, but starts of agents that follow one another as one group, and many lines that no rule
//! knows, or many files that were read, behind one line.
//!
//! Invariant: pieces depend on the entries alone, so a page that saw them come folds as one that is loaded; a fold in which a person has
//! opened something is open.

use std::collections::BTreeMap;

use leptos::prelude::*;

use super::breaks::{Break, drawn};
use super::entry::EntryView;
use super::scene::{Scene, of_tool};
use super::starts::Starts;
use crate::app::icon::{Icon, icon};
use crate::app::live::{stage, words};
use crate::app::mirror::{Chunk, Item, Kin};
use crate::app::numbers::count;

/// So many unknown lines in a row are folded, and so many finished reads.
const MANY: usize = 3;
const READS: usize = 4;

/// How a piece is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    Single,
    Starts,
    Unknown,
    Reads,
}

/// A single entry, or a run of entries that stand together.
#[derive(Clone, PartialEq)]
struct Piece {
    form: Form,
    items: Vec<Item>,
}

/// What a chunk shows, in its order: what stands between entries, and the entries.
#[derive(Clone, PartialEq)]
enum Row {
    Break(u32, Break),
    Piece(Piece),
}

/// What a row is kept by: a break by what it says, since it is drawn anew where that changes.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Break(u32, Break),
    Piece(u32, Form),
}

impl Piece {
    fn seq(&self) -> u32 {
        self.items.first().map_or(0, |item| item.seq)
    }
}

impl Row {
    fn key(&self) -> Key {
        match self {
            Self::Break(seq, found) => Key::Break(*seq, found.clone()),
            Self::Piece(piece) => Key::Piece(piece.seq(), piece.form),
        }
    }
}

/// The pieces of these entries, with the breaks where they stand; one within a group is not shown.
fn rows(items: &[Item], breaks: &BTreeMap<u32, Break>) -> Vec<Row> {
    let with_break = |piece: Piece| {
        let seq = piece.seq();
        breaks.get(&seq).map(|found| Row::Break(seq, found.clone())).into_iter().chain([Row::Piece(piece)])
    };
    pieces(items).into_iter().flat_map(with_break).collect()
}

/// The pieces of these entries; tracks what they are grouped by.
fn pieces(items: &[Item]) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    for item in items {
        let form = match item.kin.get() {
            Kin::None => Form::Single,
            Kin::Start(_) => Form::Starts,
            Kin::Opaque => Form::Unknown,
            Kin::Read => Form::Reads,
        };
        match out.last_mut() {
            Some(run) if form != Form::Single && run.form == form => run.items.push(item.clone()),
            _ => out.push(Piece { form, items: vec![item.clone()] }),
        }
    }
    let few = |piece: &Piece| match piece.form {
        Form::Unknown => piece.items.len() < MANY,
        Form::Reads => piece.items.len() < READS,
        Form::Single | Form::Starts => false,
    };
    let single = |item| Piece { form: Form::Single, items: vec![item] };
    out.into_iter().flat_map(|piece| if few(&piece) { piece.items.into_iter().map(single).collect() } else { vec![piece] }).collect()
}

/// A chunk of a transcript.
#[component]
pub fn ChunkView(scene: Scene, chunk: Chunk, breaks: Memo<BTreeMap<u32, Break>>) -> impl IntoView {
    let all = Memo::new(move |_| chunk.items.with(|items| breaks.with(|breaks| rows(items, breaks))));
    let row = move |row: Row| {
        let (key, piece) = match row {
            Row::Break(_, found) => return drawn(&found),
            Row::Piece(piece) => (Key::Piece(piece.seq(), piece.form), piece),
        };
        let scene = scene.clone();
        let members = || {
            let of = move |row: &Row| match row {
                Row::Piece(piece) if row.key() == key => Some(piece.items.clone()),
                Row::Piece(_) | Row::Break(..) => None,
            };
            Memo::new(move |_| all.with(|all| all.iter().find_map(&of).unwrap_or_default()))
        };
        match (piece.form, piece.items.into_iter().next()) {
            (Form::Single, Some(item)) => view! { <EntryView scene=scene item=item /> }.into_any(),
            (form @ (Form::Unknown | Form::Reads), _) => view! { <Fold scene=scene form=form items=members() /> }.into_any(),
            _ => view! { <Starts scene=scene items=members() /> }.into_any(),
        }
    };
    view! {
        <div class="chunk">{stage(move || view! { <For each=move || all.get() key=Row::key children=row /> })}</div>
    }
    .into_any()
}

/// Entries of one kind behind one line: lines that no rule knows, files that were read.
#[component]
fn Fold(scene: Scene, form: Form, items: Memo<Vec<Item>>) -> impl IntoView {
    let each = move |item: Item| view! { <EntryView scene=scene.clone() item=item /> };
    let open = items.with_untracked(|items| items.iter().any(|item| item.opened.get_untracked()));
    let title =
        move || items.with(|items| if form == Form::Reads { read(items) } else { format!("{} lines that could not be read", items.len()) });
    view! {
        <details class="fold" class:reads=(form == Form::Reads) open=open>
            <summary>{(form == Form::Reads).then(|| icon(Icon::File))}<span>{words(title)}</span></summary>
            <For each=move || items.get() key=|item| item.seq children=each />
        </details>
    }
    .into_any()
}

/// "Read 6 files", or fewer files in so many steps.
fn read(items: &[Item]) -> String {
    let title =
        |item: &Item| of_tool(&item.entry, |_, tool| tool.title.rsplit_once(':').map_or(tool.title.as_str(), |(path, _)| path).to_owned());
    let files: std::collections::BTreeSet<String> = items.iter().map(title).collect();
    let said = format!("Read {}", count(files.len() as u64, "file"));
    if files.len() == items.len() { said } else { format!("{said} in {} steps", items.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::mirror::Window;
    use crate::model::{Body, EntriesPage, Entry, Notice, Tool};

    fn entry(seq: u32, child: Option<u32>) -> Entry {
        let body = Body::Tool(Box::new(Tool { child, ..Tool::default() }));
        Entry::finished(0, seq, body)
    }

    #[test]
    fn neighbours_that_started_agents_are_one_group() {
        let entries = [None, Some(1), Some(2), None, Some(3)].into_iter().zip(1..).map(|(child, seq)| entry(seq, child)).collect();
        assert_eq!(seqs(entries), [vec![1], vec![2, 3], vec![4], vec![5]]);
    }

    #[test]
    fn many_unknown_lines_are_one_piece_and_few_are_not() {
        let opaque = |seq| Entry::finished(0, seq, Body::Notice(Notice { notice: "opaque".into(), ..Notice::default() }));
        let entries = vec![opaque(1), opaque(2), entry(3, None), opaque(4), opaque(5), opaque(6), entry(7, Some(1)), opaque(8)];
        assert_eq!(seqs(entries), [vec![1], vec![2], vec![3], vec![4, 5, 6], vec![7], vec![8]]);
    }

    #[test]
    fn four_finished_reads_are_one_piece_and_keep_their_order() {
        let read = |seq| {
            Entry::finished(
                0,
                seq,
                Body::Tool(Box::new(Tool { name: "Read".into(), title: format!("Read a{seq}.rs:1–2"), ..Tool::default() })),
            )
        };
        let mut running = read(5);
        running.state = crate::model::EntryState::Open;
        assert_eq!(seqs((1..5).map(read).chain([running, read(6)]).collect()), [vec![1, 2, 3, 4], vec![5], vec![6]]);
        assert_eq!(seqs((1..4).map(read).collect()), [vec![1], vec![2], vec![3]]);
    }

    fn seqs(entries: Vec<Entry>) -> Vec<Vec<u32>> {
        let window = Window::new(EntriesPage { agent: 0, entries, more_before: false, more_after: false, rev: 1 });
        let items = window.chunks.get_untracked().into_iter().flat_map(|chunk| chunk.items.get_untracked()).collect::<Vec<_>>();
        pieces(&items).iter().map(|piece| piece.items.iter().map(|item| item.seq).collect()).collect()
    }
}
