//! What is whole in a line that is broken as a whole.
//!
//! Writers that share a file tear each other's lines: a record without its newline, a record cut by the next one, a run of
//! NULs. The records that are whole are translated; what is left over makes the line opaque.

use serde_json::value::RawValue;

/// The whole objects found in `line`, in order, and whether nothing but blanks stands beside them.
pub fn records(line: &str) -> (Vec<&str>, bool) {
    let first = run(line);
    if first.clean {
        return (first.found, true);
    }
    let mut found = first.found;
    // A hostile line may hold a million places where an object could begin.
    let mut budget = line.len().saturating_mul(8);
    let mut from = first.broken + 1;
    while let Some(start) = line.get(from..).and_then(|tail| tail.find("{\"")).map(|at| from + at) {
        let Some(tail) = line.get(start..).map(run) else { break };
        if tail.clean {
            found.extend(tail.found);
            break;
        }
        let Some(left) = budget.checked_sub(tail.read.max(64)) else { break };
        budget = left;
        from = start + 1;
    }
    (found, false)
}

/// Objects read one after the other from the start of a text.
struct Run<'a> {
    found: Vec<&'a str>,
    /// True if they are all of the text.
    clean: bool,
    /// Where the first thing that is no whole object begins.
    broken: usize,
    /// How many bytes were looked at.
    read: usize,
}

fn run(text: &str) -> Run<'_> {
    let mut records = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let mut found = Vec::new();
    loop {
        let broken = records.byte_offset();
        match records.next() {
            None => return Run { found, clean: true, broken, read: text.len() },
            Some(Ok(raw)) if raw.get().starts_with('{') => found.push(raw.get()),
            Some(Ok(_)) => return Run { found, clean: false, broken, read: records.byte_offset() },
            Some(Err(fault)) => {
                let read = if fault.is_eof() { text.len() } else { fault.column() };
                return Run { found, clean: false, broken, read };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_whole_is_found() {
        let whole = r#"{"type":"user","n":{"x":[1]}}"#;
        for (line, expected, clean) in [
            (whole.to_owned(), 1, true),
            (format!("{whole}{whole}"), 2, true),
            (format!(" {whole} {whole} "), 2, true),
            (format!("{{\"type\":\"user\",\"message\":\"half a li{whole}"), 1, false),
            (format!("{{\"a\":{{\"b\":{whole}"), 1, false),
            (format!("{whole}{{\"a\":\"half{whole}"), 2, false),
            (format!("\0\0\0{whole}"), 1, false),
            ("\0\0\0".to_owned(), 0, false),
            ("half".to_owned(), 0, false),
            (r#"{"a":"#.to_owned(), 0, false),
            ("[1,2]".to_owned(), 0, false),
        ] {
            let (found, all) = records(&line);
            assert_eq!((found.len(), all), (expected, clean), "{line:?}");
            assert!(found.iter().all(|record| *record == whole), "{line:?}");
        }
    }

    #[test]
    fn a_hostile_line_costs_little() {
        for line in ["{\"".repeat(500_000), "{\"a\":".repeat(300_000), "{\"a\":[".repeat(200_000)] {
            assert_eq!(records(&line).0.len(), 0);
        }
    }
}
