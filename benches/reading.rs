//! What it costs to draw a text that grows, and texts that were written to be slow: ratios and milliseconds, in one run.

use std::time::{Duration, Instant};

use sidedeck::app::markdown::Doc;

/// How often each is measured; the least time counts.
const ROUNDS: usize = 9;

fn main() {
    let text = [include_str!("../README.md"), include_str!("../ARCHITECTURE.md"), include_str!("../CONTRIBUTING.md")].concat();
    let text = &text[..text.floor_char_boundary(32 << 10)];
    let whole = least(|| {
        std::hint::black_box(Doc::next(None, text, false));
    });
    let deltas = least(|| {
        let mut doc = None;
        for cut in (20..text.len()).step_by(20) {
            doc = Some(Doc::next(doc, &text[..text.floor_char_boundary(cut)], true).0);
        }
        std::hint::black_box(Doc::next(doc, text, false));
    });
    let bytes = text.len();
    println!(
        "markdown in deltas  {:.1} times one parse ({whole:.1?} for {bytes} bytes; {deltas:.1?} in deltas of 20)",
        deltas.as_secs_f64() / whole.as_secs_f64()
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
