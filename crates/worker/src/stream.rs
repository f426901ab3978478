//! A connected socket of either family, and connecting one by q's notation.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use sockets::os::reason;
use values::{Result, Signal};

/// A connected socket.
#[derive(Debug)]
pub enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Stream {
    pub fn descriptor(&self) -> RawFd {
        match self {
            Stream::Tcp(s) => s.as_raw_fd(),
            Stream::Unix(s) => s.as_raw_fd(),
        }
    }

    pub fn set_nonblocking(&self) -> io::Result<()> {
        match self {
            Stream::Tcp(s) => {
                s.set_nodelay(true)?;
                s.set_nonblocking(true)
            }
            Stream::Unix(s) => s.set_nonblocking(true),
        }
    }

    /// The peer's IPv4 address as an int; loopback for IPv6 loopback; 0 for a unix socket.
    pub fn address(&self) -> i32 {
        match self {
            Stream::Tcp(s) => match s.peer_addr() {
                Ok(SocketAddr::V4(a)) => u32::from(*a.ip()) as i32,
                Ok(SocketAddr::V6(a)) => a
                    .ip()
                    .to_ipv4()
                    .map_or(0x7f00_0001, |ip| u32::from(ip) as i32),
                Err(_) => 0,
            },
            Stream::Unix(_) => 0,
        }
    }

    /// True when the peer is on this machine, so that compression is a waste.
    pub fn is_local(&self) -> bool {
        match self {
            Stream::Tcp(s) => match (s.peer_addr(), s.local_addr()) {
                (Ok(peer), Ok(own)) => peer.ip().is_loopback() || peer.ip() == own.ip(),
                _ => true,
            },
            Stream::Unix(_) => true,
        }
    }

    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Tcp(s) => s.read(buffer),
            Stream::Unix(s) => s.read(buffer),
        }
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Tcp(s) => s.write(bytes),
            Stream::Unix(s) => s.write(bytes),
        }
    }
}

/// `:host:port:user:password`, `::port`, `:unix://port`, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub host: String,
    pub port: u16,
    pub unix: bool,
    pub user: String,
    pub password: String,
}

impl Target {
    /// Reads the notation; `None` when it names a file.
    pub fn parse(text: &str) -> Option<Target> {
        let rest = text.strip_prefix(':').unwrap_or(text);
        let (unix, rest) = match rest.strip_prefix("unix://") {
            Some(rest) => (true, rest),
            None => (false, rest.strip_prefix("tcp://").unwrap_or(rest)),
        };
        let mut parts = rest.splitn(if unix { 3 } else { 4 }, ':');
        let host = if unix { "" } else { parts.next()? };
        if host.contains('/') {
            return None;
        }
        let port = parts.next()?.parse().ok()?;
        Some(Target {
            host: if host.is_empty() { "localhost" } else { host }.to_string(),
            port,
            unix,
            user: parts.next().unwrap_or("").to_string(),
            password: parts.next().unwrap_or("").to_string(),
        })
    }

    /// A plain connection to a host.
    ///
    /// Errors: as `connect`.
    pub fn tcp(host: &str, port: u16) -> Result<TcpStream> {
        let target = Target {
            host: host.to_string(),
            port,
            unix: false,
            user: String::new(),
            password: String::new(),
        };
        match target.connect(0)? {
            Stream::Tcp(stream) => Ok(stream),
            Stream::Unix(_) => unreachable!("the target is no unix socket"),
        }
    }

    /// Connects, within `timeout_ms` when it is not 0.
    ///
    /// Errors: `'hop` with what the system reports, as q has it.
    pub fn connect(&self, timeout_ms: i64) -> Result<Stream> {
        let failed = |e: io::Error| {
            let reason = reason(&e);
            Signal::new(format!("hop. OS reports: {reason}"))
                .with_note(format!("connecting to {}:{}", self.host, self.port))
        };
        if self.unix {
            use std::os::linux::net::SocketAddrExt;
            let name = format!("/tmp/kx.{}", self.port);
            let address =
                std::os::unix::net::SocketAddr::from_abstract_name(name).map_err(failed)?;
            return UnixStream::connect_addr(&address)
                .map(Stream::Unix)
                .map_err(failed);
        }
        let addresses = (self.host.as_str(), self.port)
            .to_socket_addrs()
            .map_err(|e| Signal::new(self.host.clone()).with_note(format!("no such host: {e}")))?;
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in addresses {
            let connected = if timeout_ms > 0 {
                TcpStream::connect_timeout(&address, Duration::from_millis(timeout_ms as u64))
            } else {
                TcpStream::connect(address)
            };
            match connected {
                Ok(stream) => return Ok(Stream::Tcp(stream)),
                Err(e) => last = e,
            }
        }
        Err(failed(last))
    }
}
