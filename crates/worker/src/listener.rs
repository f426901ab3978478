//! `-p` and `\p`: what to listen on, and the sockets that do.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, ToSocketAddrs};
use std::os::unix::net::UnixListener;

use values::{Result, Signal};

use crate::os;
use crate::stream::reason_of;

/// A port as asked for: `[rp,][host:]port`, `0W`, `lo/hi`, a service name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specification {
    /// `rp,`: other processes may listen on the port too.
    pub shared: bool,
    pub host: Option<String>,
    /// The ports to try in order; empty to stop listening. `0` is any free port.
    pub ports: Vec<u16>,
}

/// Sockets that listen on one port.
#[derive(Debug)]
pub struct Listener {
    pub tcp: TcpListener,
    pub unix: Option<UnixListener>,
    pub port: u16,
}

impl Specification {
    /// Reads the notation. A negative port asks for threads; it is taken as positive.
    ///
    /// Errors: the text itself, as q has it.
    pub fn parse(text: &str) -> Result<Specification> {
        let bad = || {
            Signal::new(text.to_string())
                .with_note("not a port")
                .with_hint("[rp,][host:]port, a range lo/hi, or 0W for any free port")
        };
        let trimmed = text.trim();
        let (shared, rest) = match trimmed.strip_prefix("rp,") {
            Some(rest) => (true, rest),
            None => (false, trimmed),
        };
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) => (Some(host.to_string()).filter(|h| !h.is_empty()), port),
            None => (None, rest),
        };
        let ports = ports(port).ok_or_else(bad)?;
        Ok(Specification {
            shared,
            host,
            ports,
        })
    }

    fn addresses(&self, port: u16) -> Result<Vec<SocketAddr>> {
        match self.host.as_deref() {
            None => Ok(vec![SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port)]),
            Some("*" | "0.0.0.0") => Ok(vec![SocketAddr::new(
                IpAddr::V4(Ipv4Addr::UNSPECIFIED),
                port,
            )]),
            Some(host) => (host, port)
                .to_socket_addrs()
                .map(Iterator::collect)
                .map_err(|e| Signal::new(host.to_string()).with_note(e.to_string())),
        }
    }

    /// True when the address can be reached from other machines.
    pub fn is_public(&self) -> bool {
        match self.addresses(0) {
            Ok(all) => all.iter().any(|a| !a.ip().is_loopback()),
            Err(_) => false,
        }
    }
}

fn ports(text: &str) -> Option<Vec<u16>> {
    if text == "0W" {
        return Some(vec![0]);
    }
    if let Some((low, high)) = text.split_once('/') {
        let (low, high): (u16, u16) = (low.parse().ok()?, high.parse().ok()?);
        return (low > 0 && low <= high).then(|| (low..=high).collect());
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    if let Ok(port) = digits.parse::<u16>() {
        return Some(if port == 0 { Vec::new() } else { vec![port] });
    }
    service(text).map(|p| vec![p])
}

/// The port of a service name, from the system's list.
fn service(name: &str) -> Option<u16> {
    let table = std::fs::read_to_string("/etc/services").ok()?;
    table.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let matches = words.next()? == name;
        let port = words.next()?.strip_suffix("/tcp")?;
        matches.then(|| port.parse().ok())?
    })
}

impl Listener {
    /// Listens on the first port of the specification that is free.
    ///
    /// Errors: `'5000: Address already in use`, as q has it.
    pub fn open(specification: &Specification) -> Result<Listener> {
        let mut failure = None;
        for &port in &specification.ports {
            let addresses = specification.addresses(port)?;
            let Some(address) = addresses.first() else {
                continue;
            };
            match os::listen(*address, specification.shared) {
                Ok(tcp) => {
                    let port = tcp.local_addr().map_or(port, |a| a.port());
                    // A process that shares the port cannot share the name too: first come.
                    let unix = os::listen_unix(&format!("/tmp/kx.{port}")).ok();
                    return Ok(Listener { tcp, unix, port });
                }
                Err(e) => {
                    failure = Some(Signal::new(format!("{port}: {}", reason_of(&e))));
                }
            }
        }
        Err(failure.unwrap_or_else(|| Signal::new("no free port")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_of_ports() {
        let parse = |t: &str| Specification::parse(t).map(|s| (s.shared, s.host, s.ports));
        let word = |t: &str| parse(t).map_err(|s| s.word().to_string());
        assert_eq!(word("5000"), Ok((false, None, vec![5000])));
        assert_eq!(word("rp,5000"), Ok((true, None, vec![5000])));
        assert_eq!(
            word("rp,localhost:5000"),
            Ok((true, Some("localhost".into()), vec![5000]))
        );
        assert_eq!(word("0W"), Ok((false, None, vec![0])));
        assert_eq!(word("5000/5002"), Ok((false, None, vec![5000, 5001, 5002])));
        assert_eq!(word("-5000"), Ok((false, None, vec![5000])));
        assert_eq!(word("0"), Ok((false, None, vec![])));
        assert_eq!(word("no such service"), Err("no such service".into()));
    }
}
