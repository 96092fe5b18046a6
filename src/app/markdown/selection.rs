//! What a person has selected in a text that grows: it stays selected, though the nodes that it was selected in are made anew.
//!
//! Decision: ends are kept as counts of characters from the text's beginning, since a growing text changes at its end alone.

use leptos::html::ElementType;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Node, Selection};

use crate::app::dom;

/// One end of a selection.
enum End {
    /// In the text: so many UTF-16 units from its beginning, and whether a node begins there rather than ends.
    Inside(u32, bool),
    /// Elsewhere on the page.
    Outside(Node, u32),
}

impl End {
    fn of(root: &Node, node: Node, at: u32) -> Self {
        if root.contains(Some(&node)) { Self::Inside(before(root, &node, at), at == 0) } else { Self::Outside(node, at) }
    }

    fn found(self, root: &Node) -> Option<(Node, u32)> {
        match self {
            Self::Outside(node, at) => Some((node, at)),
            Self::Inside(at, begins) => {
                let mut rest = at;
                texts(root).into_iter().find_map(|text| {
                    let length = length(&text);
                    if rest < length || (rest == length && !begins) {
                        return Some((text, rest));
                    }
                    rest -= length;
                    None
                })
            }
        }
    }
}

/// Called before the nodes change: whatever is selected in them is selected again before the next frame is drawn.
pub fn keep<E>(root: NodeRef<E>)
where
    E: ElementType,
    E::Output: JsCast + Clone + 'static,
{
    let Some(root) = root.get_untracked() else { return };
    let root: Node = root.unchecked_into();
    let Some(selection) = selection().filter(|selection| !selection.is_collapsed()) else { return };
    let (Some(anchor), Some(focus)) = (selection.anchor_node(), selection.focus_node()) else { return };
    if !root.contains(Some(&anchor)) && !root.contains(Some(&focus)) {
        return;
    }
    let anchor = End::of(&root, anchor, selection.anchor_offset());
    let focus = End::of(&root, focus, selection.focus_offset());
    dom::next_frame(move || {
        if let (Some(selection), Some((anchor, from)), Some((focus, to))) = (self::selection(), anchor.found(&root), focus.found(&root)) {
            let same = |node: Option<Node>, other: &Node| node.as_ref() == Some(other);
            let kept = same(selection.anchor_node(), &anchor)
                && same(selection.focus_node(), &focus)
                && (selection.anchor_offset(), selection.focus_offset()) == (from, to);
            if !kept {
                let _ = selection.set_base_and_extent(&anchor, from, &focus, to);
            }
        }
    });
}

fn selection() -> Option<Selection> {
    window().get_selection().ok().flatten()
}

/// The characters of `root` before a place in it.
fn before(root: &Node, node: &Node, at: u32) -> u32 {
    // A place in an element stands before its child of that number.
    let (stop, more) = match node.node_type() {
        Node::TEXT_NODE => (Some(node.clone()), at),
        _ => (node.child_nodes().item(at), 0),
    };
    let stop = stop.or_else(|| node.next_sibling());
    let is_behind = |text: &Node| {
        stop.as_ref().is_some_and(|stop| {
            stop == text || stop.contains(Some(text)) || text.compare_document_position(stop) & Node::DOCUMENT_POSITION_PRECEDING != 0
        })
    };
    texts(root).iter().take_while(|text| !is_behind(text)).map(length).sum::<u32>() + more
}

/// The nodes of text below a node, in order.
fn texts(root: &Node) -> Vec<Node> {
    let mut out = Vec::new();
    let mut next = root.first_child();
    while let Some(node) = next {
        if node.node_type() == Node::TEXT_NODE {
            out.push(node.clone());
        }
        let mut at = node.clone();
        next = node.first_child().or_else(|| {
            loop {
                if let Some(sibling) = at.next_sibling() {
                    return Some(sibling);
                }
                at = at.parent_node().filter(|parent| parent != root)?;
            }
        });
    }
    out
}

fn length(text: &Node) -> u32 {
    text.node_value().map_or(0, |text| text.encode_utf16().count().try_into().unwrap_or(u32::MAX))
}
