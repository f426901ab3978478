//! Listeners and accept modes: which sockets this worker waits on, and what it takes from them.
//!
//! One connection is taken for each wake-up, so that siblings that sleep get the next one. Who
//! registers first with an exclusive watch is woken first; registering again puts a worker at the end.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixListener;
use std::sync::atomic::Ordering;

use sockets::os::{Poll, Watch, accept};
use sockets::{InheritedListener, Mode, Specification};
use values::{Result, Signal};

use crate::membership::Membership;
use crate::os;

/// A socket that listens.
#[derive(Debug)]
pub struct Listener {
    pub socket: OwnedFd,
    pub mode: Mode,
    pub shard: usize,
    /// 0 for a unix socket in the file system.
    pub port: u16,
    is_unix: bool,
    watched: bool,
}

/// All that this worker listens on.
#[derive(Debug, Default)]
pub struct Listeners {
    all: Vec<Listener>,
    /// Given away when descriptors run out, so that a connection can be taken and closed.
    reserve: Option<OwnedFd>,
    /// True while connections are taken.
    pub serving: bool,
}

/// What a listener's turn gave.
#[derive(Debug)]
pub enum Accepted {
    /// A connection for this worker; true for a unix socket.
    Connection(OwnedFd, bool),
    /// Somebody else was faster, a sibling was given it, or it could not be taken.
    Nothing,
    /// No descriptors are left: the connection was closed.
    Shed,
}

impl Listeners {
    /// Opens what a specification asks for.
    ///
    /// Errors: `'5000: Address already in use`, as q has it.
    pub fn open(specification: &Specification) -> Result<Vec<Listener>> {
        let (address, mut sockets) = specification
            .open(1, specification.shared)
            .map_err(Signal::new)?;
        let socket = sockets.pop().expect("one socket was asked for");
        let port = address.port().unwrap_or(0);
        let listener = |socket: OwnedFd, is_unix| Listener {
            socket,
            mode: Mode::ReusePort,
            shard: 0,
            port,
            is_unix,
            watched: false,
        };
        let mut all = vec![listener(socket, address.port().is_none())];
        // A process that shares the port cannot share the name too: first come.
        if port != 0
            && let Ok(unix) = listen_unix(&format!("/tmp/kx.{port}"))
        {
            all.push(listener(unix.into(), true));
        }
        Ok(all)
    }

    /// Takes up listeners that a supervisor keeps.
    pub fn inherit(&mut self, given: Vec<(OwnedFd, InheritedListener)>) {
        for (socket, listener) in given {
            let port = sockets::os::local_address(&socket).map_or(0, |a| a.port());
            self.all.push(Listener {
                is_unix: port == 0,
                socket,
                mode: listener.mode,
                shard: listener.shard,
                port,
                watched: false,
            });
        }
    }

    /// The first port.
    pub fn port(&self) -> u16 {
        self.all.first().map_or(0, |l| l.port)
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Descriptors of the listeners that are this worker's own, and may be taken from by others.
    pub fn sweepable(&self, group: &Membership) -> Vec<RawFd> {
        let own = |l: &&Listener| l.mode == Mode::Steered && group.owns(l.shard);
        self.all
            .iter()
            .filter(own)
            .map(|l| l.socket.as_raw_fd())
            .collect()
    }

    /// Puts other listeners in place of all; the old ones close.
    pub fn replace(&mut self, poll: &Poll, listeners: Vec<Listener>) {
        self.stop(poll);
        self.all = listeners;
    }

    /// Watches the listeners: own ones first, then those of siblings that may be stolen from.
    pub fn start(&mut self, poll: &Poll, group: &Membership) -> io::Result<()> {
        self.serving = true;
        self.reserve = reserve();
        let (own, others): (Vec<&mut Listener>, Vec<_>) =
            self.all.iter_mut().partition(|l| is_own(l, group));
        for listener in own {
            if listener.mode != Mode::Mutex {
                listener.watch(poll)?;
            }
        }
        for listener in others {
            if listener.mode == Mode::Steered {
                listener.watch(poll)?;
            }
        }
        Ok(())
    }

    /// Stops taking connections. The sockets stay open: others may hold them.
    pub fn stop(&mut self, poll: &Poll) {
        self.serving = false;
        for listener in &mut self.all {
            listener.unwatch(poll);
        }
    }

    /// Registers again behind a sibling that has just begun: its listeners are its own first.
    pub fn yield_to(&mut self, poll: &Poll, group: &Membership, sibling: usize) {
        for listener in self.all.iter_mut().filter(|l| l.watched) {
            if listener.mode == Mode::Steered && listener.shard % group.workers == sibling {
                listener.watch_again(poll);
            }
        }
    }

    /// Takes turns with the siblings for the listeners of mode `mutex`; true while it is ours.
    pub fn take_turn(&mut self, poll: &Poll, group: &Membership) -> bool {
        if !self.serving || self.all.iter().all(|l| l.mode != Mode::Mutex) {
            return true;
        }
        let ours = group.cells.try_lock(group.worker);
        for listener in self.all.iter_mut().filter(|l| l.mode == Mode::Mutex) {
            match ours {
                true if !listener.watched => {
                    let _ = listener.watch(poll);
                }
                false if listener.watched => listener.unwatch(poll),
                _ => {}
            }
        }
        ours
    }

    /// Ends the turn, once what the wait has told was taken.
    pub fn end_turn(&self, group: &Membership) {
        if self.all.iter().any(|l| l.mode == Mode::Mutex) {
            group.cells.unlock(group.worker);
        }
    }

    /// True for the descriptor of a listener.
    pub fn owns(&self, descriptor: RawFd) -> bool {
        self.all.iter().any(|l| l.socket.as_raw_fd() == descriptor)
    }

    /// Takes a connection from the listener of a descriptor.
    pub fn accept(&mut self, descriptor: RawFd, poll: &Poll, group: &Membership) -> Accepted {
        let find = |l: &&mut Listener| l.socket.as_raw_fd() == descriptor;
        let Some(listener) = self.all.iter_mut().find(find) else {
            return Accepted::Nothing;
        };
        let connection = match accept(descriptor) {
            Ok(connection) => connection,
            Err(e) if is_exhausted(&e) => return self.shed(descriptor, group),
            Err(_) => return Accepted::Nothing,
        };
        let cell = group.cell();
        cell.accepted().fetch_add(1, Ordering::Relaxed);
        let stolen = !is_own(listener, group);
        if stolen {
            cell.stolen().fetch_add(1, Ordering::Relaxed);
        }
        if stolen || listener.mode == Mode::Shared {
            listener.watch_again(poll);
        }
        if listener.mode == Mode::Steered
            && let Some(sibling) = group.emptier_sibling()
        {
            return match group.pass(connection, sibling) {
                Ok(()) => Accepted::Nothing,
                Err(connection) => Accepted::Connection(connection, listener.is_unix),
            };
        }
        Accepted::Connection(connection, listener.is_unix)
    }

    /// Takes what waits on the siblings' listeners, because one of them is busy.
    pub fn sweep(&mut self, group: &Membership) -> Vec<(OwnedFd, bool)> {
        let mut taken = Vec::new();
        for listener in self.all.iter().filter(|l| l.mode == Mode::Steered) {
            if is_own(listener, group) {
                continue;
            }
            while let Ok(connection) = accept(listener.socket.as_raw_fd()) {
                taken.push((connection, listener.is_unix));
            }
        }
        let count = taken.len() as u64;
        group.cell().accepted().fetch_add(count, Ordering::Relaxed);
        group.cell().swept().fetch_add(count, Ordering::Relaxed);
        taken
    }

    /// Out of descriptors: one is kept back to take a connection and close it, so that its peer
    /// knows, and the listener does not stay ready for ever.
    fn shed(&mut self, descriptor: RawFd, group: &Membership) -> Accepted {
        drop(self.reserve.take());
        drop(accept(descriptor));
        self.reserve = reserve();
        group.cell().shed().fetch_add(1, Ordering::Relaxed);
        Accepted::Shed
    }
}

/// True when no sibling comes before this worker on a listener.
fn is_own(listener: &Listener, group: &Membership) -> bool {
    !listener.mode.has_socket_per_worker() || group.owns(listener.shard)
}

/// A descriptor that can be spared, with a number as low as those of connections.
fn reserve() -> Option<OwnedFd> {
    std::fs::File::open("/dev/null").ok().map(OwnedFd::from)
}

fn is_exhausted(e: &io::Error) -> bool {
    os::is_out_of_descriptors(e)
}

impl Listener {
    fn watch(&mut self, poll: &Poll) -> io::Result<()> {
        poll.add(self.socket.as_raw_fd(), Watch::Exclusive)?;
        self.watched = true;
        Ok(())
    }

    fn unwatch(&mut self, poll: &Poll) {
        if self.watched {
            poll.remove(self.socket.as_raw_fd());
            self.watched = false;
        }
    }

    /// Goes to the end of those that wait on it.
    fn watch_again(&mut self, poll: &Poll) {
        self.unwatch(poll);
        if let Err(e) = self.watch(poll) {
            eprintln!("error: epoll: {}", sockets::os::reason(&e));
        }
    }
}

/// A unix socket for a port: its abstract name, which leaves nothing behind.
fn listen_unix(name: &str) -> io::Result<UnixListener> {
    use std::os::linux::net::SocketAddrExt;
    let address = std::os::unix::net::SocketAddr::from_abstract_name(name)?;
    let listener = UnixListener::bind_addr(&address)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}
