//! The classic BPF program that sends a connection to the worker that its source port names.
//!
//! It needs no privilege. The headers stand before the packet's data and are read with negative
//! offsets. What it does not know (a foreign protocol, an odd header) it leaves to the hash.

use std::io;
use std::os::fd::OwnedFd;

use crate::os;

/// Offsets from here on are counted from the network header.
const NET: u32 = 0xfff0_0000;
/// An index that no group has: the kernel's hash chooses.
const NO_OPINION: u32 = u32::MAX;
/// Extension headers of IPv6 that are skipped.
const EXTENSIONS_MAX: usize = 3;

const LD: u16 = 0x00;
const LDX: u16 = 0x01;
const ST: u16 = 0x02;
const ALU: u16 = 0x04;
const JMP: u16 = 0x05;
const RET: u16 = 0x06;
const MISC: u16 = 0x07;
const H: u16 = 0x08;
const B: u16 = 0x10;
const ABS: u16 = 0x20;
const IND: u16 = 0x40;
const IMM: u16 = 0x00;
const MEM: u16 = 0x60;
const MSH: u16 = 0xa0;
const ADD: u16 = 0x00;
const MUL: u16 = 0x20;
const MOD: u16 = 0x90;
const RSH: u16 = 0x70;
const JEQ: u16 = 0x10;
const A: u16 = 0x10;
const X: u16 = 0x08;
const TAX: u16 = 0x00;

/// Gives the group of `socket` a program: source port modulo `workers` is the index of the socket.
///
/// Errors: a kernel without such programs (before 4.5), a socket without SO_REUSEPORT.
pub fn attach_port_program(socket: &OwnedFd, workers: u32) -> io::Result<()> {
    os::attach_filter(socket, &port_program(workers))
}

fn step(code: u16, k: u32) -> libc::sock_filter {
    libc::sock_filter {
        code,
        jt: 0,
        jf: 0,
        k,
    }
}

fn jump(k: u32, equal: usize, other: usize) -> libc::sock_filter {
    let short = |n: usize| u8::try_from(n).expect("the program is short");
    libc::sock_filter {
        code: JMP | JEQ,
        jt: short(equal),
        jf: short(other),
        k,
    }
}

/// The steps: IPv4 by its header length, IPv6 through its extension headers.
fn port_program(workers: u32) -> Vec<libc::sock_filter> {
    let v6 = v6_steps(workers);
    let v4 = [
        step(LDX | B | MSH, NET),
        step(LD | H | IND, NET),
        step(ALU | MOD, workers),
        step(RET | A, 0),
    ];
    let mut program = vec![
        step(LD | B | ABS, NET),
        step(ALU | RSH, 4),
        jump(4, 0, v4.len()),
    ];
    program.extend(v4);
    program.push(jump(6, 1, 0));
    program.push(step(RET, NO_OPINION));
    program.extend(v6);
    program
}

/// With X at the end of the headers known so far and A the next one's number: TCP ends the walk.
fn v6_steps(workers: u32) -> Vec<libc::sock_filter> {
    let tcp = [
        step(LD | H | IND, NET),
        step(ALU | MOD, workers),
        step(RET | A, 0),
    ];
    // A header that is skipped: X grows by (its second byte + 1) * 8, A becomes its first byte.
    let skip = [
        step(LD | B | IND, NET.wrapping_add(1)),
        step(ALU | ADD, 1),
        step(ALU | MUL, 8),
        step(ALU | ADD | X, 0),
    ];
    let mut steps = vec![step(LDX | IMM, 40), step(LD | B | ABS, NET.wrapping_add(6))];
    for last in (0..=EXTENSIONS_MAX).map(|i| i == EXTENSIONS_MAX) {
        steps.push(jump(6, 0, tcp.len()));
        steps.extend(tcp);
        if last {
            steps.push(step(RET, NO_OPINION));
            break;
        }
        // Hop-by-hop, routing, destination options; another header is not understood.
        steps.push(jump(0, 3, 0));
        steps.push(jump(43, 2, 0));
        steps.push(jump(60, 1, 0));
        steps.push(step(RET, NO_OPINION));
        steps.push(step(LD | B | IND, NET));
        steps.push(step(ST, 0));
        steps.extend(skip);
        steps.push(step(MISC | TAX, 0));
        steps.push(step(LD | MEM, 0));
    }
    steps
}

#[cfg(test)]
mod tests {
    use std::net::{SocketAddr, TcpStream};
    use std::os::fd::AsRawFd;

    use super::*;
    use crate::Specification;

    /// The index in the group that connections from a few source ports reach.
    fn reached(host: &str, workers: usize) -> Vec<(u16, usize)> {
        let asked = Specification::parse(&format!("{host}:0W")).expect("a specification");
        let (address, sockets) = asked.open(workers, true).expect("a group");
        attach_port_program(&sockets[0], workers as u32).expect("attached");
        let server = SocketAddr::new(
            match host {
                "[::1]" => std::net::Ipv6Addr::LOCALHOST.into(),
                _ => std::net::Ipv4Addr::LOCALHOST.into(),
            },
            address.port().expect("a port"),
        );
        (0..40)
            .map(|_| {
                let client = TcpStream::connect(server).expect("connected");
                let port = client.local_addr().expect("an address").port();
                let index = sockets
                    .iter()
                    .position(|s| os::accept(s.as_raw_fd()).is_ok())
                    .expect("accepted by one of the group");
                (port, index)
            })
            .collect()
    }

    #[test]
    fn the_source_port_chooses_the_socket() {
        for (host, workers) in [("127.0.0.1", 3), ("127.0.0.1", 7), ("[::1]", 5)] {
            for (port, index) in reached(host, workers) {
                assert_eq!(
                    index,
                    usize::from(port) % workers,
                    "port {port} of {workers}"
                );
            }
        }
    }
}
