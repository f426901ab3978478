//! Where a socket listens: an IP address and port, or a path.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

/// A listening address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    Ip(SocketAddr),
    /// A unix socket in the file system.
    Path(PathBuf),
}

impl Address {
    /// True when other machines can reach it.
    pub fn is_public(&self) -> bool {
        match self {
            Address::Ip(a) => !a.ip().is_loopback(),
            Address::Path(_) => false,
        }
    }

    /// The port; `None` for a path.
    pub fn port(&self) -> Option<u16> {
        match self {
            Address::Ip(a) => Some(a.port()),
            Address::Path(_) => None,
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Ip(a) => write!(f, "{a}"),
            Address::Path(p) => write!(f, "unix:{}", p.display()),
        }
    }
}
