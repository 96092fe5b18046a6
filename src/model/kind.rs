//! What a tool does, told by its name.
//!
//! Decision: each agent's program has names of its own for the same few things. One table of them serves titles, icons and views.

/// The names of the argument that holds a command.
pub const COMMAND: &[&str] = &["command", "cmd", "script", "code"];

/// What a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToolKind {
    Shell,
    /// What a command in the background has printed by now.
    Output,
    Stop,
    Read,
    Write,
    Edit,
    Notebook,
    List,
    /// Files by their names.
    Find,
    /// Files by what they hold.
    Search,
    Fetch,
    WebSearch,
    Todo,
    Agent,
    Plan,
    Question,
    Skill,
    /// A tool of a server that speaks MCP.
    Mcp,
    Other,
}

/// The names of each kind, in small letters, with `_` between words.
const NAMES: [(ToolKind, &str); 17] = [
    (
        ToolKind::Shell,
        "bash shell exec exec_command run_shell_command local_shell local_shell_call command_execution execute execute_command \
         terminal run_command run_terminal_cmd execute_bash shell_command powershell execute_code executecode python code_interpreter",
    ),
    (ToolKind::Output, "bashoutput bash_output taskoutput task_output write_stdin read_terminal"),
    (ToolKind::Stop, "killshell kill_shell killbash taskstop task_stop"),
    (ToolKind::Read, "read read_file readfile read_many_files view view_file view_image cat open_file"),
    (ToolKind::Write, "write write_file writefile create_file save_file"),
    (
        ToolKind::Edit,
        "edit edit_file multiedit multi_edit replace str_replace str_replace_editor str_replace_based_edit_tool patch apply_patch \
         file_change",
    ),
    (ToolKind::Notebook, "notebookedit notebook_edit notebookread notebook_read"),
    (ToolKind::List, "ls list list_directory list_dir list_files"),
    (ToolKind::Find, "glob find_files file_search"),
    (ToolKind::Search, "grep search_file_content grep_search search_files codebase_search ripgrep"),
    (ToolKind::Fetch, "web_fetch webfetch fetch fetch_url read_url"),
    (ToolKind::WebSearch, "web_search websearch google_web_search search_web"),
    (ToolKind::Todo, "todowrite todo_write write_todos update_plan todoread todo_read taskcreate taskupdate tasklist taskget"),
    (ToolKind::Agent, "task agent spawn_agent delegate subtask"),
    (ToolKind::Plan, "exitplanmode exit_plan_mode enterplanmode enter_plan_mode"),
    (ToolKind::Question, "askuserquestion ask_user_question ask_clarification request_user_input"),
    (ToolKind::Skill, "skill use_skill"),
];

impl ToolKind {
    /// The kind of a tool by its name, whatever its case and whatever stands before its last dot or slash.
    pub fn of(name: &str) -> Self {
        if server_and_tool(name).is_some() {
            return Self::Mcp;
        }
        let last = name.rsplit(['.', '/']).next().unwrap_or(name).to_ascii_lowercase().replace('-', "_");
        NAMES.iter().find(|(_, names)| names.split_whitespace().any(|known| known == last)).map_or(Self::Other, |(kind, _)| *kind)
    }

    /// What a call does of whose object nothing is known; `None` where only the name can tell.
    pub fn bare(self) -> Option<&'static str> {
        Some(match self {
            Self::Shell => "Run a command",
            Self::Output => "Read a command's output",
            Self::Stop => "Stop a command",
            Self::Read => "Read a file",
            Self::Write => "Write a file",
            Self::Edit => "Edit a file",
            Self::Notebook => "Edit a notebook",
            Self::List => "List a folder",
            Self::Find => "Find files",
            Self::Search => "Search files",
            Self::Fetch => "Fetch a page",
            Self::WebSearch => "Search the web",
            Self::Todo => "Update the todo list",
            Self::Agent => "Start an agent",
            Self::Plan => "Propose a plan",
            Self::Question => "Ask a question",
            Self::Skill => "Use a skill",
            Self::Mcp | Self::Other => return None,
        })
    }

    /// A call's title where nothing but the tool's name is known; empty where not even that is.
    pub fn title(name: &str) -> String {
        if name.is_empty() {
            return String::new();
        }
        match (Self::of(name).bare(), server_and_tool(name)) {
            (Some(bare), _) => bare.to_owned(),
            (None, Some((server, tool))) => format!("Use {tool} of {server}"),
            (None, None) => format!("Use {name}"),
        }
    }
}

/// The server and the tool in a name of the form `mcp__server__tool`.
pub fn server_and_tool(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("mcp__")?.split_once("__").filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_thing_are_of_one_kind() {
        for (name, kind) in [
            ("Bash", ToolKind::Shell),
            ("functions.exec_command", ToolKind::Shell),
            ("run-shell-command", ToolKind::Shell),
            ("MultiEdit", ToolKind::Edit),
            ("read_file", ToolKind::Read),
            ("Task", ToolKind::Agent),
            ("TaskOutput", ToolKind::Output),
            ("mcp__tracker__read", ToolKind::Mcp),
            ("mcp__", ToolKind::Other),
            ("get_weather", ToolKind::Other),
            ("", ToolKind::Other),
        ] {
            assert_eq!(ToolKind::of(name), kind, "{name}");
        }
    }

    #[test]
    fn no_title_is_a_bare_name() {
        for (_, names) in NAMES {
            for name in names.split_whitespace().chain(["get_weather", "mcp__tracker__list_items"]) {
                let title = ToolKind::title(name);
                assert!(title != name && title.contains(' ') && title.starts_with(char::is_uppercase), "{name}: {title}");
            }
        }
        assert_eq!(ToolKind::title("mcp__tracker__list_items"), "Use list_items of tracker");
    }
}
