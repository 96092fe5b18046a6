//! Words of a transcript: who speaks, what a step is called, which icon it has. Pure.

use crate::app::clean;
use crate::app::icon::Icon;
use crate::app::numbers::clip;
use crate::model::{AgentNo, MAIN, Tool};

/// How much of a long turn stands before its rest.
const FIRST: usize = 1_200;
const FIRST_LINES: usize = 16;

/// Who wrote a turn.
pub fn who(agent: AgentNo, seq: u32, origin: Option<&str>) -> String {
    match origin {
        None if agent == MAIN => "You".into(),
        None if seq == 1 => "Prompt".into(),
        None => "Message".into(),
        Some("prompt") => "Prompt".into(),
        Some(other) => capital(&clip(&clean(other), 40)),
    }
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A turn's beginning, cut at a line where it can be, and the rest: empty unless it is worth folding.
pub fn first_part(text: &str) -> (&str, &str) {
    let lines = text.match_indices('\n').nth(FIRST_LINES).map_or(text.len(), |(at, _)| at);
    if text.len() <= FIRST + FIRST / 2 && lines == text.len() {
        return (text, "");
    }
    let most = (0..=FIRST.min(lines)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let head = text.get(..most).unwrap_or(text);
    let at = head.rfind('\n').filter(|at| *at > FIRST / 2 || lines <= FIRST).unwrap_or(most);
    let (first, rest) = text.split_at_checked(if lines <= FIRST { lines.min(most) } else { at }).unwrap_or((text, ""));
    (first, rest.strip_prefix('\n').unwrap_or(rest))
}

/// A step's title in two: the verb, and what it is done to.
pub fn step_title(tool: &Tool) -> (String, String) {
    let title = if tool.title.trim().is_empty() { &tool.name } else { &tool.title };
    let title = clean(title.trim()).replace(['\n', '\t'], " ");
    match title.split_once(' ') {
        Some((verb, rest)) => (clip(verb, 60), middle(rest.trim(), 160)),
        None if title.is_empty() => ("Result".into(), "of a call that was not seen".into()),
        None => (clip(&title, 60), String::new()),
    }
}

/// At most `max` characters, cut in the middle: of a path, beginning and end tell most.
pub fn middle(text: &str, max: usize) -> String {
    let count = text.chars().count();
    if count <= max {
        return text.to_owned();
    }
    let head = max / 2;
    let tail = max - head - 1;
    text.chars().take(head).chain(['…']).chain(text.chars().skip(count - tail)).collect()
}

/// The icon of a tool by its name.
pub fn tool_icon(name: &str) -> Icon {
    let name = name.to_ascii_lowercase();
    let any = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if any(&["todo", "plan"]) {
        Icon::List
    } else if any(&["task", "agent"]) {
        Icon::Agent
    } else if any(&["web", "fetch", "http", "browser", "url"]) {
        Icon::Web
    } else if any(&["grep", "glob", "search", "find"]) {
        Icon::Search
    } else if any(&["edit", "write", "patch", "replace", "create"]) {
        Icon::Edit
    } else if any(&["bash", "shell", "exec", "command", "terminal", "run"]) {
        Icon::Shell
    } else if any(&["read", "file", "view", "cat", "ls", "open"]) {
        Icon::File
    } else {
        Icon::Tool
    }
}

/// A call's arguments, key by key, where they are a JSON object: strings as they are, all else as JSON.
pub fn fields(args: &str) -> Option<Vec<(String, String)>> {
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(args).ok()?;
    let field = |(key, value): (String, serde_json::Value)| {
        let text = match value {
            serde_json::Value::String(text) => text,
            other => serde_json::to_string_pretty(&other).unwrap_or_default(),
        };
        (clean(&key).into_owned(), clean(&text).into_owned())
    };
    (!object.is_empty()).then(|| object.into_iter().map(field).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_a_verb_and_its_object() {
        let title = |name: &str, title: &str| step_title(&Tool { name: name.into(), title: title.into(), ..Tool::default() });
        assert_eq!(title("Read", "Read src/login.rs:40–90"), ("Read".into(), "src/login.rs:40–90".into()));
        assert_eq!(title("mcp__x__y", ""), ("mcp__x__y".into(), String::new()));
        assert_eq!(title("", "  "), ("Result".into(), "of a call that was not seen".into()));
        assert_eq!(title("Bash", "Run a\nb \u{1b}[31mc"), ("Run".into(), "a b c".into()));
        assert_eq!(title("x", &format!("Read {}", "a".repeat(500))).1.chars().count(), 160);
    }

    #[test]
    fn a_turn_says_who_wrote_it() {
        assert_eq!(who(0, 1, None), "You");
        assert_eq!(who(3, 1, None), "Prompt");
        assert_eq!(who(3, 7, None), "Message");
        assert_eq!(who(0, 7, Some("teammate")), "Teammate");
    }

    #[test]
    fn a_long_turn_is_cut_and_nothing_is_lost() {
        let cases = [
            "".to_owned(),
            "short".into(),
            "ü".repeat(3_000),
            "a line\n".repeat(400),
            "x".repeat(900) + "\n" + &"y".repeat(2_000),
            "\n".repeat(40),
        ];
        for text in cases {
            let (first, rest) = first_part(&text);
            let joined = [format!("{first}{rest}"), format!("{first}\n{rest}")];
            assert!(joined.contains(&text), "{:?}", text.get(..12));
            assert!(first.len() <= FIRST + FIRST / 2, "{}", first.len());
        }
        assert_eq!(first_part("a\nb"), ("a\nb", ""));
    }

    #[test]
    fn arguments_are_fields_only_where_they_are_an_object() {
        assert_eq!(fields(r#"{"command":"a\nb","n":1}"#), Some(vec![("command".into(), "a\nb".into()), ("n".into(), "1".into())]));
        for text in ["", "{", "[1]", "{}", "\"x\""] {
            assert_eq!(fields(text), None, "{text}");
        }
    }
}
