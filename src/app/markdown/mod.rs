//! Markdown of a transcript: parsed to nodes of our own, drawn by views, in server and browser alike.

mod append;
mod code;
mod colours;
mod doc;
mod heal;
mod held;
mod link;
mod node;
mod parse;
mod plain;
#[cfg(feature = "hydrate")]
mod selection;
#[cfg(test)]
mod tests;
mod view;

pub use doc::Doc;
pub use plain::plain;
pub use view::{CopyButton, Markdown, copy_button};
