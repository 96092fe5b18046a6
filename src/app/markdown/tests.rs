use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::doc::Doc;
use super::node::{Block, Inline};
use super::parse::parse;

fn blocks(text: &str) -> Vec<Block> {
    parse(text).into_iter().map(|parsed| parsed.block).collect()
}

fn text(text: &str) -> Inline {
    Inline::Text(text.into())
}

#[test]
fn html_is_text() {
    assert_eq!(blocks("a <b onclick=x>b</b>"), [Block::Paragraph(vec![text("a <b onclick=x>b</b>")])]);
    assert_eq!(blocks("<script>alert(1)</script>\n"), [Block::Code { language: String::new(), text: "<script>alert(1)</script>".into() }]);
}

#[test]
fn an_address_that_must_not_be_followed_is_shown() {
    for address in ["javascript:alert(1)", "data:text/html,x", "src/main.rs", "//evil.test"] {
        let expected = Inline::Address { text: vec![text("x")], address: address.into() };
        assert_eq!(blocks(&format!("[x]({address})")), [Block::Paragraph(vec![expected])]);
    }
}

#[test]
fn a_link_says_where_it_leads() {
    let link = |said: &str, host: Option<&str>| Inline::Link {
        href: "https://example.org/".into(),
        host: host.map(Into::into),
        text: vec![text(said)],
    };
    assert_eq!(blocks("[x](https://example.org/)"), [Block::Paragraph(vec![link("x", Some("example.org"))])]);
    assert_eq!(blocks("<https://example.org/>"), [Block::Paragraph(vec![link("https://example.org/", None)])]);
}

#[test]
fn footnotes_are_marks_and_what_they_point_to() {
    let blocks = blocks("So it is[^1], and `[^a]` or [^a-z] are none.\n\n[^1]: Because.\n");
    let Some(Block::Paragraph(said)) = blocks.first() else { panic!("a paragraph") };
    assert!(said.contains(&Inline::Note("1".into())) && format!("{said:?}").contains("[^a-z]"), "{said:?}");
    assert_eq!(blocks.get(1), Some(&Block::Footnote { label: "1".into(), blocks: vec![Block::Paragraph(vec![text("Because.")])] }));
}

#[test]
fn a_mark_that_turns_the_reading_order_is_shown_and_does_nothing() {
    assert_eq!(blocks("a\u{202e}b"), [Block::Paragraph(vec![text("a"), Inline::Turn(0x202e), text("b")])]);
    assert!(format!("{:?}", blocks("`a\u{202e}b` [x\u{202e}](y)")).chars().all(|c| !crate::app::is_turn(c)));
}

#[test]
fn a_secret_is_hidden_before_it_is_parsed() {
    let text = "Use `ghp_0123456789abcdefghijABCDEFGHIJ012345` or **password**: `hunter2hunter2`, and password: \"hunter2x9\".";
    for open in [true, false] {
        let doc = shown(&Doc::next(None, text, open).0);
        assert!(!doc.contains("abcdef") && !doc.contains("hunter2"), "{doc}");
    }
}

#[test]
fn an_image_is_not_loaded() {
    let image = Inline::Image { alt: "a".into(), address: "https://evil.test/x.png".into() };
    assert_eq!(blocks("![a](https://evil.test/x.png)"), [Block::Paragraph(vec![image])]);
}

#[test]
fn lists_tables_and_tasks() {
    let Some(Block::List { start: Some(3), items }) = blocks("3. [x] a\n4. b\n   - c").into_iter().next() else {
        panic!("an ordered list")
    };
    assert_eq!(items[0].task, Some(true));
    assert!(matches!(items[1].blocks[1], Block::List { start: None, .. }));
    let Some(Block::Table { head, rows }) = blocks("|a|b|\n|-|-:|\n|1|2|\n").into_iter().next() else { panic!("a table") };
    assert_eq!((head.len(), rows.len(), rows[0].len()), (2, 1, 2));
}

/// The greatest depth of blocks and inlines together.
fn depth(blocks: &[Block]) -> usize {
    fn inlines(list: &[Inline]) -> usize {
        list.iter()
            .map(|inline| match inline {
                Inline::Strong(inner) | Inline::Emphasis(inner) | Inline::Strike(inner) => 1 + inlines(inner),
                Inline::Link { text, .. } | Inline::Address { text, .. } => 1 + inlines(text),
                _ => 1,
            })
            .max()
            .unwrap_or(0)
    }
    blocks
        .iter()
        .map(|block| match block {
            Block::Paragraph(text) | Block::Heading(_, text) => 1 + inlines(text),
            Block::Quote(inner) | Block::Footnote { blocks: inner, .. } => 1 + depth(inner),
            Block::List { items, .. } => 1 + items.iter().map(|item| 1 + depth(&item.blocks)).max().unwrap_or(0),
            _ => 1,
        })
        .max()
        .unwrap_or(0)
}

#[test]
fn hostile_nesting_is_flat_and_fast() {
    let n = 100_000;
    let cases = [
        "[".repeat(n),
        "![".repeat(n / 2),
        "[a](".repeat(n / 4),
        ">".repeat(n),
        "> ".repeat(n / 2) + "x",
        "*".repeat(n),
        "**a ".repeat(n / 4),
        "`".repeat(n),
        "- ".repeat(n / 2) + "x",
        "<".repeat(n),
        "&".repeat(n),
        "\\".repeat(n),
        "|".repeat(n),
        "((".repeat(n / 2),
        "_a_".repeat(n / 3),
    ];
    for case in cases {
        let start = Instant::now();
        let blocks = blocks(&case);
        let took = start.elapsed();
        let head: String = case.chars().take(8).collect();
        assert!(depth(&blocks) < 64, "{head}: {}", depth(&blocks));
        // The bound is 100 ms for a build as it is shipped; this one is not optimised.
        assert!(took < Duration::from_millis(if cfg!(debug_assertions) { 1_500 } else { 100 }), "{head}: {took:?}");
    }
}

#[test]
fn what_is_too_deep_keeps_its_text() {
    let deep = format!("{}deep", "> ".repeat(60));
    assert!(format!("{:?}", blocks(&deep)).contains("deep"));
}

#[test]
fn a_mark_alone_behind_a_fence_within_a_list_is_not_drawn() {
    let text = "* a\n  ```\nx\n\n`";
    let before = Doc::next(None, &text[..text.len() - 1], true).0;
    let doc = Doc::next(Some(before), text, true).0;
    let tail: Vec<Block> = doc.tail.iter().map(|block| (**block).clone()).collect();
    assert_eq!(tail, all(&Doc::next(None, &text[doc.at..], true).0));
}

#[test]
fn a_link_on_an_indented_line_is_one() {
    let text = "a\n    b[c](https://example.org)";
    let doc = Doc::next(Some(Doc::next(None, &text[..11], true).0), text, true).0;
    assert_eq!(all(&doc), all(&Doc::next(None, text, true).0));
}

#[test]
fn what_a_reference_means_is_no_part_of_the_words_before_it() {
    for pieces in [
        ["a\n\n[r]: http", "s://example.org\n\nUse [r] now", ""],
        ["see [ref][r] here\n\nmore", "\n\n[r]: https://exa", "mple.org \"t\"\n\nlast"],
        ["[a]: /u", "\n\"tit", "le\"\n\nx [a]"],
    ] {
        let (mut text, mut doc) = (String::new(), None);
        for piece in pieces {
            text.push_str(piece);
            let grown = Doc::next(doc, &text, true).0;
            assert_eq!(all(&grown), all(&Doc::next(None, &text, true).0), "{text:?}");
            doc = Some(grown);
        }
    }
}

#[test]
fn code_that_grows_is_that_of_its_source() {
    for (source, code) in [
        ("```rust\nfn x() {\n    1\n", "fn x() {\n    1\n"),
        ("```\na\n   ", "a\n"),
        ("```\na\n    ", "a\n    "),
        ("```\na  b \n\n  c", "a  b \n\n  c"),
        ("~~~\n\n\na\tb\n", "\n\na\tb\n"),
    ] {
        for step in 1..6 {
            let cuts = (1..source.len()).step_by(step).chain([source.len()]);
            let doc = cuts.fold(None, |doc, cut| Some(Doc::next(doc, &source[..cut], true).0)).unwrap_or_default();
            let [block] = doc.tail.as_slice() else { panic!("{source:?} is {:?}", doc.tail) };
            assert!(matches!(&**block, Block::Code { text, .. } if text == code), "{source:?} in steps of {step}: {block:?}");
        }
    }
}

fn markdown() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("# Title\n\n".to_owned()),
        Just("A **bold** and `code` line.\n".to_owned()),
        Just("\n".to_owned()),
        Just("- one\n- two\n".to_owned()),
        Just("  - inner\n\n".to_owned()),
        Just("```rust\nfn x() {}\n\n".to_owned()),
        Just("```\n    \n   a\n  ".to_owned()),
        Just("~~~\n~~~\n  \n".to_owned()),
        Just("[r]: https://example.org\n".to_owned()),
        Just("see [r] and [a][r]".to_owned()),
        Just("— “so it goes”; wow! ".to_owned()),
        Just("```\n".to_owned()),
        Just("> quote\n".to_owned()),
        Just("|a|b|\n|-|-|\n|1|2|\n".to_owned()),
        Just("1. first\n\n   more\n".to_owned()),
        Just("Title\n===\n".to_owned()),
        Just("<div>\n".to_owned()),
        Just("[a](https://example.org) ".to_owned()),
        "[a-z*`_\\[\\]() ]{0,12}",
        Just("    indented\n".to_owned()),
        Just("ü\n\n".to_owned()),
        Just("password: hunter2x9".to_owned()),
        Just("and so it goes on, line by line ".to_owned()),
        Just("1. ".to_owned()),
        Just("| c | d |\n".to_owned()),
        Just("| `in` cell | and **more**, of".to_owned()),
        Just("\n| ".to_owned()),
        Just("- an item of `code` and [a](https://example.org) ".to_owned()),
        Just("&amp; <b>x</b> ".to_owned()),
        "[a-z ]{1,9}",
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// What a document shows: all its blocks, and what tells their nodes on screen.
fn shown(doc: &Doc) -> String {
    format!(
        "{:?} {:?}",
        doc.done.iter().flat_map(|chunk| chunk.iter().map(|keyed| (keyed.key, &keyed.block))).collect::<Vec<_>>(),
        doc.tail
    )
}

/// The blocks of a document.
fn all(doc: &Doc) -> Vec<Block> {
    doc.done
        .iter()
        .flat_map(|chunk| chunk.iter().map(|keyed| (*keyed.block).clone()))
        .chain(doc.tail.iter().map(|block| (**block).clone()))
        .collect()
}

/// A list stayed open until the paragraph behind it had a whole line, and was parsed with each piece of that.
#[test]
fn a_list_ends_with_the_first_letter_behind_it() {
    let finished = |text: &str| Doc::next(None, text, true).0.finished();
    for (text, count) in [
        ("- a\n\nb", 1),
        ("- a\n\n**b", 1),
        ("- a\n\n1.5", 1),
        ("- a\nb", 0),
        ("- a\n\n", 0),
        ("- a\n\n-", 0),
        ("- a\n\n1", 0),
        ("- a\n\n1.", 0),
        ("- a\n\n  b", 0),
        ("> a\n\n", 1),
    ] {
        assert_eq!(finished(text), count, "{text:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 512 } else { 20_000 }))]

    /// Live and reload are one: however a text came, its tail shows at each step what its source, parsed at once, shows; and its end is
    /// the whole.
    #[test]
    fn a_grown_document_is_at_each_step_what_is_parsed_at_once(text in markdown(), cuts in prop::collection::vec(0..400_usize, 0..24)) {
        let mut cuts: Vec<usize> = cuts.into_iter().filter(|cut| *cut <= text.len() && text.is_char_boundary(*cut)).collect();
        cuts.sort_unstable();
        let mut doc: Option<Doc> = None;
        for cut in cuts {
            let before = doc.as_ref().map_or(0, Doc::finished);
            let (grown, _) = Doc::next(doc, &text[..cut], true);
            prop_assert!(grown.finished() >= before || text[..cut].contains("]:"), "a finished block went");
            let tail: Vec<Block> = grown.tail.iter().map(|block| (**block).clone()).collect();
            // What a reference means can change all that stands before it.
            let whole = text[..cut].contains("]:");
            let (seen, from) = if whole { (all(&grown), 0) } else { (tail, grown.at) };
            prop_assert_eq!(seen, all(&Doc::next(None, &text[from..cut], true).0), "{}..{} of {:?}", from, cut, text);
            doc = Some(grown);
        }
        let (closed, _) = Doc::next(doc, &text, false);
        prop_assert_eq!(shown(&closed), shown(&Doc::next(None, &text, false).0));
        prop_assert!(closed.tail.is_empty());
    }

    #[test]
    fn anything_parses(text in any::<String>()) {
        let _ = Doc::next(None, &text, true);
        let _ = Doc::next(None, &text, false);
    }
}
