//! What to listen on, as `-p`, `\p` and `--listen` are written.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::os::fd::OwnedFd;

use crate::{Address, Mode, os};

/// An address as asked for: `[rp,][host:]port[,accept=MODE]`, `0W`, `lo/hi`, a service name, `unix:/path`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specification {
    /// `rp,`: other processes may listen on the port too.
    pub shared: bool,
    /// `accept=`
    pub mode: Option<Mode>,
    pub host: Option<String>,
    /// The ports to try in order; empty to stop listening. `0` is any free port.
    pub ports: Vec<u16>,
    pub path: Option<String>,
}

impl Specification {
    /// Reads the notation. A negative port asks for threads; it is taken as positive.
    ///
    /// Errors: `None` for anything else.
    pub fn parse(text: &str) -> Option<Specification> {
        let mut words = text.trim().split(',').peekable();
        let shared = words.next_if(|w| *w == "rp").is_some();
        let place = words.next()?;
        let mut mode = None;
        for word in words {
            mode = Some(Mode::named(word.strip_prefix("accept=")?)?);
        }
        let path = place.strip_prefix("unix:").map(str::to_string);
        if path.is_some() {
            let ports = Vec::new();
            return Some(Specification {
                shared,
                mode,
                host: None,
                ports,
                path,
            });
        }
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) => (Some(host.to_string()).filter(|h| !h.is_empty()), port),
            None => (None, place),
        };
        let ports = ports(port)?;
        Some(Specification {
            shared,
            mode,
            host,
            ports,
            path,
        })
    }

    /// True when it asks for nothing to listen on.
    pub fn is_none(&self) -> bool {
        self.ports.is_empty() && self.path.is_none()
    }

    /// The addresses to try in order.
    ///
    /// Errors: a host name that is not known.
    pub fn addresses(&self) -> std::io::Result<Vec<Address>> {
        if let Some(path) = &self.path {
            return Ok(vec![Address::Path(path.into())]);
        }
        let mut all = Vec::new();
        for &port in &self.ports {
            all.extend(self.address(port)?.map(Address::Ip));
        }
        Ok(all)
    }

    fn address(&self, port: u16) -> std::io::Result<Option<SocketAddr>> {
        let host = self.host.as_deref();
        let bare = host.map(|h| h.trim_start_matches('[').trim_end_matches(']'));
        match bare {
            None => Ok(Some(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port))),
            Some("*") => Ok(Some(SocketAddr::new(
                IpAddr::V4(Ipv4Addr::UNSPECIFIED),
                port,
            ))),
            Some(host) => Ok((host, port).to_socket_addrs()?.next()),
        }
    }

    /// True when other machines can reach it.
    pub fn is_public(&self) -> bool {
        self.addresses()
            .is_ok_and(|all| all.iter().any(Address::is_public))
    }

    /// Opens `count` sockets on the first address that is free; all on one port.
    ///
    /// Errors: what the system says of the last address, with the address.
    pub fn open(&self, count: usize, reuse_port: bool) -> Result<(Address, Vec<OwnedFd>), String> {
        let addresses = self.addresses().map_err(|e| match &self.host {
            Some(host) => format!("{host}: {}", os::reason(&e)),
            None => os::reason(&e),
        })?;
        let mut failure = "no free port".to_string();
        for address in addresses {
            match open_all(&address, count, reuse_port) {
                Ok(opened) => return Ok(opened),
                Err(e) => {
                    let name = address
                        .port()
                        .map_or_else(|| address.to_string(), |p| p.to_string());
                    failure = format!("{name}: {}", os::reason(&e));
                }
            }
        }
        Err(failure)
    }
}

/// The sockets of one address, the first of which settles a port that was left open.
fn open_all(
    address: &Address,
    count: usize,
    reuse_port: bool,
) -> std::io::Result<(Address, Vec<OwnedFd>)> {
    let first = os::listen(address, reuse_port)?;
    let settled = match address {
        Address::Ip(_) => Address::Ip(os::local_address(&first)?),
        Address::Path(_) => address.clone(),
    };
    let mut all = vec![first];
    while all.len() < count {
        all.push(os::listen(&settled, reuse_port)?);
    }
    Ok((settled, all))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_of_ports() {
        let parse = |t: &str| Specification::parse(t).map(|s| (s.shared, s.host, s.ports));
        assert_eq!(parse("5000"), Some((false, None, vec![5000])));
        assert_eq!(parse("rp,5000"), Some((true, None, vec![5000])));
        let host = Some("localhost".to_string());
        assert_eq!(parse("rp,localhost:5000"), Some((true, host, vec![5000])));
        assert_eq!(parse("0W"), Some((false, None, vec![0])));
        assert_eq!(
            parse("5000/5002"),
            Some((false, None, vec![5000, 5001, 5002]))
        );
        assert_eq!(parse("-5000"), Some((false, None, vec![5000])));
        assert_eq!(parse("0"), Some((false, None, vec![])));
        assert_eq!(parse("no such service"), None);
        assert_eq!(parse("5000,accept=everyone"), None);
    }

    #[test]
    fn the_accept_mode_and_addresses() {
        let read = |t: &str| Specification::parse(t).expect("a specification");
        assert_eq!(read("rp,5000,accept=steered").mode, Some(Mode::Steered));
        assert_eq!(
            read("unix:/run/q,accept=shared").path.as_deref(),
            Some("/run/q")
        );
        assert!(read("*:5000").is_public());
        assert!(read("[::]:5000").is_public());
        assert!(!read("[::1]:5000").is_public());
        assert!(!read("5000").is_public());
    }

    #[test]
    fn sockets_of_a_group_share_the_port_that_the_first_was_given() {
        let any = Specification::parse("0W").expect("a specification");
        let (address, sockets) = any.open(3, true).expect("three sockets");
        for socket in &sockets {
            assert_eq!(
                os::local_address(socket).ok(),
                match address {
                    Address::Ip(a) => Some(a),
                    Address::Path(_) => None,
                }
            );
        }
        let again = Specification::parse(&address.port().expect("a port").to_string());
        let refused = again.expect("a specification").open(1, false);
        assert!(refused.is_err_and(|e| e.ends_with("Address already in use")));
    }
}
