//! The link between the event loop and a line editor that runs in a thread of its own.
//!
//! The editor gives lines and waits; the loop evaluates, prints, and then allows the next prompt.
//! A byte through a socket pair wakes the loop. The editor itself is the binary's.

use std::io::Write;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, Sender, channel};

/// What the editor shows next: allowed once the last line's value is printed.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// `q)`, `q.ns)`.
    pub text: String,
    /// All names that can be completed.
    pub completions: Vec<String>,
}

/// The editor's end of the link.
#[derive(Debug)]
pub struct EditorLink {
    prompts: Receiver<Prompt>,
    lines: Sender<String>,
    wake: UnixStream,
}

/// The loop's end.
#[derive(Debug)]
pub(crate) struct LoopLink {
    pub prompts: Sender<Prompt>,
    pub lines: Receiver<String>,
    pub wake: UnixStream,
}

impl EditorLink {
    /// Waits until the next prompt may be shown; `None` when the process ends.
    pub fn next_prompt(&self) -> Option<Prompt> {
        self.prompts.recv().ok()
    }

    /// Hands a line over; false when nobody takes it any more.
    pub fn give(&mut self, line: String) -> bool {
        self.lines.send(line).is_ok() && self.wake.write_all(&[1]).is_ok()
    }
}

/// Both ends of a new link.
pub(crate) fn link() -> std::io::Result<(EditorLink, LoopLink)> {
    let (ours, theirs) = UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    let (prompt_sender, prompts) = channel();
    let (lines, line_receiver) = channel();
    let editor = EditorLink {
        prompts,
        lines,
        wake: theirs,
    };
    let event_loop = LoopLink {
        prompts: prompt_sender,
        lines: line_receiver,
        wake: ours,
    };
    Ok((editor, event_loop))
}
