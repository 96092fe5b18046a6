//! How fast each dialect is translated: its fixtures, told again and again to new translators. Prints MB/s; no store, no ledger.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use sidedeck::dialect::{DIALECTS, Dialect, Facts, sse};

/// How long each dialect is measured.
const TIME: Duration = Duration::from_millis(1_500);

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    for dialect in &DIALECTS {
        let Ok(folder) = fs::read_dir(root.join(dialect.name)) else { continue };
        let files: Vec<String> = folder.filter_map(|entry| fs::read_to_string(entry.ok()?.path()).ok()).collect();
        let (begun, mut bytes, mut lines) = (Instant::now(), 0, 0);
        while begun.elapsed() < TIME {
            for text in &files {
                bytes += text.len();
                lines += translate(dialect, text);
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "a number for a person")]
        let rate = bytes as f64 / 1e6 / begun.elapsed().as_secs_f64();
        println!("translate {:<16} {rate:7.1} MB/s, {lines} lines", dialect.name);
    }
}

/// Translates a file; gives the number of lines that it came to.
fn translate(dialect: &Dialect, text: &str) -> usize {
    let facts = Facts { session: "s".into(), ..Facts::default() };
    let Ok(mut translator) = (dialect.open)(facts, None) else { return 0 };
    let (mut lines, mut offset) = (0, 0);
    let events = text.lines().next().is_some_and(|line| sse::is_field(line.as_bytes()));
    for part in if events { text.split_inclusive("\n\n") } else { text.split_inclusive("\n") } {
        let bytes = part.trim_end().as_bytes();
        let event = sse::read_block(bytes);
        lines += translator.record(sse::record(offset, bytes, event.as_ref())).len();
        offset += part.len() as u64;
    }
    lines + translator.end().len() + usize::from(translator.memory().is_empty())
}
