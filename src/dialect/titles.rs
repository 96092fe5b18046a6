//! Tool calls in the words of a person.
//!
//! Decision: tools of one kind have many names, so a title is told by the kind of what is asked for, and by the tool's name where
//! no kind is known.

use std::borrow::Cow;

use super::json::{Object, string};

/// The longest title, in characters.
const TITLE: usize = 80;

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

/// "Verb object", at most 80 characters on one line.
pub fn title(name: &str, input: Option<&Object<'_>>) -> String {
    let word = |keys: &[&str]| input.and_then(|input| keys.iter().find_map(|key| input.word(key))).map(Cow::into_owned);
    let command = || word(&["command", "cmd", "script"]).or_else(|| input.and_then(words));
    let path = || word(&["file_path", "filePath", "absolute_path", "path", "dir_path", "notebook_path"]);
    let query = || word(&["query", "pattern", "q", "search_term"]);
    let kind = name.rsplit(['.', '/']).next().unwrap_or(name).to_ascii_lowercase().replace('-', "_");
    let said = match kind.as_str() {
        "bash" | "shell" | "exec_command" | "run_shell_command" | "local_shell" | "command_execution" | "execute" | "terminal" => {
            word(&["description"]).or_else(|| command().map(|command| format!("Run {command}")))
        }
        "read" | "read_file" | "readfile" | "view" | "view_image" => path().map(|path| format!("Read {path}")),
        "write" | "write_file" | "writefile" | "create_file" => path().map(|path| format!("Write {path}")),
        "edit" | "edit_file" | "multiedit" | "replace" | "patch" | "apply_patch" => path().map(|path| format!("Edit {path}")),
        "ls" | "list" | "list_directory" | "list_dir" => path().map(|path| format!("List {path}")),
        "glob" | "find_files" => query().map(|query| format!("Find {query}")),
        "grep" | "search_file_content" | "grep_search" => query().map(|query| format!("Search {query}")),
        "web_search" | "websearch" | "google_web_search" => query().map(|query| format!("Search the web for {query}")),
        "web_fetch" | "webfetch" | "fetch" => word(&["url", "prompt"]).map(|url| format!("Fetch {url}")),
        "task" | "agent" | "spawn_agent" | "delegate" => word(&["description", "title", "prompt", "message"]),
        _ => None,
    };
    short(&said.unwrap_or_else(|| plain(name, input)))
}

/// The title of a tool that no rule knows: its name, and the first word of what is asked for.
pub fn plain(name: &str, input: Option<&Object<'_>>) -> String {
    let shown = name.strip_prefix("mcp__").map_or_else(|| name.to_owned(), |rest| rest.replacen("__", ": ", 1));
    match input.and_then(Object::first_word) {
        Some(object) => format!("{shown} {object}"),
        None => shown,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_verb_and_object() {
        for (name, input, expected) in [
            ("shell", r#"{"command":["bash","-lc","ls -la"]}"#, "Run ls -la"),
            ("shell", r#"{"command":["ls","-la"]}"#, "Run ls -la"),
            ("exec_command", r#"{"cmd":"ls"}"#, "Run ls"),
            ("run_shell_command", r#"{"command":"ls","description":"List the files"}"#, "List the files"),
            ("read_file", r#"{"absolute_path":"/w/a.rs"}"#, "Read /w/a.rs"),
            ("functions.read-file", r#"{"path":"a"}"#, "Read a"),
            ("task", r#"{"description":"Count files","prompt":"x"}"#, "Count files"),
            ("mcp__tracker__list_items", r#"{"state":"open"}"#, "tracker: list_items open"),
            ("unheard", "{}", "unheard"),
            ("read", r#"{"path":7}"#, "read"),
        ] {
            assert_eq!(title(name, Object::parse(input).as_ref()), expected, "{name} {input}");
        }
        assert_eq!(title("bash", None), "bash");
        assert_eq!(short(&"ä".repeat(200)).chars().count(), TITLE);
    }
}
