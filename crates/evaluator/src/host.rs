//! The outside, as the evaluator sees it: clock, console, connections, processes.
//!
//! `worker` implements it with real sockets; tests with none. Nothing below `worker` touches a
//! socket, a clock or the environment in any other way.

use std::path::Path;

use values::{K, Result, Signal, Symbol};

/// A message that arrived while the evaluator waited for an answer.
pub enum Arrival {
    /// The answer to the sync message.
    Answer(K),
    /// The other side signalled.
    Failure(Signal),
    /// An async message on a handle, to be evaluated before waiting on.
    Async(i32, K),
}

/// A line of information about a connection, for `.z.W`, `.z.u`, `.z.a`, `-38!`.
#[derive(Clone, Debug)]
pub struct Peer {
    pub handle: i32,
    pub user: Symbol,
    /// IPv4 address as an int, host byte order; 0 for a unix socket.
    pub address: i32,
    /// `q` IPC, `w` WebSocket, `h` HTTP.
    pub protocol: u8,
    /// Sizes of the messages waiting to be sent.
    pub queued: Vec<i64>,
}

/// A request by HTTP.
pub enum Fetch<'a> {
    /// The bytes as they are.
    Raw(&'a [u8]),
    Get,
    Post {
        kind: &'a str,
        text: &'a [u8],
    },
}

/// What the evaluator needs from outside.
pub trait Host {
    /// UTC, nanoseconds since 2000.01.01.
    fn now(&self) -> i64;
    /// Local time minus UTC in nanoseconds at a UTC instant.
    fn offset(&self, utc: i64) -> i64;
    fn variable(&self, name: &str) -> Option<String>;
    fn set_variable(&mut self, name: &str, value: &str);
    /// Writes to standard output (1) or standard error (2), in order, flushed.
    fn print(&mut self, descriptor: i32, bytes: &[u8]);
    /// A line of standard input, without its end; `None` at the end of input.
    fn read_line(&mut self) -> Option<Vec<u8>>;
    /// Runs a shell command: standard output as lines. `'os` when its status is not zero.
    fn shell(&mut self, command: &str) -> Result<Vec<String>>;
    fn change_directory(&mut self, path: &Path) -> Result<()>;
    fn directory(&self) -> String;
    fn process(&self) -> i32;
    fn host_name(&self) -> String;
    fn host_address(&self) -> i32;
    fn user(&self) -> Symbol;
    /// Resolves a host name to an IPv4 address: `.Q.addr`.
    fn resolve(&self, name: &str) -> Option<i32>;
    /// The name of an IPv4 address: `.Q.host`.
    fn name_of(&self, address: i32) -> Option<String>;
    /// Ends the process after `.z.exit` was run.
    fn exit(&mut self, code: i32) -> !;

    /// Opens a connection or file (`:host:port:user:password`, `:file`, `:fifo://f`): a handle.
    fn open(&mut self, target: &str, timeout_ms: i64) -> Result<i32>;
    fn close(&mut self, handle: i32) -> Result<()>;
    /// Queues an async message (`flush` also writes it out before returning).
    fn send(&mut self, handle: i32, message: &K) -> Result<()>;
    /// Writes out everything queued on the handle: `neg[h][]`.
    fn flush(&mut self, handle: i32) -> Result<()>;
    /// Sends a sync message; the answer comes by `wait`.
    fn request(&mut self, handle: i32, message: &K) -> Result<()>;
    /// Waits for the answer, or for an async message that must be evaluated first.
    fn wait(&mut self, handle: i32) -> Result<Arrival>;
    /// Sends the answer of a deferred sync request: `-30!`.
    fn respond(&mut self, handle: i32, answer: Result<K>) -> Result<()>;
    /// Writes raw bytes to a file handle, or text to a handle that takes text (WebSocket).
    fn write(&mut self, handle: i32, bytes: &[u8], newline: bool) -> Result<()>;
    /// One read of at most `count` bytes from a file handle: none at the end.
    fn read(&mut self, handle: i32, count: usize) -> Result<Vec<u8>>;
    /// The path of a file handle.
    fn file_path(&self, handle: i32) -> Option<std::path::PathBuf>;
    /// One request by HTTP: the body of the response, or the whole response to a raw request.
    fn fetch(&mut self, url: &str, what: &Fetch) -> Result<Vec<u8>>;
    /// The connections that messages can be sent to.
    fn peers(&self) -> Vec<Peer>;
    /// Any open connection, also one of HTTP.
    fn peer(&self, handle: i32) -> Option<Peer> {
        self.peers().into_iter().find(|p| p.handle == handle)
    }
    /// True when the handle is an IPC connection (a file handle otherwise).
    fn is_connection(&self, handle: i32) -> bool;

    /// `\p`: starts listening as told (`5000`, `rp,5000`, `0W`, `0` to stop); the port.
    fn listen(&mut self, specification: &str) -> Result<i32>;
    fn port(&self) -> i32;
    /// `\t`: the timer's period in milliseconds, 0 for none.
    fn set_timer(&mut self, period_ms: i64);
    fn timer(&self) -> i64;
    /// `\1` and `\2`: standard output or error goes to a file from now on.
    fn redirect(&mut self, descriptor: i32, path: &str) -> Result<()>;
    /// `\u`: the password file is read again.
    fn reload_passwords(&mut self) -> Result<()>;
    /// A line that the operator should see (standard error), with a level word.
    fn log(&mut self, level: &str, message: &str);
    /// True when the running query must stop: Ctrl-C, or its time is over.
    fn interrupted(&self) -> bool;
    /// Starts the clock of `\T` for a query, 0 for none.
    fn set_deadline(&mut self, seconds: i64);
    /// Physical memory of the machine in bytes, and resident bytes of this process.
    fn memory(&self) -> (u64, u64);
}
