//! What the supervisor says to a worker, and what the worker answers: one line a packet.
//!
//! | line | |
//! |---|---|
//! | `ready` | worker: the script has been loaded |
//! | `serve` | take connections |
//! | `serving` | worker: done |
//! | `yield K` | worker K has just begun to serve: its listeners are its own first |
//! | `drain MS` | take no more connections, end when the open ones are idle, or after that time |
//! | `join W MODE..` | a new worker W: its mailbox and a listener of each mode come with the line |
//! | `workers N` | there are N workers now: whose listeners are whose is settled anew |
//! | `draining` | worker: no more connections are taken |

use std::os::fd::{AsRawFd, OwnedFd};
use std::time::Duration;

use sockets::{InheritedListener, Mode, os};

/// A command of the supervisor.
#[derive(Debug)]
pub enum Command {
    Serve,
    Yield(usize),
    Drain(Duration),
    /// A mailbox, and the listeners of a new worker.
    Join(OwnedFd, Vec<(OwnedFd, InheritedListener)>),
    Workers(usize),
    /// The supervisor is gone.
    Orphaned,
}

/// Bytes of a command.
const COMMAND_BYTES_MAX: usize = 256;

/// The next command, if one has come.
pub fn receive(control: &OwnedFd) -> Option<Command> {
    let mut buffer = [0u8; COMMAND_BYTES_MAX];
    loop {
        let (size, descriptors) = os::receive(control, &mut buffer).ok()?;
        if size == 0 {
            return Some(Command::Orphaned);
        }
        let line = std::str::from_utf8(&buffer[..size]).unwrap_or("");
        match parse(line, descriptors) {
            Some(command) => return Some(command),
            None => eprintln!("error: unknown command `{line}` of the supervisor"),
        }
    }
}

/// Tells the supervisor how far this worker has come.
pub fn report(control: &OwnedFd, line: &str) {
    if let Err(e) = os::send(control, line.as_bytes(), &[]) {
        eprintln!(
            "error: the supervisor was not told `{line}`: {}",
            os::reason(&e)
        );
    }
}

fn parse(line: &str, descriptors: Vec<OwnedFd>) -> Option<Command> {
    let (name, argument) = line.split_once(' ').unwrap_or((line, ""));
    match name {
        "serve" => Some(Command::Serve),
        "yield" => argument.parse().ok().map(Command::Yield),
        "drain" => {
            let ms = argument.parse().ok()?;
            Some(Command::Drain(Duration::from_millis(ms)))
        }
        "workers" => argument
            .parse()
            .ok()
            .filter(|&n| n > 0)
            .map(Command::Workers),
        "join" => join(argument, descriptors),
        _ => None,
    }
}

fn join(argument: &str, descriptors: Vec<OwnedFd>) -> Option<Command> {
    let mut words = argument.split_whitespace();
    let shard = words.next()?.parse().ok()?;
    let modes: Option<Vec<Mode>> = words.map(Mode::named).collect();
    let mut descriptors = descriptors.into_iter();
    let mailbox = descriptors.next()?;
    let listener = |(socket, mode): (OwnedFd, Mode)| {
        let descriptor = socket.as_raw_fd();
        (
            socket,
            InheritedListener {
                descriptor,
                mode,
                shard,
            },
        )
    };
    let listeners = descriptors.zip(modes?).map(listener).collect();
    Some(Command::Join(mailbox, listeners))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands() {
        let parse = |line| parse(line, Vec::new());
        assert!(matches!(parse("serve"), Some(Command::Serve)));
        assert!(matches!(parse("yield 3"), Some(Command::Yield(3))));
        assert!(matches!(parse("drain 250"), Some(Command::Drain(d)) if d.as_millis() == 250));
        assert!(matches!(parse("workers 2"), Some(Command::Workers(2))));
        for line in ["yield", "dance", "workers 0", "join 2 steered"] {
            assert!(parse(line).is_none(), "{line}");
        }
    }
}
