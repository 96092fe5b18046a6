//! A step's detail, by what kind of tool it is. One table: which arguments are shown as what, and how a result is read.

use super::args::{is_json, outline, pairs, string, value};
use super::cap::{Keep, lines, markdown};
use super::code::highlight;
use super::{Body, Detail, Part, Row, diff, outcome, screen};
use crate::app::numbers::count;
use crate::app::{mask, tidy as tidied};
use crate::model::{COMMAND, ToolKind, server_and_tool};

/// A call and what came of it, whole.
#[derive(Clone, Debug, Default)]
pub struct Call {
    pub name: String,
    pub args: String,
    pub result: Option<String>,
    /// The whole output, where the result is a part of it.
    pub spilled: Option<String>,
    pub error: Option<String>,
    /// More may come.
    pub open: bool,
}

impl Call {
    /// The same call without its secrets.
    pub fn veiled(self) -> Self {
        // Colours may stand inside of a secret, or between it and its name: then they go with it.
        let veil = |text: String| {
            let plain = Some(&text).filter(|text| text.contains(['\u{1b}', '\u{9b}', '\u{8}', '\r'])).map(|text| screen::plain(text));
            match plain.map(|plain| (mask::shown(&plain, self.open), plain)) {
                Some((hidden, plain)) if hidden != plain => hidden,
                _ => mask::shown(&text, self.open),
            }
        };
        Self { args: veil(self.args), result: self.result.map(veil), spilled: self.spilled.map(veil), error: self.error.map(veil), ..self }
    }
}

/// An argument longer than this has a part of its own, in characters.
const FACT: usize = 160;
/// The words for the same argument.
const PATH: &[&str] = &["file_path", "filePath", "absolute_path", "path", "target_file", "notebook_path"];

/// The detail of a call; `all` of it, or capped.
pub fn detail(call: &Call, all: bool) -> Detail {
    let kind = ToolKind::of(&call.name);
    let mut out = Detail::default();
    match pairs(&call.args) {
        Some(pairs) => asked(&mut out, kind, call, &pairs, all),
        None if call.args.trim().is_empty() => {}
        None => out.parts.push(match diff::patch(&call.args) {
            Some(rows) => lines(&diff::summary(&rows), rows, Keep::Beginning, all),
            None => lines("Arguments", text(&call.args), Keep::Beginning, all),
        }),
    }
    brought(&mut out, kind, call, all);
    tidy(&mut out);
    out
}

type Pairs<'a> = Vec<(String, &'a serde_json::value::RawValue)>;

/// What the call asked for.
fn asked(out: &mut Detail, kind: ToolKind, call: &Call, pairs: &Pairs<'_>, all: bool) {
    let word = |names: &[&str]| value::<String>(pairs, names);
    if let Some((server, tool)) = server_and_tool(&call.name) {
        out.facts.extend([("Server".into(), server.into()), ("Tool".into(), tool.into())]);
    }
    let mut shown: Vec<&str> = Vec::new();
    let mut part = |names: &[&'static str], part: Option<Part>| {
        if let Some(part) = part {
            out.parts.push(part);
            shown.extend(names);
        }
    };
    match kind {
        ToolKind::Shell => {
            let script = if word(&["code"]).is_some() { "py" } else { "bash" };
            part(COMMAND, word(COMMAND).map(|command| lines("Command", code(script, &command), Keep::Beginning, all)));
        }
        ToolKind::Edit | ToolKind::Write | ToolKind::Notebook => {
            let path = word(PATH).unwrap_or_default();
            let path = if kind == ToolKind::Notebook { "x.py" } else { &path };
            let rows = Some(diff::rows(path, &call.args)).filter(|rows| !rows.is_empty());
            part(diff::SHOWN, rows.map(|rows| lines(&diff::summary(&rows), rows, Keep::Beginning, all)));
            let patch = word(&["input", "patch", "diff"]).and_then(|text| diff::patch(&text));
            part(&["input", "patch", "diff"], patch.map(|rows| lines(&diff::summary(&rows), rows, Keep::Beginning, all)));
        }
        ToolKind::Agent => part(&["prompt"], word(&["prompt"]).map(|prompt| markdown("Prompt", &prompt, all))),
        ToolKind::Plan => part(&["plan"], word(&["plan"]).map(|plan| markdown("Plan", &plan, all))),
        ToolKind::Todo => {
            let names = &["todos", "plan", "items"];
            let items = value::<Vec<Todo>>(pairs, names).map(|items| items.iter().map(Todo::row).collect());
            part(names, items.map(|rows| lines("List", rows, Keep::Beginning, all)));
        }
        _ => {}
    }
    for (name, raw) in pairs.iter().filter(|(name, _)| !shown.contains(&name.as_str())) {
        let said = string(raw);
        let short = said.as_deref().unwrap_or_else(|| raw.get());
        if short.chars().nth(FACT).is_none() && !short.contains('\n') && !short.starts_with(['{', '[']) {
            out.facts.push((name.clone(), if short.is_empty() { "\"\"".into() } else { short.into() }));
        } else {
            let rows = said.as_deref().map_or_else(|| outline(raw.get()), text);
            out.parts.push(lines(name, rows, Keep::Beginning, all));
        }
    }
}

/// What came of the call. An empty result is not a missing one.
fn brought(out: &mut Detail, kind: ToolKind, call: &Call, all: bool) {
    let terminal = matches!(kind, ToolKind::Shell | ToolKind::Output);
    for (title, said) in [("Result", &call.result), ("Whole output", &call.spilled), ("Error", &call.error)] {
        let Some(said) = said else { continue };
        if said.trim().is_empty() {
            out.parts.push(Part { title: title.into(), body: Body::Note("Empty.".into()), hidden: 0 });
        } else if terminal {
            let (printed, code) = outcome::command(said);
            out.facts.extend(code.map(|code| ("Exit code".to_owned(), code)));
            let title = if title == "Result" { "Output" } else { title };
            out.parts.push(lines(title, screen::lines(&printed), Keep::Ends, all));
        } else if title != "Result" {
            out.parts.push(lines(title, screen::lines(said), Keep::Ends, all));
        } else {
            out.parts.push(result(kind, call, said, all));
        }
    }
    if call.result.is_none() && call.error.is_none() {
        let words = if call.open { "None yet." } else { "None was recorded." };
        out.parts.push(Part { title: "Result".into(), body: Body::Note(words.into()), hidden: 0 });
    }
}

fn result(kind: ToolKind, call: &Call, said: &str, all: bool) -> Part {
    let args = pairs(&call.args).unwrap_or_default();
    let counted = |noun: &str| format!("Result: {}", count(said.lines().filter(|line| !line.trim().is_empty()).count() as u64, noun));
    match kind {
        ToolKind::Read => {
            let from = value::<u32>(&args, &["offset", "start_line"]).filter(|from| *from > 0).unwrap_or(1);
            let path = value::<String>(&args, PATH).unwrap_or_default();
            lines("Content", outcome::file(&path, said, from), Keep::Beginning, all)
        }
        ToolKind::Search => lines(&counted("line"), outcome::hits(said), Keep::Beginning, all),
        ToolKind::Find | ToolKind::List if !is_json(said) => lines(&counted("line"), text(said), Keep::Beginning, all),
        ToolKind::WebSearch => markdown("Result", &outcome::links(said).unwrap_or_else(|| said.to_owned()), all),
        ToolKind::Fetch | ToolKind::Agent if !is_json(said) => markdown("Result", said, all),
        _ => lines("Result", text(said), Keep::Beginning, all),
    }
}

/// JSON on its lines, any other text as it is.
fn text(text: &str) -> Vec<Row> {
    if is_json(text) { outline(text) } else { text.lines().map(Row::plain).collect() }
}

fn code(language: &str, text: &str) -> Vec<Row> {
    highlight(language, text).iter().map(|spans| Row { spans: spans.clone(), ..Row::default() }).collect()
}

/// An item of a list, in the words of several tools.
#[derive(serde::Deserialize)]
struct Todo {
    #[serde(alias = "step", alias = "text", alias = "description", alias = "subject")]
    content: String,
    #[serde(default)]
    status: String,
}

impl Todo {
    fn row(&self) -> Row {
        let mark = match self.status.as_str() {
            "completed" | "done" => "✓",
            "in_progress" => "→",
            "cancelled" => "×",
            _ => "·",
        };
        Row::plain(format!("{mark} {}", self.content))
    }
}

/// No text leaves without having been cleaned.
fn tidy(detail: &mut Detail) {
    let tidy = |text: &mut String| {
        if let std::borrow::Cow::Owned(tidy) = tidied(text) {
            *text = tidy;
        }
    };
    for (name, value) in &mut detail.facts {
        tidy(name);
        tidy(value);
    }
    for part in &mut detail.parts {
        tidy(&mut part.title);
        match &mut part.body {
            Body::Lines(rows) => rows.iter_mut().flat_map(|row| &mut row.spans).for_each(|span| tidy(&mut span.text)),
            // Markdown cleans what it draws; a line's end is part of its form.
            Body::Markdown(_) | Body::Note(_) => {}
        }
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
