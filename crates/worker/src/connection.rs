//! One connection: its protocol, the bytes that came and the bytes that wait to go.

use std::collections::VecDeque;
use std::io;
use std::time::Instant;

use ipc::{Decoder, Kind};
use values::{K, Result, Signal, Symbol};

use crate::limits::{MESSAGE_BYTES_MAX, QUEUE_BYTES_MAX, READ_BYTES};
use crate::stream::Stream;

/// How far a connection has come.
#[derive(Debug)]
pub enum State {
    /// The first bytes are not complete; these have come.
    New(Vec<u8>),
    /// IPC messages go both ways.
    Open(Decoder),
    /// HTTP requests come.
    Web(http::Decoder),
    /// What is queued is written, then the connection is closed.
    Closing,
}

/// A connection that we accepted or opened.
#[derive(Debug)]
pub struct Connection {
    pub stream: Stream,
    pub state: State,
    pub user: Symbol,
    pub address: i32,
    pub capability: u8,
    /// Compress large messages: the peer is on another machine.
    pub remote: bool,
    queue: VecDeque<Vec<u8>>,
    /// Bytes of the first queued message that are written.
    written: usize,
    queued_bytes: usize,
    /// Epoll also watches for writing.
    pub watched_for_writing: bool,
    /// It came to a listener, and is counted in the worker's cell.
    pub accepted: bool,
    /// When bytes came last.
    pub last_heard: Instant,
    /// Closed when nothing has come by then.
    pub idle_until: Option<Instant>,
}

/// What reading gave.
pub enum Input {
    Bytes(Vec<u8>),
    Ended,
    Nothing,
}

impl Connection {
    /// A connection that has just been accepted or made.
    pub fn new(stream: Stream) -> Connection {
        Connection {
            address: stream.address(),
            remote: !stream.is_local(),
            stream,
            state: State::New(Vec::new()),
            user: Symbol::NULL,
            capability: 0,
            queue: VecDeque::new(),
            written: 0,
            queued_bytes: 0,
            watched_for_writing: false,
            accepted: false,
            last_heard: Instant::now(),
            idle_until: None,
        }
    }

    /// The state after a handshake.
    pub fn open(&mut self, user: &str, capability: u8) {
        self.user = Symbol::new(user);
        self.capability = capability;
        self.state = State::Open(Decoder::new(MESSAGE_BYTES_MAX));
    }

    /// Reads once, without waiting.
    pub fn read(&mut self) -> Input {
        let mut buffer = vec![0u8; READ_BYTES];
        match self.stream.read(&mut buffer) {
            Ok(0) => Input::Ended,
            Ok(n) => {
                buffer.truncate(n);
                self.last_heard = Instant::now();
                Input::Bytes(buffer)
            }
            Err(e) if is_transient(&e) => Input::Nothing,
            Err(_) => Input::Ended,
        }
    }

    /// Reads once into the decoder of HTTP, without waiting; false when the peer has ended.
    pub fn read_web(&mut self) -> bool {
        let State::Web(decoder) = &mut self.state else {
            return true;
        };
        match self.stream.read(decoder.space()) {
            Ok(0) => false,
            Ok(count) => {
                self.last_heard = Instant::now();
                decoder.fill(count);
                true
            }
            Err(e) => is_transient(&e),
        }
    }

    /// Takes what has come and leaves it, so that closing does not reset the connection under the last
    /// answer.
    pub fn drain(&mut self, bytes_max: usize) {
        let mut buffer = [0; 4096];
        let mut left = bytes_max;
        while left > 0
            && let Ok(count @ 1..) = self.stream.read(&mut buffer)
        {
            left = left.saturating_sub(count);
        }
    }

    /// Queues a message and writes what goes without waiting.
    ///
    /// Errors: `'limit` when the peer has left too much unread.
    pub fn send(&mut self, kind: Kind, k: &K) -> Result<()> {
        let bytes = ipc::encode(kind, k, self.capability, self.remote)?;
        self.queue_bytes(bytes)
    }

    /// Queues bytes and writes what goes without waiting.
    pub fn queue_bytes(&mut self, bytes: Vec<u8>) -> Result<()> {
        if self.queued_bytes + bytes.len() > QUEUE_BYTES_MAX {
            return Err(Signal::limit().with_note(format!(
                "{} bytes wait for a peer that does not read",
                self.queued_bytes
            )));
        }
        self.queued_bytes += bytes.len();
        self.queue.push_back(bytes);
        self.write_queued()
            .map_err(|e| Signal::new(format!("close. OS reports: {}", sockets::os::reason(&e))))
    }

    /// Writes queued bytes until the socket takes no more.
    pub fn write_queued(&mut self) -> io::Result<()> {
        while let Some(first) = self.queue.front() {
            match self.stream.write(&first[self.written..]) {
                Ok(n) => {
                    self.written += n;
                    self.queued_bytes -= n;
                    if self.written == first.len() {
                        self.queue.pop_front();
                        self.written = 0;
                    }
                }
                Err(e) if is_transient(&e) => return Ok(()),
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    /// True when bytes wait to be written.
    pub fn has_queue(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Bytes that wait to be written.
    pub fn queued_bytes(&self) -> usize {
        self.queued_bytes
    }

    /// Bytes of each message that waits, for `.z.W`.
    pub fn queue_sizes(&self) -> Vec<i64> {
        self.queue
            .iter()
            .enumerate()
            .map(|(i, m)| (m.len() - if i == 0 { self.written } else { 0 }) as i64)
            .collect()
    }
}

fn is_transient(e: &io::Error) -> bool {
    matches!(
        e.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}
