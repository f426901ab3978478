//! Listening sockets: opening, accepting, looking at their queues, choosing among a group.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixListener;

use super::{aside, checked};
use crate::Address;

/// Connections that wait for a worker. The system's `net.core.somaxconn` may allow fewer.
const BACKLOG: libc::c_int = 4096;

/// A listening socket that does not block, with SO_REUSEPORT when others will share its port.
pub fn listen(address: &Address, reuse_port: bool) -> io::Result<OwnedFd> {
    match address {
        Address::Ip(address) => listen_ip(*address, reuse_port),
        Address::Path(path) => {
            // A socket file that nobody listens on is what a crash leaves behind.
            if std::os::unix::net::UnixStream::connect(path).is_err() {
                let _ = std::fs::remove_file(path);
            }
            let listener = UnixListener::bind(path)?;
            listener.set_nonblocking(true)?;
            Ok(listener.into())
        }
    }
}

fn listen_ip(address: SocketAddr, reuse_port: bool) -> io::Result<OwnedFd> {
    let family = if address.is_ipv4() {
        libc::AF_INET
    } else {
        libc::AF_INET6
    };
    // SAFETY: no pointers are passed; the descriptor is checked and owned by nobody else.
    let socket = unsafe {
        let kind = libc::SOCK_STREAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
        OwnedFd::from_raw_fd(checked(libc::socket(family, kind, 0))?)
    };
    option(&socket, libc::SOL_SOCKET, libc::SO_REUSEADDR, &1i32)?;
    if reuse_port {
        option(&socket, libc::SOL_SOCKET, libc::SO_REUSEPORT, &1i32)?;
    }
    bind(&socket, address)?;
    // SAFETY: a plain call on an owned descriptor.
    checked(unsafe { libc::listen(socket.as_raw_fd(), BACKLOG) })?;
    Ok(socket)
}

fn option<T>(socket: &OwnedFd, level: i32, name: i32, value: &T) -> io::Result<()> {
    let size = size_of::<T>() as libc::socklen_t;
    // SAFETY: the pointer and the size describe `value`, which lives over the call.
    let result = unsafe {
        let value: *const T = value;
        libc::setsockopt(socket.as_raw_fd(), level, name, value.cast(), size)
    };
    checked(result).map(|_| ())
}

fn bind(socket: &OwnedFd, address: SocketAddr) -> io::Result<()> {
    let fd = socket.as_raw_fd();
    let result = match address {
        SocketAddr::V4(a) => {
            // SAFETY: all bytes zero is a valid address.
            let mut raw: libc::sockaddr_in = unsafe { std::mem::zeroed() };
            raw.sin_family = libc::AF_INET as libc::sa_family_t;
            raw.sin_port = a.port().to_be();
            raw.sin_addr.s_addr = u32::from_ne_bytes(a.ip().octets());
            let size = size_of_val(&raw) as libc::socklen_t;
            // SAFETY: the pointer and the size describe `raw`, which lives over the call.
            unsafe { libc::bind(fd, (&raw const raw).cast(), size) }
        }
        SocketAddr::V6(a) => {
            // SAFETY: all bytes zero is a valid address.
            let mut raw: libc::sockaddr_in6 = unsafe { std::mem::zeroed() };
            raw.sin6_family = libc::AF_INET6 as libc::sa_family_t;
            raw.sin6_port = a.port().to_be();
            raw.sin6_addr.s6_addr = a.ip().octets();
            raw.sin6_scope_id = a.scope_id();
            let size = size_of_val(&raw) as libc::socklen_t;
            // SAFETY: the pointer and the size describe `raw`, which lives over the call.
            unsafe { libc::bind(fd, (&raw const raw).cast(), size) }
        }
    };
    checked(result).map(|_| ())
}

/// The address that a socket is bound to.
///
/// Errors: a socket of another family.
pub fn local_address(socket: &OwnedFd) -> io::Result<SocketAddr> {
    // SAFETY: all bytes zero is a valid address; the pointers describe `raw` and `size`.
    let raw = unsafe {
        let mut raw: libc::sockaddr_in6 = std::mem::zeroed();
        let mut size = size_of_val(&raw) as libc::socklen_t;
        let place = (&raw mut raw).cast();
        checked(libc::getsockname(socket.as_raw_fd(), place, &raw mut size))?;
        raw
    };
    let port = u16::from_be(raw.sin6_port);
    match i32::from(raw.sin6_family) {
        libc::AF_INET6 => {
            let ip = Ipv6Addr::from(raw.sin6_addr.s6_addr);
            Ok(SocketAddr::new(ip.into(), port))
        }
        libc::AF_INET => {
            // The IPv4 address stands where IPv6 has its flow label.
            let ip = Ipv4Addr::from(raw.sin6_flowinfo.to_ne_bytes());
            Ok(SocketAddr::new(ip.into(), port))
        }
        _ => Err(io::Error::other("not a socket of the internet")),
    }
}

/// Takes a connection that waits; it does not block and is closed on exec.
///
/// Errors: nothing waits (`WouldBlock`), out of descriptors, a peer that has gone again.
pub fn accept(listener: RawFd) -> io::Result<OwnedFd> {
    let flags = libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    let nothing = std::ptr::null_mut();
    // SAFETY: no address is asked for; the descriptor is checked and owned by nobody else.
    unsafe {
        let taken = checked(libc::accept4(listener, nothing, nothing.cast(), flags))?;
        Ok(OwnedFd::from_raw_fd(taken))
    }
}

/// True when a connection waits on a listener, or bytes on a socket.
pub fn has_waiting(descriptor: RawFd) -> bool {
    let mut poll = libc::pollfd {
        fd: descriptor,
        events: libc::POLLIN,
        revents: 0,
    };
    // SAFETY: one valid pollfd is passed.
    unsafe { libc::poll(&raw mut poll, 1, 0) > 0 }
}

/// Connections that wait on a TCP listener, and how many may. 0 and 0 for another socket.
pub fn accept_queue(listener: &OwnedFd) -> (u32, u32) {
    // SAFETY: all bytes zero is valid; the pointers describe `info` and `size`.
    unsafe {
        let mut info: libc::tcp_info = std::mem::zeroed();
        let mut size = size_of_val(&info) as libc::socklen_t;
        let fd = listener.as_raw_fd();
        let place = (&raw mut info).cast();
        match libc::getsockopt(fd, libc::IPPROTO_TCP, libc::TCP_INFO, place, &raw mut size) {
            // For a listener these fields are its queue and its backlog.
            0 => (info.tcpi_unacked, info.tcpi_sacked),
            _ => (0, 0),
        }
    }
}

/// Gives a reuseport group the classic BPF program that chooses among its sockets, at once for all.
pub fn attach_filter(socket: &OwnedFd, program: &[libc::sock_filter]) -> io::Result<()> {
    let filter = libc::sock_fprog {
        len: program.len() as u16,
        filter: program.as_ptr().cast_mut(),
    };
    option(
        socket,
        libc::SOL_SOCKET,
        libc::SO_ATTACH_REUSEPORT_CBPF,
        &filter,
    )
}

/// Takes up a descriptor that was inherited, under another number; it is closed on exec from now on.
///
/// Errors: a number that is no open descriptor.
pub fn inherit(number: RawFd) -> io::Result<OwnedFd> {
    // SAFETY: a plain call; the descriptor was left open for us and is taken up once.
    unsafe {
        checked(libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC))?;
        Ok(aside(OwnedFd::from_raw_fd(number)))
    }
}

/// Makes a descriptor that came from elsewhere not block.
pub fn set_nonblocking(descriptor: &OwnedFd) -> io::Result<()> {
    // SAFETY: plain calls on an owned descriptor.
    unsafe {
        let flags = checked(libc::fcntl(descriptor.as_raw_fd(), libc::F_GETFL))?;
        checked(libc::fcntl(
            descriptor.as_raw_fd(),
            libc::F_SETFL,
            flags | libc::O_NONBLOCK,
        ))?;
    }
    Ok(())
}

/// Lets a descriptor survive exec, for the process that comes in our place.
pub fn forward(descriptor: &OwnedFd) -> io::Result<RawFd> {
    // SAFETY: a plain call on an owned descriptor.
    checked(unsafe { libc::fcntl(descriptor.as_raw_fd(), libc::F_SETFD, 0) })?;
    Ok(descriptor.as_raw_fd())
}

/// True when the peer of a unix socket is the user that we are, or root.
pub fn peer_is_ours(socket: RawFd) -> bool {
    // SAFETY: all bytes zero is valid; the pointers describe `peer` and `size`.
    unsafe {
        let mut peer: libc::ucred = std::mem::zeroed();
        let mut size = size_of_val(&peer) as libc::socklen_t;
        let place = (&raw mut peer).cast();
        let got = libc::getsockopt(
            socket,
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            place,
            &raw mut size,
        );
        got == 0 && (peer.uid == 0 || peer.uid == libc::geteuid())
    }
}
