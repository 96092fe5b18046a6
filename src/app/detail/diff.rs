//! What an edit changes, line by line.

use std::time::Duration;

use serde::Deserialize;
use similar::{ChangeTag, TextDiff};

use super::code::highlight;
use super::{Row, Span, Stand};

/// Lines of the same around each change.
const AROUND: usize = 3;
/// After this the rest is told apart roughly.
const TIME: Duration = Duration::from_millis(200);

/// The words that tools use for the same thing.
#[derive(Deserialize)]
struct Args {
    #[serde(default)]
    edits: Vec<Edit>,
    #[serde(flatten)]
    only: Edit,
}

#[derive(Deserialize)]
struct Edit {
    #[serde(default, alias = "old_str", alias = "oldText", alias = "oldString")]
    old_string: Option<String>,
    #[serde(
        default,
        alias = "new_str",
        alias = "newText",
        alias = "newString",
        alias = "content",
        alias = "file_text",
        alias = "new_source"
    )]
    new_string: Option<String>,
}

/// The arguments that the comparison shows.
pub const SHOWN: &[&str] = &[
    "edits",
    "old_string",
    "old_str",
    "oldText",
    "oldString",
    "new_string",
    "new_str",
    "newText",
    "newString",
    "content",
    "file_text",
    "new_source",
];

/// What a call changes, from its arguments: nothing where they say nothing of the kind.
pub fn rows(path: &str, args: &str) -> Vec<Row> {
    let Ok(Args { edits, only }) = serde_json::from_str::<Args>(args) else { return Vec::new() };
    let mut out = Vec::new();
    for edit in std::iter::once(only).chain(edits) {
        let (old, new) = (edit.old_string.unwrap_or_default(), edit.new_string.unwrap_or_default());
        let (before, after) = (highlight(path, &old), highlight(path, &new));
        let diff = TextDiff::configure().timeout(TIME).diff_lines(&old, &new);
        for group in diff.grouped_ops(AROUND) {
            if !out.is_empty() {
                out.push(Row { stand: Stand::Gap, ..Row::default() });
            }
            for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
                let (stand, lines, at) = match change.tag() {
                    ChangeTag::Equal => (Stand::Same, &after, change.new_index()),
                    ChangeTag::Delete => (Stand::Gone, &before, change.old_index()),
                    ChangeTag::Insert => (Stand::New, &after, change.new_index()),
                };
                let text = change.value().trim_end_matches(['\n', '\r']);
                let known =
                    at.and_then(|at| lines.get(at)).filter(|spans| spans.iter().map(|span| span.text.len()).sum::<usize>() == text.len());
                out.push(Row { stand, spans: known.cloned().unwrap_or_else(|| vec![Span::new("", text)]), ..Row::default() });
            }
        }
    }
    out
}

/// The lines of a patch: those added, those removed, and its headings.
pub fn patch(text: &str) -> Option<Vec<Row>> {
    let is_patch = text.contains("*** Begin Patch") || (text.contains("\n@@ ") && text.contains("--- "));
    is_patch.then(|| {
        text.lines()
            .map(|line| {
                let heading = ["*** ", "@@", "+++ ", "--- ", "diff "].iter().any(|mark| line.starts_with(mark));
                match (heading, line.chars().next()) {
                    (true, _) => Row { spans: vec![Span::new("key", line)], ..Row::default() },
                    (_, Some('+')) => Row { stand: Stand::New, ..Row::plain(line.get(1..).unwrap_or_default()) },
                    (_, Some('-')) => Row { stand: Stand::Gone, ..Row::plain(line.get(1..).unwrap_or_default()) },
                    (_, Some(' ')) => Row::plain(line.get(1..).unwrap_or_default()),
                    _ => Row::plain(line),
                }
            })
            .collect()
    })
}

/// "2 lines added, 1 removed".
pub fn summary(rows: &[Row]) -> String {
    let number = |stand: Stand| rows.iter().filter(|row| row.stand == stand).count() as u64;
    format!("Changes: {} added, {} removed", crate::app::numbers::count(number(Stand::New), "line"), number(Stand::Gone))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(args: &str) -> Vec<String> {
        rows("a.txt", args)
            .iter()
            .map(|row| match row.stand {
                Stand::Same => format!(" {}", row.text()),
                stand => format!("{}{}", stand.look().1, row.text()),
            })
            .collect()
    }

    #[test]
    fn an_edit_is_told_line_by_line() {
        assert_eq!(
            told(r#"{"file_path":"a","old_string":"one\ntwo\nthree","new_string":"one\n2\nthree"}"#),
            [" one", "-two", "+2", " three"]
        );
        assert_eq!(told(r#"{"path":"a","content":"one\ntwo\n"}"#), ["+one", "+two"]);
        assert_eq!(told(r#"{"edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":""}]}"#), ["-a", "+b", "", "-c"]);
    }

    #[test]
    fn far_from_a_change_lines_are_left_out() {
        let text: String = (0..40).map(|n| format!("{n}\\n")).collect();
        let args = format!(
            r#"{{"old_string":"{text}","new_string":"{}"}}"#,
            text.replace("\\n5\\n", "\\nfive\\n").replace("\\n30\\n", "\\nthirty\\n")
        );
        assert_eq!(told(&args).len(), 8 + 1 + 8);
    }

    #[test]
    fn what_is_no_edit_has_no_lines() {
        for args in ["", "{", "[]", "{}", "null", r#"{"old_string":1}"#, r#"{"edits":"x"}"#, r#"{"old_string":"a","new_string":"a"}"#] {
            assert!(rows("a.rs", args).is_empty(), "{args}");
        }
    }

    #[test]
    fn a_patch_says_what_it_adds_and_removes() {
        let rows = patch("*** Begin Patch\n*** Update File: a.rs\n@@\n-old\n+new\n same\n*** End Patch").expect("a patch");
        let stands: Vec<Stand> = rows.iter().map(|row| row.stand).collect();
        assert_eq!(stands.get(3..6), Some([Stand::Gone, Stand::New, Stand::Same].as_slice()));
        assert_eq!(patch("+ nothing of the kind"), None);
    }
}
