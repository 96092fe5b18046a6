//! What an edit changes, line by line.
//!
//! Decision: the server compares, since the browser would have to load the library for it; the browser is given lines to draw.

use serde::{Deserialize, Serialize};

/// How a line stands to the edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stand {
    Same,
    Gone,
    New,
    /// Lines that are the same are left out here, or another edit begins.
    Gap,
}

/// A line of a comparison, without its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffLine {
    pub stand: Stand,
    pub text: String,
}

impl Stand {
    /// The mark before the line, and what a screen reader says.
    pub fn mark(self) -> (&'static str, &'static str) {
        match self {
            Self::Same => (" ", ""),
            Self::Gone => ("-", "removed: "),
            Self::New => ("+", "added: "),
            Self::Gap => ("", ""),
        }
    }

    /// Its class.
    pub fn class(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Gone => "gone",
            Self::New => "new",
            Self::Gap => "gap",
        }
    }
}

/// True for a tool whose arguments say what it changes in a text.
pub fn is_edit(name: &str) -> bool {
    matches!(
        name,
        "Edit" | "MultiEdit" | "Write" | "str_replace" | "str_replace_editor" | "edit_file" | "write_file" | "replace" | "NotebookEdit"
    )
}

#[cfg(feature = "ssr")]
pub use server::lines;

#[cfg(feature = "ssr")]
mod server {
    use std::time::Duration;

    use serde::Deserialize;
    use similar::{ChangeTag, TextDiff};

    use super::{DiffLine, Stand};

    /// Lines of the same around each change.
    const AROUND: usize = 3;
    /// How many lines are drawn.
    const MOST: usize = 2_000;
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

    /// What a call changes, from its arguments: nothing where they say nothing of the kind.
    pub fn lines(args: &str) -> Vec<DiffLine> {
        let Ok(Args { edits, only }) = serde_json::from_str::<Args>(args) else { return Vec::new() };
        let mut out = Vec::new();
        for edit in std::iter::once(only).chain(edits) {
            let (old, new) = (edit.old_string.unwrap_or_default(), edit.new_string.unwrap_or_default());
            let diff = TextDiff::configure().timeout(TIME).diff_lines(&old, &new);
            for group in diff.grouped_ops(AROUND) {
                if !out.is_empty() {
                    out.push(DiffLine { stand: Stand::Gap, text: String::new() });
                }
                for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
                    let stand = match change.tag() {
                        ChangeTag::Equal => Stand::Same,
                        ChangeTag::Delete => Stand::Gone,
                        ChangeTag::Insert => Stand::New,
                    };
                    out.push(DiffLine { stand, text: change.value().trim_end_matches(['\n', '\r']).to_owned() });
                    if out.len() >= MOST {
                        return out;
                    }
                }
            }
        }
        out
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn told(args: &str) -> Vec<String> {
            lines(args).iter().map(|line| format!("{}{}", line.stand.mark().0, line.text)).collect()
        }

        #[test]
        fn an_edit_is_told_line_by_line() {
            assert_eq!(
                told(r#"{"file_path":"a","old_string":"one\ntwo\nthree","new_string":"one\n2\nthree"}"#),
                [" one", "-two", "+2", " three"]
            );
            assert_eq!(told(r#"{"path":"a","content":"one\ntwo\n"}"#), ["+one", "+two"]);
            assert_eq!(
                told(r#"{"edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":""}]}"#),
                ["-a", "+b", "", "-c"]
            );
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
                assert!(lines(args).is_empty(), "{args}");
            }
        }
    }
}
