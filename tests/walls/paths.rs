//! The paths that a source file names, resolved to a module of the crate or to another crate.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A source file, as the rules see it. Items under `#[cfg(test)]` are left out.
pub struct Source {
    /// From the project's root, with slashes.
    pub name: String,
    /// Its module in the crate: `src/app/pages/list.rs` is `app`, `pages`, `list`.
    pub module: Vec<String>,
    /// Absolute paths: the first segment is `crate` or the name of another crate.
    pub paths: BTreeSet<Vec<String>>,
    /// Every single identifier.
    pub words: BTreeSet<String>,
    /// Modules in files of their own that only tests compile.
    pub tests: BTreeSet<Vec<String>>,
}

struct Walk<'a> {
    dependencies: &'a BTreeSet<String>,
    module: Vec<String>,
    children: BTreeSet<String>,
    paths: BTreeSet<Vec<String>>,
    words: BTreeSet<String>,
    tests: BTreeSet<Vec<String>>,
}

impl Source {
    /// Reads the file's text; `dependencies` are the names of other crates.
    pub fn read(name: &str, text: &str, dependencies: &BTreeSet<String>) -> Self {
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{name} is no Rust: {error}"));
        let module = module_of(name);
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut walk = Walk {
            dependencies,
            module: module.clone(),
            children: children(&tokens),
            paths: BTreeSet::new(),
            words: BTreeSet::new(),
            tests: BTreeSet::new(),
        };
        walk.items(&tokens);
        Self { name: name.into(), module, paths: walk.paths, words: walk.words, tests: walk.tests }
    }

    /// True for a file of one of these modules, or of a module in them.
    pub fn is_in(&self, modules: &BTreeSet<Vec<String>>) -> bool {
        (1..=self.module.len()).any(|depth| modules.contains(&self.module[..depth]))
    }

    /// The folder under `src`, or the file's own name at the top.
    pub fn area(&self) -> &str {
        self.module.first().map_or("", String::as_str)
    }
}

fn module_of(name: &str) -> Vec<String> {
    let inner = name.trim_start_matches("src/").trim_end_matches(".rs");
    let mut module: Vec<String> = inner.split('/').map(String::from).collect();
    if module.last().is_some_and(|last| last == "mod" || (module.len() == 1 && last == "lib")) {
        module.pop();
    }
    module
}

/// The names of the modules declared in a list of items: they shadow other crates there.
fn children(tokens: &[TokenTree]) -> BTreeSet<String> {
    tokens.windows(2).filter(|pair| word(&pair[0]).as_deref() == Some("mod")).filter_map(|pair| word(&pair[1])).collect()
}

fn word(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(ident) => Some(ident.to_string().trim_start_matches("r#").to_string()),
        _ => None,
    }
}

fn is(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

fn colons(tokens: &[TokenTree], at: usize) -> bool {
    is(tokens.get(at), ':') && is(tokens.get(at + 1), ':')
}

fn inner(token: Option<&TokenTree>) -> Option<Vec<TokenTree>> {
    match token {
        Some(TokenTree::Group(group)) => Some(group.stream().into_iter().collect()),
        _ => None,
    }
}

fn is_cfg_test(tokens: &[TokenTree], at: usize) -> bool {
    is(tokens.get(at), '#')
        && inner(tokens.get(at + 1)).is_some_and(|attribute| {
            attribute.first().and_then(word).as_deref() == Some("cfg")
                && inner(attribute.get(1)).is_some_and(|cfg| cfg.len() == 1 && word(&cfg[0]).as_deref() == Some("test"))
        })
}

impl Walk<'_> {
    fn items(&mut self, tokens: &[TokenTree]) {
        let mut at = 0;
        while at < tokens.len() {
            if is_cfg_test(tokens, at) {
                let end = after_item(tokens, at + 2);
                self.tests.extend(children(&tokens[at..end]).into_iter().map(|name| [self.module.clone(), vec![name]].concat()));
                at = end;
                continue;
            }
            match &tokens[at] {
                TokenTree::Ident(_) if word(&tokens[at]).as_deref() == Some("use") => {
                    let end = (at..tokens.len()).find(|&to| is(tokens.get(to), ';')).unwrap_or(tokens.len());
                    self.tree(&tokens[at + 1..end], &[]);
                    at = end;
                }
                TokenTree::Ident(_) if word(&tokens[at]).as_deref() == Some("mod") && inner(tokens.get(at + 2)).is_some() => {
                    let body = inner(tokens.get(at + 2)).unwrap();
                    let outer = std::mem::replace(&mut self.children, children(&body));
                    self.module.push(word(&tokens[at + 1]).unwrap());
                    self.items(&body);
                    self.module.pop();
                    self.children = outer;
                    at += 3;
                }
                TokenTree::Ident(_) => at = self.path(tokens, at),
                TokenTree::Group(group) => {
                    self.items(&group.stream().into_iter().collect::<Vec<_>>());
                    at += 1;
                }
                _ => at += 1,
            }
        }
    }

    /// Reads a path that begins here, and returns where it ends.
    fn path(&mut self, tokens: &[TokenTree], from: usize) -> usize {
        let mut segments: Vec<String> = word(&tokens[from]).into_iter().collect();
        let mut at = from + 1;
        while colons(tokens, at) {
            match tokens.get(at + 2).and_then(word) {
                Some(next) => segments.push(next),
                None => break,
            }
            at += 3;
        }
        self.words.extend(segments.iter().cloned());
        let is_field = from > 0 && is(tokens.get(from - 1), '.');
        if !is_field && colons(tokens, from + 1) {
            self.note(&segments);
        }
        at
    }

    /// Reads a tree of a `use`.
    fn tree(&mut self, tokens: &[TokenTree], prefix: &[String]) {
        let mut path = prefix.to_vec();
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    let body: Vec<TokenTree> = group.stream().into_iter().collect();
                    for branch in body.split(|token| is(Some(token), ',')).filter(|branch| !branch.is_empty()) {
                        self.tree(branch, &path);
                    }
                    return;
                }
                token => match word(token) {
                    Some(name) if name == "as" => break,
                    Some(name) => path.push(name),
                    None => {}
                },
            }
            at += 1;
        }
        self.words.extend(path.iter().cloned());
        self.note(&path);
    }

    fn note(&mut self, segments: &[String]) {
        let mut module = self.module.clone();
        let mut rest = segments;
        let first = segments.first().map_or("", String::as_str);
        match first {
            "crate" => module.clear(),
            "sidedeck" if self.module == ["main"] => module.clear(),
            "self" | "super" => {}
            name if self.dependencies.contains(name) && !self.children.contains(name) => {
                self.paths.insert(segments.to_vec());
                return;
            }
            _ => return,
        }
        while let Some(name) = rest.first() {
            match name.as_str() {
                "super" => drop(module.pop()),
                "crate" | "sidedeck" | "self" => {}
                _ => break,
            }
            rest = &rest[1..];
        }
        self.paths.insert([vec!["crate".to_string()], module, rest.to_vec()].concat());
    }
}

/// Behind the item that begins here: its `;`, or its last group.
fn after_item(tokens: &[TokenTree], from: usize) -> usize {
    (from..tokens.len())
        .find(|&at| is(tokens.get(at), ';') || matches!(&tokens[at], TokenTree::Group(group) if group.delimiter() == Delimiter::Brace))
        .map_or(tokens.len(), |at| at + 1)
}
