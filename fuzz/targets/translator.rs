//! The translator whose name this program bears: nothing makes it fail, every record is in one class, its memory is bounded, and a
//! restart between two records changes no line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sidedeck::dialect::{Facts, Record, Translator, by_name, recognise, sse};
use sidedeck::model::{Class, Hash64, Line};

const DIALECT: &str = env!("CARGO_BIN_NAME");
/// No memory is larger, in bytes.
const MEMORY: usize = 4 << 20;

fn open(memory: Option<&str>) -> Box<dyn Translator> {
    let dialect = by_name(DIALECT).expect("a dialect");
    (dialect.open)(Facts { session: "s".into(), ..Facts::default() }, memory).expect("a translator")
}

fn translate(input: &[u8], restarts: u64) -> (Vec<Line>, usize) {
    let (mut translator, mut lines, mut records) = (open(None), Vec::new(), 0);
    // A blank line ends an event; elsewhere a line is a record.
    let events = sse::is_field(input);
    let parts: Vec<&[u8]> = match events {
        true => split(input, b"\n\n"),
        false => split(input, b"\n"),
    };
    for (at, bytes) in parts.into_iter().filter(|bytes| !bytes.trim_ascii().is_empty()).enumerate() {
        let event = sse::read_block(bytes);
        let record: Record<'_> = sse::record(at as u64, bytes, event.as_ref());
        lines.extend(translator.record(record));
        records += 1;
        if restarts >> (at % 64) & 1 == 1 {
            let memory = translator.memory();
            assert!(memory.len() < MEMORY, "{} bytes of memory", memory.len());
            translator = open(Some(&memory));
        }
    }
    lines.extend(translator.end());
    (lines, records)
}

fn split<'a>(bytes: &'a [u8], by: &[u8]) -> Vec<&'a [u8]> {
    let (mut parts, mut rest) = (Vec::new(), bytes);
    while let Some(at) = rest.windows(by.len()).position(|here| here == by) {
        parts.push(&rest[..at]);
        rest = &rest[at + by.len()..];
    }
    parts.push(rest);
    parts
}

fuzz_target!(|bytes: &[u8]| {
    // The input is the source alone, so that any transcript is a seed.
    let restarts = Hash64::of(bytes).0;
    let _ = recognise(bytes);
    let (whole, records) = translate(bytes, 0);
    assert_eq!(whole.iter().filter(|line| line.class != Class::Part).count(), records, "every record is in one class");
    assert_eq!(translate(bytes, restarts).0, whole, "restarts at {restarts:b}");
});
