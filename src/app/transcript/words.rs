//! Words of a transcript: who speaks, what a step is called, which icon it has. Pure.

use crate::app::clean;
use crate::app::icon::Icon;
use crate::app::numbers::clip;
use crate::app::status::capital;
use crate::model::{AgentNo, MAIN, Tool, ToolKind};

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

/// A step's title in two: what is done, and to what or how.
pub fn step_title(tool: &Tool) -> (String, String) {
    // Only a name was known yet, or it is a row of an earlier version: a bare name says nothing.
    let bare = tool.title.trim().is_empty() || tool.title == tool.name;
    let title = if bare { ToolKind::title(&tool.name) } else { tool.title.clone() };
    let title = clean(title.trim()).replace(['\n', '\t'], " ");
    for verb in ["Search the web for", "Read the output of", "Use the skill"] {
        if let Some(rest) = title.strip_prefix(verb) {
            return (verb.trim_end_matches(" for").into(), middle(rest.trim(), 160));
        }
    }
    let parted = matches!(ToolKind::of(&tool.name), ToolKind::Shell | ToolKind::Todo | ToolKind::Mcp | ToolKind::Other);
    let split = if parted { title.split_once(" — ").or_else(|| title.split_once(' ').filter(|_| !bare)) } else { title.split_once(' ') };
    match split {
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
    match ToolKind::of(name) {
        ToolKind::Shell | ToolKind::Output | ToolKind::Stop => Icon::Shell,
        ToolKind::Read | ToolKind::List => Icon::File,
        ToolKind::Write | ToolKind::Edit | ToolKind::Notebook => Icon::Edit,
        ToolKind::Find | ToolKind::Search => Icon::Search,
        ToolKind::Fetch | ToolKind::WebSearch => Icon::Web,
        ToolKind::Todo | ToolKind::Plan => Icon::List,
        ToolKind::Agent => Icon::Agent,
        ToolKind::Question => Icon::Ask,
        ToolKind::Skill | ToolKind::Mcp | ToolKind::Other => Icon::Tool,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_a_verb_and_its_object() {
        let title = |name: &str, title: &str| step_title(&Tool { name: name.into(), title: title.into(), ..Tool::default() });
        assert_eq!(title("Read", "Read src/login.rs:40–90"), ("Read".into(), "src/login.rs:40–90".into()));
        assert_eq!(title("Bash", "Run the tests — cargo test"), ("Run the tests".into(), "cargo test".into()));
        assert_eq!(title("Bash", "Run ls -l"), ("Run".into(), "ls -l".into()));
        assert_eq!(title("Grep", "Search x — in src"), ("Search".into(), "x — in src".into()));
        assert_eq!(title("mcp__x__y", "mcp__x__y"), ("Use y of x".into(), String::new()));
        assert_eq!(title("mcp__x__y", "Use y of x — z"), ("Use y of x".into(), "z".into()));
        assert_eq!(title("Read", "Read"), ("Read".into(), "a file".into()));
        assert_eq!(title("WebSearch", "Search the web for rust"), ("Search the web".into(), "rust".into()));
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
    fn a_shortened_row_draws_what_the_whole_one_draws() {
        use crate::app::mirror::shorten;
        use crate::model::{Body, Entry};

        let text = "aü漢".repeat(2_000);
        let tool = Tool {
            name: "Read".into(),
            args: text.as_str().into(),
            result: Some(text.as_str().into()),
            error: Some(text.as_str().into()),
            ..Tool::default()
        };
        let whole = Entry::finished(0, 1, Body::Tool(Box::new(tool)));
        let mut short = whole.clone();
        shorten(&mut short);
        assert_ne!(short, whole);
        let line = |entry: &Entry| match &entry.body {
            Body::Tool(tool) => (step_title(tool), tool.result.is_some(), tool.error.as_ref().map(|error| clip(&error.text, 600))),
            _ => panic!("a step"),
        };
        assert_eq!(line(&short), line(&whole));
    }
}
