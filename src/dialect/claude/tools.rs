//! Tool calls in the words of a person, and the calls that stand for something else than a step.

use std::borrow::Cow;

use crate::dialect::json::{Object, array, string};
use crate::dialect::titles::{plain, short};
use crate::dialect::todo;
use crate::model::{Ask, Body};

/// True for the tools that start an agent: the name has changed over time.
pub fn starts_agent(name: &str) -> bool {
    matches!(name, "Task" | "Agent")
}

/// "Verb object", at most 80 characters on one line. Paths are shown from `cwd` on.
pub fn title(name: &str, input: Option<&Object<'_>>, cwd: Option<&str>) -> String {
    let word = |key: &str| input.and_then(|input| input.word(key));
    let path = |key: &str| word(key).map(|path| under(path, cwd));
    let said = |verb: &str, object: Option<Cow<'_, str>>| object.map(|object| format!("{verb} {object}"));
    let title = match name {
        "Bash" => word("description").map(String::from).or_else(|| said("Run", word("command"))),
        "Read" => path("file_path").map(|path| format!("Read {path}{}", lines(input))),
        "Write" => said("Write", path("file_path")),
        "Edit" | "MultiEdit" => said("Edit", path("file_path")),
        "NotebookEdit" => said("Edit", path("notebook_path")),
        "LS" => said("List", path("path")),
        "Glob" => said("Find", word("pattern")),
        "Grep" => word("pattern").map(|pattern| match path("path") {
            Some(path) => format!("Search {pattern} in {path}"),
            None => format!("Search {pattern}"),
        }),
        "WebFetch" => said("Fetch", word("url")),
        "WebSearch" => said("Search the web for", word("query")),
        "Task" | "Agent" => word("description").map(String::from).or_else(|| word("prompt").map(String::from)),
        "TodoWrite" => Some("Update the todo list".into()),
        "AskUserQuestion" => Some("Ask a question".into()),
        "ExitPlanMode" => Some("Propose a plan".into()),
        "Skill" => said("Use the skill", word("skill").or_else(|| word("command"))),
        "BashOutput" | "TaskOutput" => said("Read the output of", word("task_id").or_else(|| word("bash_id"))),
        "KillShell" | "TaskStop" => said("Stop", word("task_id").or_else(|| word("shell_id"))),
        _ => None,
    };
    short(&title.unwrap_or_else(|| plain(name, input)))
}

/// The lines that a Read asks for: `:40–90`.
fn lines(input: Option<&Object<'_>>) -> String {
    let number = |key| input.and_then(|input: &Object<'_>| input.number(key));
    match (number("offset"), number("limit")) {
        (Some(from), Some(count)) if count > 0 => format!(":{from}–{}", from.saturating_add(count - 1)),
        (Some(from), _) => format!(":{from}–"),
        (None, Some(count)) => format!(":1–{count}"),
        (None, None) => String::new(),
    }
}

fn under<'a>(path: Cow<'a, str>, cwd: Option<&str>) -> Cow<'a, str> {
    let rest = cwd.and_then(|cwd| path.strip_prefix(cwd)).and_then(|rest| rest.strip_prefix('/')).map(str::to_owned);
    rest.map_or(path, Cow::Owned)
}

/// The body in the place of a call that only writes a list or asks.
pub fn instead(name: &str, call: &str, input: Option<&Object<'_>>) -> Option<Body> {
    let input = input?;
    match name {
        "TodoWrite" => Some(Body::Todos { items: todo::written(name, input)?, call: Some(call.to_owned()) }),
        "AskUserQuestion" => Some(Body::Ask(Box::new(question(call, input)?))),
        "ExitPlanMode" => {
            let text = input.text("plan")?.into_owned().into();
            Some(Body::Ask(Box::new(Ask { ask: "plan".into(), text, call: Some(call.to_owned()), ..Ask::default() })))
        }
        _ => None,
    }
}

/// Several questions of one call are one ask: a line each.
fn question(call: &str, input: &Object<'_>) -> Option<Ask> {
    let questions: Vec<Object<'_>> = array(input.raw("questions")?)?.into_iter().filter_map(Object::of).collect();
    let texts: Vec<String> = questions.iter().filter_map(|one| one.text("question")).map(Cow::into_owned).collect();
    let option = |raw| string(raw).or_else(|| Object::of(raw)?.text("label")).map(Cow::into_owned);
    Some(Ask {
        ask: "question".into(),
        text: texts.join("\n").into(),
        fields: questions.iter().filter_map(|one| one.word("header")).map(Cow::into_owned).collect(),
        options: questions.iter().flat_map(|one| one.array("options")).filter_map(option).collect(),
        call: Some(call.to_owned()),
        ..Ask::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::TodoStatus;

    #[test]
    fn titles_are_verb_and_object() {
        for (name, input, expected) in [
            ("Bash", r#"{"command":"cargo test","description":"Run the tests"}"#, "Run the tests"),
            ("Bash", r#"{"command":"ls -l\nrm x"}"#, "Run ls -l"),
            ("Read", r#"{"file_path":"/home/dev/demo/src/login.rs","offset":40,"limit":51}"#, "Read src/login.rs:40–90"),
            ("Read", r#"{"file_path":"/other/a.rs"}"#, "Read /other/a.rs"),
            ("Read", r#"{"file_path":"/home/dev/demos/a.rs"}"#, "Read /home/dev/demos/a.rs"),
            ("Grep", r#"{"pattern":"fn main","path":"/home/dev/demo/src"}"#, "Search fn main in src"),
            ("Glob", r#"{"pattern":"**/*.rs"}"#, "Find **/*.rs"),
            ("Task", r#"{"description":"Count files","prompt":"x"}"#, "Count files"),
            ("mcp__tracker__list_items", r#"{"state":"open"}"#, "tracker: list_items open"),
            ("Unheard", "{}", "Unheard"),
            ("Read", "{}", "Read"),
            ("Read", r#"{"file_path":7}"#, "Read"),
        ] {
            assert_eq!(title(name, Object::parse(input).as_ref(), Some("/home/dev/demo")), expected, "{name} {input}");
        }
        assert_eq!(title("Bash", None, None), "Bash");
        let long = format!(r#"{{"command":"{}"}}"#, "ä".repeat(200));
        assert_eq!(title("Bash", Object::parse(&long).as_ref(), None).chars().count(), 80);
    }

    #[test]
    fn a_list_and_a_question_stand_for_themselves() {
        let todos = r#"{"todos":[{"content":"one","status":"completed","activeForm":"x"},{"content":"two","status":"new word"},7]}"#;
        let Some(Body::Todos { items, .. }) = instead("TodoWrite", "c", Object::parse(todos).as_ref()) else { panic!("no todos") };
        assert_eq!(
            items.iter().map(|item| (item.text.as_str(), item.status)).collect::<Vec<_>>(),
            [("one", TodoStatus::Completed), ("two", TodoStatus::Pending)]
        );
        let ask = r#"{"questions":[{"question":"Which?","header":"Kind","options":[{"label":"A"},"B"]}]}"#;
        let Some(Body::Ask(ask)) = instead("AskUserQuestion", "c", Object::parse(ask).as_ref()) else { panic!("no ask") };
        assert_eq!((ask.text.text.as_str(), ask.options), ("Which?", vec!["A".into(), "B".into()]));
        assert_eq!(instead("TodoWrite", "c", Object::parse(r#"{"todos":"x"}"#).as_ref()), None);
    }
}
