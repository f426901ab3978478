//! What the event loop and the evaluator's host both work on: connections, files, the timer.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::path::PathBuf;
use std::time::Instant;

use ipc::{Kind, Message};
use values::{K, Result, Signal};

use crate::connection::{Connection, Input, State};
use crate::listener::{Listener, Specification};
use crate::os::Poll;
use crate::password::Passwords;

/// An event that waits for the loop because the evaluator was busy when it came.
#[derive(Debug)]
pub enum Pending {
    Message(i32, Message),
    Closed(i32),
}

/// All that lives outside of the evaluator.
pub struct Shared {
    pub poll: Poll,
    pub connections: BTreeMap<i32, Connection>,
    /// Files that `hopen` opened, with their paths.
    pub files: BTreeMap<i32, (File, PathBuf)>,
    pub listeners: Vec<Listener>,
    pub pending: VecDeque<Pending>,
    pub timer_ms: i64,
    pub next_tick: Option<Instant>,
    pub deadline: Option<Instant>,
    pub passwords: Option<Passwords>,
    /// Public addresses may be listened on without a password file.
    pub unsafe_open: bool,
    /// Lines of standard input that were read ahead.
    pub input: VecDeque<Vec<u8>>,
}

impl Shared {
    /// Listens as told; `0` stops listening.
    pub fn listen(&mut self, text: &str) -> Result<i32> {
        let specification = Specification::parse(text)?;
        if specification.is_public() && self.passwords.is_none() && !self.unsafe_open {
            return Err(
                Signal::new(format!("{text}: a public address needs a password file"))
                    .with_hint("start with -u FILE, or with --unsafe-open to let anybody in"),
            );
        }
        if specification.ports.is_empty() {
            self.close_listeners();
            return Ok(0);
        }
        let listener = Listener::open(&specification)?;
        self.close_listeners();
        use std::os::fd::AsRawFd;
        let watch = |d| self.poll.add(d, false);
        let watched = watch(listener.tcp.as_raw_fd()).and_then(|()| match &listener.unix {
            Some(unix) => watch(unix.as_raw_fd()),
            None => Ok(()),
        });
        watched.map_err(|e| Signal::new(format!("{}: {e}", listener.port)))?;
        let port = i32::from(listener.port);
        self.listeners.push(listener);
        Ok(port)
    }

    fn close_listeners(&mut self) {
        use std::os::fd::AsRawFd;
        for listener in self.listeners.drain(..) {
            self.poll.remove(listener.tcp.as_raw_fd());
            if let Some(unix) = &listener.unix {
                self.poll.remove(unix.as_raw_fd());
            }
        }
    }

    /// Takes up a connection: its handle is its descriptor.
    pub fn admit(&mut self, connection: Connection) -> Result<i32> {
        let handle = connection.stream.descriptor();
        if self.connections.len() >= crate::limits::CONNECTIONS_MAX {
            return Err(Signal::limit().with_note("too many connections"));
        }
        connection
            .stream
            .set_nonblocking()
            .and_then(|()| self.poll.add(handle, false))
            .map_err(|e| Signal::new(e.to_string()))?;
        self.connections.insert(handle, connection);
        Ok(handle)
    }

    /// Forgets a connection; its socket closes.
    pub fn drop_connection(&mut self, handle: i32) -> Option<Connection> {
        let connection = self.connections.remove(&handle)?;
        self.poll.remove(handle);
        Some(connection)
    }

    /// An open IPC connection.
    ///
    /// Errors: the handle and `Cannot write to handle`, as q has it.
    pub fn open_connection(&mut self, handle: i32) -> Result<&mut Connection> {
        match self.connections.get_mut(&handle) {
            Some(c) if matches!(c.state, State::Open(_)) => Ok(c),
            _ => Err(Signal::new(format!(
                "Cannot write to handle {handle}. OS reports: Bad file descriptor"
            ))
            .with_note("the handle is not open")),
        }
    }

    /// Sends a message, and sees to it that what does not go at once goes later.
    pub fn send(&mut self, handle: i32, kind: Kind, k: &K) -> Result<()> {
        let connection = self.open_connection(handle)?;
        let sent = connection.send(kind, k);
        self.watch_queue(handle);
        if sent.as_ref().is_err_and(|s| s.word().starts_with("close")) {
            self.close_lost(handle);
        }
        sent
    }

    /// Sends bytes that are a message already.
    pub fn send_bytes(&mut self, handle: i32, bytes: Vec<u8>) {
        let Some(connection) = self.connections.get_mut(&handle) else {
            return;
        };
        if connection.queue_bytes(bytes).is_err() {
            self.close_lost(handle);
        }
        self.watch_queue(handle);
    }

    /// A connection whose peer is gone: `.z.pc` is run by the loop.
    pub fn close_lost(&mut self, handle: i32) {
        if self.drop_connection(handle).is_some() {
            self.pending.push_back(Pending::Closed(handle));
        }
    }

    /// Ends a connection once what is queued is written; false when there was none.
    pub fn close_after_writing(&mut self, handle: i32) -> bool {
        let Some(connection) = self.connections.get_mut(&handle) else {
            return false;
        };
        connection.state = State::Closing;
        connection.watched_for_writing = true;
        if !connection.has_queue() || self.poll.change_to_writing(handle).is_err() {
            self.drop_connection(handle);
        }
        true
    }

    /// Watches for writing exactly while something is queued.
    pub fn watch_queue(&mut self, handle: i32) {
        let Some(connection) = self.connections.get_mut(&handle) else {
            return;
        };
        let wanted = connection.has_queue();
        if wanted != connection.watched_for_writing {
            connection.watched_for_writing = wanted;
            if self.poll.change(handle, wanted).is_err() {
                self.close_lost(handle);
            }
        }
    }

    /// Reads from an open connection once and queues its messages; false when it has ended.
    pub fn pump(&mut self, handle: i32) -> bool {
        let Some(connection) = self.connections.get_mut(&handle) else {
            return false;
        };
        match connection.read() {
            Input::Nothing => true,
            Input::Ended => false,
            Input::Bytes(bytes) => {
                if let State::Open(decoder) = &mut connection.state {
                    decoder.feed(&bytes);
                }
                true
            }
        }
    }

    /// The next whole message of an open connection.
    pub fn next_message(
        &mut self,
        handle: i32,
    ) -> std::result::Result<Option<Message>, (Signal, Vec<u8>)> {
        match self.connections.get_mut(&handle).map(|c| &mut c.state) {
            Some(State::Open(decoder)) => decoder.next(&worker_lookup),
            _ => Ok(None),
        }
    }

    /// Whether a user may come in, as far as the password file says.
    pub fn allows(&self, user: &str, password: &str) -> bool {
        self.passwords
            .as_ref()
            .is_none_or(|p| p.allows(user, password))
    }
}

/// The primitive of a wire code.
pub fn worker_lookup(kind: i8, code: u8) -> Option<&'static values::Primitive> {
    evaluator::primitive_by_wire(kind, code)
}
