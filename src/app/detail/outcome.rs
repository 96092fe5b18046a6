//! Results of tools of a kind: what stands in them beside the text itself.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::args::{pairs, string, value};
use super::code::highlight;
use super::{Row, Span};

/// What a command printed, and how it ended where that is said.
pub fn command(text: &str) -> (String, Option<String>) {
    if let Some(pairs) = pairs(text) {
        let code = |pairs: &[(String, &RawValue)]| value::<i64>(pairs, &["exit_code", "exitCode", "returncode", "return_code"]);
        let inner = pairs.iter().find(|(name, _)| name == "metadata").and_then(|(_, raw)| self::pairs(raw.get()));
        let code = code(&pairs).or_else(|| code(inner.as_deref().unwrap_or_default()));
        let printed: Vec<String> = ["output", "aggregated_output", "stdout", "stderr"]
            .iter()
            .filter_map(|name| pairs.iter().find(|(key, _)| key == name))
            .filter_map(|(_, raw)| string(raw))
            .filter(|text| !text.is_empty())
            .collect();
        if code.is_some() && !printed.is_empty() {
            return (printed.join("\n"), code.map(|code| code.to_string()));
        }
        return (text.to_owned(), code.map(|code| code.to_string()));
    }
    let said = |line: &str| {
        let line = line.trim();
        let rest =
            ["Exit code: ", "Exit code ", "Exit Code: ", "Process exited with code "].iter().find_map(|words| line.strip_prefix(words))?;
        rest.parse::<i64>().ok().map(|code| code.to_string())
    };
    if let Some((first, rest)) = text.split_once('\n')
        && let Some(code) = said(first)
    {
        return (rest.to_owned(), Some(code));
    }
    (text.to_owned(), text.lines().find_map(said))
}

/// The lines of a file as it was read, each with its number: those that the tool wrote, else from `from` on.
pub fn file(path: &str, text: &str, from: u32) -> Vec<Row> {
    let numbered: Vec<(Option<u32>, &str)> = text.lines().map(number).collect();
    let own = numbered.first().is_some_and(|(number, _)| number.is_some());
    let code: Vec<&str> = if own { numbered.iter().map(|(_, line)| *line).collect() } else { text.lines().collect() };
    let lines = highlight(path, &code.join("\n"));
    let row = |(at, spans): (usize, &Vec<Span>)| Row {
        number: if own {
            numbered.get(at).and_then(|(number, _)| *number)
        } else {
            u32::try_from(at).ok().and_then(|at| from.checked_add(at))
        },
        spans: spans.clone(),
        ..Row::default()
    };
    lines.iter().enumerate().map(row).collect()
}

/// A line with a number before it: `    12→text`, or with a tab.
fn number(line: &str) -> (Option<u32>, &str) {
    let split = line.split_once('→').or_else(|| line.split_once('\t'));
    match split.and_then(|(number, rest)| Some((number.trim_start().parse().ok()?, rest))) {
        Some((number, rest)) => (Some(number), rest),
        None => (None, line),
    }
}

/// Lines of a search: path and number apart from the text.
pub fn hits(text: &str) -> Vec<Row> {
    let row = |line: &str| {
        let mut parts = line.splitn(3, ':');
        match (parts.next(), parts.next(), parts.next()) {
            (Some(path), Some(number), Some(rest)) if !path.is_empty() && number.parse::<u32>().is_ok() => {
                Row { spans: vec![Span::new("key", path), Span::new("num", format!(":{number}:")), Span::new("", rest)], ..Row::default() }
            }
            _ => Row::plain(line),
        }
    };
    text.lines().map(row).collect()
}

/// What a search of the web found, as a list of links; `None` where the result is of no known form.
pub fn links(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Hit {
        title: String,
        #[serde(alias = "link", alias = "href")]
        url: String,
        #[serde(default, alias = "snippet", alias = "description")]
        content: Option<String>,
    }

    let (before, list, after) = match text.find("Links: [") {
        Some(at) => {
            let (before, rest) = text.split_at_checked(at)?;
            let list = rest.strip_prefix("Links: ")?;
            let end = list.find("]\n").map_or(list.len(), |end| end + 1);
            (before, list.get(..end)?, list.get(end..)?)
        }
        None => ("", text, ""),
    };
    let results = pairs(list)
        .and_then(|pairs| pairs.iter().find(|(name, _)| matches!(name.as_str(), "results" | "web_results")).map(|(_, raw)| raw.get()));
    let hits: Vec<Hit> = serde_json::from_str(results.unwrap_or(list)).ok()?;
    let mut out = format!("{before}\n\n");
    for hit in &hits {
        out.push_str(&format!("- [{}](<{}>)", escaped(&hit.title), hit.url.replace(['<', '>', '\n', ' '], "")));
        if let Some(content) = hit.content.as_deref().map(str::trim).filter(|content| !content.is_empty()) {
            let short: String = content.chars().take(280).collect();
            out.push_str(&format!(" {}", escaped(&short.replace('\n', " "))));
        }
        out.push('\n');
    }
    out.push_str(after);
    (!hits.is_empty()).then_some(out)
}

/// A text in which no mark of Markdown means anything.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() {
            out.push('\\');
        }
        out.push(if c == '\n' { ' ' } else { c });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_says_how_it_ended() {
        for (text, printed, code) in [
            ("Exit code 101\nerror: x", "error: x", Some("101")),
            (r#"{"output":"a\n","metadata":{"exit_code":0,"duration_seconds":0.1}}"#, "a\n", Some("0")),
            (r#"{"stdout":"a","stderr":"b","exitCode":2}"#, "a\nb", Some("2")),
            ("Output: a\nExit Code: 1\nSignal: none", "Output: a\nExit Code: 1\nSignal: none", Some("1")),
            ("plain", "plain", None),
            (r#"{"a":1}"#, r#"{"a":1}"#, None),
        ] {
            assert_eq!(command(text), (printed.to_owned(), code.map(String::from)), "{text}");
        }
    }

    #[test]
    fn lines_of_a_file_have_their_numbers() {
        let told = |text: &str, from| file("a.txt", text, from).iter().map(|row| (row.number, row.text())).collect::<Vec<_>>();
        assert_eq!(
            told("     9→a\n    10→\tb\n\n<note>", 1),
            [(Some(9), "a".into()), (Some(10), "\tb".into()), (None, String::new()), (None, "<note>".into())]
        );
        assert_eq!(told("a\nb", 40), [(Some(40), "a".into()), (Some(41), "b".into())]);
        assert_eq!(told("x", u32::MAX), [(Some(u32::MAX), "x".into())]);
    }

    #[test]
    fn a_web_search_is_a_list_of_links() {
        let told =
            links("Web search results for query: \"x\"\n\nLinks: [{\"title\":\"A [b]\",\"url\":\"https://example.org/\"}]\n\nSo it is.")
                .expect("links");
        assert!(told.contains(r"- [A \[b\]](<https://example.org/>)") && told.ends_with("So it is."), "{told}");
        assert!(links(r#"[{"title":"t","url":"javascript:x","content":"c"}]"#).is_some());
        assert!(links("nothing").is_none() && links("[]").is_none() && links("{}").is_none());
    }
}
