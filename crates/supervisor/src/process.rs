//! One worker process, from start to end.

use std::os::fd::OwnedFd;
use std::time::Instant;

use sockets::os;

/// How far a process has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It loads its script.
    Starting,
    /// It takes connections.
    Serving,
    /// It takes no more, and ends when the open ones are done.
    Draining,
}

impl Stage {
    pub fn name(self) -> &'static str {
        match self {
            Stage::Starting => "starting",
            Stage::Serving => "serving",
            Stage::Draining => "draining",
        }
    }
}

/// A worker process.
#[derive(Debug)]
pub struct Process {
    pub pid: i32,
    pub stage: Stage,
    pub generation: u64,
    /// When the stage began.
    pub since: Instant,
    /// Lines to and from it; closed for a command that is not ours.
    pub control: OwnedFd,
    /// It was told to end by force at its limit.
    pub terminated: Option<Instant>,
}

impl Process {
    /// A process that has just been started.
    pub fn new(pid: i32, generation: u64, control: OwnedFd) -> Process {
        Process {
            pid,
            stage: Stage::Starting,
            generation,
            since: Instant::now(),
            control,
            terminated: None,
        }
    }

    /// Enters a stage.
    pub fn enter(&mut self, stage: Stage) {
        self.stage = stage;
        self.since = Instant::now();
    }

    /// Tells it a line; one that is gone hears nothing.
    pub fn tell(&self, line: &str) {
        let _ = os::send(&self.control, line.as_bytes(), &[]);
    }

    /// The lines that it has sent.
    pub fn heard(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut buffer = [0u8; 256];
        while let Ok((size @ 1.., _)) = os::receive(&self.control, &mut buffer) {
            lines.push(String::from_utf8_lossy(&buffer[..size]).trim().to_string());
        }
        lines
    }
}
