//! One request by HTTP and its response, while everything else waits: `.Q.hg`, `.Q.hp`.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use evaluator::Fetch;
use http::client::{Address, response};
use values::{Result, Signal};

use crate::stream::Target;

/// How long a read waits before it is asked whether the query was interrupted.
const PAUSE: Duration = Duration::from_millis(100);
/// Bytes that a response may have.
const RESPONSE_BYTES_MAX: usize = 1 << 30;

/// Sends a request and reads the response: the body, or all of it for a request that was given whole.
///
/// Errors: those of the address, of connecting, and of what came back; `'stop` when interrupted.
pub fn fetch(url: &str, what: &Fetch, interrupted: &dyn Fn() -> bool) -> Result<Vec<u8>> {
    let address = Address::parse(url)?;
    let request = match what {
        Fetch::Raw(bytes) => bytes.to_vec(),
        Fetch::Get => address.request("GET", None),
        Fetch::Post { kind, text } => address.request("POST", Some((kind, text))),
    };
    let mut stream = Target::tcp(&address.host, address.port)?;
    let failed = |e: std::io::Error| {
        Signal::new(format!(
            "{}. OS reports: {}",
            address.host,
            sockets::os::reason(&e)
        ))
    };
    stream.set_read_timeout(Some(PAUSE)).map_err(failed)?;
    stream.write_all(&request).map_err(failed)?;
    let mut bytes = Vec::new();
    loop {
        let closed = match read(&mut stream, &mut bytes) {
            Ok(count) => count == 0,
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                if interrupted() {
                    return Err(Signal::stop());
                }
                continue;
            }
            Err(e) => return Err(failed(e)),
        };
        if let Some(whole) = response(&bytes, closed)? {
            return Ok(match what {
                Fetch::Raw(_) => [whole.head, whole.body].concat(),
                _ => whole.body,
            });
        }
        if bytes.len() > RESPONSE_BYTES_MAX {
            return Err(Signal::limit().with_note("the response is too long"));
        }
    }
}

fn read(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> std::io::Result<usize> {
    let mut buffer = [0u8; 1 << 16];
    let count = stream.read(&mut buffer)?;
    bytes.extend_from_slice(&buffer[..count]);
    Ok(count)
}
