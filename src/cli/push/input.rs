//! Standard input, line by line, on a thread of its own.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::dialect::sse::{Parser, is_bare, is_field, to_block};
use crate::dialect::unmarked;

/// Bytes that may wait for the server before the agent has to.
const BYTES: usize = 256 << 20;

/// How many bytes wait. `None` once nobody counts any more.
pub struct Budget {
    waiting: Mutex<Option<usize>>,
    less: Condvar,
}

impl Default for Budget {
    fn default() -> Self {
        Self { waiting: Mutex::new(Some(0)), less: Condvar::new() }
    }
}

impl Budget {
    /// Bytes that no longer wait.
    pub fn give(&self, bytes: usize) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        *waiting = waiting.map(|waiting| waiting.saturating_sub(bytes));
        self.less.notify_all();
    }

    /// Nothing has to wait any more.
    pub fn open(&self) {
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.less.notify_all();
    }

    fn take(&self, bytes: usize) {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |waiting: &mut Option<usize>| waiting.is_some_and(|waiting| waiting > BYTES);
        let mut waiting = self.less.wait_while(waiting, full).unwrap_or_else(PoisonError::into_inner);
        *waiting = waiting.map(|waiting| waiting + bytes);
    }
}

/// Reads lines, without their ends, or the events of a stream, each as its text; with `tee` all is passed on first. What ends with
/// the input instead is one as well.
pub fn read(tee: bool, budget: Arc<Budget>) -> Receiver<Vec<u8>> {
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        let (mut input, mut out, mut cutter) = (io::stdin().lock(), io::stdout().lock(), Cutter::default());
        let mut give = |line: Vec<u8>| {
            // A blank line says nothing, and is not worth a number.
            if line.trim_ascii().is_empty() {
                return;
            }
            budget.take(line.len());
            // Whoever no longer wants them may still want what is passed on.
            let _ = sender.send(line);
        };
        loop {
            let count = match input.fill_buf() {
                Err(fault) if fault.kind() == io::ErrorKind::Interrupted => continue,
                Ok([]) | Err(_) => return cutter.end(&mut give),
                Ok(chunk) => {
                    if tee {
                        // A reader that has gone is no reason to lose the lines here.
                        let _ = out.write_all(chunk).and_then(|()| out.flush());
                    }
                    cutter.feed(chunk, &mut give);
                    chunk.len()
                }
            };
            input.consume(count);
        }
    });
    lines
}

/// Cuts input into lines, or into events if its first line is of one.
#[derive(Default)]
struct Cutter {
    /// The line that has begun; before the first line is known, all that came.
    line: Vec<u8>,
    known: bool,
    events: Option<Parser>,
}

impl Cutter {
    fn feed(&mut self, chunk: &[u8], each: &mut impl FnMut(Vec<u8>)) {
        if let Some(events) = &mut self.events {
            return events.feed(chunk, &mut |event| each(to_block(&event)));
        }
        if !self.known {
            self.line.extend_from_slice(chunk);
            let first = unmarked(&self.line).trim_ascii_start();
            // As long as the longest name of a field.
            self.known = first.len() > 6 || first.contains(&b'\n');
            if self.known {
                let (events, all) = (is_field(first) || is_bare(first), std::mem::take(&mut self.line));
                self.events = events.then(Parser::default);
                self.feed(&all, each);
            }
            return;
        }
        for part in chunk.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if self.line.pop_if(|byte| *byte == b'\n').is_some() {
                each(std::mem::take(&mut self.line));
            }
        }
    }

    fn end(mut self, each: &mut impl FnMut(Vec<u8>)) {
        if let Some(mut events) = self.events {
            events.end().iter().for_each(|event| each(to_block(event)));
        } else if !self.line.is_empty() {
            each(std::mem::take(&mut self.line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_events_come_out_whole_however_they_come_in() {
        for (input, expected) in [
            ("{\"a\":1}\r\n\nb\nc", &["{\"a\":1}\r", "", "b", "c"][..]),
            ("[]", &["[]"]),
            ("", &[]),
            ("\n\n: ping\r\revent: x\rdata: 1\r\rid: 7\ndata: {\ndata: }", &["event: x\ndata: 1\n", "id: 7\ndata: {\ndata: }\n"]),
            ("\u{feff}data: {}\r\n\r\ndata: half", &["data: {}\n"]),
        ] {
            for step in 1..=input.len().max(1) {
                let (mut cutter, mut found) = (Cutter::default(), Vec::new());
                let mut each = |line: Vec<u8>| found.push(String::from_utf8(line).expect("text"));
                input.as_bytes().chunks(step).for_each(|chunk| cutter.feed(chunk, &mut each));
                cutter.end(&mut each);
                assert_eq!(found, expected, "{input:?} in steps of {step}");
            }
        }
    }
}
