//! Letters between the workers of a group: connections to take, listeners to look at.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use crate::os;

/// What one worker asks of another.
#[derive(Debug)]
pub enum Letter {
    /// Take this connection: you have fewer.
    Connection(OwnedFd),
    /// I am busy and connections wait: take them.
    Sweep,
}

/// An end of a worker's mailbox; who holds the other can write to it.
#[derive(Debug)]
pub struct Mailbox {
    socket: OwnedFd,
}

const CONNECTION: u8 = b'c';
const SWEEP: u8 = b's';

impl Mailbox {
    /// The ends of a new mailbox: to read from, to write to.
    pub fn pair() -> io::Result<(Mailbox, Mailbox)> {
        let (reader, writer) = os::pair()?;
        Ok((Mailbox { socket: reader }, Mailbox { socket: writer }))
    }

    /// An end that was inherited.
    pub fn of(socket: OwnedFd) -> Mailbox {
        Mailbox { socket }
    }

    /// The end as a descriptor.
    pub fn descriptor(&self) -> &OwnedFd {
        &self.socket
    }

    /// Sends a letter.
    ///
    /// Errors: a full mailbox; nothing is lost, the writer keeps what it has.
    pub fn send(&self, letter: &Letter) -> io::Result<()> {
        match letter {
            Letter::Connection(c) => os::send(&self.socket, &[CONNECTION], &[c.as_raw_fd()]),
            Letter::Sweep => os::send(&self.socket, &[SWEEP], &[]),
        }
    }

    /// The next letter, if there is one.
    pub fn receive(&self) -> Option<Letter> {
        let mut kind = [0u8; 1];
        let (size, mut descriptors) = os::receive(&self.socket, &mut kind).ok()?;
        match (size, kind[0]) {
            (1, CONNECTION) => descriptors.pop().map(Letter::Connection),
            (1, SWEEP) => Some(Letter::Sweep),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_arrive_in_order() {
        let (reader, writer) = Mailbox::pair().expect("a mailbox");
        assert!(reader.receive().is_none());
        let (a, _b) = os::pair().expect("a pair");
        writer.send(&Letter::Connection(a)).expect("sent");
        writer.send(&Letter::Sweep).expect("sent");
        assert!(matches!(reader.receive(), Some(Letter::Connection(_))));
        assert!(matches!(reader.receive(), Some(Letter::Sweep)));
        assert!(reader.receive().is_none());
    }
}
