//! Standard input as a console: lines are evaluated one by one between other events.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{IsTerminal, Read, Write};
use std::rc::Rc;

use evaluator::Evaluator;

use crate::shared::Shared;

/// Where lines come from, and what has come so far.
pub struct Console {
    lines: VecDeque<String>,
    partial: Vec<u8>,
    ended: bool,
    /// Something was typed or piped in: the end of input then ends the process.
    used: bool,
    watched: bool,
    prompt: bool,
}

impl Console {
    /// A console on standard input.
    pub fn new() -> Console {
        Console {
            lines: VecDeque::new(),
            partial: Vec::new(),
            ended: false,
            used: false,
            watched: false,
            prompt: std::io::stdin().is_terminal(),
        }
    }

    /// Watches standard input; a plain file, which cannot be watched, is read whole.
    pub fn start(&mut self, shared: &Rc<RefCell<Shared>>) {
        self.watched = shared.borrow().poll.add(0, false).is_ok();
        if !self.watched {
            let mut all = Vec::new();
            if std::io::stdin().read_to_end(&mut all).is_ok() {
                self.feed(&all);
            }
            self.end();
        }
        self.show_prompt("q)");
    }

    fn show_prompt(&self, prompt: &str) {
        if self.prompt {
            print!("{prompt}");
            // A terminal that is gone shows no prompt.
            let _ = std::io::stdout().flush();
        }
    }

    pub fn owns(&self, descriptor: i32) -> bool {
        descriptor == 0 && self.watched
    }

    /// Reads what standard input has.
    pub fn read(&mut self) {
        let mut buffer = [0u8; 1 << 16];
        match std::io::stdin().lock().read(&mut buffer) {
            Ok(0) | Err(_) => self.end(),
            Ok(n) => self.feed(&buffer[..n]),
        }
    }

    fn feed(&mut self, bytes: &[u8]) {
        self.used |= !bytes.is_empty();
        self.partial.extend_from_slice(bytes);
        while let Some(end) = self.partial.iter().position(|&b| b == b'\n') {
            let line: Vec<u8> = self.partial.drain(..=end).collect();
            let text = String::from_utf8_lossy(&line[..end]).into_owned();
            self.lines
                .push_back(text.trim_end_matches('\r').to_string());
        }
    }

    fn end(&mut self) {
        if !self.partial.is_empty() {
            let rest = std::mem::take(&mut self.partial);
            self.lines
                .push_back(String::from_utf8_lossy(&rest).into_owned());
        }
        self.ended = true;
        self.watched = false;
    }

    pub fn has_lines(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Evaluates a line and shows its value or error.
    pub fn run_line(&mut self, evaluator: &mut Evaluator) {
        let Some(line) = self.lines.pop_front() else {
            return;
        };
        let result =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| evaluator.console(&line)));
        let text = match result {
            Ok(Ok(value)) => evaluator.show(&value),
            Ok(Err(signal)) => evaluator.report(&signal),
            Err(_) => "'panic\n  a bug in the engine; the place is in the log\n".to_string(),
        };
        evaluator.host().print(1, text.as_bytes());
        self.show_prompt(&evaluator.prompt());
    }

    /// True when input has ended and nothing keeps the process: a port or timer keeps it only
    /// when nothing was ever typed, as with `< /dev/null`.
    pub fn is_over(&mut self, shared: &Rc<RefCell<Shared>>) -> bool {
        if !self.ended || self.has_lines() {
            return false;
        }
        let shared = shared.borrow();
        shared.poll.remove(0);
        let serving = !shared.listeners.is_empty() || shared.timer_ms > 0;
        self.used || !serving
    }
}
