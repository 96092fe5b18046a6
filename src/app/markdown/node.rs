//! A Markdown text as nodes: what our views draw, and nothing else.
//!
//! Invariant: there is no node for HTML and none that loads anything; the depth is bounded by the parser.

/// A block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Block {
    Paragraph(Vec<Inline>),
    Heading(u8, Vec<Inline>),
    /// `language` is the first word behind the fence, or empty.
    Code {
        language: String,
        text: String,
    },
    Quote(Vec<Block>),
    List {
        /// The first number of an ordered list.
        start: Option<u64>,
        items: Vec<Item>,
    },
    Table {
        head: Vec<Cell>,
        rows: Vec<Vec<Cell>>,
    },
    Rule,
    /// What a mark in a text points to.
    Footnote {
        label: String,
        blocks: Vec<Block>,
    },
}

/// An item of a list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Item {
    /// Whether it is checked, where it has a box.
    pub task: Option<bool>,
    pub blocks: Vec<Block>,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    pub align: Align,
    pub text: Vec<Inline>,
}

/// How a cell is aligned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Align {
    #[default]
    Start,
    Center,
    End,
}

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Inline {
    Text(String),
    Code(String),
    Strong(Vec<Inline>),
    Emphasis(Vec<Inline>),
    Strike(Vec<Inline>),
    /// A link that may be followed.
    Link {
        href: String,
        /// Where it leads, if its text does not say so.
        host: Option<String>,
        text: Vec<Inline>,
    },
    /// A link whose address must not or cannot be followed: shown as it is.
    Address {
        text: Vec<Inline>,
        address: String,
    },
    /// An image: its description and address. It is never loaded.
    Image {
        alt: String,
        address: String,
    },
    /// A mark that points to a footnote.
    Note(String),
    /// A character that turns the reading order, by its number: it is shown and does nothing.
    Turn(u32),
    Break,
}
