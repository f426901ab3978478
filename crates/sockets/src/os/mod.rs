//! The operating system, where the standard library does not reach. Every call is checked; what is
//! above is safe code.
#![allow(unsafe_code)]

mod epoll;
mod memory;
mod message;
mod socket;

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

pub use epoll::{Poll, Ready, Watch};
pub use memory::SharedMemory;
pub use message::{pair, receive, send};
pub use socket::{
    accept, accept_queue, attach_filter, forward, has_waiting, inherit, listen, local_address,
    peer_is_ours, set_nonblocking,
};

fn checked(result: libc::c_int) -> io::Result<libc::c_int> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

/// What the system says, without Rust's number after it.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_string(),
        None => text,
    }
}

/// Nanoseconds of the clock that all processes of this machine share and nobody sets.
pub fn now_ns() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is valid for the call, which cannot fail with this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Our own descriptors start here, so that the first handle of a program is 3, as scripts have it.
const OWN_DESCRIPTORS: libc::c_int = 200;

/// The same open file under a high number; the one given when there is no room for it.
pub fn aside(descriptor: OwnedFd) -> OwnedFd {
    // SAFETY: the descriptor is open; the copy is checked, and owned by nobody else.
    unsafe {
        let number = descriptor.as_raw_fd();
        match libc::fcntl(number, libc::F_DUPFD_CLOEXEC, OWN_DESCRIPTORS) {
            -1 => descriptor,
            copy => OwnedFd::from_raw_fd(copy),
        }
    }
}
