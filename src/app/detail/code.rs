//! Source code in classes of a theme.
//!
//! Decision: the server colours, with grammars that it has anyway in memory, and keeps what it coloured by content; the browser is given
//! classes. A text that is long, or takes long, stays plain from there on.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use two_face::re_exports::syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::Span;

/// Longer texts and lines are plain, in bytes.
const LONGEST: usize = 200_000;
const LONGEST_LINE: usize = 4_000;
/// After this the rest is plain.
const TIME: Duration = Duration::from_millis(150);
/// How many texts are kept.
const KEPT: usize = 256;

static GRAMMARS: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

/// The scopes that have a class; of two that fit, the first counts.
static CLASSES: LazyLock<Vec<(Scope, &'static str)>> = LazyLock::new(|| {
    [
        ("comment", "com"),
        ("string", "str"),
        ("constant.character.escape", "num"),
        ("constant", "num"),
        ("keyword.operator", ""),
        ("keyword", "kw"),
        ("storage", "kw"),
        ("entity.name.function", "fun"),
        ("support.function", "fun"),
        ("support.macro", "fun"),
        ("variable.function", "fun"),
        ("entity.name.tag", "kw"),
        ("entity.name", "typ"),
        ("entity.other.attribute-name", "key"),
        ("support.type", "typ"),
        ("support.class", "typ"),
        ("variable.language", "kw"),
        ("markup.heading", "kw"),
        ("markup.inserted", "str"),
        ("markup.deleted", "com"),
    ]
    .into_iter()
    .filter_map(|(scope, class)| Some((Scope::new(scope).ok()?, class)))
    .collect()
});

/// A text's lines in spans.
pub type Lines = Arc<Vec<Vec<Span>>>;

/// The lines of `text` in the language of this name, file name or path; plain where nobody knows it.
pub fn highlight(language: &str, text: &str) -> Lines {
    let key = key(language, text);
    if let Some(lines) = KEPT_LINES.lock().unwrap_or_else(PoisonError::into_inner).get(key) {
        return lines;
    }
    let lines = Arc::new(coloured(language, text));
    KEPT_LINES.lock().unwrap_or_else(PoisonError::into_inner).put(key, Arc::clone(&lines));
    lines
}

fn coloured(language: &str, text: &str) -> Vec<Vec<Span>> {
    let plain = |line: &str| if line.is_empty() { Vec::new() } else { vec![Span::new("", line)] };
    let grammar = if text.len() > LONGEST { None } else { grammar(language, text) };
    let Some(grammar) = grammar else { return text.lines().map(plain).collect() };
    let (mut state, mut stack, start) = (ParseState::new(grammar), ScopeStack::new(), Instant::now());
    let mut ended = false;
    text.lines()
        .map(|line| {
            ended = ended || line.len() > LONGEST_LINE || start.elapsed() > TIME;
            let with_end = format!("{line}\n");
            match if ended { None } else { state.parse_line(&with_end, &GRAMMARS).ok() } {
                Some(ops) => {
                    let mut spans: Vec<Span> = Vec::new();
                    let mut at = 0;
                    for (to, op) in ops {
                        push(&mut spans, line.get(at..to.min(line.len())).unwrap_or_default(), class(&stack));
                        at = to.min(line.len());
                        let _ = stack.apply(&op);
                    }
                    push(&mut spans, line.get(at..).unwrap_or_default(), class(&stack));
                    spans
                }
                None => {
                    ended = true;
                    plain(line)
                }
            }
        })
        .collect()
}

fn push(spans: &mut Vec<Span>, text: &str, class: &'static str) {
    match spans.last_mut() {
        _ if text.is_empty() => {}
        Some(span) if span.class == class => span.text.push_str(text),
        _ => spans.push(Span::new(class, text)),
    }
}

fn class(stack: &ScopeStack) -> &'static str {
    let of = |scope: &Scope| CLASSES.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)).map(|(_, class)| *class);
    stack.as_slice().iter().rev().find_map(of).unwrap_or_default()
}

/// The grammar for a language's name, a file's ending or name, or a first line.
fn grammar<'a>(language: &str, text: &str) -> Option<&'a SyntaxReference> {
    let name = language.rsplit(['/', '\\']).next().unwrap_or(language);
    let ending = name.rsplit_once('.').map_or(name, |(_, ending)| ending);
    let known = match ending {
        "jsonl" | "ndjson" | "json5" | "ipynb" => "json",
        "console" | "shell" | "zsh" | "sh-session" => "bash",
        "tsx" | "mts" | "cts" => "ts",
        "mjs" | "cjs" | "jsx" => "js",
        other => other,
    };
    let set = &*GRAMMARS;
    let found =
        set.find_syntax_by_token(known).or_else(|| set.find_syntax_by_extension(name)).or_else(|| set.find_syntax_by_first_line(text));
    found.filter(|syntax| syntax.name != "Plain Text")
}

fn key(language: &str, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (language, text).hash(&mut hasher);
    hasher.finish()
}

static KEPT_LINES: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);

/// What was coloured last.
#[derive(Default)]
struct Kept {
    lines: HashMap<u64, Lines>,
    order: VecDeque<u64>,
}

impl Kept {
    fn get(&self, key: u64) -> Option<Lines> {
        self.lines.get(&key).cloned()
    }

    fn put(&mut self, key: u64, lines: Lines) {
        if self.lines.insert(key, lines).is_none() {
            self.order.push_back(key);
        }
        while self.order.len() > KEPT {
            if let Some(old) = self.order.pop_front() {
                self.lines.remove(&old);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(language: &str, text: &str) -> String {
        let span = |span: &Span| if span.class.is_empty() { span.text.clone() } else { format!("<{}|{}>", span.class, span.text) };
        highlight(language, text).iter().map(|line| line.iter().map(span).collect::<String>()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn code_is_told_in_classes() {
        let rust = told("src/a.rs", "fn main() { // hi\n    let x = \"s\";\n}");
        assert!(rust.contains("<kw|fn>") && rust.contains("main") && rust.contains("<com|// hi"), "{rust}");
        for language in
            ["python", "ts", "typescript", "tsx", "toml", "json", "bash", "yaml", "html", "css", "sql", "go", "diff", "Dockerfile"]
        {
            assert!(grammar(language, "").is_some(), "{language}");
        }
    }

    #[test]
    fn nothing_of_a_text_is_lost() {
        for (language, text) in
            [("rust", "fn ü() {}\n\n\tx"), ("nonsense", "a\nb"), ("", ""), ("py", "x = '''\n"), ("json", "{\"a\": [1, \"ü\"]}")]
        {
            let lines = highlight(language, text);
            let told: Vec<String> = lines.iter().map(|line| line.iter().map(|span| span.text.as_str()).collect()).collect();
            assert_eq!(told, text.lines().collect::<Vec<_>>(), "{language}");
        }
    }

    #[test]
    fn no_grammar_asks_for_more_than_its_notice() {
        let notices = two_face::acknowledgement::listing().to_md();
        for words in ["GENERAL PUBLIC LICENSE", "Mozilla Public License", "ShareAlike"] {
            assert!(!notices.to_lowercase().contains(&words.to_lowercase()), "{words}");
        }
    }

    #[test]
    fn a_long_line_ends_the_colours_and_not_the_text() {
        let text = format!("fn a() {{}}\n{}\nfn b() {{}}", "(".repeat(LONGEST_LINE + 1));
        assert!(told("rs", &text).ends_with("\nfn b() {}"));
    }
}
