//! Tool calls in the words of a person: "Verb object — key argument".
//!
//! Decision: tools of one kind have many names and many words for the same argument, so one table of kinds tells all titles, for every
//! dialect. A title is never a bare name.

use std::borrow::Cow;

use super::json::{Object, string};
use crate::model::{COMMAND, Secret, ToolKind, server_and_tool};

/// The longest title, in characters.
const TITLE: usize = 80;

/// The words for the same argument.
const PATH: &[&str] =
    &["file_path", "filePath", "absolute_path", "path", "target_file", "dir_path", "directory", "notebook_path", "filename", "uri"];
const QUERY: &[&str] = &["query", "pattern", "q", "regex", "search_term", "search_query"];
const TASK: &[&str] = &["task_id", "bash_id", "shell_id", "session_id", "id"];

/// The first line, without control characters, cut at 80 characters.
pub fn short(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let mut clean = line.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut cut: String = clean.by_ref().take(TITLE).collect();
    if clean.next().is_some() {
        cut.pop();
        cut.push('…');
    }
    cut
}

/// A call's title, at most 80 characters on one line. Paths are shown from `cwd` on.
pub fn title(name: &str, input: Option<&Object<'_>>, cwd: Option<&str>) -> String {
    short(&input.and_then(|input| told(name, input, cwd)).unwrap_or_else(|| ToolKind::title(name)))
}

fn told(name: &str, input: &Object<'_>, cwd: Option<&str>) -> Option<String> {
    let word = |keys: &[&str]| keys.iter().find_map(|key| input.word(key)).map(Cow::into_owned);
    let path = || word(PATH).map(|path| under(&path, cwd).to_owned());
    let said = |verb: &str, object: Option<String>| object.map(|object| format!("{verb} {object}"));
    let and = |title: String, more: Option<String>| match more {
        Some(more) => format!("{title} — {more}"),
        None => title,
    };
    let kind = ToolKind::of(name);
    match kind {
        ToolKind::Shell => match (word(&["description"]), word(COMMAND).or_else(|| words(input))) {
            (Some(what), command) => Some(and(what, command)),
            (None, command) => said("Run", command),
        },
        ToolKind::Output => said("Read the output of", word(TASK)),
        ToolKind::Stop => said("Stop", word(TASK)),
        ToolKind::Read => path().map(|path| format!("Read {path}{}", lines(input))),
        ToolKind::Write => said("Write", path()),
        ToolKind::Edit => said("Edit", path()),
        ToolKind::Notebook => path().map(|path| and(format!("Edit {path}"), word(&["edit_mode"]))),
        ToolKind::List => said("List", path()),
        ToolKind::Find => said("Find", word(QUERY)).map(|title| and(title, path().map(|path| format!("in {path}")))),
        ToolKind::Search => said("Search", word(QUERY)).map(|title| and(title, path().map(|path| format!("in {path}")))),
        ToolKind::Fetch => {
            said("Fetch", word(&["url"])).map(|title| and(title, word(&["prompt"]))).or_else(|| said("Fetch", word(&["prompt"])))
        }
        ToolKind::WebSearch => said("Search the web for", word(QUERY)),
        ToolKind::Agent => word(&["description", "title", "prompt", "message"]).or_else(|| input.first_word(is_open).map(Cow::into_owned)),
        ToolKind::Skill => said("Use the skill", word(&["skill", "command"])),
        ToolKind::Todo => word(&["subject", "content"]).map(|what| format!("{} — {what}", ToolKind::title(name))),
        ToolKind::Plan | ToolKind::Question => None,
        ToolKind::Mcp | ToolKind::Other => plain(name, input),
    }
}

/// The title of a tool that no rule knows: its name, and the first word of what is asked for.
fn plain(name: &str, input: &Object<'_>) -> Option<String> {
    let object = input.word("description").or_else(|| input.first_word(is_open))?;
    Some(match server_and_tool(name) {
        Some((server, tool)) => format!("Use {tool} of {server} — {object}"),
        None => format!("Use {name} — {object}"),
    })
}

/// False for names that are given secrets: a title does not say whose value it shows, so that nobody could tell what to hide.
fn is_open(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    Secret::named(&name).is_none() && !name.ends_with("key")
}

/// A command that is given as a list of words; of a shell's own words only what it is to run.
fn words(input: &Object<'_>) -> Option<String> {
    let words: Vec<String> = ["command", "cmd"].iter().flat_map(|key| input.array(key)).filter_map(string).map(Cow::into_owned).collect();
    match words.as_slice() {
        [] => None,
        [shell, flags, script] if shell.ends_with("sh") && flags.starts_with('-') => Some(script.clone()),
        words => Some(words.join(" ")),
    }
}

/// The lines that a read asks for: `:40–90`.
fn lines(input: &Object<'_>) -> String {
    let number = |keys: &[&str]| keys.iter().find_map(|key| input.number(key));
    match (number(&["offset", "start_line"]), number(&["limit"])) {
        (Some(from), Some(count)) if count > 0 => format!(":{from}–{}", from.saturating_add(count - 1)),
        (Some(from), _) => match number(&["end_line"]) {
            Some(to) => format!(":{from}–{to}"),
            None => format!(":{from}–"),
        },
        (None, Some(count)) => format!(":1–{count}"),
        (None, None) => String::new(),
    }
}

/// A path from `cwd` on, where it is below.
fn under<'a>(path: &'a str, cwd: Option<&str>) -> &'a str {
    cwd.and_then(|cwd| path.strip_prefix(cwd)).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, input: &str) -> String {
        title(name, Object::parse(input).as_ref(), Some("/home/dev/demo"))
    }

    #[test]
    fn a_title_shows_no_value_that_its_name_calls_a_secret() {
        for input in [
            r#"{"password":"Tr0ub4dor"}"#,
            r#"{"client_secret":"Tr0ub4dor"}"#,
            r#"{"API-Key":"Tr0ub4dor"}"#,
            r#"{"authToken":"Tr0ub4dor","user":"ada"}"#,
        ] {
            for name in ["mcp__db__login", "Login", "Task"] {
                assert!(!told(name, input).contains("Tr0ub4dor"), "{name} {input}: {}", told(name, input));
            }
        }
        assert!(told("mcp__db__login", r#"{"password":"Tr0ub4dor","user":"ada"}"#).ends_with("— ada"));
    }

    #[test]
    fn titles_are_verb_object_and_key_argument() {
        for (name, input, expected) in [
            ("Bash", r#"{"command":"cargo test","description":"Run the tests"}"#, "Run the tests — cargo test"),
            ("Bash", r#"{"command":"ls -l\nrm x"}"#, "Run ls -l"),
            ("shell", r#"{"command":["bash","-lc","ls -la"]}"#, "Run ls -la"),
            ("shell", r#"{"command":["ls","-la"]}"#, "Run ls -la"),
            ("exec_command", r#"{"cmd":"ls"}"#, "Run ls"),
            ("Read", r#"{"file_path":"/home/dev/demo/src/login.rs","offset":40,"limit":51}"#, "Read src/login.rs:40–90"),
            ("Read", r#"{"file_path":"/other/a.rs"}"#, "Read /other/a.rs"),
            ("Read", r#"{"file_path":"/home/dev/demos/a.rs"}"#, "Read /home/dev/demos/a.rs"),
            ("read_file", r#"{"absolute_path":"/w/a.rs"}"#, "Read /w/a.rs"),
            ("functions.read-file", r#"{"path":"a"}"#, "Read a"),
            ("Grep", r#"{"pattern":"fn main","path":"/home/dev/demo/src"}"#, "Search fn main — in src"),
            ("Glob", r#"{"pattern":"**/*.rs"}"#, "Find **/*.rs"),
            ("WebFetch", r#"{"url":"https://example.org/","prompt":"Which version?"}"#, "Fetch https://example.org/ — Which version?"),
            ("Task", r#"{"description":"Count files","prompt":"x"}"#, "Count files"),
            ("mcp__tracker__list_items", r#"{"state":"open"}"#, "Use list_items of tracker — open"),
            ("mcp__tracker__list_items", "{}", "Use list_items of tracker"),
            ("get_weather", r#"{"city":"Oslo"}"#, "Use get_weather — Oslo"),
            ("unheard", "{}", "Use unheard"),
            ("Read", "{}", "Read a file"),
            ("Read", r#"{"file_path":7}"#, "Read a file"),
            ("Bash", "nothing of the kind", "Run a command"),
        ] {
            assert_eq!(told(name, input), expected, "{name} {input}");
        }
    }

    #[test]
    fn a_title_is_short() {
        assert_eq!(short(&"ä".repeat(200)).chars().count(), TITLE);
        assert_eq!(told("Bash", &format!(r#"{{"command":"{}"}}"#, "ä".repeat(200))).chars().count(), TITLE);
    }
}
