//! What it costs to draw a text that grows, and texts that were written to be slow: ratios and milliseconds, in one run.

use std::time::{Duration, Instant};

use sidedeck::app::markdown::Doc;

/// How often each is measured; the least time counts.
const ROUNDS: usize = 9;
/// How many texts are parsed one after the other: one that is parsed again and again is known to the processor by heart, as none is that a
/// page gets once.
const TEXTS: usize = 16;
/// The length of each, and of a delta, in bytes.
const LEN: usize = 32 << 10;
const DELTA: usize = 20;

fn main() {
    let texts = texts();
    let whole = least(|| {
        for text in &texts {
            std::hint::black_box(Doc::next(None, text, false));
        }
    });
    let deltas = least(|| {
        for text in &texts {
            let mut doc = None;
            for cut in (DELTA..text.len()).step_by(DELTA) {
                doc = Some(Doc::next(doc, &text[..text.floor_char_boundary(cut)], true).0);
            }
            std::hint::black_box(Doc::next(doc, text, false));
        }
    });
    println!(
        "markdown in deltas  {:.1} times one parse ({:.1?} for a text of {LEN} bytes; {:.1?} in deltas of {DELTA})",
        deltas.as_secs_f64() / whole.as_secs_f64(),
        whole / TEXTS as u32,
        deltas / TEXTS as u32,
    );
    let mib = "word ".repeat(200_000);
    for (name, text) in [
        ("10^5 open brackets", "[".repeat(100_000)),
        ("a table of 10^5 cells", format!("|a|b|c|d|\n|-|-|-|-|\n{}", "|1|2|3|4|\n".repeat(25_000))),
        ("a line of 1 MB", mib),
        ("a flood of colours", "\u{1b}[31mred\u{1b}[0m ".repeat(50_000)),
        ("marks that turn text", "\u{202e}abc\u{202c} ".repeat(50_000)),
        ("no width", "a\u{200b}".repeat(200_000)),
    ] {
        println!(
            "hostile {name:<22} {:.1?}",
            least(|| {
                std::hint::black_box(Doc::next(None, &text, false));
            })
        );
    }
}

/// The blocks of this project's documents, which hold every kind of them, in orders of a seeded shuffle.
fn texts() -> Vec<String> {
    let documents = [
        include_str!("../README.md"),
        include_str!("../ARCHITECTURE.md"),
        include_str!("../CONTRIBUTING.md"),
        include_str!("../docs/api.md"),
        include_str!("../docs/dialects.md"),
        include_str!("../docs/export.md"),
        include_str!("../docs/push.md"),
        include_str!("../docs/sidedeck-dialect.md"),
    ];
    let mut blocks: Vec<String> = vec![String::new()];
    let mut fenced = false;
    for line in documents.join("\n\n").lines() {
        fenced ^= line.starts_with("```");
        match blocks.last_mut() {
            Some(block) if fenced || !line.is_empty() => *block += &format!("{line}\n"),
            _ => blocks.push(String::new()),
        }
    }
    let mut seed = 42_u64;
    let mut shuffled = || {
        for end in (1..blocks.len()).rev() {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            blocks.swap(end, (seed >> 33) as usize % (end + 1));
        }
        let mut text = blocks.join("\n");
        text.truncate(text.floor_char_boundary(LEN));
        text
    };
    (0..TEXTS).map(|_| shuffled()).collect()
}

fn least(run: impl Fn()) -> Duration {
    (0..ROUNDS)
        .map(|_| {
            let begun = Instant::now();
            run();
            begun.elapsed()
        })
        .min()
        .unwrap_or_default()
}
