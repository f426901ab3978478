//! Packets between processes of one machine, with descriptors in them.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use super::checked;

/// Descriptors in one packet. The kernel takes 253; some C libraries take less.
pub const DESCRIPTORS_MAX: usize = 64;

const CONTROL_BYTES: usize = 512;

/// Control data has the alignment of its header.
#[repr(C, align(8))]
struct Control([u8; CONTROL_BYTES]);

/// Two connected ends that keep packets apart, neither of which blocks.
pub fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [-1; 2];
    let kind = libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    // SAFETY: `ends` has room for two descriptors, which are checked and owned by nobody else.
    unsafe {
        checked(libc::socketpair(libc::AF_UNIX, kind, 0, ends.as_mut_ptr()))?;
        Ok((OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])))
    }
}

/// Sends a packet. The descriptors are copied, not given away.
///
/// Errors: a full queue (`WouldBlock`), a peer that is gone.
pub fn send(socket: &OwnedFd, bytes: &[u8], descriptors: &[RawFd]) -> io::Result<()> {
    assert!(
        descriptors.len() <= DESCRIPTORS_MAX,
        "a packet has few descriptors"
    );
    let mut part = libc::iovec {
        iov_base: bytes.as_ptr().cast_mut().cast(),
        iov_len: bytes.len(),
    };
    let mut control = Control([0; CONTROL_BYTES]);
    // SAFETY: the header points at `part` and `control`, which live over the call; the control data
    // has room for DESCRIPTORS_MAX descriptors, so that its first header exists.
    let sent = unsafe {
        let mut header: libc::msghdr = std::mem::zeroed();
        header.msg_iov = &raw mut part;
        header.msg_iovlen = 1;
        if !descriptors.is_empty() {
            let size = size_of_val(descriptors) as u32;
            header.msg_control = control.0.as_mut_ptr().cast();
            header.msg_controllen = libc::CMSG_SPACE(size) as usize;
            let first = libc::CMSG_FIRSTHDR(&raw const header);
            (*first).cmsg_level = libc::SOL_SOCKET;
            (*first).cmsg_type = libc::SCM_RIGHTS;
            (*first).cmsg_len = libc::CMSG_LEN(size) as usize;
            let data = libc::CMSG_DATA(first);
            std::ptr::copy_nonoverlapping(descriptors.as_ptr().cast(), data, size as usize);
        }
        libc::sendmsg(socket.as_raw_fd(), &raw const header, libc::MSG_NOSIGNAL)
    };
    if sent < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Takes a packet: its length and its descriptors. A length of 0 is the end.
///
/// Errors: nothing there (`WouldBlock`).
pub fn receive(socket: &OwnedFd, buffer: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
    let mut part = libc::iovec {
        iov_base: buffer.as_mut_ptr().cast(),
        iov_len: buffer.len(),
    };
    let mut control = Control([0; CONTROL_BYTES]);
    let mut descriptors = Vec::new();
    // SAFETY: the header points at `part` and `control`, which live over the call; the kernel writes
    // whole control messages, and each descriptor in them is new and ours.
    let size = unsafe {
        let mut header: libc::msghdr = std::mem::zeroed();
        header.msg_iov = &raw mut part;
        header.msg_iovlen = 1;
        header.msg_control = control.0.as_mut_ptr().cast();
        header.msg_controllen = CONTROL_BYTES;
        let size = libc::recvmsg(socket.as_raw_fd(), &raw mut header, libc::MSG_CMSG_CLOEXEC);
        if size < 0 {
            return Err(io::Error::last_os_error());
        }
        let mut next = libc::CMSG_FIRSTHDR(&raw const header);
        while let Some(message) = next.as_ref() {
            if message.cmsg_level == libc::SOL_SOCKET && message.cmsg_type == libc::SCM_RIGHTS {
                let bytes = message.cmsg_len - libc::CMSG_LEN(0) as usize;
                let data: *const RawFd = libc::CMSG_DATA(next).cast();
                for i in 0..bytes / size_of::<RawFd>() {
                    descriptors.push(OwnedFd::from_raw_fd(data.add(i).read_unaligned()));
                }
            }
            next = libc::CMSG_NXTHDR(&raw const header, next);
        }
        size as usize
    };
    Ok((size, descriptors))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_carries_descriptors() {
        let (a, b) = pair().expect("a pair");
        let (c, d) = pair().expect("a pair");
        send(&a, b"take", &[c.as_raw_fd()]).expect("sent");
        let mut buffer = [0; 16];
        let (size, descriptors) = receive(&b, &mut buffer).expect("received");
        assert_eq!(&buffer[..size], b"take");
        send(&descriptors[0], b"hello", &[]).expect("sent");
        let (size, none) = receive(&d, &mut buffer).expect("received");
        assert_eq!((&buffer[..size], none.len()), (b"hello".as_slice(), 0));
        let nothing = receive(&d, &mut buffer).map_err(|e| e.kind());
        assert!(matches!(nothing, Err(io::ErrorKind::WouldBlock)));
    }
}
