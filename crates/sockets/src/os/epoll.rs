//! Epoll with what its wrappers do not offer: exclusive wake-ups, registration order, re-adding.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use super::{aside, checked};

/// Events taken from the kernel at once: few, so that a long request delays little of what came with it.
const EVENTS_MAX: usize = 64;

/// What epoll says of a descriptor.
#[derive(Clone, Copy, Debug)]
pub struct Ready {
    pub descriptor: RawFd,
    pub readable: bool,
    pub writable: bool,
}

/// What is watched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    Reading,
    Both,
    /// A peer that has shut its side would be reported for ever if reading were watched.
    Writing,
    /// A listener of several processes: one of those that sleep is woken, the first to have
    /// registered first. Can only be added, never changed.
    Exclusive,
}

impl Watch {
    fn flags(self) -> u32 {
        let reading = libc::EPOLLIN | libc::EPOLLRDHUP;
        (match self {
            Watch::Reading => reading,
            Watch::Both => reading | libc::EPOLLOUT,
            Watch::Writing => libc::EPOLLOUT,
            Watch::Exclusive => libc::EPOLLIN | libc::EPOLLEXCLUSIVE,
        }) as u32
    }
}

/// An epoll instance.
#[derive(Debug)]
pub struct Poll {
    descriptor: OwnedFd,
}

impl Poll {
    /// A new instance.
    pub fn new() -> io::Result<Poll> {
        // SAFETY: no pointers are passed; the descriptor is checked and owned by nobody else.
        let descriptor = unsafe {
            let d = checked(libc::epoll_create1(libc::EPOLL_CLOEXEC))?;
            OwnedFd::from_raw_fd(d)
        };
        Ok(Poll {
            descriptor: aside(descriptor),
        })
    }

    /// Starts to watch a descriptor.
    pub fn add(&self, descriptor: RawFd, watch: Watch) -> io::Result<()> {
        self.control(libc::EPOLL_CTL_ADD, descriptor, watch)
    }

    /// Changes what a descriptor is watched for.
    pub fn change(&self, descriptor: RawFd, watch: Watch) -> io::Result<()> {
        self.control(libc::EPOLL_CTL_MOD, descriptor, watch)
    }

    /// Stops watching; a descriptor that is not watched is no error.
    pub fn remove(&self, descriptor: RawFd) {
        let _ = self.control(libc::EPOLL_CTL_DEL, descriptor, Watch::Reading);
    }

    fn control(&self, operation: i32, descriptor: RawFd, watch: Watch) -> io::Result<()> {
        let mut event = libc::epoll_event {
            events: watch.flags(),
            u64: descriptor as u64,
        };
        // SAFETY: `event` is a valid epoll_event that lives over the call.
        checked(unsafe {
            libc::epoll_ctl(
                self.descriptor.as_raw_fd(),
                operation,
                descriptor,
                &mut event,
            )
        })?;
        Ok(())
    }

    /// Waits at most `timeout_ms` (-1 for ever); an interrupting signal gives no events.
    pub fn wait(&self, timeout_ms: i32) -> io::Result<Vec<Ready>> {
        let mut events = [libc::epoll_event { events: 0, u64: 0 }; EVENTS_MAX];
        // SAFETY: `events` has room for the count that is passed.
        let n = unsafe {
            libc::epoll_wait(
                self.descriptor.as_raw_fd(),
                events.as_mut_ptr(),
                events.len() as i32,
                timeout_ms,
            )
        };
        if n < 0 {
            let error = io::Error::last_os_error();
            return match error.kind() {
                io::ErrorKind::Interrupted => Ok(Vec::new()),
                _ => Err(error),
            };
        }
        Ok(events[..n as usize]
            .iter()
            .map(|e| {
                let flags = e.events;
                Ready {
                    descriptor: e.u64 as RawFd,
                    readable: flags & !(libc::EPOLLOUT as u32) != 0,
                    writable: flags & libc::EPOLLOUT as u32 != 0,
                }
            })
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::os;

    #[test]
    fn the_first_sleeper_to_have_registered_is_woken_alone() {
        let (a, b) = os::pair().expect("a pair");
        let polls = [Poll::new().expect("epoll"), Poll::new().expect("epoll")];
        for poll in &polls {
            poll.add(a.as_raw_fd(), Watch::Exclusive).expect("added");
        }
        os::send(&b, b"x", &[]).expect("sent");
        let woken: Vec<usize> = polls
            .iter()
            .map(|p| p.wait(0).expect("waited").len())
            .collect();
        assert_eq!(woken, [1, 1], "level-triggered: who asks is told");
        polls[0].remove(a.as_raw_fd());
        assert!(polls[0].wait(0).expect("waited").is_empty());
    }
}
