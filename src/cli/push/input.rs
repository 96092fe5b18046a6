//! Standard input, line by line, on a thread of its own.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

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

/// Reads lines, without their ends; with `tee` each is passed on first. A line that ends with the input instead is one as well.
pub fn read(tee: bool, budget: Arc<Budget>) -> Receiver<Vec<u8>> {
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        let (mut input, mut out) = (io::stdin().lock(), io::stdout().lock());
        loop {
            let mut line = Vec::new();
            match input.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            if tee {
                // A reader that has gone is no reason to lose the lines here.
                let _ = out.write_all(&line).and_then(|()| out.flush());
            }
            if line.last() == Some(&b'\n') {
                line.pop();
            }
            budget.take(line.len());
            // Whoever no longer wants them may still want what is passed on.
            let _ = sender.send(line);
        }
    });
    lines
}
