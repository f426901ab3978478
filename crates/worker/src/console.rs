//! The console: lines of standard input, or of a line editor, evaluated between other events.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::Read;
use std::os::fd::AsRawFd;
use std::rc::Rc;
use std::sync::mpsc::TryRecvError;

use evaluator::Evaluator;

use sockets::os::Watch;

use crate::shared::Shared;
use crate::terminal::{LoopLink, Prompt};

/// Where lines come from, and what has come so far.
pub struct Console {
    lines: VecDeque<String>,
    partial: Vec<u8>,
    ended: bool,
    /// Something was typed or piped in: the end of input then ends the process.
    used: bool,
    watched: bool,
    /// A line editor on a terminal; plain standard input else.
    editor: Option<LoopLink>,
}

impl Console {
    /// A console on standard input, or behind an editor.
    pub fn new(editor: Option<LoopLink>) -> Console {
        Console {
            lines: VecDeque::new(),
            partial: Vec::new(),
            ended: false,
            used: editor.is_some(),
            watched: false,
            editor,
        }
    }

    fn descriptor(&self) -> i32 {
        self.editor.as_ref().map_or(0, |e| e.wake.as_raw_fd())
    }

    /// Watches the source of lines; a plain file, which cannot be watched, is read whole.
    pub fn start(&mut self, shared: &Rc<RefCell<Shared>>, evaluator: &Evaluator) {
        self.watched = shared
            .borrow()
            .poll
            .add(self.descriptor(), Watch::Reading)
            .is_ok();
        if !self.watched && self.editor.is_none() {
            let mut all = Vec::new();
            if std::io::stdin().read_to_end(&mut all).is_ok() {
                self.feed(&all);
            }
            self.end();
        }
        self.allow_prompt(evaluator);
    }

    /// Lets the editor show its prompt.
    fn allow_prompt(&mut self, evaluator: &Evaluator) {
        let Some(editor) = &self.editor else { return };
        let prompt = Prompt {
            text: evaluator.prompt(),
            completions: evaluator.completions(),
        };
        if editor.prompts.send(prompt).is_err() {
            self.ended = true;
        }
    }

    /// True for the descriptor that lines come from.
    pub fn owns(&self, descriptor: i32) -> bool {
        self.watched && descriptor == self.descriptor()
    }

    /// Reads what the source has.
    pub fn read(&mut self) {
        let mut buffer = [0u8; 1 << 16];
        let Some(editor) = &mut self.editor else {
            match std::io::stdin().lock().read(&mut buffer) {
                Ok(0) | Err(_) => self.end(),
                Ok(n) => self.feed(&buffer[..n]),
            }
            return;
        };
        let over = matches!(editor.wake.read(&mut buffer), Ok(0));
        loop {
            match editor.lines.try_recv() {
                Ok(line) => self.lines.push_back(line),
                Err(TryRecvError::Empty) if !over => return,
                Err(_) => return self.end(),
            }
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

    /// True when lines wait to be evaluated.
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
        self.allow_prompt(evaluator);
    }

    /// True when input has ended and nothing keeps the process: a port or timer keeps it only
    /// when nothing was ever typed, as with `< /dev/null`.
    pub fn is_over(&self, shared: &Rc<RefCell<Shared>>) -> bool {
        if !self.ended || self.has_lines() {
            return false;
        }
        let shared = shared.borrow();
        shared.poll.remove(self.descriptor());
        let serving = !shared.listeners.is_empty() || shared.timer_ms > 0;
        self.used || !serving
    }
}
