//! The parser of server-sent events: any cut gives the same events, and an event survives being a line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sidedeck::dialect::sse::{Event, Parser, read_block, to_block};

fuzz_target!(|text: &[u8]| {
    let events = |step: usize| {
        let (mut parser, mut found) = (Parser::default(), Vec::<Event>::new());
        text.chunks(step).for_each(|chunk| parser.feed(chunk, &mut |event| found.push(event)));
        (found, parser.end())
    };
    let whole = events(text.len().max(1));
    for step in [1, 2, 3, 7] {
        assert_eq!(events(step), whole, "in steps of {step}");
    }
    for event in whole.0 {
        let again = read_block(&to_block(&event));
        let told = |event: Event| (event.name, event.data, event.id);
        assert_eq!(again.map(told), Some(told(event)));
    }
});
