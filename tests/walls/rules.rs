//! What each part of the code map may name.

use std::collections::BTreeSet;

use crate::paths::Source;

/// The parts that do no I/O, and the parts of the crate that each may name.
const PURE: [(&str, &[&str]); 4] =
    [("model", &["model"]), ("ledger", &["model", "ledger"]), ("deck", &["model", "deck"]), ("dialect", &["model", "dialect"])];

/// The crates that the pure parts may use.
const PURE_CRATES: [&str; 8] = ["alloc", "base64", "core", "serde", "serde_json", "sha2", "std", "time"];

/// What of the standard library reaches outside, or reads a clock.
const OUTSIDE: [&str; 8] = ["env", "fs", "io", "net", "os", "path", "process", "thread"];
const CLOCKS: [&str; 2] = ["Instant", "SystemTime"];

/// Crates with one home, and the parts that may name them.
const HOMES: [(&str, &[&str]); 8] = [
    ("rusqlite", &["store"]),
    ("web_sys", &["app"]),
    ("js_sys", &["app"]),
    ("gloo_net", &["app"]),
    ("wasm_bindgen", &["app", ""]),
    ("wasm_bindgen_futures", &["app"]),
    ("leptos", &["app", "api", "serve", ""]),
    ("notify", &["ingest"]),
];

/// Parts of the crate that only some may name.
const INNER: [(&str, &[&str]); 3] = [
    ("app", &["app", "serve", ""]),
    ("cli", &["cli", "main"]),
    ("dialect", &["dialect", "ingest", "store", "api", "serve", "cli", "demo", "driver"]),
];

/// The crates that Cargo.toml names, as they stand in paths, and those of the language.
pub fn dependencies(manifest: &str) -> BTreeSet<String> {
    let mut inside = false;
    let mut names: BTreeSet<String> = ["std", "core", "alloc"].map(String::from).into();
    for line in manifest.lines() {
        if let Some(header) = line.strip_prefix('[') {
            let header = header.trim_end_matches(']');
            inside = header.ends_with("dependencies");
            if let Some((_, name)) = header.split_once("dependencies.") {
                names.insert(name.replace('-', "_"));
            }
        } else if inside && let Some((name, _)) = line.split_once('=') {
            names.insert(name.trim().replace('-', "_"));
        }
    }
    names
}

/// The walls that a file breaks, one sentence each.
pub fn broken(source: &Source) -> Vec<String> {
    let area = source.area();
    let mut found = Vec::new();
    let mut say = |path: &[String], why: &str| found.push(format!("{}: `{}`: {why}", source.name, path.join("::")));
    for path in &source.paths {
        let (first, second) = (path[0].as_str(), path.get(1).map_or("", String::as_str));
        if let Some((_, parts)) = PURE.iter().find(|(name, _)| *name == area) {
            let third = path.get(2).map_or("", String::as_str);
            if first == "crate" {
                if !parts.contains(&second) {
                    say(path, &format!("{area} may name {} only", parts.join(" and ")));
                }
            } else if !PURE_CRATES.contains(&first) {
                say(path, &format!("{area} may use no crate but {}", PURE_CRATES.join(", ")));
            } else if first == "std" && (OUTSIDE.contains(&second) || second == "time" && CLOCKS.contains(&third)) {
                say(path, &format!("{area} does no I/O and reads no clock"));
            }
        }
        for (name, homes) in HOMES {
            if (first == name || name == "leptos" && first.starts_with("leptos")) && !homes.contains(&area) {
                say(path, &format!("only {} knows {name}", homes.join(" ")));
            }
        }
        for (name, homes) in INNER {
            if first == "crate" && second == name && !homes.contains(&area) {
                say(path, &format!("only {} may name {name}", homes.join(" ")));
            }
        }
    }
    if source.words.contains("inner_html") {
        found.push(format!("{}: `inner_html`: text is shown as text", source.name));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, text: &str) -> Vec<String> {
        broken(&Source::read(
            name,
            text,
            &dependencies("[dependencies]\nleptos = 1\nrusqlite = 1\ntokio = 1\ntime = 1\n[dependencies.web-sys]\n"),
        ))
    }

    #[test]
    fn a_broken_wall_is_found() {
        for (name, text) in [
            ("src/model/a.rs", "use leptos::prelude::*;"),
            ("src/model/a.rs", "fn f() { std::fs::read(\"x\"); }"),
            ("src/model/a.rs", "use std::{collections::BTreeMap, fs};"),
            ("src/model/a.rs", "use std::time::{Duration, Instant};"),
            ("src/ledger/mod.rs", "use crate::dialect::Table;"),
            ("src/ledger/links/a.rs", "use super::super::super::store::Store;"),
            ("src/ledger/a.rs", "mod inner { fn f() { super::super::super::app::x() } }"),
            ("src/deck/a.rs", "async fn f() { tokio::spawn(x()) }"),
            ("src/dialect/a.rs", "use crate::{model::Op, ledger};"),
            ("src/live/a.rs", "fn f(c: &rusqlite::Connection) {}"),
            ("src/live/a.rs", "use web_sys as dom;"),
            ("src/live/a.rs", "view! { <p>{crate::app::name()}</p> }"),
            ("src/app/a.rs", "use crate::dialect;"),
            ("src/app/a.rs", "view! { <p inner_html=text/> }"),
            ("src/main.rs", "use sidedeck::dialect::Table;"),
        ] {
            assert!(!check(name, text).is_empty(), "{name} with `{text}` breaks a wall and is not found");
        }
    }

    #[test]
    fn what_keeps_to_the_walls_passes() {
        for (name, text) in [
            (
                "src/model/mod.rs",
                "mod time; pub use time::Ms; use std::time::Duration; // leptos::prelude\n const A: &str = \"std::fs::read\";",
            ),
            ("src/model/a.rs", "#[cfg(test)]\nmod tests { use std::fs; }\nuse super::Op;"),
            ("src/ledger/mod.rs", "use crate::model::{Op, Entry}; use super::model; fn f() { a.time::<u8>(); }"),
            ("src/store/a.rs", "use rusqlite::Connection;"),
            ("src/app/a.rs", "use leptos::prelude::*; use web_sys::Element; use crate::deck::Rect;"),
            ("src/lib.rs", "pub mod dialect;"),
        ] {
            assert_eq!(check(name, text), Vec::<String>::new(), "{name} with `{text}`");
        }
    }
}
