//! Outputs too large for a transcript: the result shows their beginning and names the file that holds the whole.
//!
//! Decision: of the path only the file's name is taken. Whoever reads it looks for it beside the transcript, so a hostile path leads
//! nowhere, and a folder that was moved is found again.

use crate::dialect::json::Object;

/// What the result's text says before the path.
const WORDS: [&str; 2] = ["Full output saved to: ", "Output has been saved to "];

/// The name of the file that holds the whole of a result's text.
pub fn file(text: &str, details: Option<&Object<'_>>) -> Option<String> {
    let told = details.and_then(|details| details.word("persistedOutputPath"));
    let said = || {
        let start = text.get(..text.floor_char_boundary(1_024))?;
        let path = WORDS.iter().find_map(|words| start.split_once(words)).map(|(_, rest)| rest)?;
        path.lines().next().map(|path| path.trim_end_matches(['.', '<', ' ']))
    };
    let path = told.as_deref().or_else(said)?;
    let name = path.rsplit(['/', '\\']).next()?;
    let plain = !name.is_empty() && !name.starts_with('.') && path.len() > name.len() && name.len() < 256;
    (plain && path.contains("tool-results")).then(|| name.to_owned())
}
