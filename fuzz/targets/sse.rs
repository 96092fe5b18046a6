//! The parser of server-sent events: any cut gives the same events, and an event survives being a line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sidedeck::dialect::sse::{Event, Parser, read_block, to_block};

fuzz_target!(|input: (u8, &[u8])| {
    let (step, text) = input;
    let events = |step: usize| {
        let (mut parser, mut found) = (Parser::default(), Vec::<Event>::new());
        text.chunks(step).for_each(|chunk| parser.feed(chunk, &mut |event| found.push(event)));
        (found, parser.rest())
    };
    let whole = events(text.len().max(1));
    assert_eq!(events(usize::from(step).max(1)), whole);
    for event in whole.0 {
        let again = read_block(&to_block(&event));
        assert!(
            event.name.is_empty() && event.id.is_none() || again.is_some_and(|again| again.data == event.data && again.name == event.name)
        );
    }
});
