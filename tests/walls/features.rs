//! Which modules of `src/lib.rs` are compiled under a set of features.

use proc_macro2::{TokenStream, TokenTree};

/// The modules declared in `lib` that `features` turn on.
pub fn modules(lib: &str, features: &[&str]) -> Vec<String> {
    let tokens: Vec<TokenTree> = lib.parse::<TokenStream>().unwrap().into_iter().collect();
    let mut found = Vec::new();
    let mut on = true;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) if at > 0 && tokens[at - 1].to_string() == "#" => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                if inside[0].to_string() == "cfg" {
                    on &= holds(&list(&inside[1])[0], features);
                }
            }
            TokenTree::Ident(word) if *word == "mod" && on => found.push(tokens[at + 1].to_string()),
            TokenTree::Punct(sign) if sign.as_char() == ';' => on = true,
            TokenTree::Group(_) => on = true,
            _ => {}
        }
    }
    found
}

/// What stands between the commas of a group.
fn list(group: &TokenTree) -> Vec<Vec<TokenTree>> {
    let TokenTree::Group(group) = group else { panic!("`{group}` is no group") };
    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
    inside.split(|token| token.to_string() == ",").filter(|part| !part.is_empty()).map(<[TokenTree]>::to_vec).collect()
}

fn holds(condition: &[TokenTree], features: &[&str]) -> bool {
    match condition[0].to_string().as_str() {
        "not" => !holds(&list(&condition[1])[0], features),
        "any" => list(&condition[1]).iter().any(|part| holds(part, features)),
        "all" => list(&condition[1]).iter().all(|part| holds(part, features)),
        "feature" => features.contains(&condition[2].to_string().trim_matches('"')),
        _ => false,
    }
}

#[test]
fn conditions_are_read() {
    let lib = "pub mod a; #[cfg(feature = \"ssr\")] pub mod b; #[cfg(all(feature = \"app\", not(feature = \"hydrate\")))] mod c { } mod d;";
    assert_eq!(modules(lib, &[]), ["a", "d"]);
    assert_eq!(modules(lib, &["app", "ssr"]), ["a", "b", "c", "d"]);
    assert_eq!(modules(lib, &["app", "hydrate"]), ["a", "d"]);
}
