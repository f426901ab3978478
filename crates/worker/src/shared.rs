//! What the event loop and the evaluator's host both work on: connections, files, the timer.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use ipc::{Kind, Message};
use sockets::os::{Poll, Watch};
use sockets::{Letter, Mailbox, Specification};
use values::{K, Result, Signal};

use crate::connection::{Connection, Input, State};
use crate::listening::{Accepted, Listeners};
use crate::membership::Membership;
use crate::password::Passwords;
use crate::stream::Stream;

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
    pub listeners: Listeners,
    pub membership: Membership,
    pub pending: VecDeque<Pending>,
    pub timer_ms: i64,
    pub next_tick: Option<Instant>,
    /// The first time at which a connection may have been idle for too long.
    pub next_idle: Option<Instant>,
    pub deadline: Option<Instant>,
    pub passwords: Option<Passwords>,
    /// Public addresses may be listened on without a password file.
    pub unsafe_open: bool,
    /// Lines of standard input that were read ahead.
    pub input: VecDeque<Vec<u8>>,
    /// When a refused connection was last written of.
    pub shed_logged: Option<Instant>,
}

/// Refused connections are written of that often at most.
const SHED_LOG_PAUSE: Duration = Duration::from_secs(1);

impl Shared {
    /// Listens as told; `0` stops listening.
    ///
    /// Errors: a notation that is none, the system's refusal.
    pub fn listen(&mut self, text: &str) -> Result<i32> {
        let specification = Specification::parse(text).ok_or_else(|| {
            Signal::new(text.to_string())
                .with_note("not a port")
                .with_hint("[rp,][host:]port, a range lo/hi, or 0W for any free port")
        })?;
        self.allow_address(specification.is_public(), text)?;
        if specification.is_none() {
            self.listeners.replace(&self.poll, Vec::new());
            return Ok(0);
        }
        let opened = Listeners::open(&specification)?;
        self.listeners.replace(&self.poll, opened);
        self.start_listening()
    }

    /// A public address is not listened on for everybody by mistake.
    pub fn allow_address(&self, is_public: bool, text: &str) -> Result<()> {
        if is_public && self.passwords.is_none() && !self.unsafe_open {
            return Err(
                Signal::new(format!("{text}: a public address needs a password file"))
                    .with_hint("start with -u FILE, or with --unsafe-open to let anybody in"),
            );
        }
        Ok(())
    }

    /// Takes connections from now on; the port.
    pub fn start_listening(&mut self) -> Result<i32> {
        let port = self.listeners.port();
        self.membership.enter();
        self.listeners
            .start(&self.poll, &self.membership)
            .map_err(|e| Signal::new(format!("{port}: {}", sockets::os::reason(&e))))?;
        Ok(i32::from(port))
    }

    /// Takes no more connections.
    pub fn stop_listening(&mut self) {
        self.listeners.stop(&self.poll);
        self.membership.cell().serving().store(0, Ordering::Relaxed);
    }

    /// Takes one connection from the listener of a descriptor.
    pub fn accept(&mut self, descriptor: i32) {
        let Shared {
            listeners,
            poll,
            membership,
            ..
        } = self;
        match listeners.accept(descriptor, poll, membership) {
            Accepted::Connection(socket, is_unix) => self.take(socket, is_unix, false),
            Accepted::Nothing => {}
            Accepted::Shed => self.log_shed("out of file descriptors (`ulimit -n`)"),
        }
    }

    /// True for the descriptor of the siblings' letters.
    pub fn is_mail(&self, descriptor: i32) -> bool {
        let mail = self.membership.mail.as_ref();
        mail.is_some_and(|m| m.descriptor().as_raw_fd() == descriptor)
    }

    /// True for the descriptor of the supervisor's commands.
    pub fn is_control(&self, descriptor: i32) -> bool {
        let control = self.membership.control.as_ref();
        control.is_some_and(|c| c.as_raw_fd() == descriptor)
    }

    /// Tells the supervisor, when there is one.
    pub fn tell(&self, line: &str) {
        if let Some(control) = &self.membership.control {
            crate::commands::report(control, line);
        }
    }

    /// Reads the siblings' letters, or leaves them to the successor.
    pub fn watch_mail(&self, wanted: bool) {
        let Some(mail) = &self.membership.mail else {
            return;
        };
        let descriptor = mail.descriptor().as_raw_fd();
        if !wanted {
            return self.poll.remove(descriptor);
        }
        // Letters may be read by the one that drains, too: one of them is woken.
        if let Err(e) = self.poll.add(descriptor, Watch::Exclusive) {
            eprintln!("error: epoll: {}", sockets::os::reason(&e));
        }
    }

    /// Does what the siblings ask for.
    pub fn read_mail(&mut self) {
        while let Some(letter) = self.membership.mail.as_ref().and_then(Mailbox::receive) {
            match letter {
                Letter::Connection(socket) => {
                    let is_unix = sockets::os::local_address(&socket).is_err();
                    self.take(socket, is_unix, true);
                }
                Letter::Sweep => {
                    for (socket, is_unix) in self.listeners.sweep(&self.membership) {
                        self.take(socket, is_unix, false);
                    }
                }
            }
        }
    }

    /// Takes up a connection that came to a listener; a sibling that passed it has counted it.
    fn take(&mut self, socket: OwnedFd, is_unix: bool, counted: bool) {
        let stream = if is_unix {
            Stream::Unix(socket.into())
        } else {
            Stream::Tcp(socket.into())
        };
        let mut connection = Connection::new(stream);
        connection.accepted = true;
        if !counted {
            let count = self.membership.cell().connections();
            count.fetch_add(1, Ordering::Relaxed);
        }
        if let Err(signal) = self.admit(connection) {
            let cell = self.membership.cell();
            cell.connections().fetch_sub(1, Ordering::Relaxed);
            cell.shed().fetch_add(1, Ordering::Relaxed);
            self.log_shed(signal.note().unwrap_or(signal.word()));
        }
    }

    /// Says that connections are refused, once in a while.
    fn log_shed(&mut self, reason: &str) {
        let now = Instant::now();
        if self.shed_logged.is_none_or(|t| now - t > SHED_LOG_PAUSE) {
            self.shed_logged = Some(now);
            let count = self.membership.cell().shed().load(Ordering::Relaxed);
            eprintln!("error: connection refused: {reason}; {count} so far");
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
            .and_then(|()| self.poll.add(handle, Watch::Reading))
            .map_err(|e| Signal::new(e.to_string()))?;
        self.connections.insert(handle, connection);
        Ok(handle)
    }

    /// Forgets a connection; its socket closes.
    pub fn drop_connection(&mut self, handle: i32) -> Option<Connection> {
        let connection = self.connections.remove(&handle)?;
        self.poll.remove(handle);
        if connection.accepted {
            let count = self.membership.cell().connections();
            count.fetch_sub(1, Ordering::Relaxed);
        }
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
        let lost = self.drop_connection(handle);
        if lost.is_some_and(|c| matches!(c.state, State::Open(_))) {
            self.pending.push_back(Pending::Closed(handle));
        }
    }

    /// Ends a connection once what is queued is written; true when it was one of IPC.
    pub fn close_after_writing(&mut self, handle: i32) -> bool {
        let Some(connection) = self.connections.get_mut(&handle) else {
            return false;
        };
        let was_open = matches!(connection.state, State::Open(_));
        connection.state = State::Closing;
        connection.watched_for_writing = true;
        if !connection.has_queue() || self.poll.change(handle, Watch::Writing).is_err() {
            self.drop_connection(handle);
        }
        was_open
    }

    /// Leaves what a peer sends until it has read its answers.
    pub fn stop_reading(&mut self, handle: i32) {
        if let Some(connection) = self.connections.get_mut(&handle) {
            connection.watched_for_writing = true;
            if self.poll.change(handle, Watch::Writing).is_err() {
                self.drop_connection(handle);
            }
        }
    }

    /// The connection may be idle for so long from now on; for ever with none.
    pub fn set_idle(&mut self, handle: i32, idle_ms: Option<u64>) {
        let until = idle_ms.map(|ms| Instant::now() + Duration::from_millis(ms));
        if let Some(connection) = self.connections.get_mut(&handle) {
            connection.idle_until = until;
        }
        self.next_idle = match (self.next_idle, until) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }

    /// Closes what has been idle for too long.
    pub fn close_idle(&mut self) {
        let now = Instant::now();
        if self.next_idle.is_none_or(|first| first > now) {
            return;
        }
        let late = |c: &Connection| c.idle_until.is_some_and(|until| until <= now);
        let ended: Vec<i32> = self
            .connections
            .iter()
            .filter(|(_, c)| late(c) && !c.has_queue())
            .map(|(&handle, _)| handle)
            .collect();
        for handle in ended {
            self.drop_connection(handle);
        }
        let open = self.connections.values().filter(|c| !late(c));
        self.next_idle = open.filter_map(|c| c.idle_until).min();
    }

    /// Watches for writing exactly while something is queued.
    pub fn watch_queue(&mut self, handle: i32) {
        let Some(connection) = self.connections.get_mut(&handle) else {
            return;
        };
        let wanted = connection.has_queue();
        if wanted != connection.watched_for_writing {
            connection.watched_for_writing = wanted;
            let watch = if wanted { Watch::Both } else { Watch::Reading };
            if self.poll.change(handle, watch).is_err() {
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
