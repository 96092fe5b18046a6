//! Texts with reasoning in them, and texts that only talk about it: whole, and cut at any place.

use proptest::prelude::*;

use super::*;

/// `T` and `R` before each stretch.
fn shown(pieces: Vec<Piece>) -> Vec<String> {
    let mut shown: Vec<(u32, String)> = Vec::new();
    for piece in pieces {
        match shown.last_mut().filter(|(part, _)| *part == piece.part) {
            Some((_, text)) => text.push_str(&piece.text),
            None => shown.push((piece.part, format!("{}:{}", if piece.reasoning { "R" } else { "T" }, piece.text))),
        }
    }
    shown.into_iter().map(|(_, text)| text).collect()
}

const TEXTS: &[(&str, &[&str])] = &[
    ("no tag at all \n", &["T:no tag at all \n"]),
    ("<think>a</think>b", &["R:a", "T:b"]),
    ("<think>\nFirst.\n\nThen.\n</think>\n\nAnswer\n", &["R:First.\n\nThen.", "T:Answer\n"]),
    ("<Thinking>a</THINKING> b", &["R:a", "T:b"]),
    ("Sure.<think>a</think>b<think>c</think>", &["T:Sure.", "R:a", "T:b", "R:c"]),
    ("<think>a</think>\n<think>b</think>", &["R:a", "R:b"]),
    ("Hello <think>a</think> world", &["T:Hello", "R:a", "T:world"]),
    ("<think>\n\n</think>\n\nAnswer", &["T:Answer"]),
    ("<think>never closed", &["R:never closed"]),
    ("The <think> tag opens it.", &["T:The <think> tag opens it."]),
    ("The `<think>` tag, and `</think>`.", &["T:The `<think>` tag, and `</think>`."]),
    ("Write \"<think>x</think>\" here", &["T:Write \"<think>x</think>\" here"]),
    ("It's '<think>' then '</think>'.", &["T:It's '<think>' then '</think>'."]),
    ("\u{201c}use <think>x</think>\u{201d} he said", &["T:\u{201c}use <think>x</think>\u{201d} he said"]),
    ("```\n<think>x</think>\n```\n<think>y</think>z", &["T:```\n<think>x</think>\n```", "R:y", "T:z"]),
    ("<think>he wrote `</think>` there</think>b", &["R:he wrote `</think>` there", "T:b"]),
    ("<think>5\" and 6 ` long</think>b", &["R:5\" and 6 ` long", "T:b"]),
    ("a < b <thin ice> </think> c", &["T:a < b <thin ice> </think> c"]),
    ("<|begin_of_thought|>a<|end_of_thought|>b", &["R:a", "T:b"]),
    ("<thought>a</think>b</thought>c", &["R:a</think>b", "T:c"]),
];

#[test]
fn reasoning_is_told_from_words_about_it() {
    for (text, expected) in TEXTS {
        assert_eq!(shown(split(text)), *expected, "{text}");
    }
}

#[test]
fn any_cut_gives_the_same_stretches() {
    for (text, expected) in TEXTS {
        let mut splitter = Splitter::default();
        let mut pieces = Vec::new();
        for c in text.chars() {
            pieces.extend(splitter.push(c.encode_utf8(&mut [0; 4])));
            let kept = serde_json::to_string(&splitter).expect("a memory");
            splitter = serde_json::from_str(&kept).expect("a splitter");
        }
        pieces.extend(splitter.finish());
        assert_eq!(shown(pieces), *expected, "{text}");
    }
}

#[test]
fn what_is_held_back_is_bounded() {
    let mut splitter = Splitter::default();
    splitter.push("The <think> ");
    for _ in 0..100 {
        splitter.push(&"x".repeat(1_000));
        assert!(splitter.held.len() + splitter.blanks.len() < 2 * TALKED);
    }
    for _ in 0..100 {
        splitter.push(&" ".repeat(1_000));
        assert!(splitter.held.len() + splitter.blanks.len() < 2 * TALKED);
    }
}

proptest! {
    #[test]
    fn any_text_cut_anywhere_gives_the_same_stretches(
        parts in prop::collection::vec(prop::sample::select(vec![
            "<think>", "</think>", "<thought>", "</thought>", "`", "```", "\"", "'", "\n", " ", "a", "ä.", "<", ">", "<thi",
        ]), 0..24),
        cuts in prop::collection::vec(any::<bool>(), 60),
    ) {
        let text = parts.concat();
        let mut splitter = Splitter::default();
        let mut pieces = Vec::new();
        let mut from = 0;
        for (count, (at, _)) in text.char_indices().enumerate() {
            if cuts[count % cuts.len()] {
                pieces.extend(splitter.push(&text[from..at]));
                from = at;
            }
        }
        pieces.extend(splitter.push(&text[from..]));
        pieces.extend(splitter.finish());
        prop_assert_eq!(shown(pieces), shown(split(&text)));
        if !text.contains("<th") {
            prop_assert_eq!(split(&text).into_iter().map(|piece| piece.text).collect::<String>(), text);
        }
    }
}

#[test]
fn a_tag_that_is_escaped_or_in_indented_code_is_text() {
    for text in ["a\n\n    <think>b</think>", "\t<think>b</think>", "say \\<think>b</think>"] {
        assert_eq!(split(text).iter().map(|piece| piece.reasoning).collect::<Vec<_>>(), [false], "{text:?}");
    }
}
